//! The plan of a scene on a device, before anything is allocated. [`GpuEngine`](super::GpuEngine) allocates it, [`Footprint`](super::footprint::Footprint) reports it.

use super::skins;
use crate::{
    Error, Options, Scene,
    engine::upload,
    gpu::{BufferPlan, shader::Launch},
    stage::{LaunchPlan, ProblemSize, coarse},
    topology::{MatrixLayout, Topology},
};

/// Layout of the matrix, launches and buffers.
pub(super) struct Plan {
    pub matrix: MatrixLayout,
    pub launch: LaunchPlan,
    pub buffers: Vec<BufferPlan>,
}

impl Plan {
    /// Plans for a device with bindings of at most `largest_binding` bytes.
    pub fn new(
        topology: &Topology,
        scene: &Scene,
        options: &Options,
        device_launch: Launch,
        largest_binding: u64,
    ) -> Result<Self, Error> {
        let matrix = upload::matrix(topology, largest_binding);
        let rigids = scene.rigid_count();
        let mut size = ProblemSize::of(topology, &matrix);
        size.models.corrected |= rigids > 0;
        let launch = LaunchPlan::choose(device_launch, &size, options)?;
        if let (Some(aggregates), Launch::Software) = (&topology.aggregates, device_launch) {
            coarse::check(aggregates, size.widest(), launch.threads)?;
        }
        let touches = !scene.colliders.is_empty();
        let mut buffers = upload::plan(topology, &matrix, launch, options, touches, rigids);
        buffers.extend(skins::plan(&topology.skins));
        Ok(Self { matrix, launch, buffers })
    }
}
