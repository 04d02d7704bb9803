//! Corrections of u = Q r before the product A u. Q is block diagonal and treats each particle alone. A correction adds the coupling between particles, by ties or
//! by rigid bodies, so that u is the full preconditioner times r.
//!
//! The corrections of a scene are a list that runs in order, after `solve/precondition`, where a solve resumes, and after `solve/update` in every iteration. To add one,
//! add a file in this folder that makes a [`Correction`] of its kernels, which import `solve/corrects`, a variant of `reference::Correction` with a twin of the same stem,
//! and a line in [`Corrections::new`] and `reference::Corrections::new`, which define the order. `Models::corrected` must be set for its scenes: `solve/update` then
//! loads the corrected u, and `solve/single`, which supports no corrections, is not used.
//!
//! Reads preconditioner, residual, ties, contacts, status. Writes u, residual, rigids, rigid_contacts, partials.

mod coarse;
mod rigid;
mod ties;

use super::{LaunchPlan, Timeline};
use crate::{
    Error,
    gpu::{Buffers, Constants, Dispatch, Gpu},
    topology::Aggregates,
};

/// One correction of u = Q r.
#[derive(Debug)]
struct Correction {
    /// Dispatches after `solve/precondition`, which may have had nothing to do.
    at_start: Vec<Dispatch>,
    /// Dispatches where a solve resumes, and after every iteration.
    dispatches: Vec<Dispatch>,
}

impl Correction {
    /// Binds the kernels of a correction for both places.
    fn new(launch: LaunchPlan, bind: impl Fn(&Constants) -> Result<Vec<Dispatch>, Error>) -> Result<Self, Error> {
        let constants = launch.models.constants();
        let at_start = [constants.as_slice(), &[("AT_START", 1)]].concat();
        Ok(Self { at_start: bind(&at_start)?, dispatches: bind(&constants)? })
    }
}

/// Parts of a scene that need corrections.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coupled<'a> {
    /// Whether any particles are tied, or may be later.
    pub tied: bool,
    /// Number of rigid bodies.
    pub rigids: u32,
    /// Aggregates of the coarse level.
    pub aggregates: Option<&'a Aggregates>,
}

/// Corrections of a scene, in the order in which they act.
#[derive(Debug)]
pub(super) struct Corrections(Vec<Correction>);

impl Corrections {
    /// Binds the corrections of a scene.
    pub fn new(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, coupled: Coupled<'_>) -> Result<Self, Error> {
        let Coupled { tied, rigids, aggregates } = coupled;
        let mut list = Vec::new();
        if tied {
            list.push(ties::ties(gpu, buffers, launch)?);
        }
        if rigids > 0 {
            list.push(rigid::rigid(gpu, buffers, launch, rigids)?);
        }
        if tied && rigids > 0 {
            list.push(ties::tie_copies(gpu, buffers, launch)?);
        }
        if let Some(aggregates) = aggregates {
            list.push(coarse::coarse(gpu, buffers, launch, aggregates)?);
        }
        Ok(Self(list))
    }

    /// Number of dispatches that all corrections add to an iteration.
    pub fn dispatches(&self) -> usize {
        self.0.iter().map(|correction| correction.dispatches.len()).sum()
    }

    /// Corrects u after `solve/precondition`.
    pub fn encode_start(&self, timeline: &mut Timeline<'_>) {
        self.0.iter().for_each(|correction| timeline.run_all(&correction.at_start));
    }

    /// Corrects u where a solve resumes, and after an iteration.
    pub fn encode(&self, timeline: &mut Timeline<'_>) {
        self.0.iter().for_each(|correction| timeline.run_all(&correction.dispatches));
    }
}
