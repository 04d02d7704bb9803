//! The integrate stage: from one state to the next, and the memory of edges at the very end of a step.
//!
//! Reads solution, residual, constraints. Writes positions, velocities, previous, anchor, published, checks, history; starts the residual of
//! implicit methods.

use super::{LaunchPlan, Timeline, matrix_kernel, row_kernel};
use crate::{
    Error, Integrator, Options,
    gpu::{Buffers, Dispatch, Gpu},
    integrator::Kind,
};

#[derive(Debug)]
pub(crate) struct Integrate {
    method: Method,
    /// The kernel of the error estimate, for adaptive steps.
    estimate: Option<Dispatch>,
    restore: Dispatch,
    /// Kernels that advance the memory of edges; empty where no edge has memory.
    history: Vec<Dispatch>,
}

/// State variables that forces depend on besides positions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    pub velocities: bool,
    /// Whether edges have memory.
    pub memory: bool,
}

/// Kernels of an implicit or of an explicit method.
#[derive(Debug)]
enum Method {
    Implicit {
        begin: Dispatch,
        relinearise: Dispatch,
        stage: Dispatch,
        end: Vec<Dispatch>,
    },
    /// One dispatch per evaluation of the forces, and one more where the last evaluation does not end the step. The first dispatch is omitted
    /// where no force depends on its result.
    Explicit {
        begin: Option<Dispatch>,
        stages: Vec<Dispatch>,
        end: Option<Dispatch>,
    },
}

impl Integrate {
    pub fn new(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, options: &Options, seen: Seen) -> Result<Self, Error> {
        let integrator = options.integrator;
        let kernel = |name| row_kernel(gpu, buffers, launch, name);
        let explicit_begin = || kernel("integrate/explicit_begin");
        let method = match integrator.kind() {
            Kind::Implicit => Method::Implicit {
                begin: kernel("integrate/begin")?,
                relinearise: kernel("integrate/relinearise")?,
                stage: kernel("integrate/stage")?,
                end: match integrator {
                    Integrator::ImplicitMidpoint => vec![kernel("integrate/midpoint")?],
                    Integrator::ImexMidpoint => vec![kernel("integrate/imex_midpoint")?, kernel("integrate/publish")?],
                    _ => Vec::new(),
                },
            },
            Kind::Verlet(_) => Method::Explicit {
                begin: seen.velocities.then(explicit_begin).transpose()?,
                stages: vec![kernel("integrate/verlet")?],
                end: None,
            },
            Kind::RungeKutta(stages) => {
                let stage_kernel = gpu.kernel("integrate/runge_kutta")?;
                let bind = |stage| stage_kernel.bind_chunk(gpu, buffers, Some(stage), launch.workgroups);
                Method::Explicit {
                    begin: Some(explicit_begin()?),
                    stages: (0..stages.len()).map(bind).collect::<Result<_, _>>()?,
                    end: Some(kernel("integrate/publish")?),
                }
            }
        };
        Ok(Self {
            method,
            estimate: options.adaptive.map(|_| kernel("integrate/estimate")).transpose()?,
            restore: kernel("integrate/restore")?,
            history: if seen.memory { matrix_kernel(gpu, buffers, launch, "integrate/history")? } else { Vec::new() },
        })
    }

    /// Encodes the start of a linearisation. The first of a step saves the state; later ones start from the new velocities.
    pub fn encode_start(&self, timeline: &mut Timeline<'_>, linearisation: u32) {
        match &self.method {
            Method::Implicit { begin, .. } if linearisation == 0 => timeline.run(begin),
            Method::Implicit { relinearise, .. } => timeline.run(relinearise),
            Method::Explicit { begin, .. } => begin.iter().for_each(|begin| timeline.run(begin)),
        }
    }

    /// Encodes the update of the state after a solve.
    pub fn encode(&self, timeline: &mut Timeline<'_>) {
        if let Method::Implicit { stage, .. } = &self.method {
            timeline.run(stage);
        }
    }

    /// Encodes the way from the last stage of the integrator to the end of the step.
    pub fn encode_end(&self, timeline: &mut Timeline<'_>) {
        match &self.method {
            Method::Implicit { end, .. } => timeline.run_all(end),
            Method::Explicit { end, .. } => end.iter().for_each(|end| timeline.run(end)),
        }
        self.estimate.iter().for_each(|estimate| timeline.run(estimate));
    }

    /// The dispatch after each evaluation of the forces in an explicit step; none in an implicit step.
    pub fn explicit_stages(&self) -> &[Dispatch] {
        match &self.method {
            Method::Implicit { .. } => &[],
            Method::Explicit { stages, .. } => stages,
        }
    }

    /// Encodes the memory of edges, after the record, so that a failed step leaves it unchanged.
    pub fn encode_history(&self, timeline: &mut Timeline<'_>) {
        timeline.run_all(&self.history);
    }

    /// Encodes the return to the state at the start of a failed step.
    pub fn encode_restore(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.restore);
    }
}
