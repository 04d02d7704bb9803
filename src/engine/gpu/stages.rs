//! The stages of a step, bound to their buffers.

use super::{collision::CollisionPlan, skins::SkinEngine};
use crate::{
    Error, Integrator, Options, Scene,
    gpu::{Buffers, Gpu, Timer},
    stage::{
        Afterwards, Assembly, Collision, ContactStage, Coupled, Integrate, LaunchPlan, PairLaunch, Report, Response,
        Search, Seen, Solve, Surroundings, Ties,
    },
    topology::Topology,
};

/// Kernels of a step by stage, each bound once.
pub(super) struct Stages {
    pub assembly: Assembly,
    /// Assembly of forces without a matrix, for schemes that need both.
    pub forces: Option<Assembly>,
    pub solve: Solve,
    /// The search stage, for safe steps.
    pub search: Option<Search>,
    /// The energy audit of steps without line search, if they are audited.
    pub afterwards: Option<Afterwards>,
    /// The contact stage, in scenes with colliders.
    pub contact: Option<ContactStage>,
    /// The ties stage, in scenes with ties or seams.
    pub ties: Option<Ties>,
    /// The skin stage, in scenes with skins.
    pub skins: Option<SkinEngine>,
    /// The collision stage, in scenes where bodies meet.
    pub collision: Option<Collision>,
    /// Stages of steps in which edges or triangles may touch colliders, in scenes where bodies do not meet; made when the first such step comes.
    pub supports: Option<Supports>,
    pub integrate: Integrate,
    pub report: Report,
    /// Timestamps of the stages, if asked for and supported by the device.
    pub timer: Option<Timer>,
}

/// Stages that take the place of others in steps with struts.
pub(super) struct Supports {
    pub solve: Solve,
    pub search: Search,
    pub collision: Collision,
}

/// Parts of a scene that need stages of their own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts {
    air: bool,
    colliders: bool,
    rigids: u32,
    /// Contact between bodies.
    pub collision: Option<CollisionPlan>,
}

impl Parts {
    pub fn of(scene: &Scene, collision: Option<CollisionPlan>) -> Self {
        let rigids = scene.rigid_count() as u32;
        Self { air: scene.air.is_some(), colliders: !scene.colliders.is_empty(), rigids, collision }
    }
}

impl Stages {
    pub fn new(
        gpu: &Gpu,
        buffers: &Buffers,
        launch: LaunchPlan,
        topology: &Topology,
        parts: Parts,
        options: &Options,
    ) -> Result<Self, Error> {
        let Options { integrator, .. } = *options;
        let surroundings = Surroundings { normals: topology.fans.is_some(), air: parts.air };
        let (touches, tied) = (parts.colliders || parts.collision.is_some(), !topology.ties.is_empty());
        let coupled = Coupled { tied, rigids: parts.rigids, aggregates: topology.aggregates.as_ref() };
        // An explicit method has no matrix.
        let main = if integrator.is_explicit() { launch.standalone() } else { launch };
        let at_stage = integrator == Integrator::ImexMidpoint;
        let alone = at_stage || integrator.explicit_share() > 0.0;
        let rayleigh = options.rayleigh.mass != 0.0 || options.rayleigh.stiffness != 0.0;
        let seen = Seen { velocities: launch.models.damped || rayleigh || parts.air, memory: topology.has_memory() };
        let afterwards = options.audited().filter(|_| integrator.is_imex());
        Ok(Self {
            assembly: Assembly::new(gpu, buffers, main, surroundings)?,
            forces: alone.then(|| Assembly::new(gpu, buffers, launch.standalone(), surroundings)).transpose()?,
            solve: Solve::new(gpu, buffers, launch, coupled, options.warm_start(launch.models.corrected))?,
            search: options.safe().map(|_| Search::new(gpu, buffers, launch, surroundings, touches)).transpose()?,
            afterwards: afterwards
                .map(|_| Afterwards::new(gpu, buffers, launch, surroundings, at_stage))
                .transpose()?,
            contact: touches.then(|| ContactStage::new(gpu, buffers, launch, integrator.is_explicit())).transpose()?,
            ties: tied.then(|| Ties::new(gpu, buffers, launch)).transpose()?,
            collision: parts
                .collision
                .map(|plan| Collision::new(gpu, buffers, launch, plan.launch, Response::of(options), tied, true))
                .transpose()?,
            supports: None,
            skins: SkinEngine::new(&topology.skins, gpu, buffers)?,
            integrate: Integrate::new(gpu, buffers, launch, options, seen)?,
            report: Report::new(gpu, buffers, launch, options.measure)?,
            timer: if options.timing {
                Timer::new(gpu, timed_parts(options, parts.collision.is_some() || parts.colliders))?
            } else {
                None
            },
        })
    }
}

impl Supports {
    pub fn new(
        gpu: &Gpu,
        buffers: &Buffers,
        launch: LaunchPlan,
        pairs: PairLaunch,
        topology: &Topology,
        parts: Parts,
        options: &Options,
    ) -> Result<Self, Error> {
        let surroundings = Surroundings { normals: topology.fans.is_some(), air: parts.air };
        let tied = !topology.ties.is_empty();
        let coupled = Coupled { tied, rigids: parts.rigids, aggregates: topology.aggregates.as_ref() };
        Ok(Self {
            solve: Solve::new(gpu, buffers, launch, coupled, options.warm_start(launch.models.corrected))?,
            search: Search::new(gpu, buffers, launch, surroundings, true)?,
            collision: Collision::new(gpu, buffers, launch, pairs, Response::Safe, tied, false)?,
        })
    }
}

/// Number of sections of a step that may be timed. `collides`: whether bodies may meet.
fn timed_parts(options: &Options, collides: bool) -> u32 {
    match options.safe() {
        // Contact between bodies interrupts every part of a step.
        Some(_) if collides => 2000,
        // Drivers have room for a few thousand timestamps.
        Some(safe) => (2 * safe.max_linearisations * (options.safe_passes() + 4) + 2).min(2000),
        None => 3 * options.linearisations() + if collides { 2 } else { 0 },
    }
}
