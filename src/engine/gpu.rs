//! The engine on the GPU. A step is encoded at once, and nothing waits for the CPU inside it.
//!
//! `step` has the order of a step, kernel by kernel; `rounds` how many dispatches a safe step is given; `flights` what becomes of steps that were submitted.
//! Whatever waits for the GPU is `async`.

mod checkpoint;
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
#[cfg(test)]
mod parity;
mod pins;
mod plan;
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

use crate::{Air, Options, topology::Topology};
use device::Device;
use flights::UnderWay;
use held::Held;
use snapshot::Snapshot;
use stages::Stages;
use std::sync::Arc;
use tally::Tally;
use timekeeping::Timekeeping;

pub(crate) struct GpuEngine {
    topology: Arc<Topology>,
    options: Options,
    air: Air,
    device: Device,
    stages: Stages,
    time: Timekeeping,
    held: Held,
    under_way: UnderWay,
    tally: Tally,
    /// The state before the last step, where steps are adaptive, or safe among colliders.
    snapshot: Option<Snapshot>,
}
