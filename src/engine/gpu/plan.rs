//! The plan of a scene on a device, before anything is allocated. [`GpuEngine`](super::GpuEngine) allocates it, [`Footprint`](super::footprint::Footprint) reports it.

use super::{collision::CollisionPlan, skins};
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
    /// Contact between bodies, in scenes that have it.
    pub collision: Option<CollisionPlan>,
    /// Launches of steps in which edges or triangles may touch colliders, in scenes where bodies do not meet.
    pub supported: Option<LaunchPlan>,
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
        size.models.corrected = topology.has_corrections(rigids);
        size.models.collides = topology.surface.is_some();
        let launch = LaunchPlan::choose(device_launch, &size, options)?;
        if let (Some(aggregates), Launch::Software) = (&topology.aggregates, device_launch) {
            coarse::check(aggregates, size.widest(), launch.threads)?;
        }
        let collision = topology.surface.as_ref().filter(|_| launch.models.collides).map(|surface| {
            (surface, CollisionPlan::new(surface, topology.particle_count(), device_launch, launch, None))
        });
        let touches = !scene.colliders.is_empty() || collision.is_some();
        let edges = scene.colliders.iter().any(|collider| collider.edges);
        let supported = (edges && collision.is_none() && options.safe().is_some())
            .then(|| launch.with_struts(device_launch, topology.particle_count()));
        let mut buffers = upload::plan(topology, &matrix, supported.unwrap_or(launch), options, touches, rigids);
        buffers.extend(skins::plan(&topology.skins));
        if let Some((surface, plan)) = &collision {
            buffers.extend(plan.buffers(surface, topology.particle_count()));
        }
        upload::plan_saved(&mut buffers, options, touches);
        Ok(Self { matrix, launch, buffers, collision: collision.map(|(_, plan)| plan), supported })
    }
}

/// Values of the shaders' `override`s in the pipelines of a scene: kernels omit the models that a scene does not have. With `forces_only` those of the kernels
/// that compute forces without a matrix. Needs no GPU.
pub fn pipeline_constants(
    scene: &Scene,
    options: &Options,
    forces_only: bool,
) -> Result<Vec<(&'static str, u32)>, Error> {
    let topology = Topology::build(scene, options)?;
    let Plan { launch, .. } = Plan::new(&topology, scene, options, Launch::Hardware, u64::MAX)?;
    let launch = if forces_only { launch.forces_only() } else { launch };
    Ok(launch.models.constants())
}
