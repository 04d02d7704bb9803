//! Tied particles outside the iterations of a solve: diagonal blocks and residuals are summed before it, forces that are not solved with are shared out, states are copied.
//! Within a solve they are one of its corrections.
//!
//! Reads ties. Writes residual, diagonal, anchor, positions, velocities, direction, published.

use super::{LaunchPlan, Timeline, row_kernel};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu},
};

#[derive(Debug)]
pub(crate) struct Ties {
    blocks: Dispatch,
    forces: Dispatch,
    anchors: Dispatch,
    states: Dispatch,
}

impl Ties {
    pub fn new(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan) -> Result<Self, Error> {
        let kernel = |name| row_kernel(gpu, buffers, launch, name);
        Ok(Self {
            blocks: kernel("solve/tie_blocks")?,
            forces: kernel("integrate/tie_forces")?,
            anchors: kernel("integrate/tie_anchors")?,
            states: kernel("integrate/tie_states")?,
        })
    }

    /// Sums diagonal blocks and residuals of each group, before a solve and its contacts.
    pub fn encode_blocks(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.blocks);
    }

    /// After forces for their own sake.
    pub fn encode_forces(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.forces);
    }

    /// After x̂ and v̂ have changed.
    pub fn encode_anchors(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.anchors);
    }

    /// After a step that did not solve for its end.
    pub fn encode_states(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.states);
    }
}
