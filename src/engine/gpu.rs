//! The step on the GPU: everything is encoded at once, nothing waits for the CPU inside.

mod checkpoint;
mod contacts;
mod counts;
mod flights;
pub(crate) mod footprint;
mod history;
mod inputs;
mod interface;
#[cfg(feature = "cli")]
mod kernels;
#[cfg(test)]
mod parity;
mod pins;
mod rounds;
mod setup;
mod skins;
mod snapshot;
mod ties;

use super::{Clock, Engine, Motion, PinChanges, Place, Skinned, upload};
use crate::{
    Air, Budget, Costs, Error, Integrator, Options, Preconditioner, Scene, StepRecord,
    gpu::{BufferPlan, Buffers, Gpu, Readback, layout, traffic},
    integrator::Scheme,
    stage::{
        self, Afterwards, Assembly, Contact as ContactStage, Integrate, LaunchPlan, Part, Report, Search, Solve,
        Surroundings, Ties, Timeline, Timer,
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
    /// Where steps are safe.
    search: Option<Search>,
    /// Where steps are audited that are not safe.
    afterwards: Option<Afterwards>,
    /// How often in a row a step was not over when its dispatches were.
    cut_short: u32,
    /// A step that was not over when its dispatches were, and that goes on when the next one is asked for.
    unfinished: Option<Flight>,
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
    /// Since the start.
    all_dispatches: u64,
    /// Of steps that have come back.
    used_dispatches: u64,
    /// Made so far; the host's own count as one a step.
    submissions: u64,
    /// Begun so far: a very long one is cut into several submissions.
    batches: u64,
    /// The newest that was waited for.
    batch_waited_for: Option<u64>,
    host_waits: u64,
}

impl GpuEngine {
    /// Steps in one submission. Their records are copied out at its end.
    fn submit(&mut self, mut count: u32) -> Result<(), Error> {
        count -= u32::from(self.take_up()?);
        if count == 0 {
            return Ok(());
        }
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
            Ok((self.gpu.queue().submit([encoder.finish()]), parts, dispatches, submissions))
        });
        match submitted.and_then(|inner| inner) {
            Ok((submission, parts, dispatches, submissions)) => {
                self.dispatches = dispatches / count;
                self.all_dispatches += u64::from(dispatches);
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
        } else if let Some(search) = &self.search {
            self.encode_safe(timeline, search, loads);
        } else {
            self.encode_implicit(timeline, loads);
        }
        self.encode_end(timeline, loads);
    }

    /// From the last stage to the end of a step, with its record.
    fn encode_end(&self, timeline: &mut Timeline<'_>, loads: bool) {
        self.integrate.encode_end(timeline);
        if self.options.integrator == Integrator::ImexMidpoint {
            self.with_ties(|ties| ties.encode_states(timeline));
        }
        if let Some(afterwards) = &self.afterwards {
            afterwards.encode(timeline, loads);
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
                self.encode_begin(timeline, loads);
            } else {
                self.integrate.encode_start(timeline, linearisation);
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

    /// The start of an implicit step, up to its first assembly.
    fn encode_begin(&self, timeline: &mut Timeline<'_>, loads: bool) {
        let explicit = self.params.explicit_share > 0.0;
        self.assembly.encode_normals(timeline);
        if explicit {
            self.encode_forces(timeline, loads);
            self.with_ties(|ties| ties.encode_forces(timeline));
        }
        self.integrate.encode_start(timeline, 0);
        if explicit {
            self.with_ties(|ties| ties.encode_anchors(timeline));
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

    fn known_counts(&self) -> (Option<u32>, Option<u32>) {
        self.counts.until(self.known_batch())
    }

    /// The submission before the last, whose counts are always known by now; the last where each step is waited for.
    fn known_batch(&self) -> u64 {
        self.batches.saturating_sub(if self.waits() { 0 } else { 1 })
    }

    /// Whether each step is waited for.
    fn waits(&self) -> bool {
        self.contact.is_some() || self.options.adaptive.is_some()
    }

    /// The same for a solve that goes on after contacts have changed.
    fn later_budget(&self) -> u32 {
        match (self.options.solver.budget, self.known_counts().1) {
            (Budget::Adaptive, Some(last)) => self.options.solver.max_iterations.min(2 * last + 8),
            _ => self.budget(),
        }
    }

    /// Reads a buffer of one vec4 per row.
    fn read_rows(&mut self, name: &'static str) -> Result<Vec<DVec3>, Error> {
        self.finish()?;
        self.rows_now(name)
    }

    /// The same, whatever became of the last step.
    fn rows_now(&mut self, name: &'static str) -> Result<Vec<DVec3>, Error> {
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
