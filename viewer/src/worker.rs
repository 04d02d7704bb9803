//! The simulation's side: one future that loads scenes, makes steps when they are due and obeys commands. Natively a thread drives it, in a browser the event loop.

use crate::{
    ball,
    link::{Command, Link, MOST_RECORDS},
    setup::Setup,
};
use std::sync::Arc;
use tenter::{
    Backend, ColliderId, Error, Gpu, Handle, Motion, Options, Pose, Scene, SceneFile, Simulation,
    glam::Vec3,
    view::{Colouring, Grip, Pick, Target, View},
};
use web_time::Instant;

/// Simulated time between two frames that are kept for GIF and GLB, s.
const FRAME_TIME: f64 = 1.0 / 25.0;
/// Kept frames, and the particles in all of them.
const MOST_FRAMES: usize = 125;
const MOST_KEPT_PARTICLES: usize = 4_000_000;
/// Time between two updates of colours, s.
const COLOUR_TIME: f64 = 0.1;

/// Device and target of the interface.
#[derive(Clone)]
pub struct Surroundings {
    pub gpu: Gpu,
    pub format: eframe::wgpu::TextureFormat,
    pub samples: u32,
    /// Simulate on the CPU, in f64.
    pub cpu: bool,
}

/// A scene in motion, with what the mouse does to it.
struct Stage {
    setup: Setup,
    file: Arc<SceneFile>,
    scene: Scene,
    simulation: Simulation,
    /// Time at which the present simulation began, s: a rebuilt one starts anew.
    begun: f64,
    held: Option<Held>,
    /// Patches pinned by hand, with their positions.
    pinned: Vec<(Vec<u32>, Vec<Vec3>)>,
    /// Whether colliders may move.
    moving: bool,
    last_colour: Option<Instant>,
    next_frame: f64,
}

struct Held {
    grip: Grip,
    target: Vec3,
    place: Vec3,
}

/// Runs until the interface is gone.
pub async fn run(surroundings: Surroundings, link: Arc<Link>) {
    let mut stage: Option<Stage> = None;
    let mut wanted_steps = 0u32;
    let mut rate = Rate::default();
    loop {
        for command in link.take() {
            if let Err(error) = obey(command, &mut stage, &mut wanted_steps, &surroundings, &link).await {
                let mut status = link.status();
                status.error = Some(error);
                status.loading = false;
            }
        }
        if Arc::strong_count(&link) == 1 {
            return;
        }
        let playing = link.status().playing;
        let step = stage.as_ref().map_or(f64::INFINITY, |stage| stage.simulation.time_step());
        if let Some(stage) = &mut stage
            && (wanted_steps > 0 || (playing && link.due() >= step))
        {
            if wanted_steps > 0 {
                wanted_steps -= 1;
            } else {
                link.pay(step);
            }
            if let Err(error) = stage.step(&surroundings, &link, &mut rate).await {
                let mut status = link.status();
                status.error = Some(error.to_string());
                status.playing = false;
                wanted_steps = 0;
            }
            continue;
        }
        if !playing {
            rate = Rate::default();
        }
        link.wait(playing && stage.is_some(), step).await;
    }
}

/// Simulated time over time on the clock, of about the last second.
#[derive(Default)]
struct Rate {
    since: Option<(Instant, f64)>,
    factor: f64,
}

impl Rate {
    fn note(&mut self, time: f64) -> f64 {
        let (since, from) = *self.since.get_or_insert((Instant::now(), time));
        let seconds = since.elapsed().as_secs_f64();
        if seconds > 0.7 {
            self.factor = (time - from) / seconds;
            self.since = Some((Instant::now(), time));
        } else if self.factor == 0.0 && seconds > 0.1 {
            return (time - from) / seconds;
        }
        self.factor
    }
}

async fn obey(
    command: Command,
    stage: &mut Option<Stage>,
    wanted_steps: &mut u32,
    surroundings: &Surroundings,
    link: &Link,
) -> Result<(), String> {
    let plain = |error: Error| error.to_string();
    match command {
        Command::Load(setup) => {
            link.status().loading = true;
            // The old scene stays in sight until the new one is there.
            let mut new = Stage::load(setup, surroundings).await?;
            *wanted_steps = 0;
            new.present(surroundings, link, false)?;
            *stage = Some(new);
            return Ok(());
        }
        Command::Play(playing) => link.status().playing = playing,
        Command::Step => {
            link.status().playing = false;
            *wanted_steps += 1;
        }
        Command::Rebuild(setup) => {
            link.status().loading = true;
            let mut new = match stage.as_mut() {
                Some(old) => old.rebuilt(setup, None, surroundings).await?,
                None => Stage::load(setup, surroundings).await?,
            };
            new.present(surroundings, link, true)?;
            *stage = Some(new);
            return Ok(());
        }
        other => {
            let Some(stage) = stage else { return Ok(()) };
            stage.obey(other, surroundings, link).await.map_err(plain)?;
        }
    }
    Ok(())
}

impl Stage {
    async fn load(setup: Setup, surroundings: &Surroundings) -> Result<Self, String> {
        let file = setup.parse()?;
        let scene: Scene = (*file.scene).clone();
        Self::of(setup, file, scene, surroundings).await.map_err(|error| error.to_string())
    }

    async fn of(setup: Setup, file: SceneFile, scene: Scene, surroundings: &Surroundings) -> Result<Self, Error> {
        let mut options = Options { measure: true, ..file.options.clone() };
        options.timing = surroundings.gpu.device().features().contains(eframe::wgpu::Features::TIMESTAMP_QUERY)
            && !surroundings.gpu.is_software();
        let backend = if surroundings.cpu { Backend::Cpu } else { Backend::Gpu(surroundings.gpu.clone()) };
        let mut scene = scene;
        // Air at rest costs little, and lets wind be set later.
        scene.air.get_or_insert_with(Default::default);
        let simulation = Simulation::new_async(backend, &scene, options).await?;
        Ok(Self {
            moving: scene.colliders.iter().any(|collider| !matches!(collider.motion, Motion::Static(_))),
            setup,
            file: Arc::new(file),
            scene,
            simulation,
            begun: 0.0,
            held: None,
            pinned: Vec::new(),
            last_colour: None,
            next_frame: 0.0,
        })
    }

    /// Shows the scene: makes its view and tells the interface.
    fn present(&mut self, surroundings: &Surroundings, link: &Link, quietly: bool) -> Result<(), String> {
        let make = || -> Result<View, Error> {
            let mut view = View::new(&surroundings.gpu, &self.scene, surroundings.format, surroundings.samples)?;
            if !surroundings.cpu {
                view.follow(&self.simulation)?;
            }
            view.set_beads(&self.pinned_particles())?;
            Ok(view)
        };
        let view = make().map_err(|error| error.to_string())?;
        *link.view() = Some(view);
        let mut status = link.status();
        status.file = Some(self.file.clone());
        status.poses = self.scene.colliders.iter().map(|collider| collider.start()).collect();
        status.loading = false;
        status.error = None;
        status.grip = None;
        status.most = 0.0;
        if !quietly {
            status.generation += 1;
            status.time = 0.0;
            status.steps = 0;
            status.records.clear();
            status.frames.clear();
            status.real_time = 0.0;
            status.pinned = 0;
        }
        drop(status);
        self.update(surroundings, link).map_err(|error| error.to_string())
    }

    /// Makes a step and shows it.
    async fn step(&mut self, surroundings: &Surroundings, link: &Link, rate: &mut Rate) -> Result<(), Error> {
        let begin = Instant::now();
        if let Some(held) = &mut self.held {
            let positions = self.simulation.positions_of_async(held.grip.particles()).await?;
            held.place = held.grip.place(&positions);
            held.grip.pull(&mut self.simulation, &positions, held.target)?;
        }
        self.simulation.set_pace(Some(link.pace.clone()));
        self.simulation.step_async().await?;
        if self.moving {
            let poses = self.simulation.collider_poses_async().await?;
            if let Some(view) = &mut *link.view() {
                view.set_poses(&poses)?;
            }
            link.status().poses = poses;
        }
        if surroundings.cpu {
            let positions = self.simulation.positions_async().await?.to_vec();
            if let Some(view) = &mut *link.view() {
                view.write_positions(&positions)?;
            }
        }
        self.colour(link).await?;
        self.update(surroundings, link)?;
        self.keep_frame(link).await?;
        let time = self.begun + self.simulation.time();
        let mut status = link.status();
        let records = self.simulation.take_records();
        status.records.extend(records);
        let surplus = status.records.len().saturating_sub(MOST_RECORDS);
        status.records.drain(..surplus);
        status.time = time;
        status.steps += 1;
        status.costs = Some(self.simulation.costs());
        status.step_seconds = begin.elapsed().as_secs_f64();
        status.real_time = rate.note(time);
        status.grip = self.held.as_ref().map(|held| [held.place, held.target]);
        Ok(())
    }

    /// Takes the state between two steps for drawing.
    fn update(&mut self, surroundings: &Surroundings, link: &Link) -> Result<(), Error> {
        let gpu = &surroundings.gpu;
        let mut encoder = gpu.device().create_command_encoder(&Default::default());
        if !surroundings.cpu && self.scene.bodies.iter().any(|body| body.skin.is_some()) {
            self.simulation.encode_skins(&mut encoder)?;
        }
        if let Some(view) = &mut *link.view() {
            view.encode_update(&mut encoder);
        }
        gpu.queue().submit([encoder.finish()]);
        Ok(())
    }

    async fn colour(&mut self, link: &Link) -> Result<(), Error> {
        let colouring = link.status().colouring;
        if colouring == Colouring::Plain
            || self.last_colour.is_some_and(|last| last.elapsed().as_secs_f64() < COLOUR_TIME)
        {
            return Ok(());
        }
        let values = colouring.values(&mut self.simulation).await?;
        let most = Colouring::scale(&values).max(link.status().most);
        if let Some(view) = &mut *link.view() {
            view.set_values(&values, most)?;
        }
        link.status().most = most;
        self.last_colour = Some(Instant::now());
        Ok(())
    }

    /// Keeps the positions of a frame for GIF and GLB.
    async fn keep_frame(&mut self, link: &Link) -> Result<(), Error> {
        let count = self.simulation.particle_count();
        let most = MOST_FRAMES.min(MOST_KEPT_PARTICLES / count.max(1));
        if !link.status().recording || self.simulation.time() < self.next_frame || most < 2 {
            return Ok(());
        }
        self.next_frame = self.simulation.time() + FRAME_TIME - 1e-9;
        let positions = self.simulation.positions_async().await?.to_vec();
        let mut status = link.status();
        status.frames.push_back((self.begun + self.simulation.time(), positions));
        let surplus = status.frames.len().saturating_sub(most);
        status.frames.drain(..surplus);
        Ok(())
    }

    async fn obey(&mut self, command: Command, surroundings: &Surroundings, link: &Link) -> Result<(), Error> {
        match command {
            Command::Reset => {
                self.held = None;
                self.pinned.clear();
                self.begun = 0.0;
                self.next_frame = 0.0;
                self.simulation.set_pace(None);
                self.simulation.reset_async().await?;
                let poses: Vec<Pose> = self.scene.colliders.iter().map(|collider| collider.start()).collect();
                if surroundings.cpu {
                    let positions = self.simulation.positions_async().await?.to_vec();
                    if let Some(view) = &mut *link.view() {
                        view.write_positions(&positions)?;
                    }
                }
                if let Some(view) = &mut *link.view() {
                    view.set_poses(&poses)?;
                    view.set_beads(&self.pinned_particles())?;
                }
                self.update(surroundings, link)?;
                let mut status = link.status();
                (status.time, status.steps, status.grip, status.pinned) = (0.0, 0, None, 0);
                status.poses = poses;
                status.records.clear();
                status.frames.clear();
                status.error = None;
            }
            Command::Gravity(gravity) => self.simulation.set_gravity(gravity)?,
            Command::Air(air) => self.simulation.set_air(air)?,
            Command::TimeStep(step) => self.simulation.set_time_step(step)?,
            Command::Grab(pick, strength) => self.grab(&pick, strength, link).await?,
            Command::Pull(target) => {
                if let Some(held) = &mut self.held {
                    held.target = target;
                }
            }
            Command::Release => {
                if let Some(held) = self.held.take() {
                    held.grip.release(&mut self.simulation)?;
                }
                link.status().grip = None;
            }
            Command::Pin => self.pin(link).await?,
            Command::Unpin => {
                for (particles, _) in std::mem::take(&mut self.pinned) {
                    particles.iter().try_for_each(|particle| self.simulation.release(*particle))?;
                }
                for pin in self.scene.pin_ids() {
                    self.simulation.release_pin(pin)?;
                }
                link.status().pinned = 0;
                self.show_beads(link)?;
            }
            Command::MoveCollider(collider, to) => self.lead(collider, to, surroundings, link).await?,
            Command::Throw { from, velocity, radius } => {
                link.status().loading = true;
                let ball = ball::thrown(from, velocity, radius);
                let setup = self.setup.clone();
                match self.rebuilt(setup, Some(ball), surroundings).await {
                    Ok(new) => {
                        *self = new;
                        if let Err(error) = self.present(surroundings, link, true) {
                            link.status().error = Some(error);
                        }
                    }
                    Err(error) => link.status().error = Some(error),
                }
                link.status().loading = false;
            }
            Command::Colour(colouring) => {
                {
                    let mut status = link.status();
                    (status.colouring, status.most) = (colouring, 0.0);
                }
                self.last_colour = None;
                if colouring == Colouring::Plain {
                    if let Some(view) = &mut *link.view() {
                        view.set_values(&[], 1.0)?;
                    }
                } else {
                    self.simulation.set_pace(None);
                    self.colour(link).await?;
                }
            }
            Command::Checkpoint => {
                self.simulation.set_pace(None);
                let bytes = self.simulation.checkpoint_async().await?;
                link.status().checkpoint = Some(bytes);
            }
            Command::Record(recording) => {
                link.status().recording = recording;
                self.next_frame = 0.0;
                self.simulation.set_pace(None);
                self.keep_frame(link).await?;
            }
            Command::Load(_) | Command::Rebuild(_) | Command::Play(_) | Command::Step => {}
        }
        Ok(())
    }

    async fn grab(&mut self, pick: &Pick, strength: f32, link: &Link) -> Result<(), Error> {
        if let Some(held) = self.held.take() {
            held.grip.release(&mut self.simulation)?;
        }
        let Some(mut grip) = Grip::new(&self.scene, pick, strength) else { return Ok(()) };
        // What is pinned by hand is taken off its pin.
        let taken = |particles: &[u32]| particles.iter().any(|particle| grip.particles().contains(particle));
        for (particles, _) in self.pinned.extract_if(.., |(particles, _)| taken(particles)) {
            particles.iter().try_for_each(|particle| self.simulation.release(*particle))?;
        }
        let positions = self.simulation.positions_of_async(grip.particles()).await?;
        grip.take(&positions);
        let place = grip.place(&positions);
        self.held = Some(Held { grip, target: place, place });
        let mut status = link.status();
        status.grip = Some([place, place]);
        status.pinned = self.pinned.len();
        drop(status);
        self.show_beads(link)
    }

    /// Pins what is held where it is now: with springs as stiff as a pin.
    async fn pin(&mut self, link: &Link) -> Result<(), Error> {
        let Some(held) = self.held.take() else { return Ok(()) };
        held.grip.release(&mut self.simulation)?;
        let particles = held.grip.particles().to_vec();
        let positions = self.simulation.positions_of_async(&particles).await?;
        let step = self.simulation.time_step() as f32;
        let topology = self.simulation.topology();
        let stiffness: Vec<f32> = particles
            .iter()
            .map(|particle| topology.masses[topology.row_of[*particle as usize] as usize] as f32)
            .map(|mass| 200.0 * mass / (step * step))
            .collect();
        for ((particle, stiffness), position) in particles.iter().zip(stiffness).zip(&positions) {
            let handle = Handle { stiffness, damping: 2.0 * stiffness * step };
            self.simulation.grab(*particle, handle, *position)?;
        }
        self.pinned.push((particles, positions));
        let mut status = link.status();
        status.grip = None;
        status.pinned = self.pinned.len();
        drop(status);
        self.show_beads(link)
    }

    async fn lead(
        &mut self,
        collider: ColliderId,
        to: Vec3,
        surroundings: &Surroundings,
        link: &Link,
    ) -> Result<(), Error> {
        let mut poses = link.status().poses.clone();
        let Some(pose) = poses.get_mut(collider.index()) else { return Ok(()) };
        // A collider that is moved faster than this per step would leap over cloth.
        let way = (to - pose.position).clamp_length_max(8.0 * self.simulation.time_step() as f32);
        pose.position += way;
        self.simulation.move_collider(collider, *pose)?;
        if let Some(view) = &mut *link.view() {
            view.set_poses(&poses)?;
        }
        link.status().poses = poses;
        self.update(surroundings, link)
    }

    fn show_beads(&self, link: &Link) -> Result<(), Error> {
        match &mut *link.view() {
            Some(view) => view.set_beads(&self.pinned_particles()),
            None => Ok(()),
        }
    }

    /// Particles of pins that hold, and of patches pinned by hand.
    fn pinned_particles(&self) -> Vec<u32> {
        let topology = self.simulation.topology();
        let holds = |pin: &tenter::PinId| self.simulation.pin_holds(*pin).unwrap_or(false);
        let of_pin = |pin: tenter::PinId| topology.pins.get(pin.index()).into_iter().flatten();
        let rows = self.scene.pin_ids().filter(holds).flat_map(of_pin);
        let scene = rows.map(|&ix| topology.order[topology.constraints[ix as usize].row as usize]);
        scene.chain(self.pinned.iter().flat_map(|(particles, _)| particles.iter().copied())).collect()
    }

    /// The scene with other numbers, or with another collider, in the present state if it still fits.
    async fn rebuilt(
        &mut self,
        setup: Setup,
        more: Option<tenter::Collider>,
        surroundings: &Surroundings,
    ) -> Result<Self, String> {
        let plain = |error: Error| error.to_string();
        let file = setup.parse()?;
        let mut scene = (*file.scene).clone();
        self.simulation.set_pace(None);
        let time = self.begun + self.simulation.time();
        let keeps = scene.particle_count() == self.scene.particle_count();
        if keeps {
            let poses = self.simulation.collider_poses_async().await.map_err(plain)?;
            // Balls that were thrown before stay.
            scene.colliders.extend(self.scene.colliders.iter().skip(file.scene.colliders.len()).cloned());
            for (collider, pose) in scene.colliders.iter_mut().zip(poses) {
                ball::move_on(&mut collider.motion, pose, time);
            }
            for pin in &mut scene.pins {
                pin.path.iter_mut().for_each(|key| key.time -= time);
                pin.until = pin.until.map(|until| (until - time).max(0.0));
            }
            scene.colliders.extend(more);
        }
        let mut new = Self::of(setup, file, scene, surroundings).await.map_err(plain)?;
        if keeps {
            let positions = self.simulation.positions_async().await.map_err(plain)?.to_vec();
            let velocities = self.simulation.velocities_async().await.map_err(plain)?.to_vec();
            new.simulation.set_positions_async(&positions).await.map_err(plain)?;
            new.simulation.set_velocities_async(&velocities).await.map_err(plain)?;
            new.begun = time;
            if surroundings.cpu {
                // Written again with the first step.
                new.next_frame = 0.0;
            }
        }
        Ok(new)
    }
}

/// Whether a pick is of a collider.
pub fn collider_of(pick: &Pick) -> Option<ColliderId> {
    match pick.target {
        Target::Collider(collider) => Some(collider),
        Target::Body { .. } => None,
    }
}
