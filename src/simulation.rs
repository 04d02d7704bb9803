//! A simulation, from the scene to the state after each step.
//!
//! ```text
//! Scene ─► Topology ─► buffers ─► begin ─► assembly ─► solve ─► integrate ─► report
//!  (CPU)     (CPU)       (GPU)      └────────── one submission per step ──────────┘
//! ```
//! [`Simulation`] is the host's side: order of particles, pins, time. The step itself is in `engine/gpu.rs`, kernel by kernel in
//! `stage/` and `shaders/`, and once more in f64 in `engine/cpu.rs` and `reference/`.

mod adaptive;
pub(crate) mod archive;
mod awaiting;
mod blocking;
mod check;
mod checkpoint;
mod intersections;
mod outside;
mod pins;
mod prepared;
mod repeat;
mod rigid;
mod skins;
mod state;
mod strains;
mod ties;
mod world;

use crate::{
    AdaptiveReport, Air, ColliderId, Costs, Error, Gpu, Intersection, Options, Pace, Pose, Scene, StepRecord,
    engine::{CpuEngine, Engine, GpuEngine},
    topology::{Load, Topology},
};
use check::{check_options, checked_topology};
#[cfg(feature = "cli")]
pub(crate) use checkpoint::{HEADER as CHECKPOINT_HEADER, check_header};
use glam::Vec3;
use pins::Pins;
pub use prepared::PreparedScene;
use repeat::Pending;
pub use repeat::RepeatReport;
use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};
use ties::Ties;
use world::{Outlook, World};

/// Backend of a simulation: a GPU, or the CPU.
#[derive(Debug, Clone)]
// One per simulation: its size does not matter.
#[allow(clippy::large_enum_variant)]
#[non_exhaustive]
pub enum Backend {
    /// A GPU, in f32.
    Gpu(Gpu),
    /// The CPU, in f64: slower, exact to compare with.
    Cpu,
}

impl From<&Gpu> for Backend {
    fn from(gpu: &Gpu) -> Self {
        Backend::Gpu(gpu.clone())
    }
}

/// A scene in motion.
///
/// ```
/// use tenter::{Body, Gpu, Material, Mesh, Options, Scene, Simulation, Vertices};
/// # fn main() -> Result<(), tenter::Error> {
/// let mut scene = Scene::new();
/// let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 16, 16), Material::cotton()));
/// scene.pin(cloth, Vertices::corners());
///
/// let mut simulation = Simulation::new(&Gpu::headless()?, &scene, Options::default())?;
/// for _ in 0..10 {
///     simulation.step()?;
/// }
/// let positions = simulation.positions()?;
/// assert!(positions[255].y < 0.0);
/// # Ok(()) }
/// ```
pub struct Simulation {
    engine: Engine,
    topology: Arc<Topology>,
    options: Options,
    pins: Pins,
    ties: Ties,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    records: Vec<StepRecord>,
    latest: Option<StepRecord>,
    /// Step of the newest record that `poll` has told of.
    known: u64,
    /// Point loads by row: forces and handles on single particles.
    loads: BTreeMap<u32, Load>,
    air: Option<Air>,
    /// m/s²
    gravity: Vec3,
    /// Colliders and their contacts; `None` without colliders.
    world: Option<World>,
    /// Time asked for by `advance` and not simulated yet, s.
    time_left: f64,
    /// Where steps are adaptive: how long the next one should be, s.
    wanted_step: f64,
    adaptive_report: AdaptiveReport,
    /// Steps that are not known to be good yet, oldest first.
    pending: VecDeque<Pending>,
    repeats: RepeatReport,
    /// Steps after which no particle was inside a collider.
    verified: u64,
    /// Set while a future that changes the simulation is under way. One that is dropped before its end leaves it set.
    busy: bool,
}

impl Simulation {
    /// Checks the scene and sets everything up.
    async fn set_up(backend: Backend, scene: &Scene, topology: Arc<Topology>, options: Options) -> Result<Self, Error> {
        let engine = match backend {
            Backend::Gpu(gpu) => Engine::Gpu(Box::new(GpuEngine::new(&gpu, topology.clone(), scene, &options).await?)),
            Backend::Cpu => Engine::Cpu(Box::new(CpuEngine::new(topology.clone(), scene, &options))),
        };
        let world = (!scene.colliders.is_empty())
            .then(|| World::new(scene, &topology, options.integrator, options.safe().is_some()));
        world.iter().for_each(|world| world.warn_of_starts_inside(&topology));
        intersections::warn(&topology);
        let mut simulation = Self {
            pins: Pins::new(scene, &topology),
            ties: Ties::new(&topology),
            wanted_step: options.time_step,
            adaptive_report: AdaptiveReport::default(),
            pending: VecDeque::new(),
            repeats: RepeatReport::default(),
            verified: 0,
            engine,
            topology,
            options,
            loads: BTreeMap::new(),
            air: scene.air,
            gravity: scene.gravity,
            world,
            positions: Vec::new(),
            velocities: Vec::new(),
            records: Vec::new(),
            latest: None,
            known: 0,
            time_left: 0.0,
            busy: false,
        };
        simulation.loads_of_the_scene();
        simulation.weigh()?;
        Ok(simulation)
    }

    /// Whether [`new`](Self::new) would take this scene, as far as that can be told without a GPU.
    pub fn check(scene: &Scene, options: &Options) -> Result<(), Error> {
        checked_topology(scene, options).map(|_| ())
    }

    /// Submits the next step, and makes steps again that failed.
    async fn make_step(&mut self) -> Result<(), Error> {
        if self.options.adaptive.is_some() {
            return self.adaptive_step(f64::INFINITY).await;
        }
        self.expect_steps(1, 1.0);
        let result = self.next_step().await;
        self.collect();
        self.repeat_after(result).await
    }

    /// Submits the next step of the present length, with what the host does before it.
    async fn next_step(&mut self) -> Result<(), Error> {
        self.close_seams().await?;
        self.lead_pins(1.0, None)?;
        self.engine_step().await
    }

    /// Submits one step of the engine, with its contacts.
    async fn engine_step(&mut self) -> Result<(), Error> {
        let outlook = self.look_ahead().await?;
        if outlook.is_some() && self.options.safe().is_some() {
            self.engine.save()?;
        }
        self.engine.step().await?;
        self.go_on(outlook);
        Ok(())
    }

    /// Submits many steps, and makes steps again that failed.
    async fn make_steps(&mut self, count: u32) -> Result<(), Error> {
        if self.options.adaptive.is_some() {
            for _ in 0..count {
                self.make_step().await?;
            }
            return Ok(());
        }
        let mut left = count;
        while left > 0 {
            self.close_seams().await?;
            // As many as the pins need nothing before; or one that they do, or before which contacts or seams are tested.
            let alone = self.host_tests_contacts() || self.ties.open() > 0;
            let most = if self.options.safe().is_some() { SAFE_STEPS_AT_ONCE } else { u32::MAX };
            let batch = if alone { 1 } else { self.quiet_steps(left).clamp(1, most) };
            let share = 1.0 / f64::from(left);
            self.expect_steps(batch, share);
            let result = self.submit(batch, share).await;
            self.collect();
            self.repeat_after(result).await?;
            left -= batch;
        }
        Ok(())
    }

    /// Submits steps together, before which pins go this share of their way.
    async fn submit(&mut self, count: u32, share: f64) -> Result<(), Error> {
        self.lead_pins(share, None)?;
        match self.world {
            Some(_) => self.engine_step().await,
            None => self.engine.step_many(count).await,
        }
    }

    /// Waits for all steps, and makes steps again that failed.
    async fn finish_steps(&mut self) -> Result<(), Error> {
        let mut result = self.engine.finish().await;
        self.collect();
        if result.is_ok() {
            result = self.verify(true).await;
        }
        self.repeat_after(result).await
    }

    /// Adds a step to the host's encoder, with what the host does before it.
    async fn encode_next_step(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        if self.options.adaptive.is_some() {
            return Err(Error::Usage("a step of adaptive length is waited for: it cannot be encoded".to_owned()));
        }
        self.close_seams().await?;
        self.expect_steps(1, 1.0);
        if self.world.is_none() {
            self.lead_pins(1.0, Some(encoder))?;
            return self.engine.encode_step(encoder);
        }
        // Steps before which contacts or seams are tested are submitted one by one.
        self.lead_pins(1.0, None)?;
        let outlook = self.look_ahead().await?;
        self.engine.encode_step(encoder)?;
        self.go_on(outlook);
        Ok(())
    }

    /// Makes as many whole steps as fit into a frame.
    async fn make_frame(&mut self, frame_time: f64) -> Result<u32, Error> {
        if !(frame_time.is_finite() && frame_time >= 0.0) {
            return Err(Error::Usage(format!("a frame cannot take {frame_time} s")));
        }
        if self.options.adaptive.is_some() {
            return self.adaptive_steps(self.time() + frame_time, self.options.max_substeps).await;
        }
        let h = self.options.time_step;
        self.time_left += frame_time;
        // A frame of exactly n steps makes n, whatever the rounding of the sum.
        let whole = (self.time_left / h + 1e-6).floor();
        let count = whole.min(f64::from(self.options.max_substeps)) as u32;
        self.time_left = (self.time_left - whole * h).max(0.0);
        self.make_steps(count).await?;
        Ok(count)
    }

    /// Whether contacts are tested on the host between steps: one step to a submission then. Colliders are; contacts that the device finds by itself need no host.
    fn host_tests_contacts(&self) -> bool {
        self.world.is_some()
    }

    /// Tests what particles meet in the next step, if there is anything to meet.
    async fn look_ahead(&mut self) -> Result<Option<Outlook>, Error> {
        self.verify(true).await?;
        let acting_gravity = self.acting_gravity().as_dvec3();
        let Some(world) = &mut self.world else { return Ok(None) };
        let held = self.pins.rows(&self.topology);
        let mut led = held.clone();
        for (_, others) in self.ties.groups.iter() {
            others.iter().for_each(|&row| led[row as usize] = true);
        }
        let (gravity, h) = (acting_gravity, self.engine.time_step());
        let carried = self.pins.carried(&self.topology, self.engine.time(), h);
        carried.iter().for_each(|carried| led[carried.row as usize] = true);
        let masses = self.ties.groups.masses(&self.topology.masses);
        world.look_ahead(&mut self.engine, &masses, (&held, &led), &carried, gravity, h).await.map(Some)
    }

    /// Poses of all colliders, all steps done.
    async fn poses(&mut self) -> Result<Vec<Pose>, Error> {
        if self.world.as_ref().is_some_and(World::has_bodies) {
            self.finish_steps().await?;
        }
        let Some(world) = &mut self.world else { return Ok(Vec::new()) };
        world.poses(&mut self.engine).await
    }

    /// Goes back to the start.
    async fn start_over(&mut self) -> Result<(), Error> {
        self.engine.reset().await?;
        self.pins.reset(&self.topology);
        self.ties = Ties::new(&self.topology);
        self.weigh()?;
        self.world.iter_mut().for_each(World::reset);
        self.loads_of_the_scene();
        self.time_left = 0.0;
        self.wanted_step = self.options.time_step;
        self.adaptive_report = AdaptiveReport::default();
        (self.latest, self.known) = (None, 0);
        self.records.clear();
        self.pending.clear();
        self.repeats = RepeatReport::default();
        self.verified = 0;
        Ok(())
    }

    /// Waits for all steps; the next one begins as if there had been none.
    async fn forget_contacts(&mut self) -> Result<(), Error> {
        self.finish_steps().await?;
        // Rigid bodies are where the last step has brought them.
        self.poses().await?;
        self.world.iter_mut().for_each(World::forget);
        Ok(())
    }

    /// After that step.
    fn go_on(&mut self, outlook: Option<Outlook>) {
        if let (Some(world), Some(outlook)) = (&mut self.world, outlook) {
            world.go_on(outlook);
        }
    }

    /// Changes the step from the next one on, s. With [`Options::adaptive`] it is where the search for the next step begins.
    pub fn set_time_step(&mut self, time_step: f64) -> Result<(), Error> {
        check_options(&Options { time_step, ..self.options.clone() })?;
        if let Some(air) = &self.air {
            air.check_step(time_step).map_err(|(part, message)| Error::Usage(format!("air.{part} {message}")))?;
        }
        self.options.time_step = time_step;
        self.wanted_step = time_step;
        self.engine.set_time_step(time_step)
    }

    /// Sets a [`Pace`]: from the next step on, steps are cut into short submissions, each of which waits until the host allows it. `None`, the default: a step is
    /// submitted at once. Steps of [`encode_step`](Self::encode_step) and of the CPU backend have no pace.
    pub fn set_pace(&mut self, pace: Option<Pace>) {
        self.engine.set_pace(pace);
    }

    /// Leads a collider that stands to a pose by the end of the next step. What it touches goes along, as far as friction takes it.
    pub fn move_collider(&mut self, collider: ColliderId, to: Pose) -> Result<(), Error> {
        if !(to.position.is_finite() && (to.rotation.length() - 1.0).abs() < 1e-3) {
            return Err(Error::Usage(format!("a collider cannot go to {to:?}")));
        }
        match &mut self.world {
            Some(world) => world.lead(collider, to),
            None => Err(Error::Usage("the scene has no colliders".to_owned())),
        }
    }

    /// Positions on the GPU without a copy: one `vec4<f32>` per particle in the user's order, w = 1, stride 16, usable as a vertex
    /// buffer and as storage. The same buffer as long as the simulation lives; after a step that failed it holds what came of it until
    /// the error has been returned. Not on the CPU backend.
    pub fn position_buffer(&self) -> Result<&wgpu::Buffer, Error> {
        self.engine.position_buffer().ok_or_else(|| Error::Usage("the CPU backend has no position buffer".to_owned()))
    }

    /// The device this runs on: the one given, or one with larger limits if the scene needed it. `None` on the CPU backend.
    pub fn gpu(&self) -> Option<&Gpu> {
        self.engine.gpu()
    }

    /// Records of all steps finished since the last call, in order.
    pub fn take_records(&mut self) -> Vec<StepRecord> {
        std::mem::take(&mut self.records)
    }

    /// Length of the next step, s; with [`Options::adaptive`] where the search for it begins.
    pub fn time_step(&self) -> f64 {
        self.options.time_step
    }

    /// Steps submitted since the start.
    pub fn steps(&self) -> u64 {
        self.engine.steps()
    }

    /// Time at the end of the last submitted step, s.
    pub fn time(&self) -> f64 {
        self.engine.time()
    }

    /// Number of particles: one per vertex of every body.
    pub fn particle_count(&self) -> usize {
        self.topology.particle_count()
    }

    /// Ends of every edge, as particles, in the order of [`edge_history`](Self::edge_history): springs of all bodies and of seams.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let particle = |row: u32| self.topology.order[row as usize];
        self.topology.edges.iter().map(|edge| edge.ends.map(particle)).collect()
    }

    /// Bodies whose surfaces intersect at the start, in scenes with [`contact`](Scene::contact) between bodies.
    pub fn intersections(&self) -> Vec<Intersection> {
        intersections::by_bodies(&self.topology)
    }

    /// Topology of the scene, as the solver has it, by row. The type belongs to [`internals`](crate::internals), which may change in any release.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Dispatches, traffic, memory and waits of a step on the GPU.
    pub fn costs(&self) -> Costs {
        self.engine.costs()
    }

    fn collect(&mut self) {
        let records = self.engine.take_records();
        self.latest = records.last().copied().or(self.latest);
        self.records.extend(records);
        let steps = self.engine.steps();
        self.world.iter_mut().for_each(|world| world.follow(steps));
        self.confirm_steps();
    }

    /// Drops the record of a step that was taken back after it had arrived.
    fn drop_records(&mut self) {
        let steps = self.engine.steps();
        self.records.retain(|record| record.step <= steps);
        self.latest = self.records.last().copied().or(self.latest.filter(|record| record.step <= steps));
    }
}

/// Largest number of steps that one call accepts.
const MAX_STEPS: f64 = 1e7;
/// Safe steps that are asked of the engine at once, at most: if one fails, those behind it are made again one by one.
const SAFE_STEPS_AT_ONCE: u32 = 4;
