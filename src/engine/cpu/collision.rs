//! Contact between bodies in a step: pairs and struts at its start, the guard at its end.

use super::stopwatch::Stopwatch;
use crate::{
    Integrator,
    reference::{
        Parameters, State,
        collision::{
            Course, Guard, Guarded, Pairs, Sweep,
            impulses::{self, Bodies},
            struts,
        },
        search, solve, ties,
    },
    stage::StepPart,
    topology::{Constraint, Contact, ContactState, Support, Surface, TieGroups, Topology},
};
use glam::DVec3;

/// Distance within which pairs are found, as a share of their thickness.
const REACH: f64 = 2.0;

/// What struts need of a scene.
pub(in crate::engine) struct Collisions<'a> {
    pub topology: &'a Topology,
    /// Surfaces of the bodies, in scenes where bodies meet.
    pub surface: Option<&'a Surface>,
    /// Edges and triangles that may touch colliders.
    pub supports: &'a [Support],
    pub groups: &'a TieGroups,
    pub parameters: &'a Parameters,
    pub integrator: Integrator,
    pub stopwatch: &'a Stopwatch,
}

impl Collisions<'_> {
    /// Finds the pairs of a step after `integrate::begin`, and gives struts to those that the predicted motion brings too close.
    pub fn begin(&self, constraints: &[Constraint], contacts: &[Contact], state: &mut State) {
        let _collision = self.stopwatch.enter(StepPart::Collision);
        let rows = state.positions.len();
        let Some(surface) = self.surface else {
            state.struts.begin(Vec::new());
            state.struts.support(self.supports, self.stage_share(), rows);
            return;
        };
        let predicted = self.predicted(constraints, state);
        let masters = self.groups.masters(predicted.len());
        let sweep =
            Sweep { start: &state.previous_positions, end: &predicted, masters: &masters, reach: REACH, led: None };
        let pairs = Pairs::find(surface, &sweep).list;
        state.struts.begin(pairs);
        state.struts.support(self.supports, self.stage_share(), rows);
        self.select((constraints, contacts), &predicted, false, state);
    }

    /// Positions that particles reach without forces between them.
    fn predicted(&self, constraints: &[Constraint], state: &State) -> Vec<DVec3> {
        let h = self.parameters.time_step;
        let fall = h * self.parameters.gravity;
        let moved = state.previous_positions.iter().zip(&state.previous_velocities);
        let mut predicted: Vec<DVec3> = moved.map(|(x, v)| *x + h * (*v + fall)).collect();
        for constraint in self.groups.spread(constraints).iter() {
            let end = &mut predicted[constraint.row as usize];
            *end = constraint.target + constraint.free * (*end - constraint.target);
        }
        predicted
    }

    /// Gives struts to further pairs that motion to `end` brings too close. Returns how many push.
    fn select(
        &self,
        (constraints, contacts): (&[Constraint], &[Contact]),
        end: &[DVec3],
        solved: bool,
        state: &mut State,
    ) -> usize {
        let Some(surface) = self.surface else { return 0 };
        let mut inverse_masses: Vec<f64> = self.groups.masses(&self.topology.masses).iter().map(|m| 1.0 / m).collect();
        for (ix, constraint) in constraints.iter().enumerate() {
            // A collider may hold several layers at first; contact passes let go of those that struts push away.
            let held = contacts.get(ix).is_none_or(|contact| contact.state == ContactState::Held);
            if held && constraint.free == glam::DMat3::ZERO {
                inverse_masses[constraint.row as usize] = 0.0;
            }
        }
        for (master, others) in self.groups.iter() {
            others.iter().for_each(|&row| inverse_masses[row as usize] = inverse_masses[master as usize]);
        }
        let course = Course {
            start: &state.previous_positions,
            end,
            solved,
            time_step: self.parameters.time_step,
            inverse_masses: &inverse_masses,
        };
        state.struts.select(surface, &course, self.stage_share())
    }

    /// Place of the stage within the step.
    fn stage_share(&self) -> f64 {
        if self.integrator == Integrator::ImplicitMidpoint { 0.5 } else { 1.0 }
    }

    /// Adds struts to an assembled system.
    pub fn attach(&self, state: &mut State) {
        let _collision = self.stopwatch.enter(StepPart::Collision);
        struts::attach(state);
    }

    /// One pass after a solve: struts let go, push or rub, and pairs that the solution brings too close get one. Struts that push anew count as changes of state.
    pub fn revise(&self, constraints: &[Constraint], contacts: &[Contact], state: &mut State) -> struts::Changes {
        let _collision = self.stopwatch.enter(StepPart::Collision);
        let mut changes = struts::revise(state);
        let stage_step = state.scheme.stage_step;
        let share = self.stage_share();
        let ways = state.velocities.iter().zip(&state.solution).zip(&state.anchor_positions);
        let stage = ways.map(|((v, dv), anchor)| *anchor + stage_step * (*v + *dv));
        let end: Vec<DVec3> =
            stage.zip(&state.previous_positions).map(|(x, start)| *start + (x - *start) / share).collect();
        let known = state.struts.list.len();
        self.select((constraints, contacts), &end, true, state);
        changes.flips += struts::engage(known, state);
        changes
    }

    /// Computes diagonal blocks and their inverses anew after struts have changed.
    pub fn restore(&self, constraints: &[Constraint], contacts: &mut [Contact], state: &mut State) {
        let _collision = self.stopwatch.enter(StepPart::Collision);
        struts::restore_diagonal(state);
        ties::tie_blocks(self.groups, state);
        for (constraint, contact) in constraints.iter().zip(contacts) {
            contact.block = state.diagonal[constraint.row as usize];
        }
        solve::invert(constraints, self.parameters, state);
    }

    /// Impulses after an explicit step, whose motion is known: pairs that it brings closer than their thickness push each other apart.
    pub fn strike(&self, constraints: &[Constraint], contacts: &[Contact], state: &mut State) {
        let _collision = self.stopwatch.enter(StepPart::Collision);
        let Some(surface) = self.surface else { return };
        let masters = self.groups.masters(state.positions.len());
        let sweep = Sweep {
            start: &state.previous_positions,
            end: &state.positions,
            masters: &masters,
            reach: REACH,
            led: None,
        };
        let pairs = Pairs::find(surface, &sweep).list;
        state.struts.begin(pairs);
        let end = state.positions.clone();
        self.select((constraints, contacts), &end, true, state);
        if state.struts.is_empty() {
            return;
        }
        let bodies = Bodies { constraints, contacts, groups: self.groups, masses: &self.topology.masses };
        let gained = impulses::strike(&bodies, self.parameters.time_step, state);
        for (row, gained) in gained.into_iter().enumerate() {
            state.positions[row] += self.parameters.time_step * gained;
            state.velocities[row] += gained;
            self.remember(row, gained, state);
        }
    }

    /// Changes the velocity that an explicit method keeps for its next step.
    fn remember(&self, row: usize, gained: DVec3, state: &mut State) {
        if self.integrator == Integrator::Beeman {
            state.s[row] += gained;
        } else if self.integrator.is_explicit() {
            state.p[row] += gained;
        }
    }

    /// Shortens the motion of a finished step where surfaces would pass through each other. `before`: rows that were shortened in the last step; empty if none were.
    pub fn guard(
        &self,
        constraints: &[Constraint],
        contacts: &[Contact],
        before: &[bool],
        state: &mut State,
    ) -> Guarded {
        let _collision = self.stopwatch.enter(StepPart::Collision);
        let rows = state.positions.len();
        let Some(surface) = self.surface else {
            return Guarded { shares: vec![1.0; rows], truncated: 0, rounds: 0, driven: Vec::new() };
        };
        let masters = self.groups.masters(rows);
        let mut prescribed = vec![DVec3::ZERO; rows];
        for (ix, constraint) in constraints.iter().enumerate() {
            let row = constraint.row as usize;
            let moved = state.positions[row] - state.previous_positions[row];
            prescribed[row] = match contacts.get(ix) {
                Some(contact) if contact.state != ContactState::Held => {
                    // A collider prescribes what it pushes along its normals.
                    let led = self.parameters.time_step * contact.surface_velocity;
                    contact.along(contact.shares(contact.products(led)).map(|push| push.max(0.0)))
                }
                _ => moved - constraint.free * moved,
            };
        }
        for (row, master) in masters.iter().enumerate() {
            prescribed[row] = prescribed[*master as usize];
        }
        let guard = Guard {
            surface,
            masters: &masters,
            start: &state.previous_positions,
            end: &state.positions,
            prescribed: &prescribed,
        };
        let guarded = guard.run();
        if guarded.truncated == 0 {
            return guarded;
        }
        let positions: Vec<DVec3> = (0..rows).map(|row| guard.reached(row, guarded.shares[row])).collect();
        for (row, share) in guarded.shares.iter().enumerate() {
            // Motion that is shortened once keeps its velocity.
            if *share < 1.0 && before.get(row).is_some_and(|again| *again) {
                let velocity = (positions[row] - state.previous_positions[row]) / self.parameters.time_step;
                self.remember(row, velocity - state.velocities[row], state);
                state.velocities[row] = velocity;
            }
        }
        state.positions = positions;
        guarded
    }

    /// Kinetic, elastic and potential energy gained since an earlier state of the same step, J.
    pub fn gained(&self, (positions, velocities): (Vec<DVec3>, Vec<DVec3>), state: &mut State) -> f64 {
        let Self { topology, parameters, .. } = self;
        let mut gained = 0.0;
        for (row, mass) in topology.masses.iter().enumerate() {
            let (new, old) = (state.velocities[row], velocities[row]);
            gained += mass * (0.5 * (new - old).dot(new + old));
            gained -= mass * parameters.gravity.dot(state.positions[row] - positions[row]);
        }
        state.search_start.positions.clone_from(&positions);
        state.search_end.positions = positions;
        gained - search::weigh(topology, parameters, state, 0.0).change
    }
}
