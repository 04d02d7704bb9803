//! The state before a step of adaptive length, kept on the GPU, and back again if the step is rejected: copies of buffers, so that
//! nothing of the step is left, whatever the method remembers.

use super::{GpuEngine, Timekeeping, counts::Counts};
use crate::{Error, engine::upload, gpu::Timeline};

/// What the host knew before the step.
#[derive(Debug, Clone)]
pub(super) struct Snapshot {
    time: Timekeeping,
    counts: Counts,
}

impl GpuEngine {
    /// Keeps the state, where steps are adaptive or safe among colliders. No step is under way.
    pub fn save(&mut self) -> Result<(), Error> {
        self.snapshot = Some(Snapshot { time: self.time.clone(), counts: self.under_way.counts.clone() });
        self.copy_saved(|from, to| (from, to))
    }

    /// Goes back to the state that was kept, as if nothing had happened since.
    pub fn rollback(&mut self) -> Result<(), Error> {
        let Some(saved) = self.snapshot.clone() else { return Err(Error::Gpu("no state was kept".to_owned())) };
        self.held.last_motion = None;
        self.time = saved.time;
        self.under_way.counts = saved.counts;
        self.copy_saved(|from, to| (to, from))
    }

    /// Copies between the buffers of the state and those that keep it.
    fn copy_saved<'a>(
        &'a self,
        direction: impl Fn(&'a wgpu::Buffer, &'a wgpu::Buffer) -> (&'a wgpu::Buffer, &'a wgpu::Buffer),
    ) -> Result<(), Error> {
        let mut encoder = Timeline::encoder(&self.device.gpu);
        for (name, copy) in upload::SAVED {
            for chunk in 0..self.device.launch.chunks {
                let of_chunk = |name| self.device.buffers.of_chunk(name, Some(chunk));
                let (Some(buffer), Some(kept)) = (of_chunk(name), of_chunk(copy)) else { continue };
                // What is there once was copied with the first chunk.
                if chunk > 0 && self.device.buffers.get(copy).is_some() {
                    continue;
                }
                let (from, to) = direction(buffer, kept);
                encoder.copy_buffer_to_buffer(from, 0, to, 0, from.size());
            }
        }
        self.device.gpu.issue(|| self.device.gpu.queue().submit([encoder.finish()])).map(|_| ())
    }
}
