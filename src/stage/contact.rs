//! The contact stage: passes that revise the active set between parts of a solve, or collisions after an explicit step.
//!
//! Reads constraints, residual. Writes constraints (P), contacts, residual (friction), preconditioner, u, anchor, impulses.

use super::{Collision, LaunchPlan, Timeline, row_kernel, solve::product};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu},
};

#[derive(Debug)]
pub(crate) enum ContactStage {
    Implicit {
        keep: Dispatch,
        /// `contact/keep` outside Newton's loop, after an evaluation of the forces.
        rub: Dispatch,
        respond: Dispatch,
        /// `contact/respond` in the last pass.
        respond_last: Dispatch,
        /// Kernels that engage contacts: Δv to the targets, A Δv, and the residual after it.
        engage: Vec<Dispatch>,
        settle: Dispatch,
    },
    Explicit {
        react: Dispatch,
    },
}

impl ContactStage {
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

    /// Encodes the kernel that prepares contacts before a solve.
    pub fn encode_keep(&self, timeline: &mut Timeline<'_>) {
        if let Self::Implicit { keep, .. } = self {
            timeline.run(keep);
        }
    }

    /// Encodes friction after an evaluation of the forces outside Newton's loop.
    pub fn encode_rub(&self, timeline: &mut Timeline<'_>) {
        if let Self::Implicit { rub, .. } = self {
            timeline.run(rub);
        }
    }

    /// Encodes a contact pass between two parts of a solve, with that over struts between bodies.
    pub fn encode_respond(&self, timeline: &mut Timeline<'_>, pass: u32, passes: u32, collision: Option<&Collision>) {
        if let Self::Implicit { respond, respond_last, engage, .. } = self {
            collision.iter().for_each(|collision| collision.encode_revise(timeline));
            timeline.run(if pass > 0 && pass + 1 == passes { respond_last } else { respond });
            collision.iter().for_each(|collision| collision.encode_restore(timeline));
            timeline.run_all(engage);
        }
    }

    /// Encodes the end of the contact passes, after the last part of a solve.
    pub fn encode_settle(&self, timeline: &mut Timeline<'_>) {
        if let Self::Implicit { settle, .. } = self {
            timeline.run(settle);
        }
    }

    /// Encodes collisions after an explicit step.
    pub fn encode_react(&self, timeline: &mut Timeline<'_>) {
        if let Self::Explicit { react } = self {
            timeline.run(react);
        }
    }
}
