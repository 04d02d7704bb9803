//! From velocities to positions: implicit Euler.
//!
//! Reads solution, constraints. Writes positions, velocities, previous, published, checks; starts the residual.

use super::{LaunchPlan, Timeline, row_kernel};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu},
};

#[derive(Debug)]
pub(crate) struct Integrate {
    begin: Dispatch,
    relinearise: Dispatch,
    euler: Dispatch,
    restore: Dispatch,
}

impl Integrate {
    pub fn new(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan) -> Result<Self, Error> {
        let kernel = |name| row_kernel(gpu, buffers, launch, name);
        Ok(Self {
            begin: kernel("integrate/begin")?,
            relinearise: kernel("integrate/relinearise")?,
            euler: kernel("integrate/euler")?,
            restore: kernel("integrate/restore")?,
        })
    }

    /// Before the forces: the first linearisation of a step saves the state, later ones start from the new velocities.
    pub fn encode_start(&self, timeline: &mut Timeline<'_>, linearisation: u32) {
        timeline.run(if linearisation == 0 { &self.begin } else { &self.relinearise });
    }

    /// After a solve.
    pub fn encode(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.euler);
    }

    /// After a failed step: back to the state it began with.
    pub fn encode_restore(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.restore);
    }
}
