//! Times of single kernels of a step, for `benches/kernels.rs`.

use super::workload::Workload;
use crate::{Error, Gpu, engine::GpuEngine, gpu::wait, topology::Topology};
use std::{sync::Arc, time::Duration};

/// A kernel, or a group of kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// Assembly of forces and matrix.
    Assembly,
    /// Start of a solve: preconditioner, coarse matrix, u.
    Precondition,
    /// One conjugate gradient iteration: matrix times vector, then the update.
    Iteration,
    /// Update of velocities and positions.
    Euler,
}

impl Kernel {
    /// All kernels, in the order of a step.
    pub const ALL: [Kernel; 4] = [Kernel::Assembly, Kernel::Precondition, Kernel::Iteration, Kernel::Euler];

    /// Short, stable name.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Assembly => "assembly",
            Kernel::Precondition => "precondition",
            Kernel::Iteration => "iteration",
            Kernel::Euler => "euler",
        }
    }
}

/// Untimed steps at the start: a flat cloth needs only a few iterations.
const STEPS: u32 = 10;

/// The kernels of a workload, ready to run.
pub struct KernelBench(GpuEngine);

impl KernelBench {
    /// Sets the workload up and makes the first steps.
    pub fn new(gpu: &Gpu, workload: &Workload) -> Result<Self, Error> {
        Self::after(gpu, workload, STEPS)
    }

    /// Sets the workload up and makes this many steps.
    pub fn after(gpu: &Gpu, workload: &Workload, steps: u32) -> Result<Self, Error> {
        let topology = Arc::new(Topology::build(&workload.scene, &workload.options)?);
        let set_up = async {
            let mut engine = GpuEngine::new(gpu, topology, &workload.scene, &workload.options).await?;
            for _ in 0..steps {
                engine.step_many(1).await?;
            }
            engine.finish().await?;
            Ok(Self(engine))
        };
        wait::drive(workload.options.timeout, set_up)
    }

    /// Time of `repeats` consecutive runs, from encoding to the end of the wait.
    pub fn time(&mut self, kernel: Kernel, repeats: u32) -> Result<Duration, Error> {
        self.0.time_kernel(kernel, repeats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::workload::hanging_cloth;

    #[test]
    fn every_kernel_runs_as_often_as_asked() {
        let gpu = Gpu::headless().unwrap();
        let mut bench = KernelBench::new(&gpu, &hanging_cloth(32)).unwrap();
        // Each kernel runs twice, over several submissions: no state left by one stops the next.
        for kernel in [Kernel::ALL, Kernel::ALL].concat() {
            for repeats in [1, 4, 70] {
                assert!(bench.time(kernel, repeats).unwrap() > Duration::ZERO, "{kernel:?}");
            }
        }
        assert_eq!(bench.time(Kernel::Iteration, 0).unwrap(), Duration::ZERO);
    }
}
