//! The engine on the GPU. The host encodes a whole step at once; no kernel waits for the CPU.
//!
//! `step` holds the order of a step, kernel by kernel; `rounds` the number of dispatches of a safe step; `flights` the steps that are submitted and not yet read.
//! Every call that waits for the GPU is `async`.

mod checkpoint;
mod collision;
mod contacts;
mod counts;
mod device;
mod flights;
pub(crate) mod footprint;
mod held;
mod history;
mod inputs;
mod interface;
#[cfg(feature = "cli")]
mod kernels;
#[cfg(feature = "cli")]
mod meeting;
#[cfg(test)]
mod parity;
mod pins;
pub(super) mod plan;
mod rounds;
mod setup;
mod skins;
mod snapshot;
mod stages;
mod step;
#[cfg(test)]
mod step_page;
mod tally;
mod ties;
mod timekeeping;

use crate::{Air, Options, gpu::Pace, topology::Topology};
use device::Device;
use flights::UnderWay;
use held::Held;
use snapshot::Snapshot;
use stages::{Parts, Stages};
use std::sync::Arc;
use tally::Tally;
use timekeeping::Timekeeping;

pub(crate) struct GpuEngine {
    topology: Arc<Topology>,
    options: Options,
    air: Air,
    device: Device,
    stages: Stages,
    parts: Parts,
    time: Timekeeping,
    held: Held,
    under_way: UnderWay,
    tally: Tally,
    /// Pace of submissions that the host sets; `None`: a step is submitted at once.
    pace: Option<Pace>,
    /// The state before the last step, for adaptive steps and for safe steps in scenes with colliders.
    snapshot: Option<Snapshot>,
}
