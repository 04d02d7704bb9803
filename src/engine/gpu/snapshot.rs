//! The state before a step of adaptive length, kept on the GPU, and back again if the step is rejected: copies of buffers, so that
//! nothing of the step is left, whatever the method remembers.

use super::{Clock, Counts, GpuEngine, Timeline, upload};
use crate::Error;

/// What the host knew.
#[derive(Debug, Clone)]
pub(super) struct Snapshot {
    step: u64,
    clock: Clock,
    before: Option<f64>,
    last_stage_step: f64,
    counts: Counts,
}

impl GpuEngine {
    /// Keeps the state. No step is on its way.
    pub(super) fn take_snapshot(&mut self) -> Result<(), Error> {
        self.snapshot = Some(Snapshot {
            step: self.step,
            clock: self.clock,
            before: self.before,
            last_stage_step: self.last_stage_step,
            counts: self.counts.clone(),
        });
        self.copy_saved(|from, to| (from, to))
    }

    /// Puts it back.
    pub(super) fn put_back_snapshot(&mut self) -> Result<(), Error> {
        let Some(saved) = self.snapshot.clone() else { return Err(Error::Gpu("no state was kept".to_owned())) };
        self.step = saved.step;
        self.clock = saved.clock;
        self.before = saved.before;
        self.last_stage_step = saved.last_stage_step;
        self.counts = saved.counts;
        self.copy_saved(|from, to| (to, from))
    }

    /// Copies between the buffers of the state and those that keep it.
    fn copy_saved<'a>(
        &'a self,
        direction: impl Fn(&'a wgpu::Buffer, &'a wgpu::Buffer) -> (&'a wgpu::Buffer, &'a wgpu::Buffer),
    ) -> Result<(), Error> {
        let mut encoder = Timeline::encoder(&self.gpu);
        for (name, copy) in upload::SAVED {
            for chunk in 0..self.launch.chunks {
                let of_chunk = |name| self.buffers.of_chunk(name, Some(chunk));
                let (Some(buffer), Some(kept)) = (of_chunk(name), of_chunk(copy)) else { continue };
                // What is there once was copied with the first chunk.
                if chunk > 0 && self.buffers.get(copy).is_some() {
                    continue;
                }
                let (from, to) = direction(buffer, kept);
                encoder.copy_buffer_to_buffer(from, 0, to, 0, from.size());
            }
        }
        self.gpu.checked(|| self.gpu.queue().submit([encoder.finish()])).map(|_| ())
    }
}
