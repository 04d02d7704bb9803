//! The ties stage: tied particles outside the iterations of a solve. It sums diagonal blocks and residuals before a solve, distributes forces that no solve uses, and
//! copies states. Within a solve, ties are one of the [corrections](super::corrections).
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

    /// Encodes the sums of diagonal blocks and residuals over each group, before a solve and its contacts.
    pub fn encode_blocks(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.blocks);
    }

    /// Encodes the distribution of forces over each group, after an evaluation of the forces without a solve.
    pub fn encode_forces(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.forces);
    }

    /// Encodes copies of x̂ and v̂ to tied particles, after these have changed.
    pub fn encode_anchors(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.anchors);
    }

    /// Encodes copies of positions and velocities to tied particles, after a step that did not solve for its end.
    pub fn encode_states(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.states);
    }
}
