//! Corrections of u = Q r before the product A u. Q is block diagonal and treats each particle alone. A correction adds the coupling between particles, by ties or
//! by rigid bodies, so that u is the full preconditioner times r.
//!
//! The corrections of a scene are a list that runs in order, where a solve begins or resumes and after `solve/update` in every iteration. To add one, such as a
//! coarse level, add a file in this folder that makes a [`Correction`] of its kernels, a variant of `reference::Correction` with a twin of the same stem, and a line
//! in [`Corrections::new`] and `reference::Corrections::new`, which define the order. `Models::corrected` must be set for its scenes: `solve/update` then loads the
//! corrected u, and `solve/single`, which supports no corrections, is not used.
//!
//! Reads preconditioner, residual, ties, contacts, status. Writes u, residual, rigids, rigid_contacts, partials.

mod rigid;
mod ties;

use super::{LaunchPlan, Timeline};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu},
};

/// One correction of u = Q r.
#[derive(Debug)]
struct Correction {
    /// Dispatches where a solve begins or resumes, and after every iteration.
    dispatches: Vec<Dispatch>,
    /// Dispatches before the iterations of a round of a safe step, in which a solve may be under way. `None` stands for `dispatches`.
    between_rounds: Option<Vec<Dispatch>>,
}

/// Corrections of a scene, in the order in which they act.
#[derive(Debug)]
pub(super) struct Corrections(Vec<Correction>);

impl Corrections {
    /// Binds the corrections for tied particles, if `tied`, and for `rigids` rigid bodies.
    pub fn new(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, tied: bool, rigids: u32) -> Result<Self, Error> {
        let mut list = Vec::new();
        if tied {
            list.push(ties::ties(gpu, buffers, launch)?);
        }
        if rigids > 0 {
            list.push(rigid::rigid(gpu, buffers, rigids)?);
        }
        if tied && rigids > 0 {
            list.push(ties::tie_copies(gpu, buffers, launch)?);
        }
        Ok(Self(list))
    }

    /// Number of dispatches that all corrections add to an iteration.
    pub fn dispatches(&self) -> usize {
        self.0.iter().map(|correction| correction.dispatches.len()).sum()
    }

    /// Corrects u where a solve begins or resumes, and after an iteration.
    pub fn encode(&self, timeline: &mut Timeline<'_>) {
        self.0.iter().for_each(|correction| timeline.run_all(&correction.dispatches));
    }

    /// Corrects u before the iterations of a round of a safe step.
    pub fn encode_between_rounds(&self, timeline: &mut Timeline<'_>) {
        for correction in &self.0 {
            timeline.run_all(correction.between_rounds.as_ref().unwrap_or(&correction.dispatches));
        }
    }
}
