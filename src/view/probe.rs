//! Small answers from the GPU, asked for and taken in without waiting.

use crate::{
    Error,
    gpu::{Dispatch, Gpu, Readback},
};

/// One kernel that writes a small buffer, and the read-back of that buffer.
pub(super) struct Probe {
    dispatch: Dispatch,
    answer: wgpu::Buffer,
    readback: Readback,
    under_way: bool,
}

impl Probe {
    pub fn new(gpu: &Gpu, dispatch: Dispatch, answer: &wgpu::Buffer) -> Result<Self, Error> {
        let readback = Readback::new(gpu, "tenter.view.probe", answer.size())?;
        Ok(Self { dispatch, answer: answer.clone(), readback, under_way: false })
    }

    /// Whether an answer is under way.
    pub fn is_under_way(&self) -> bool {
        self.under_way
    }

    /// Runs the kernel. An earlier answer that is still under way stays the one that comes.
    pub fn ask(&mut self, gpu: &Gpu) -> Result<(), Error> {
        if self.under_way {
            return Ok(());
        }
        let mut encoder = gpu.device().create_command_encoder(&Default::default());
        self.dispatch.run(&mut encoder.begin_compute_pass(&Default::default()));
        encoder.copy_buffer_to_buffer(&self.answer, 0, self.readback.destination(), 0, self.answer.size());
        let submission = gpu.issue(|| gpu.queue().submit([encoder.finish()]))?;
        self.readback.request(gpu, submission)?;
        self.under_way = true;
        Ok(())
    }

    /// The answer, once, when it has arrived.
    pub fn answer(&mut self, gpu: &Gpu) -> Result<Option<Vec<[f32; 4]>>, Error> {
        if !self.under_way {
            return Ok(None);
        }
        let Some(bytes) = self.readback.look(gpu)? else { return Ok(None) };
        let words = bytes.chunks_exact(16).map(bytemuck::pod_read_unaligned).collect();
        self.readback.cancel(gpu);
        self.under_way = false;
        Ok(Some(words))
    }
}
