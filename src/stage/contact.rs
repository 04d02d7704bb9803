//! What becomes of contacts: between the parts of a solve, or after an explicit step.
//!
//! Reads constraints, residual. Writes constraints (P), contacts, residual (friction), preconditioner, u, anchor, impulses.

use super::{LaunchPlan, Timeline, row_kernel};
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
    pub fn encode_respond(&self, timeline: &mut Timeline<'_>) {
        if let Self::Implicit { respond, .. } = self {
            timeline.run(respond);
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
