//! Single kernels of a step, for benchmarks.

use super::GpuEngine;
use crate::{
    Error,
    bench::kernels::Kernel,
    gpu::{Readback, Timeline, layout},
};
use std::time::{Duration, Instant};

/// Repeats in one submission: so few that iterations do not converge and kernels that work in place do not overflow.
const AT_ONCE: u32 = 32;

impl GpuEngine {
    /// Measures how long `repeats` runs of a kernel take, including submission and waiting. The part of the step before the kernel is encoded
    /// again every [`AT_ONCE`] runs, outside the measured time.
    pub(crate) fn time_kernel(&mut self, kernel: Kernel, repeats: u32) -> Result<Duration, Error> {
        let mut total = Duration::ZERO;
        let mut left = repeats;
        while left > 0 {
            let count = left.min(AT_ONCE);
            self.submit_and_wait(|engine, timeline| {
                // Every repeat starts from the same state.
                engine.stages.integrate.encode_restore(timeline);
                engine.stages.integrate.encode_start(timeline, 0);
                engine.stages.assembly.encode(timeline, engine.device.params.load_count > 0);
                engine.stages.solve.encode(timeline, 0, false);
            })?;
            let begin = Instant::now();
            let status = self.submit_and_wait(|engine, timeline| engine.encode_repeats(timeline, kernel, count))?;
            total += begin.elapsed();
            if kernel == Kernel::Iteration && status.cg.iteration != count {
                let done = status.cg.iteration;
                return Err(Error::Usage(format!("the solve ended after {done} iterations, {count} were to be timed")));
            }
            left -= count;
        }
        Ok(total)
    }

    fn encode_repeats(&self, timeline: &mut Timeline<'_>, kernel: Kernel, count: u32) {
        match kernel {
            Kernel::Assembly => {
                (0..count).for_each(|_| self.stages.assembly.encode(timeline, self.device.params.load_count > 0))
            }
            Kernel::Precondition => (0..count).for_each(|_| self.stages.solve.encode(timeline, 0, false)),
            Kernel::Iteration => self.stages.solve.encode_loop(timeline, count),
            Kernel::Euler => (0..count).for_each(|_| self.stages.integrate.encode(timeline)),
        }
    }

    fn submit_and_wait(&mut self, dispatches: impl FnOnce(&Self, &mut Timeline<'_>)) -> Result<layout::Status, Error> {
        let mut readback = Readback::new(&self.device.gpu, "tenter.status", size_of::<layout::Status>() as u64)?;
        let (gpu, status) = (&self.device.gpu, self.device.buffers.named("status")?);
        let timeout = self.options.timeout;
        let bytes = readback.fetch_now(gpu, status, |timeline| dispatches(self, timeline), "a kernel", timeout)?;
        bytemuck::try_pod_read_unaligned(&bytes).map_err(|error| Error::Gpu(error.to_string()))
    }
}
