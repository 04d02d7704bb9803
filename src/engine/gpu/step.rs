//! The order of a step, for every integrator. The head of each file in `stage/` and of each shader in `shaders/` says which buffers it reads and writes.
//! `docs/step.md` lists every kernel with its buffers.
//!
//! | integrator | order |
//! |---|---|
//! | implicit Euler, BDF2, implicit midpoint, θ; safe | start, linearisation, rounds of (solve, contacts, search, linearisation), audit, end |
//! | implicit Euler, BDF2, implicit midpoint, θ, with one linearisation or Newton's method; IMEX | (start, assembly, solve with contacts, stage) once or repeated, end |
//! | explicit | start, (forces, stage) for each stage, contacts, end |
//!
//! Every step ends with the kernels after the last stage of the integrator, the energy audit of steps without line search, the record and the memory of edges.

use super::{GpuEngine, rounds::Round};
use crate::{
    Integrator,
    gpu::Timeline,
    stage::{ContactStage, Search, StepPart, Ties},
};

/// Conjugate gradient iterations before every contact pass of a solve but the first. Such a solve starts near its solution; its first iteration engages contacts.
pub(super) const SHORT_SOLVE: u32 = 3;

impl GpuEngine {
    /// Encodes one step, from the first dispatch to the last. `loads`: whether point loads act.
    pub(super) fn encode(&self, timeline: &mut Timeline<'_>, loads: bool) {
        if self.options.integrator.is_explicit() {
            self.encode_explicit(timeline, loads);
        } else if let Some(search) = self.searcher() {
            self.encode_first(timeline, search, loads);
            self.encode_rounds(timeline, search, &self.rounds(), loads);
            timeline.enter(StepPart::Integrate);
        } else {
            self.encode_implicit(timeline, loads);
        }
        self.encode_end(timeline, loads);
    }

    /// Encodes everything after the last stage of the integrator, including the record.
    pub(super) fn encode_end(&self, timeline: &mut Timeline<'_>, loads: bool) {
        let stages = &self.stages;
        stages.integrate.encode_end(timeline);
        if self.options.integrator == Integrator::ImexMidpoint {
            self.with_ties(|ties| ties.encode_states(timeline));
        }
        if let Some(collision) = self.collision() {
            timeline.enter(StepPart::Collision);
            collision.encode_guard(timeline, self.under_way.cut_short);
            timeline.enter(StepPart::Integrate);
        }
        if let Some(afterwards) = &stages.afterwards {
            afterwards.encode(timeline, loads);
        }
        stages.report.encode(timeline);
        stages.integrate.encode_history(timeline);
    }

    /// Encodes an explicit step: each evaluation of the forces with the stage that follows it, then contacts.
    fn encode_explicit(&self, timeline: &mut Timeline<'_>, loads: bool) {
        let stages = &self.stages;
        timeline.enter(StepPart::Assembly);
        stages.integrate.encode_start(timeline, 0);
        stages.assembly.encode_normals(timeline);
        for stage in stages.integrate.explicit_stages() {
            stages.assembly.encode(timeline, loads);
            self.with_ties(|ties| ties.encode_forces(timeline));
            timeline.run(stage);
        }
        timeline.enter(StepPart::Integrate);
        self.touching().iter().for_each(|contact| contact.encode_react(timeline));
        self.with_ties(|ties| ties.encode_states(timeline));
        if let Some(collision) = &stages.collision {
            collision.encode_impulses(timeline, !self.held.groups.is_empty());
            self.with_ties(|ties| ties.encode_states(timeline));
            collision.encode_active(timeline);
        }
    }

    /// Encodes the linearisations of an implicit step without line search, each with its solve: one linearisation, Newton's method, or IMEX.
    fn encode_implicit(&self, timeline: &mut Timeline<'_>, loads: bool) {
        let stages = &self.stages;
        let iterations = self.budget();
        for linearisation in 0..self.options.linearisations() {
            timeline.enter(StepPart::Assembly);
            if linearisation == 0 {
                self.encode_begin(timeline, loads);
                stages.collision.iter().for_each(|collision| collision.encode_begin(timeline));
            } else {
                stages.integrate.encode_start(timeline, linearisation);
            }
            stages.assembly.encode(timeline, loads);
            stages.collision.iter().for_each(|collision| collision.encode_attach(timeline));
            timeline.enter(StepPart::Solve);
            self.with_ties(|ties| ties.encode_blocks(timeline));
            self.encode_solve(timeline, iterations, linearisation == 0);
            timeline.enter(StepPart::Integrate);
            stages.integrate.encode(timeline);
        }
        if let Some(collision) = &stages.collision {
            collision.encode_recover(timeline);
            collision.encode_active(timeline);
        }
        if self.options.integrator == Integrator::ImexMidpoint {
            self.encode_forces(timeline, loads);
            stages.collision.iter().for_each(|collision| collision.encode_repeat(timeline));
            self.touching().iter().for_each(|contact| contact.encode_rub(timeline));
            self.with_ties(|ties| ties.encode_forces(timeline));
        }
    }

    /// Encodes the start of an implicit step, before its first assembly.
    fn encode_begin(&self, timeline: &mut Timeline<'_>, loads: bool) {
        let explicit = self.device.params.explicit_share > 0.0;
        self.stages.assembly.encode_normals(timeline);
        if explicit {
            self.encode_forces(timeline, loads);
            self.with_ties(|ties| ties.encode_forces(timeline));
        }
        self.stages.integrate.encode_start(timeline, 0);
        if explicit {
            self.with_ties(|ties| ties.encode_anchors(timeline));
        }
    }

    /// Encodes a linear solve with the contact passes that interrupt it.
    fn encode_solve(&self, timeline: &mut Timeline<'_>, iterations: u32, first: bool) {
        let solve = self.solver();
        let Some(contact) = self.touching() else { return solve.encode(timeline, iterations, first) };
        contact.encode_keep(timeline);
        solve.encode(timeline, iterations, first);
        let passes = self.options.contact_passes;
        for pass in 0..passes {
            contact.encode_respond(timeline, pass, passes, self.stages.collision.as_ref());
            solve.encode_resumed(timeline, self.later_budget());
        }
        contact.encode_settle(timeline);
        self.with_ties(|ties| ties.encode_anchors(timeline));
    }

    /// Encodes forces without a matrix: residual = γ h f.
    fn encode_forces(&self, timeline: &mut Timeline<'_>, loads: bool) {
        if let Some(forces) = &self.stages.forces {
            forces.encode(timeline, loads);
        }
    }

    /// Encodes the first linearisation of a safe step.
    pub(super) fn encode_first(&self, timeline: &mut Timeline<'_>, search: &Search, loads: bool) {
        timeline.enter(StepPart::Assembly);
        self.encode_begin(timeline, loads);
        if let Some(collision) = self.collision() {
            timeline.enter(StepPart::Collision);
            collision.encode_begin(timeline);
            timeline.enter(StepPart::Assembly);
        }
        self.encode_linearisation(timeline, loads, true);
        search.encode_scale(timeline);
    }

    /// Encodes rounds of a safe step after its first linearisation, and its energy audit.
    pub(super) fn encode_rounds(&self, timeline: &mut Timeline<'_>, search: &Search, rounds: &[Round], loads: bool) {
        let solve = self.solver();
        for round in rounds {
            timeline.enter(StepPart::Solve);
            solve.encode_loop(timeline, round.iterations);
            self.encode_pass(timeline, search);
            for _ in 0..round.later_solves {
                solve.encode_loop(timeline, SHORT_SOLVE);
                self.encode_pass(timeline, search);
            }
            self.encode_search(timeline, search);
            self.encode_next(timeline, loads);
            timeline.may_split();
        }
        self.encode_audit(timeline, search, loads);
    }

    /// Encodes the energy audit of a safe step, after its last round.
    pub(super) fn encode_audit(&self, timeline: &mut Timeline<'_>, search: &Search, loads: bool) {
        search.encode_audit(timeline, loads);
        if let Some(collision) = self.collision() {
            collision.encode_recover(timeline);
        }
    }

    /// Encodes a contact pass after the iterations of a solve.
    pub(super) fn encode_pass(&self, timeline: &mut Timeline<'_>, search: &Search) {
        search.encode_pass(timeline, self.touching().is_some(), self.collision());
    }

    /// Encodes one point of a line search.
    pub(super) fn encode_search(&self, timeline: &mut Timeline<'_>, search: &Search) {
        let anchors = |timeline: &mut Timeline<'_>| self.with_ties(|ties| ties.encode_anchors(timeline));
        search.encode_search(timeline, self.touching().is_some(), self.collision(), anchors);
    }

    /// Encodes a linearisation of a safe step after the first.
    pub(super) fn encode_next(&self, timeline: &mut Timeline<'_>, loads: bool) {
        timeline.enter(StepPart::Assembly);
        self.stages.integrate.encode_start(timeline, 1);
        self.encode_linearisation(timeline, loads, false);
    }

    /// Encodes forces, matrix and preconditioner of a safe step.
    fn encode_linearisation(&self, timeline: &mut Timeline<'_>, loads: bool, first: bool) {
        self.stages.assembly.encode(timeline, loads);
        if let Some(collision) = self.collision() {
            timeline.enter(StepPart::Collision);
            collision.encode_attach(timeline);
            timeline.enter(StepPart::Assembly);
        }
        self.with_ties(|ties| ties.encode_blocks(timeline));
        self.touching().iter().for_each(|contact| contact.encode_keep(timeline));
        self.solver().encode_start(timeline, first);
    }

    /// Encodes kernels of ties, if any particles are tied.
    fn with_ties(&self, encode: impl FnOnce(&Ties)) {
        if let (Some(ties), false) = (&self.stages.ties, self.held.groups.is_empty()) {
            encode(ties);
        }
    }

    /// The contact stage, if the next step has contacts or rigid bodies, or bodies may meet.
    pub(super) fn touching(&self) -> Option<&ContactStage> {
        let touches = self.contact_count() > 0 || self.device.params.rigid_count > 0 || self.collision().is_some();
        self.stages.contact.as_ref().filter(|_| touches)
    }
}
