//! What becomes of contacts: between the parts of a solve, or after an explicit step.
//!
//! Reads constraints, residual. Writes constraints (P), contacts, residual (friction), preconditioner, u, anchor, impulses.

use super::{LaunchPlan, Timeline, row_kernel, solve::product};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu},
};

#[derive(Debug)]
pub(crate) enum Contact {
    Implicit {
        keep: Dispatch,
        /// The same outside Newton's loop.
        rub: Dispatch,
        respond: Dispatch,
        /// The same in the last pass.
        respond_last: Dispatch,
        /// What brings those back that hold again: Δv, A Δv, and what follows from it.
        engage: Vec<Dispatch>,
        settle: Dispatch,
    },
    Explicit {
        react: Dispatch,
    },
}

impl Contact {
    pub fn new(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, explicit: bool) -> Result<Self, Error> {
        let kernel = |name| row_kernel(gpu, buffers, launch, name);
        Ok(if explicit {
            Self::Explicit { react: kernel("contact/react")? }
        } else {
            Self::Implicit {
                keep: kernel("contact/keep")?,
                rub: row_kernel(gpu, buffers, launch.standalone(), "contact/keep")?,
                respond: kernel("contact/respond")?,
                respond_last: gpu.kernel_with("contact/respond", &vec![("LAST_PASS", 1)])?.bind(
                    gpu,
                    buffers,
                    launch.workgroups,
                )?,
                engage: {
                    let mut engage = vec![kernel("contact/shift")?];
                    engage.extend(product(gpu, buffers, launch, false)?);
                    engage.push(kernel("contact/engage")?);
                    engage
                },
                settle: kernel("contact/settle")?,
            }
        })
    }

    /// Before a solve.
    pub fn encode_keep(&self, timeline: &mut Timeline<'_>) {
        if let Self::Implicit { keep, .. } = self {
            timeline.run(keep);
        }
    }

    /// After forces for their own sake: with the friction.
    pub fn encode_rub(&self, timeline: &mut Timeline<'_>) {
        if let Self::Implicit { rub, .. } = self {
            timeline.run(rub);
        }
    }

    /// Between two parts of it.
    pub fn encode_respond(&self, timeline: &mut Timeline<'_>, pass: u32, passes: u32) {
        if let Self::Implicit { respond, respond_last, engage, .. } = self {
            timeline.run(if pass > 0 && pass + 1 == passes { respond_last } else { respond });
            timeline.run_all(engage);
        }
    }

    /// After the last part of it.
    pub fn encode_settle(&self, timeline: &mut Timeline<'_>) {
        if let Self::Implicit { settle, .. } = self {
            timeline.run(settle);
        }
    }

    /// After an explicit step.
    pub fn encode_react(&self, timeline: &mut Timeline<'_>) {
        if let Self::Explicit { react } = self {
            timeline.run(react);
        }
    }
}
