//! What becomes of contacts: between the parts of a solve, or after an explicit step.
//!
//! Reads constraints, residual. Writes constraints (P), contacts, residual (friction), preconditioner, u, impulses.

use super::{LaunchPlan, Timeline, row_kernel};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu},
};

#[derive(Debug)]
pub(crate) enum Contact {
    Implicit {
        keep: Dispatch,
        respond: Dispatch,
        impulses: Dispatch,
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
                respond: kernel("contact/respond")?,
                impulses: kernel("contact/impulses")?,
            }
        })
    }

    /// Before a solve.
    pub fn encode_keep(&self, timeline: &mut Timeline<'_>) {
        if let Self::Implicit { keep, .. } = self {
            timeline.run(keep);
        }
    }

    /// Between two parts of it.
    pub fn encode_respond(&self, timeline: &mut Timeline<'_>) {
        if let Self::Implicit { respond, .. } = self {
            timeline.run(respond);
        }
    }

    /// After the last, or after an explicit step.
    pub fn encode_end(&self, timeline: &mut Timeline<'_>) {
        match self {
            Self::Implicit { impulses, .. } => timeline.run(impulses),
            Self::Explicit { react } => timeline.run(react),
        }
    }
}
