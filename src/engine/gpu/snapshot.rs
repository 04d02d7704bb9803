//! Snapshot of the state before a step that may be rejected, kept on the GPU as copies of buffers, so that a rejected step leaves no trace for any
//! integrator.

use super::{GpuEngine, Timekeeping, counts::Counts};
use crate::{Error, engine::upload, gpu::Timeline};

/// State of the host before the step.
#[derive(Debug, Clone)]
pub(super) struct Snapshot {
    time: Timekeeping,
    counts: Counts,
}

impl GpuEngine {
    /// Saves the state, for adaptive steps and for safe steps in scenes with colliders. No step may be under way.
    pub fn save(&mut self) -> Result<(), Error> {
        self.snapshot = Some(Snapshot { time: self.time.clone(), counts: self.under_way.counts.clone() });
        self.copy_saved(|from, to| (from, to))
    }

    /// Restores the saved state, with everything that later steps read.
    pub fn rollback(&mut self) -> Result<(), Error> {
        let Some(saved) = self.snapshot.clone() else { return Err(Error::Gpu("no state was kept".to_owned())) };
        self.held.last_motion = None;
        self.time = saved.time;
        self.under_way.counts = saved.counts;
        self.copy_saved(|from, to| (to, from))?;
        self.forget_coarse_matrix(None)
    }

    /// Encodes copies between the buffers of the state and the buffers that save them.
    fn copy_saved<'a>(
        &'a self,
        direction: impl Fn(&'a wgpu::Buffer, &'a wgpu::Buffer) -> (&'a wgpu::Buffer, &'a wgpu::Buffer),
    ) -> Result<(), Error> {
        let mut encoder = Timeline::encoder(&self.device.gpu);
        for (name, copy) in upload::SAVED {
            for chunk in 0..self.device.launch.chunks {
                let of_chunk = |name| self.device.buffers.of_chunk(name, Some(chunk));
                let (Some(buffer), Some(kept)) = (of_chunk(name), of_chunk(copy)) else { continue };
                // Buffers without chunks were copied with the first chunk.
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
