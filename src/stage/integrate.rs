//! From one state to the next; and, last of all, what edges remember.
//!
//! Reads solution, constraints. Writes positions, velocities, previous, anchor, published, checks, history; starts the residual.

use super::{LaunchPlan, Timeline, matrix_kernel, row_kernel};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu},
};

#[derive(Debug)]
pub(crate) struct Integrate {
    begin: Dispatch,
    relinearise: Dispatch,
    stage: Dispatch,
    midpoint: Dispatch,
    clear: Dispatch,
    restore: Dispatch,
    /// Empty where no edge remembers anything.
    history: Vec<Dispatch>,
}

impl Integrate {
    pub fn new(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, memory: bool) -> Result<Self, Error> {
        let kernel = |name| row_kernel(gpu, buffers, launch, name);
        Ok(Self {
            begin: kernel("integrate/begin")?,
            relinearise: kernel("integrate/relinearise")?,
            stage: kernel("integrate/stage")?,
            midpoint: kernel("integrate/midpoint")?,
            clear: kernel("integrate/clear")?,
            restore: kernel("integrate/restore")?,
            history: if memory { matrix_kernel(gpu, buffers, launch, "integrate/history")? } else { Vec::new() },
        })
    }

    /// Before the forces: the first linearisation of a step saves the state, later ones start from the new velocities.
    pub fn encode_start(&self, timeline: &mut Timeline<'_>, linearisation: u32) {
        timeline.run(if linearisation == 0 { &self.begin } else { &self.relinearise });
    }

    /// After a solve.
    pub fn encode(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.stage);
    }

    /// The very last of a step, after its record: a step that failed changes no history.
    pub fn encode_history(&self, timeline: &mut Timeline<'_>) {
        timeline.run_all(&self.history);
    }

    /// From the stage half way to the end of the step.
    pub fn encode_midpoint(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.midpoint);
    }

    /// Before forces are gathered for their own sake.
    pub fn encode_clear(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.clear);
    }

    /// After a failed step: back to the state it began with.
    pub fn encode_restore(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.restore);
    }
}
