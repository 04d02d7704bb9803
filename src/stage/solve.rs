//! The linear solve: A Δv = b by preconditioned conjugate gradient (Chronopoulos–Gear), two dispatches an iteration, or one
//! for the whole solve when one workgroup takes it all.
//!
//! Reads values, pattern, diagonal, residual, constraints. Writes solution; leaves the constraint impulse in the residual.

use super::{LaunchPlan, Timeline, matrix_kernel, row_kernel};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu},
};

#[derive(Debug)]
pub(crate) struct Solve {
    precondition: Dispatch,
    iterate: Iterate,
    /// What links particles to others and to rigid bodies: after everything that changes u.
    links: Vec<Dispatch>,
    /// The same before the iterations of a round of a safe step, in which a solve may be under way.
    links_between: Vec<Dispatch>,
}

#[derive(Debug)]
enum Iterate {
    /// So many iterations in one dispatch; it takes up where the last one stopped.
    Single {
        solve: Dispatch,
        at_once: u32,
    },
    Many {
        spmv: Vec<Dispatch>,
        update: Dispatch,
    },
}

impl Solve {
    pub fn new(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, tied: bool, rigids: u32) -> Result<Self, Error> {
        let iterate = if let Some(at_once) = launch.single {
            Iterate::Single {
                solve: gpu.kernel_with("solve/single", &launch.models.constants())?.bind_chunk(
                    gpu,
                    buffers,
                    Some(0),
                    1,
                )?,
                at_once,
            }
        } else {
            Iterate::Many {
                spmv: matrix_kernel(gpu, buffers, launch, "solve/spmv")?,
                update: row_kernel(gpu, buffers, launch, "solve/update")?,
            }
        };
        let mut links = Vec::new();
        if tied {
            links.push(row_kernel(gpu, buffers, launch, "solve/ties")?);
        }
        let mut links_between = Vec::new();
        if tied {
            links_between.push(row_kernel(gpu, buffers, launch, "solve/ties")?);
        }
        if rigids > 0 {
            links.push(gpu.kernel("solve/rigid")?.bind(gpu, buffers, rigids)?);
            let between = gpu.kernel_with("solve/rigid", &vec![("BETWEEN_ROUNDS", 1)])?;
            links_between.push(between.bind(gpu, buffers, rigids)?);
        }
        if tied && rigids > 0 {
            links.push(row_kernel(gpu, buffers, launch, "solve/tie_copies")?);
            links_between.push(row_kernel(gpu, buffers, launch, "solve/tie_copies")?);
        }
        let precondition = row_kernel(gpu, buffers, launch, "solve/precondition")?;
        Ok(Self { precondition, iterate, links, links_between })
    }

    /// Dispatches of one iteration; 0 where the whole solve is one.
    pub fn dispatches(&self) -> u32 {
        match &self.iterate {
            Iterate::Single { .. } => 0,
            Iterate::Many { spmv, .. } => (spmv.len() + 1 + self.links.len()) as u32,
        }
    }

    pub fn encode(&self, timeline: &mut Timeline<'_>, iterations: u32) {
        timeline.run(&self.precondition);
        self.encode_iterations(timeline, iterations);
    }

    /// The preconditioner alone.
    pub fn encode_precondition(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.precondition);
    }

    /// Iterations of a round of a safe step.
    pub fn encode_round(&self, timeline: &mut Timeline<'_>, iterations: u32) {
        timeline.run_all(&self.links_between);
        self.encode_loop(timeline, iterations);
    }

    /// Iterations alone, of a solve that has begun, or goes on.
    pub fn encode_iterations(&self, timeline: &mut Timeline<'_>, iterations: u32) {
        timeline.run_all(&self.links);
        self.encode_loop(timeline, iterations);
    }

    fn encode_loop(&self, timeline: &mut Timeline<'_>, iterations: u32) {
        match &self.iterate {
            Iterate::Single { solve, at_once } => {
                for _ in 0..iterations.div_ceil(*at_once) {
                    timeline.run(solve);
                }
            }
            Iterate::Many { spmv, update } => {
                for _ in 0..iterations {
                    timeline.run_all(spmv);
                    timeline.run(update);
                    timeline.run_all(&self.links);
                    timeline.may_split();
                }
            }
        }
    }
}

#[cfg(test)]
impl Solve {
    /// The first half of an iteration alone.
    pub fn encode_spmv(&self, timeline: &mut Timeline<'_>) {
        if let Iterate::Many { spmv, .. } = &self.iterate {
            timeline.run_all(spmv);
        }
    }
}
