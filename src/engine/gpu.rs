//! The step on the GPU: everything is encoded at once, nothing waits for the CPU inside.

mod checkpoint;
mod contacts;
mod counts;
mod flights;
pub(crate) mod footprint;
mod history;
#[cfg(feature = "cli")]
mod kernels;
#[cfg(test)]
mod parity;
mod pins;
mod skins;
mod snapshot;
mod ties;

use super::{Clock, Engine, Motion, PinChanges, Place, Skinned, upload};
use crate::{
    Air, Budget, Costs, Error, Integrator, Options, Preconditioner, Scene, StepRecord,
    gpu::{BufferPlan, Buffers, Gpu, Readback, layout, traffic},
    integrator::Scheme,
    stage::{
        self, Assembly, Contact as ContactStage, Integrate, LaunchPlan, Part, Report, Solve, Surroundings, Ties,
        Timeline, Timer,
    },
    topology::{Constraint, Contacts, Load, TieGroups, Topology},
};
use counts::Counts;
use flights::Flight;
use glam::{DVec3, Vec3};
use std::{collections::VecDeque, ops::Range, sync::Arc};

/// Submissions on their way while the next one is encoded. The one before them is waited for: its count sizes the next solve, and
/// submissions do not pile up.
const BATCHES_IN_FLIGHT: u64 = 2;

/// Most steps in one submission: two submissions fill the ring of records.
const STEPS_AT_ONCE: u32 = upload::RECORD_COUNT as u32 / 2;

/// Rounding over weight above which a scene is worth a warning.
const LOUD: f64 = 3.0;

pub(crate) struct GpuEngine {
    gpu: Gpu,
    topology: Arc<Topology>,
    options: Options,
    launch: LaunchPlan,
    params: layout::Params,
    buffers: Buffers,
    buffer_bytes: u64,
    slot_count: u64,
    full_count: u64,
    /// What the matrix was cut into chunks by, bytes.
    largest_binding: u64,
    assembly: Assembly,
    /// Forces without a matrix, where the scheme needs them besides.
    forces: Option<Assembly>,
    solve: Solve,
    /// Where the scene has something to touch.
    contact: Option<ContactStage>,
    /// Where the scene has particles that are one, or will be.
    ties: Option<Ties>,
    /// Those that are.
    groups: TieGroups,
    /// Where bodies have skins.
    skins: Option<skins::SkinEngine>,
    integrate: Integrate,
    report: Report,
    timer: Option<Timer>,
    air: Air,
    /// Pins, then what is touched in the next step.
    constraints: Vec<Constraint>,
    /// What came back with the last step, where contacts are tested.
    last_motion: Option<contacts::LastMotion>,
    /// Rigid bodies, at most.
    rigid_capacity: usize,
    /// Particles that touch something in the next step.
    touch_count: u32,
    /// Steps whose records are not read yet, oldest first.
    flights: VecDeque<Flight>,
    /// Staging buffers to use again.
    idle: Vec<Readback>,
    state_readback: Readback,
    records: Vec<StepRecord>,
    /// What solves have needed.
    counts: Counts,
    step: u64,
    clock: Clock,
    /// γ h of the step that was submitted last, s.
    last_stage_step: f64,
    /// Length of the step before the next one, while the scheme may look back at it, s.
    before: Option<f64>,
    /// Where steps are adaptive: the state before the last one.
    snapshot: Option<snapshot::Snapshot>,
    dispatches: u32,
    /// Made so far; the host's own count as one a step.
    submissions: u64,
    /// Begun so far: a very long one is cut into several submissions.
    batches: u64,
    /// The newest that was waited for.
    batch_waited_for: Option<u64>,
    host_waits: u64,
}

impl GpuEngine {
    pub fn new(gpu: &Gpu, topology: Arc<Topology>, scene: &Scene, options: &Options) -> Result<Self, Error> {
        let noise = topology.rounding_over_weight(scene.gravity.as_dvec3());
        if noise > LOUD {
            log::warn!(
                "f32 rounds positions to forces of {noise:.1} times a particle's weight here: equilibria will be no finer. Softer \
                 springs, heavier or fewer particles, a scene nearer to the origin, or the CPU backend would help"
            );
        }
        let largest_binding = gpu.largest_binding();
        let matrix = upload::matrix(&topology, largest_binding);
        let touches = !scene.colliders.is_empty();
        let rigids = scene.rigid_count();
        let mut load = stage::Load::of(&topology, &matrix);
        load.models.linked |= rigids > 0;
        let launch = LaunchPlan::choose(gpu.launch(), &load, options)?;
        let mut plan = upload::plan(&topology, &matrix, launch, options, touches, rigids);
        plan.extend(skins::plan(&topology.skins));
        let gpu = Buffers::device_for(&plan, gpu)?;
        gpu.test()?;
        let buffers = Buffers::create(&plan, &gpu)?;
        upload::structure(&topology, &matrix, launch, &gpu, &buffers)?;
        skins::upload(&topology.skins, &gpu, &buffers)?;
        upload::stages(options.integrator, &gpu, &buffers)?;
        if options.integrator.is_imex() {
            upload::couplings(&topology, &matrix, &gpu, &buffers)?;
        }

        let surroundings = Surroundings { normals: topology.fans.is_some(), air: scene.air.is_some() };
        // An explicit method has no matrix.
        let main = if options.integrator.is_explicit() { launch.standalone() } else { launch };
        let assembly = Assembly::new(&gpu, &buffers, main, surroundings)?;
        let at_stage = options.integrator == Integrator::ImexMidpoint;
        let forces = if at_stage || options.integrator.explicit_share() > 0.0 {
            Some(Assembly::new(&gpu, &buffers, launch.standalone(), surroundings)?)
        } else {
            None
        };
        let tied = !topology.ties.is_empty();
        let solve = Solve::new(&gpu, &buffers, launch, tied, rigids as u32)?;
        let timer = if options.timing { Timer::new(&gpu, 3 * options.linearisations())? } else { None };
        let rayleigh = options.rayleigh.mass != 0.0 || options.rayleigh.stiffness != 0.0;
        let seen = stage::Seen {
            velocities: launch.models.damped || rayleigh || scene.air.is_some(),
            memory: topology.has_memory(),
        };
        let skins = skins::SkinEngine::new(&topology.skins, &gpu, &buffers)?;
        let mut engine = Self {
            params: layout::Params {
                gravity: scene.gravity.to_array(),
                time_step: options.time_step as f32,
                particle_count: topology.particle_count() as u32,
                pattern_header: matrix.compact.slice_offsets.len() as u32,
                full_pattern: (matrix.compact.slice_offsets.len() + matrix.compact.slot_count()) as u32,
                element_count: topology.elements.len() as u32,
                measure_count: launch.partials * launch.chunks as u32 + launch.element_partials,
                workgroup_count: launch.workgroups,
                partial_count: launch.partials,
                chunk_count: launch.chunks as u32,
                max_iterations: options.solver.max_iterations,
                iterations_at_once: launch.single.unwrap_or(0),
                tolerance_squared: (options.solver.tolerance * options.solver.tolerance) as f32,
                newton_tolerance_squared: options.newton.as_ref().map_or(0.0, |n| n.tolerance * n.tolerance) as f32,
                flags: flags(options),
                record_count: upload::RECORD_COUNT as u32,
                element_workgroups: launch.element_workgroups,
                skin_count: topology.skins.points.len() as u32,
                skin_workgroups: skins.as_ref().map_or(0, |skins| skins.workgroups),
                ..Default::default()
            },
            buffer_bytes: plan.iter().map(|buffer| buffer.bytes).sum(),
            slot_count: matrix.compact.slot_count() as u64,
            full_count: matrix.full.slot_count() as u64,
            assembly,
            forces,
            largest_binding,
            solve,
            ties: tied.then(|| Ties::new(&gpu, &buffers, launch)).transpose()?,
            groups: TieGroups::default(),
            skins,
            contact: touches
                .then(|| ContactStage::new(&gpu, &buffers, launch, options.integrator.is_explicit()))
                .transpose()?,
            integrate: Integrate::new(&gpu, &buffers, launch, options, seen)?,
            report: Report::new(&gpu, &buffers, launch, options.measure)?,
            state_readback: Readback::new(&gpu, "tenter.state", 16 * topology.particle_count() as u64)?,
            timer,
            air: scene.air.unwrap_or_default(),
            constraints: topology.constraints.clone(),
            flights: VecDeque::new(),
            idle: Vec::new(),
            records: Vec::new(),
            counts: Counts::default(),
            last_motion: None,
            rigid_capacity: rigids,
            touch_count: 0,
            step: 0,
            clock: Clock::new(options.time_step),
            last_stage_step: options.time_step,
            before: None,
            snapshot: None,
            dispatches: 0,
            submissions: 0,
            batches: 0,
            batch_waited_for: None,
            host_waits: 0,
            options: options.clone(),
            launch,
            topology,
            buffers,
            gpu,
        };
        for _ in 0..=BATCHES_IN_FLIGHT {
            let readback = engine.new_readback()?;
            engine.idle.push(readback);
        }
        put_air(&mut engine.params, &engine.air, options.time_step);
        put_scheme(&mut engine.params, options.integrator, options.time_step);
        engine.params.mass_damping = options.rayleigh.mass as f32;
        engine.params.stiffness_damping = options.rayleigh.stiffness as f32;
        engine.params.reach = engine.topology.reach() as f32;
        engine.upload_start()?;
        Ok(engine)
    }

    /// Steps in one submission. Their records are copied out at its end.
    fn submit(&mut self, count: u32) -> Result<(), Error> {
        while self.batches_in_flight() >= BATCHES_IN_FLIGHT {
            self.land()?;
        }
        let mut readbacks = Vec::with_capacity(count as usize);
        for _ in 0..count {
            readbacks.push(self.idle.pop().map_or_else(|| self.new_readback(), Ok)?);
        }
        let submitted = self.gpu.checked(|| -> Result<_, Error> {
            let mut encoder = Timeline::encoder(&self.gpu);
            let rows = self.topology.particle_count();
            let mut timeline = Timeline::own(&self.gpu, &mut encoder, rows, self.timer.as_ref());
            for _ in 0..count {
                self.encode(&mut timeline, self.params.load_count > 0);
                timeline.may_split();
            }
            let (dispatches, submissions) = (timeline.dispatches(), timeline.submissions() + 1);
            let parts = timeline.finish();
            for (ix, readback) in readbacks.iter().enumerate() {
                self.copy_record(&mut encoder, self.step + ix as u64, readback)?;
            }
            if let Some(last) = readbacks.last() {
                self.copy_motion(&mut encoder, last)?;
            }
            if let (Some(timer), [readback]) = (&self.timer, readbacks.as_slice()) {
                timer.resolve(&mut encoder, parts.len(), readback.destination(), size_of::<layout::Record>() as u64);
            }
            Ok((self.gpu.queue().submit([encoder.finish()]), parts, dispatches / count, submissions))
        });
        match submitted.and_then(|inner| inner) {
            Ok((submission, parts, dispatches, submissions)) => {
                self.dispatches = dispatches;
                self.submissions += submissions;
                self.batches += 1;
                for mut readback in readbacks {
                    readback.request(submission.clone());
                    self.depart(parts.clone(), Some(readback));
                }
                Ok(())
            }
            Err(error) => {
                self.idle.extend(readbacks);
                Err(error)
            }
        }
    }

    /// Batches whose steps are not all read yet; the host's own steps count one by one.
    fn batches_in_flight(&self) -> u64 {
        match (self.flights.front(), self.flights.back()) {
            (Some(first), Some(last)) => last.batch - first.batch + 1,
            _ => 0,
        }
    }

    /// One step, from first to last dispatch; with or without forces on single particles.
    fn encode(&self, timeline: &mut Timeline<'_>, loads: bool) {
        if self.options.integrator.is_explicit() {
            self.encode_explicit(timeline, loads);
        } else {
            self.encode_implicit(timeline, loads);
        }
        self.integrate.encode_end(timeline);
        if self.options.integrator == Integrator::ImexMidpoint {
            self.with_ties(|ties| ties.encode_states(timeline));
        }
        self.report.encode(timeline);
        self.integrate.encode_history(timeline);
    }

    /// Linearisations, each with its solve, up to the last stage.
    fn encode_implicit(&self, timeline: &mut Timeline<'_>, loads: bool) {
        let iterations = self.budget();
        for linearisation in 0..self.options.linearisations() {
            timeline.enter(Part::Assembly);
            if linearisation == 0 {
                self.assembly.encode_normals(timeline);
            }
            if linearisation == 0 && self.params.explicit_share > 0.0 {
                self.encode_forces(timeline, loads);
                self.with_ties(|ties| ties.encode_forces(timeline));
            }
            self.integrate.encode_start(timeline, linearisation);
            if linearisation == 0 && self.params.explicit_share > 0.0 {
                self.with_ties(|ties| ties.encode_anchors(timeline));
            }
            self.assembly.encode(timeline, loads);
            timeline.enter(Part::Solve);
            self.with_ties(|ties| ties.encode_blocks(timeline));
            self.encode_solve(timeline, iterations);
            timeline.enter(Part::Integrate);
            self.integrate.encode(timeline);
        }
        if self.options.integrator == Integrator::ImexMidpoint {
            self.encode_forces(timeline, loads);
            self.touching().iter().for_each(|contact| contact.encode_rub(timeline));
            self.with_ties(|ties| ties.encode_forces(timeline));
        }
    }

    /// A solve, and what contacts make of it.
    fn encode_solve(&self, timeline: &mut Timeline<'_>, iterations: u32) {
        let Some(contact) = self.touching() else { return self.solve.encode(timeline, iterations) };
        contact.encode_keep(timeline);
        self.solve.encode(timeline, iterations);
        let passes = self.options.contact_passes;
        for pass in 0..passes {
            contact.encode_respond(timeline, pass, passes);
            self.solve.encode_iterations(timeline, self.later_budget());
        }
        contact.encode_settle(timeline);
        self.with_ties(|ties| ties.encode_anchors(timeline));
    }

    /// Where particles are one.
    fn with_ties(&self, encode: impl FnOnce(&Ties)) {
        if let (Some(ties), false) = (&self.ties, self.groups.is_empty()) {
            encode(ties);
        }
    }

    /// Forces for their own sake: residual = γ h f.
    fn encode_forces(&self, timeline: &mut Timeline<'_>, loads: bool) {
        if let Some(forces) = &self.forces {
            forces.encode(timeline, loads);
        }
    }

    /// Forces and what follows them, as often as the method asks.
    fn encode_explicit(&self, timeline: &mut Timeline<'_>, loads: bool) {
        timeline.enter(Part::Assembly);
        self.integrate.encode_start(timeline, 0);
        self.assembly.encode_normals(timeline);
        for stage in self.integrate.explicit_stages() {
            self.assembly.encode(timeline, loads);
            self.with_ties(|ties| ties.encode_forces(timeline));
            timeline.run(stage);
        }
        timeline.enter(Part::Integrate);
        self.touching().iter().for_each(|contact| contact.encode_react(timeline));
        self.with_ties(|ties| ties.encode_states(timeline));
    }

    /// How many iterations to submit, by counts alone.
    fn budget(&self) -> u32 {
        let most = self.options.solver.max_iterations;
        match (self.options.solver.budget, self.known_counts().0) {
            (Budget::Adaptive, Some(last)) => most.min(2 * last + 16),
            _ => most,
        }
    }

    /// Those of the submission before the last, which is always known by now; of the last where each step is waited for.
    fn known_counts(&self) -> (Option<u32>, Option<u32>) {
        let waits = self.contact.is_some() || self.options.adaptive.is_some();
        self.counts.until(self.batches.saturating_sub(if waits { 0 } else { 1 }))
    }

    /// The same for a solve that goes on after contacts have changed.
    fn later_budget(&self) -> u32 {
        match (self.options.solver.budget, self.known_counts().1) {
            (Budget::Adaptive, Some(last)) => self.options.solver.max_iterations.min(2 * last + 8),
            _ => self.budget(),
        }
    }

    fn write_loads(&mut self, loads: &[Load]) -> Result<(), Error> {
        self.params.load_count = loads.len() as u32;
        let loads: Vec<_> = loads.iter().map(upload::load).collect();
        self.buffers.write(&self.gpu, "loads", 0, &loads)
    }

    /// The numbers of the next step.
    fn scheme(&self) -> layout::Scheme {
        upload::scheme(&Engine::scheme(self))
    }

    /// Puts them where the kernels look: the steps after it follow `Params::steady`.
    fn write_scheme(&self) -> Result<(), Error> {
        self.write_scheme_to(None)
    }

    fn write_scheme_to(&self, encoder: Option<&mut wgpu::CommandEncoder>) -> Result<(), Error> {
        let offset = std::mem::offset_of!(layout::Status, scheme) as u64;
        self.put("status", offset, bytemuck::bytes_of(&self.scheme()), encoder)
    }

    /// What was set from outside: a scheme that looks back has nothing to look at.
    fn restart(&mut self) -> Result<(), Error> {
        self.before = None;
        self.write_scheme()
    }

    fn write_params(&self) -> Result<(), Error> {
        self.buffers.write(&self.gpu, "params", 0, &[self.params])
    }

    fn upload_start(&mut self) -> Result<(), Error> {
        self.clear_records()?;
        self.buffers.clear(&self.gpu, "residual")?;
        self.constraints.clone_from(&self.topology.constraints);
        self.params.constraint_count = self.constraints.len() as u32;
        self.last_motion = None;
        self.write_loads(&self.topology.clone().loads)?;
        self.write_constraints(0..self.constraints.len(), None)?;
        self.write_constraint_ix(None)?;
        self.write_ties(&self.topology.tied_at_start())?;
        if self.contact.is_some() {
            self.write_pins_as_contacts()?;
        }
        self.before = None;
        let scheme = self.scheme();
        self.buffers.write(&self.gpu, "status", 0, &[layout::Status { scheme, ..Default::default() }])?;
        self.write_params()?;
        if self.topology.has_memory() {
            self.write_history(&vec![[0.0; 4]; self.topology.edges.len()])?;
        }
        upload::positions(&self.topology, &self.topology.positions, &self.gpu, &self.buffers)?;
        upload::velocities(&self.topology, &self.topology.velocities, &self.gpu, &self.buffers)
    }

    /// Reads a buffer of one vec4 per row.
    fn read_rows(&mut self, name: &'static str) -> Result<Vec<DVec3>, Error> {
        self.finish()?;
        if self.topology.particle_count() == 0 {
            return Ok(Vec::new());
        }
        let source = self.buffers.named(name)?;
        let bytes =
            self.state_readback.fetch(&self.gpu, source, |_| {}, "a copy of the state", self.options.timeout)?;
        Ok(vectors(&bytes))
    }
}

/// From one vec4 per row.
fn vectors(bytes: &[u8]) -> Vec<DVec3> {
    let vector = |row: &[u8]| {
        let [x, y, z, _]: [f32; 4] = bytemuck::pod_read_unaligned(row);
        Vec3::new(x, y, z).as_dvec3()
    };
    bytes.chunks_exact(16).map(vector).collect()
}

/// The scheme of all steps but the first, for steps of a length.
fn put_scheme(params: &mut layout::Params, integrator: Integrator, time_step: f64) {
    params.steady = upload::scheme(&integrator.scheme(time_step, Some(time_step)));
    params.explicit_share = integrator.explicit_share() as f32;
    params.drift = integrator.drift(time_step) as f32;
    params.predict = integrator.predicts().into();
}

/// Wind and resistance, for steps of a length.
fn put_air(params: &mut layout::Params, air: &Air, time_step: f64) {
    params.wind = air.wind.to_array();
    params.wind_steady = air.steady;
    params.wind_drag = air.drag;
    params.wind_lift = air.lift;
    params.wind_turns = (f64::from(air.angular_velocity) * time_step / std::f64::consts::TAU) as f32;
    params.air_resistance = air.resistance;
}

fn flags(options: &Options) -> u32 {
    let bit = |set: bool, bit: u32| if set { bit } else { 0 };
    bit(options.clamp, layout::flag::CLAMP)
        | bit(options.solver.preconditioner == Preconditioner::Jacobi, layout::flag::SCALAR_JACOBI)
        | bit(options.measure, layout::flag::MEASURE)
        | bit(!options.predicts(), layout::flag::NO_PREDICTOR)
}

impl Engine for GpuEngine {
    fn step_many(&mut self, count: u32) -> Result<(), Error> {
        // Timestamps have room for one step.
        let most = if self.timer.is_some() { 1 } else { STEPS_AT_ONCE };
        let mut left = count;
        while left > 0 {
            let batch = left.min(most);
            self.submit(batch)?;
            left -= batch;
        }
        Ok(())
    }

    fn encode_step(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        let unread = self.flights.iter().filter(|flight| flight.readback.is_none()).count();
        if unread >= upload::RECORD_COUNT {
            let message = format!("{unread} steps were encoded since the last finish(): call it at least that often");
            return Err(Error::Usage(message));
        }
        let mut timeline = Timeline::host(encoder);
        // The host may push something before it submits.
        self.encode(&mut timeline, true);
        self.dispatches = timeline.dispatches();
        timeline.finish();
        self.submissions += 1;
        self.batches += 1;
        self.depart(Vec::new(), None);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Error> {
        while !self.flights.is_empty() {
            self.land()?;
        }
        // A lost device speaks up only when it is polled.
        self.gpu.poll(wgpu::PollType::Poll)?;
        self.gpu.check()
    }

    fn take_records(&mut self) -> Vec<StepRecord> {
        std::mem::take(&mut self.records)
    }

    fn steps(&self) -> u64 {
        self.step
    }

    fn time(&self) -> f64 {
        self.clock.time(self.step)
    }

    fn time_after(&self, steps: u32) -> f64 {
        self.clock.time(self.step + u64::from(steps))
    }

    fn positions(&mut self) -> Result<Vec<DVec3>, Error> {
        self.read_rows("positions")
    }

    fn velocities(&mut self) -> Result<Vec<DVec3>, Error> {
        self.read_rows("velocities")
    }

    fn constraint_forces(&mut self) -> Result<Vec<DVec3>, Error> {
        let mut residual = self.read_rows("residual")?;
        self.groups.gather(&mut residual);
        let pins = self.topology.constraints.len();
        let mut forces = super::constraint_forces(&self.constraints[..pins], &residual, self.last_stage_step);
        if let Some(contacts::LastMotion::Whole(motion)) = &self.last_motion {
            // What was touched then is not listed any more.
            let mut pinned = vec![false; forces.len()];
            self.topology.constraints.iter().for_each(|pin| pinned[pin.row as usize] = true);
            let others = forces.iter_mut().zip(&motion.forces).zip(pinned).filter(|(_, pinned)| !pinned);
            others.for_each(|((force, touching), _)| *force = *touching);
        } else if self.contact_count() > 0 && self.last_motion.is_some() {
            let touching = self.read_motion()?.forces;
            for constraint in &self.constraints[pins..] {
                forces[constraint.row as usize] = touching[constraint.row as usize];
            }
        }
        Ok(forces)
    }

    fn set_contacts(&mut self, contacts: &Contacts) -> Result<(), Error> {
        self.write_contacts(contacts)
    }

    fn set_ties(&mut self, ties: &TieGroups, places: &[Place]) -> Result<(), Error> {
        self.tie(ties, places)
    }

    fn motion(&mut self) -> Result<Motion, Error> {
        self.finish()?;
        self.read_motion()
    }

    fn set_positions(&mut self, positions: &[DVec3]) -> Result<(), Error> {
        upload::positions(&self.topology, positions, &self.gpu, &self.buffers)?;
        self.last_motion = None;
        self.restart()
    }

    fn set_velocities(&mut self, velocities: &[DVec3]) -> Result<(), Error> {
        upload::velocities(&self.topology, velocities, &self.gpu, &self.buffers)?;
        self.last_motion = None;
        self.restart()
    }

    fn edge_history(&mut self) -> Result<Vec<[f64; 4]>, Error> {
        self.read_history()
    }

    fn set_edge_history(&mut self, history: &[[f64; 4]]) -> Result<(), Error> {
        self.write_history(history)
    }

    fn set_gravity(&mut self, gravity: Vec3) -> Result<(), Error> {
        self.params.gravity = gravity.to_array();
        self.write_params()
    }

    fn set_air(&mut self, air: Air) -> Result<(), Error> {
        self.air = air;
        put_air(&mut self.params, &air, self.options.time_step);
        self.write_params()
    }

    fn set_loads(&mut self, loads: &[Load]) -> Result<(), Error> {
        self.write_loads(loads)?;
        self.write_params()
    }

    fn time_step(&self) -> f64 {
        self.options.time_step
    }

    fn set_time_step(&mut self, time_step: f64) -> Result<(), Error> {
        self.clock.change(self.step, time_step);
        self.options.time_step = time_step;
        self.params.time_step = time_step as f32;
        put_air(&mut self.params, &self.air, time_step);
        put_scheme(&mut self.params, self.options.integrator, time_step);
        let estimate = self.options.integrator.estimate(time_step, self.before);
        self.params.error_new = estimate.new as f32;
        self.params.error_old = estimate.old as f32;
        self.write_scheme()?;
        self.write_params()
    }

    fn previous_step(&self) -> Option<f64> {
        self.before
    }

    fn scheme(&self) -> Scheme {
        self.options.integrator.scheme(self.options.time_step, self.before)
    }

    fn save(&mut self) -> Result<(), Error> {
        self.take_snapshot()
    }

    fn rollback(&mut self) -> Result<(), Error> {
        self.last_motion = None;
        self.put_back_snapshot()
    }

    fn checkpoint(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        self.put_state(bytes)
    }

    fn restore(&mut self, bytes: &mut &[u8]) -> Result<(), Error> {
        self.take_state(bytes)
    }

    fn change_pins(&mut self, changes: &PinChanges, encoder: Option<&mut wgpu::CommandEncoder>) -> Result<(), Error> {
        self.write_pins(changes, encoder)
    }

    fn reset(&mut self) -> Result<(), Error> {
        while !self.flights.is_empty() {
            match self.land() {
                // What has failed, or was never submitted, does not matter any more.
                Ok(()) | Err(Error::NonFinite { .. } | Error::Unstable { .. } | Error::Usage(_)) => {}
                Err(other) => return Err(other),
            }
        }
        self.records.clear();
        self.counts = Counts::default();
        self.step = 0;
        self.clock = Clock::new(self.options.time_step);
        self.upload_start()
    }

    fn skin(&mut self, what: Skinned, range: Range<usize>) -> Result<Vec<DVec3>, Error> {
        self.read_skin(what, range)
    }

    fn encode_skins(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        let mut timeline = Timeline::host(encoder);
        self.skins.iter().for_each(|skins| skins.stage.encode(&mut timeline, true));
        timeline.finish();
        Ok(())
    }

    fn skin_buffer(&self, what: Skinned) -> Option<&wgpu::Buffer> {
        self.buffers.get(skins::buffer_name(what))
    }

    fn position_buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffers.get("published")
    }

    fn gpu(&self) -> Option<&Gpu> {
        Some(&self.gpu)
    }

    fn costs(&self) -> Costs {
        Costs {
            dispatches: self.dispatches,
            dispatches_per_iteration: self.solve.dispatches(),
            iteration_bytes: traffic::iteration_bytes(
                self.params.particle_count.into(),
                self.slot_count,
                self.full_count,
                self.options.integrator.is_imex(),
            ),
            buffer_bytes: self.buffer_bytes,
            submissions: self.submissions,
            host_waits: self.host_waits,
        }
    }
}
