//! What becomes of contacts, twins of `shaders/contact/`.

use super::{CgState, Fresh, Parameters, State, solve};
use crate::{
    Outcome,
    topology::{Constraint, Contact, ContactState},
};
use glam::{DMat3, DVec3};

/// Before a solve: keeps D of each row, and puts the friction found so far on the residual.
pub fn keep(constraints: &[Constraint], contacts: &mut [Contact], state: &mut State) {
    for (constraint, contact) in constraints.iter().zip(contacts) {
        let row = constraint.row as usize;
        contact.block = state.preconditioner[row];
        state.residual[row] += contact.friction;
    }
}

/// Between two parts of a solve: what a contact holds with decides what becomes of it.
pub fn respond(
    constraints: &mut [Constraint],
    contacts: &mut [Contact],
    parameters: &Parameters,
    state: &mut State,
    cg: &mut CgState,
) {
    for (constraint, contact) in constraints.iter_mut().zip(contacts) {
        if !matches!(contact.state, ContactState::Sticks | ContactState::Slides) {
            continue;
        }
        let row = constraint.row as usize;
        let r = state.residual[row];
        let held = constraint.free * r - r;
        let shares = contact.release(held);
        let limit = contact.friction_limit(shares);
        let mut friction = DVec3::ZERO;
        if !contact.holds() {
            contact.state = ContactState::Free;
        } else if contact.state == ContactState::Sticks {
            let across = contact.across(held);
            if across.length() > limit {
                contact.state = ContactState::Slides;
                friction = across * (limit / across.length());
            }
        } else {
            let velocity = state.velocities[row] + state.solution[row];
            friction = sliding_friction(contact, limit, velocity, state.scalar_diagonal[row]);
        }
        constraint.free = if contact.state == ContactState::Sticks { DMat3::ZERO } else { contact.sliding() };
        let next = r + friction - contact.friction;
        contact.friction = friction;
        state.residual[row] = next;
        let q = solve::filtered_inverse(parameters, contact.block, constraint.free);
        state.preconditioner[row] = q;
        state.u[row] = q * next;
    }
    cg.iteration = 0;
    cg.pass += 1;
    cg.fresh = Fresh::Search;
    if cg.outcome != Outcome::Indefinite {
        cg.outcome = Outcome::IterationLimit;
        cg.done = false;
    }
}

/// Along what it was at first; or, if there was none, against the motion, and no more than would stop the particle if it were alone.
fn sliding_friction(contact: &Contact, limit: f64, velocity: DVec3, mass: f64) -> DVec3 {
    let before = contact.friction.length();
    if before > 0.0 {
        return contact.friction * (limit / before);
    }
    let slip = contact.across(velocity - contact.surface_velocity);
    let speed = slip.length();
    if speed > 0.0 { slip * (-limit.min(mass * speed) / speed) } else { DVec3::ZERO }
}

/// After the last solve of a step: with which impulse each constraint has acted on its particle.
pub fn impulses(constraints: &[Constraint], contacts: &[Contact], state: &State) -> Vec<DVec3> {
    let held = |(constraint, contact): (&Constraint, &Contact)| {
        let r = state.residual[constraint.row as usize];
        constraint.free * r - r + contact.friction
    };
    constraints.iter().zip(contacts).map(held).collect()
}

/// After an explicit step: reaction constraints. Returns the impulses.
pub fn react(
    constraints: &[Constraint],
    contacts: &[Contact],
    masses: &[f64],
    parameters: &Parameters,
    state: &mut State,
) -> Vec<DVec3> {
    let h = parameters.time_step;
    let one = |(constraint, contact): (&Constraint, &Contact)| {
        if !matches!(contact.state, ContactState::Sticks | ContactState::Slides) {
            return DVec3::ZERO;
        }
        let mut contact = *contact;
        let row = constraint.row as usize;
        let start = state.previous_positions[row];
        let moved = (state.positions[row] - start) / h;
        let wanted = (constraint.target - start) / h;
        let shares = contact.release(wanted - moved);
        if !contact.holds() {
            return DVec3::ZERO;
        }
        let slip = contact.across(moved - contact.surface_velocity);
        let limit = contact.friction_limit(shares);
        let sticks = slip.length() <= limit;
        let braked = -slip * if sticks { 1.0 } else { limit / slip.length() };
        let change = contact.along(shares) + braked;
        let carried = if sticks {
            contact.across(contact.surface_velocity)
        } else {
            contact.across(state.velocities[row]) + braked
        };
        let new = moved + change;
        state.positions[row] = start + h * new;
        state.velocities[row] = new - contact.across(new) + carried;
        state.solution[row] += change;
        masses[row] * change
    };
    constraints.iter().zip(contacts).map(one).collect()
}
