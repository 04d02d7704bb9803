//! The safe step: inexact Newton with a line search on the incremental potential, and an energy audit at its end.

use super::{collision::Collisions, stopwatch::Stopwatch};
use crate::{
    Outcome, SafeOptions,
    reference::{
        CgState, Corrections, Fresh, Parameters, State, assembly, audit, collision, contact, external, integrate,
        rigid,
        search::{self, Decision, Trial},
        solve, ties,
    },
    stage::StepPart,
    topology::{Constraint, Contact, ContactState, PointLoad, Rigid, TieGroups, Topology},
};
use glam::DVec3;

/// Energy change that is rounding, relative to the energy scale of the step.
const FLOOR: f64 = 1e-12;
/// Largest number of active-set passes of a loose solve, which only tests its linearisation.
const LOOSE_PASSES: u32 = 3;
/// Number of consecutive failed line searches after which a step fails.
const MOST_FAILURES: u32 = 2;

/// Inputs and state of a safe step.
pub(super) struct SafeStep<'a> {
    pub topology: &'a Topology,
    pub parameters: &'a Parameters,
    pub options: &'a SafeOptions,
    pub constraints: &'a mut [Constraint],
    pub contacts: &'a mut [Contact],
    pub rigids: &'a mut [Rigid],
    pub groups: &'a TieGroups,
    pub loads: &'a [PointLoad],
    pub air: bool,
    /// Contact between bodies.
    pub collisions: Option<Collisions<'a>>,
    pub stopwatch: &'a Stopwatch,
    /// Largest number of active-set passes of a solve; 0 without contacts.
    pub passes: u32,
    pub state: &'a mut State,
    /// Whether the first linearisation of the last step was poor. This step then begins with a loose solve.
    pub hard: &'a mut bool,
}

/// Result of a safe step.
pub(super) struct Ending {
    pub cg: CgState,
    pub outcome: Outcome,
    pub iterations: u32,
    pub finite: bool,
    /// Whether the velocity of a particle changed by more than the bound of the runaway test.
    pub runaway: bool,
    /// Energy gained beyond the external work, relative to the energy scale of the step.
    pub rise: f64,
    /// Energy scale of the step, J.
    pub scale: f64,
    /// Impulse of each constraint, N·s.
    pub impulses: Vec<DVec3>,
}

/// Totals over the linearisations of a step.
#[derive(Default)]
struct Course {
    cg: CgState,
    iterations: u32,
    /// Number of contacts that changed state in the last pass.
    flips: u32,
    impulses: Vec<DVec3>,
    /// Energy scale of the step, J.
    scale: f64,
    /// Elastic energy at the end of the last line search, less that at the start of the step, J.
    elastic_change: f64,
}

impl SafeStep<'_> {
    /// Runs a step from the state after `integrate::begin` to the end of its last stage.
    pub fn run(mut self) -> Ending {
        let pins = self.constraints.iter().zip(&*self.contacts);
        let pins = pins.filter(|(_, contact)| contact.state == ContactState::Held && contact.body.is_none()).count();
        let mut course = Course::default();
        let mut outcome = Outcome::IterationLimit;
        let mut failures = 0;
        let begins_loose = *self.hard;
        if let Some(collisions) = &self.collisions {
            collisions.begin(self.constraints, self.contacts, self.state);
        }
        for linearisation in 0..self.options.max_linearisations {
            self.linearise(linearisation, &mut course.cg);
            course.cg.loose = linearisation > 0 || begins_loose;
            let decision = loop {
                self.solve_with_contacts(pins, &mut course);
                if course.cg.outcome == Outcome::NonFinite {
                    return self.ending(course, Outcome::NonFinite);
                }
                match self.search(linearisation, &mut course) {
                    Decision::Tighten => self.go_on(&mut course.cg),
                    decision => break decision,
                }
            };
            outcome = match decision {
                Decision::Accept => Outcome::Converged,
                Decision::Fail => Outcome::LineSearch,
                _ if course.flips > 0 => Outcome::ActiveSet,
                _ => Outcome::IterationLimit,
            };
            failures = if decision == Decision::Fail { failures + 1 } else { 0 };
            if decision == Decision::Accept || failures >= MOST_FAILURES {
                break;
            }
        }
        self.ending(course, outcome)
    }

    /// Solves the linear system, and resumes after each pass that changes the active set.
    fn solve_with_contacts(&mut self, pins: usize, course: &mut Course) {
        let _solve = self.stopwatch.enter(StepPart::Solve);
        let Course { cg, iterations, flips, impulses, .. } = course;
        self.solve(pins, cg);
        *iterations += std::mem::take(&mut cg.iteration);
        *flips = 0;
        let most = if cg.loose { self.passes.min(LOOSE_PASSES) } else { self.passes };
        let mut last = None;
        for _ in 0..most {
            let rubs;
            (*flips, rubs) = contact::revise(self.constraints, self.contacts, self.parameters, self.state);
            // Changes of friction alone are ignored in a loose solve, and after a resumed solve that took no iteration.
            let mut rubs = if cg.loose || last == Some(0) { 0 } else { rubs };
            if let Some(collisions) = &self.collisions {
                let (flipped, rubbed) = collisions.revise(self.constraints, self.contacts, self.state);
                *flips += flipped;
                let tight = cg.gamma.abs() <= solve::goal(self.parameters, &CgState { loose: false, ..*cg });
                rubs += if tight && last != Some(0) { rubbed } else { 0 };
            }
            *flips += self.rigids.iter().map(rigid::unsettled).sum::<u32>();
            if *flips + rubs == 0 || cg.outcome == Outcome::NonFinite {
                break;
            }
            contact::resume(cg);
            if let Some(collisions) = &self.collisions {
                collisions.restore(self.constraints, self.contacts, self.state);
            }
            contact::engage(self.topology, self.constraints, self.contacts, self.groups, self.state);
            // A few iterations take up what contacts have changed: a new coarse matrix would cost more than they do.
            cg.coarse_off |= *flips > 0;
            self.solve(pins, cg);
            last = Some(cg.iteration);
            *iterations += std::mem::take(&mut cg.iteration);
        }
        if self.passes > 0 && cg.outcome != Outcome::NonFinite {
            *impulses = contact::release_leads(self.constraints, self.contacts, self.state);
            ties::tie_anchors(self.groups, self.state);
        }
    }

    /// Evaluates the line search along a solution and moves to the accepted point, unless the solve has to continue first.
    fn search(&mut self, linearisation: u32, course: &mut Course) -> Decision {
        let Self { topology, parameters, options, .. } = *self;
        let _solve = self.stopwatch.enter(StepPart::Solve);
        search::aim(&self.groups.spread(self.constraints), linearisation == 0, self.state);
        let products = solve::spmv(topology, self.state);
        let cg = &course.cg;
        let goal = solve::goal(parameters, &CgState { loose: false, ..*cg });
        let reached = cg.gamma.abs() <= goal || (!cg.loose && cg.outcome == Outcome::Converged);
        let mut trial = Trial {
            alpha: 1.0,
            products,
            weights: search::weigh(topology, parameters, self.state, 1.0),
            scale: course.scale,
            tight: reached || cg.outcome != Outcome::Converged,
            settled: course.flips == 0 && reached,
            tried: 0,
        };
        trial.weights.unmodelled += self.state.struts_unmodelled(1.0);
        if linearisation == 0 {
            let elastic = trial.weights.elastic;
            course.scale = audit::scale(topology, parameters, self.loads, self.state) + elastic.max(0.0);
            trial.scale = course.scale;
            *self.hard = trial.weights.beyond > options.energy_tolerance * course.scale;
        }
        let decision = loop {
            match search::decide(&trial, options.energy_tolerance, FLOOR * course.scale) {
                Decision::Shorten(alpha) => {
                    trial.alpha = alpha;
                    trial.tried += 1;
                }
                Decision::Tighten => return Decision::Tighten,
                Decision::Fail => {
                    trial.alpha = 0.0;
                    trial.weights = search::weigh(topology, parameters, self.state, 0.0);
                    break Decision::Fail;
                }
                decision => break decision,
            }
            trial.weights = search::weigh(topology, parameters, self.state, trial.alpha);
            trial.weights.unmodelled += self.state.struts_unmodelled(trial.alpha);
        };
        search::take(self.state, trial.alpha);
        course.elastic_change += trial.weights.change;
        decision
    }

    /// Audits the energy at the end of a step.
    fn ending(self, course: Course, outcome: Outcome) -> Ending {
        let Course { cg, iterations, impulses, scale, elastic_change, .. } = course;
        let work = audit::Outside {
            impulses: &impulses,
            constraints: self.constraints,
            contacts: self.contacts,
            loads: self.loads,
            air: self.air,
        };
        let rise = elastic_change + audit::rows(self.topology, self.parameters, &work, self.groups, self.state)
            - collision::struts::recovered(self.state);
        Ending {
            cg,
            outcome,
            iterations,
            // Energies are squares: they may overflow f32 where velocities do not.
            finite: outcome != Outcome::NonFinite
                && integrate::state_is_finite(self.state)
                && scale <= f64::from(f32::MAX),
            runaway: audit::runs_away(self.parameters, self.state),
            rise: if scale > 0.0 { rise / scale } else { 0.0 },
            scale,
            impulses,
        }
    }

    /// Assembles forces and matrix about the present state, and computes the preconditioner.
    fn linearise(&mut self, linearisation: u32, cg: &mut CgState) {
        let _assembly = self.stopwatch.enter(StepPart::Assembly);
        let Self { topology, parameters, state, .. } = self;
        if linearisation > 0 {
            integrate::relinearise(topology, state);
        }
        assembly::edges(topology, parameters, linearisation, state);
        assembly::elements(topology, parameters, linearisation, state);
        if self.air {
            external::air(topology, parameters, state);
        }
        external::loads(self.loads, linearisation, state);
        if let Some(collisions) = &self.collisions {
            collisions.attach(state);
        }
        ties::tie_blocks(self.groups, state);
        if self.passes > 0 {
            contact::keep(self.constraints, self.contacts, state);
        }
        let _solve = self.stopwatch.enter(StepPart::Solve);
        solve::precondition(topology, self.constraints, parameters, state, cg);
        super::build_coarse(topology, self.groups, self.constraints, false, state);
        if linearisation == 0 && parameters.warm_start {
            solve::warm(self.constraints, state, cg);
        }
    }

    fn solve(&mut self, pins: usize, cg: &mut CgState) {
        let (constraints, contacts) = (&self.constraints[pins..], &self.contacts[pins..]);
        let mut corrections =
            Corrections::new(self.groups, self.rigids, constraints, contacts, self.topology.aggregates.as_ref());
        solve::conjugate_gradient(self.topology, self.parameters, &mut corrections, self.state, cg);
    }

    /// Continues a solve to the tolerance of the step.
    fn go_on(&mut self, cg: &mut CgState) {
        contact::precondition(self.state);
        if std::mem::take(&mut cg.coarse_off) {
            super::build_coarse(self.topology, self.groups, self.constraints, false, self.state);
        }
        cg.loose = false;
        cg.done = false;
        cg.outcome = Outcome::IterationLimit;
        cg.fresh = Fresh::Search;
    }
}
