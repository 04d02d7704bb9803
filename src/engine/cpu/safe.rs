//! The safe step: inexact Newton with a line search on the incremental potential, and an audit of the energy at its end.

use crate::{
    Outcome, SafeOptions,
    reference::{
        CgState, Fresh, Links, Parameters, State, assembly, audit, contact, external, integrate,
        search::{self, Decision, Trial},
        solve, ties,
    },
    topology::{Constraint, Contact, ContactState, Load, Rigid, TieGroups, Topology},
};
use glam::DVec3;

/// Energy that rounding hides, as a share of the step's own.
const FLOOR: f64 = 1e-12;
/// Searches in a row that find nothing lower before a step is given up.
const MOST_FAILURES: u32 = 2;

/// What a safe step works on.
pub(super) struct SafeStep<'a> {
    pub topology: &'a Topology,
    pub parameters: &'a Parameters,
    pub options: &'a SafeOptions,
    pub constraints: &'a mut [Constraint],
    pub contacts: &'a mut [Contact],
    pub rigids: &'a mut [Rigid],
    pub groups: &'a TieGroups,
    pub loads: &'a [Load],
    pub air: bool,
    /// Active-set passes of a solve, at most; 0 where nothing is touched.
    pub passes: u32,
    pub state: &'a mut State,
    /// The first linearisation of the last step was not good: this one begins with a loose solve.
    pub hard: &'a mut bool,
}

/// What came of it.
pub(super) struct Ending {
    pub cg: CgState,
    pub outcome: Outcome,
    pub iterations: u32,
    pub passes: u32,
    pub finite: bool,
    /// Energy beyond the outside work, as a share of the step's own.
    pub rise: f64,
    /// Impulse of each constraint, N·s.
    pub impulses: Vec<DVec3>,
}

impl SafeStep<'_> {
    /// From the state that `integrate::begin` has left to the end of the last stage.
    pub fn run(mut self) -> Ending {
        let mut cg = CgState::default();
        let mut ending = Ending {
            cg,
            outcome: Outcome::IterationLimit,
            iterations: 0,
            passes: 0,
            finite: true,
            rise: 0.0,
            impulses: Vec::new(),
        };
        let pins =
            self.constraints.iter().zip(&*self.contacts).filter(|(_, contact)| contact.state == ContactState::Held);
        let pins = pins.filter(|(_, contact)| contact.body.is_none()).count();
        let mut elastic_change = 0.0;
        let mut scale = 0.0;
        let mut failures = 0;
        let begins_loose = *self.hard;
        for linearisation in 0..self.options.max_linearisations {
            self.linearise(linearisation, &mut cg);
            cg.loose = linearisation > 0 || begins_loose;
            let decision = loop {
                self.solve(pins, &mut cg);
                ending.iterations += std::mem::take(&mut cg.iteration);
                let mut unsettled = 0;
                for _ in 0..self.passes {
                    ending.passes += 1;
                    let rubs;
                    (unsettled, rubs) = contact::revise(self.constraints, self.contacts, self.parameters, self.state);
                    if unsettled + rubs == 0 || cg.outcome == Outcome::NonFinite {
                        break;
                    }
                    contact::resume(&mut cg);
                    contact::engage(self.topology, self.constraints, self.contacts, self.groups, self.state);
                    self.solve(pins, &mut cg);
                    ending.iterations += std::mem::take(&mut cg.iteration);
                }
                if cg.outcome == Outcome::NonFinite {
                    ending.finite = false;
                    ending.cg = cg;
                    ending.outcome = Outcome::NonFinite;
                    return ending;
                }
                if self.passes > 0 {
                    ending.impulses = contact::release_leads(self.constraints, self.contacts, self.state);
                    ties::tie_anchors(self.groups, self.state);
                }
                search::aim(&self.groups.spread(self.constraints), linearisation == 0, self.state);
                let products = solve::spmv(self.topology, self.state);
                let goal = solve::goal(self.parameters, &CgState { loose: false, ..cg });
                let reached = cg.gamma.abs() <= goal || (!cg.loose && cg.outcome == Outcome::Converged);
                let tight = reached || cg.outcome != Outcome::Converged;
                let mut trial = Trial {
                    alpha: 1.0,
                    products,
                    weights: Default::default(),
                    scale,
                    tight,
                    settled: unsettled == 0 && reached,
                    tried: 0,
                };
                loop {
                    trial.weights = search::weigh(self.topology, self.parameters, self.state, trial.alpha);
                    if linearisation == 0 && trial.tried == 0 {
                        scale = audit::scale(self.topology, self.parameters, self.state, trial.weights.elastic);
                        trial.scale = scale;
                        *self.hard = trial.weights.beyond > self.options.energy_tolerance * scale;
                    }
                    match search::decide(&trial, self.options.energy_tolerance, FLOOR * scale) {
                        Decision::Shorten(alpha) => {
                            trial.alpha = alpha;
                            trial.tried += 1;
                        }
                        Decision::Tighten => break,
                        other => {
                            let alpha = if other == Decision::Fail { 0.0 } else { trial.alpha };
                            if other == Decision::Fail {
                                trial.weights = search::weigh(self.topology, self.parameters, self.state, alpha);
                            }
                            search::take(self.state, alpha);
                            elastic_change += trial.weights.change;
                            ending.outcome = match other {
                                Decision::Accept => Outcome::Converged,
                                Decision::Fail => Outcome::LineSearch,
                                _ if unsettled > 0 => Outcome::ActiveSet,
                                _ => Outcome::IterationLimit,
                            };
                            break;
                        }
                    }
                }
                let decision = search::decide(&trial, self.options.energy_tolerance, FLOOR * scale);
                if decision != Decision::Tighten {
                    break decision;
                }
                self.go_on(&mut cg);
            };
            failures = if decision == Decision::Fail { failures + 1 } else { 0 };
            if decision == Decision::Accept || failures >= MOST_FAILURES {
                break;
            }
        }
        ending.cg = cg;
        ending.finite = integrate::state_is_finite(self.state);
        let work = audit::Outside {
            impulses: &ending.impulses,
            constraints: self.constraints,
            contacts: self.contacts,
            loads: self.loads,
            air: self.air,
        };
        let rise = elastic_change + audit::rows(self.topology, self.parameters, &work, self.groups, self.state);
        ending.rise = if scale > 0.0 { rise / scale } else { 0.0 };
        ending
    }

    /// Forces and matrix about the present state, and the preconditioner.
    fn linearise(&mut self, linearisation: u32, cg: &mut CgState) {
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
        ties::tie_blocks(self.groups, state);
        if self.passes > 0 {
            contact::keep(self.constraints, self.contacts, state);
        }
        solve::precondition(topology, self.constraints, parameters, state, cg);
    }

    fn solve(&mut self, pins: usize, cg: &mut CgState) {
        let ties = (!self.groups.is_empty()).then_some(self.groups);
        let (constraints, contacts) = (&self.constraints[pins..], &self.contacts[pins..]);
        let mut links = Links { ties, rigids: self.rigids, constraints, contacts };
        solve::conjugate_gradient(self.topology, self.parameters, &mut links, self.state, cg);
    }

    /// The solve goes on to the step's tolerance, from where it is.
    fn go_on(&mut self, cg: &mut CgState) {
        contact::precondition(self.state);
        cg.loose = false;
        cg.done = false;
        cg.outcome = Outcome::IterationLimit;
        if self.passes > 0 || !self.groups.is_empty() {
            cg.fresh = Fresh::Search;
        }
    }
}
