//! Contact passes: the active set and its friction, twins of `shaders/contact/`.

use super::{CgState, Fresh, Parameters, State, solve, ties};
use crate::parallel::*;
use crate::{
    Integrator, Outcome,
    integrator::{Kind, Method},
    topology::{Constraint, Contact, ContactState, TieGroups, Topology},
};
use glam::{DMat3, DVec3};

/// Prepares contacts before a solve: copies the diagonal block D of its row into each contact, adds the present friction to the residual, and sets the constrained
/// part of the residual aside.
pub fn keep(constraints: &[Constraint], contacts: &mut [Contact], state: &mut State) {
    for (constraint, contact) in constraints.iter().zip(contacts) {
        let row = constraint.row as usize;
        contact.block = state.diagonal[row];
        if contact.state != ContactState::Held {
            set_aside(constraint, contact, state.residual[row] + contact.friction, &mut state.residual[row]);
        }
    }
}

/// Splits a residual into the free part, which the solve reduces, and the constrained part, which is set aside.
fn set_aside(constraint: &Constraint, contact: &mut Contact, whole: DVec3, residual: &mut DVec3) {
    // The residual of a contact with a rigid body stays whole, because the body receives its constrained part.
    *residual = if contact.body.is_some() { whole } else { constraint.free * whole };
    contact.aside = whole - *residual;
}

/// Revises the active set between two parts of a solve, by the impulse of each contact. The last pass releases no contact.
pub fn respond(
    last_pass: bool,
    constraints: &mut [Constraint],
    contacts: &mut [Contact],
    parameters: &Parameters,
    state: &mut State,
    cg: &mut CgState,
) {
    for (constraint, contact) in constraints.iter_mut().zip(contacts) {
        if contact.state == ContactState::Held {
            continue;
        }
        let row = constraint.row as usize;
        let velocity = state.velocities[row] + state.solution[row];
        let let_go = contact.holding.map(|holds| !holds);
        let whole = state.residual[row] + contact.aside;
        let held = constraint.free * whole - whole;
        let shares = if last_pass {
            contact.shares(contact.products(held)).map(|share| share.max(0.0))
        } else {
            contact.release(contact.products(held))
        };
        let limit = contact.friction_limit(shares);
        let mut friction = DVec3::ZERO;
        contact.shift = DVec3::ZERO;
        if contact.body.is_none() && contact.take_hold(let_go, velocity, state.scheme.stage_step) {
            contact.shift = contact.along(contact.shares(contact.missing(velocity)));
            contact.state = ContactState::Slides;
        }
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
            let mass = state.scalar_diagonal[row] + state.tied_diagonal[row];
            friction = sliding_friction(contact, limit, velocity, mass);
        }
        constraint.free = if contact.state == ContactState::Sticks { DMat3::ZERO } else { contact.sliding() };
        let next = whole + friction - contact.friction;
        contact.friction = friction;
        set_aside(constraint, contact, next, &mut state.residual[row]);
        let q = solve::filtered_inverse(parameters, contact.block, constraint.free);
        state.preconditioner[row] = q;
    }
    resume(cg);
}

/// Resumes a solve after its constraint filter has changed.
pub fn resume(cg: &mut CgState) {
    cg.iteration = 0;
    cg.resumed += 1;
    cg.fresh = Fresh::Search;
    if cg.outcome != Outcome::Indefinite {
        cg.outcome = Outcome::IterationLimit;
        cg.done = false;
    }
}

/// Largest number of state changes of a contact in one step; after them its state is frozen.
const MOST_FLIPS: u32 = 6;
/// Pulling normal impulse that a contact tolerates before release, relative to the particle's weight times the step.
const PULL_SLACK: f64 = 1e-4;
/// Penetration that a contact tolerates before it engages, m.
const DEPTH_SLACK: f64 = 1e-7;
/// Change of friction below which it has converged, relative to Coulomb's limit.
const FRICTION_SLACK: f64 = 0.01;

/// One active-set pass of a safe step: contacts that pull are released, penetrating ones engage, those inside the friction cone stick, and the others slide with
/// friction. Returns the number of contacts that changed state, and the number of others whose friction changed.
pub fn revise(
    constraints: &mut [Constraint],
    contacts: &mut [Contact],
    parameters: &Parameters,
    state: &mut State,
) -> (u32, u32) {
    let stage_step = state.scheme.stage_step;
    let (mut flips, mut rubs) = (0, 0);
    for (constraint, contact) in constraints.iter_mut().zip(contacts) {
        if contact.state == ContactState::Held {
            continue;
        }
        let row = constraint.row as usize;
        let before = *contact;
        let velocity = state.velocities[row] + state.solution[row];
        let mass = state.scalar_diagonal[row] + state.tied_diagonal[row];
        let weight = mass * parameters.gravity.length() * stage_step;
        let whole = state.residual[row] + contact.aside;
        let held = constraint.free * whole - whole;
        let let_go = contact.holding.map(|holds| !holds);
        let may_change = contact.flips < MOST_FLIPS;
        let shares = if may_change {
            contact.release_beyond(contact.products(held), PULL_SLACK * weight)
        } else {
            contact.shares(contact.products(held)).map(|share| share.max(0.0))
        };
        let limit = contact.friction_limit(shares);
        contact.shift = DVec3::ZERO;
        let alone = contact.body.is_none();
        let mut friction = DVec3::ZERO;
        if alone && contact.take_hold_beyond(let_go, velocity, stage_step, DEPTH_SLACK) {
            contact.shift = contact.along(contact.shares(contact.missing(velocity)));
            contact.state = ContactState::Slides;
        }
        if !contact.holds() {
            contact.state = ContactState::Free;
        } else if contact.state == ContactState::Sticks {
            let across = contact.across(held);
            if across.length() > limit {
                contact.state = ContactState::Slides;
                friction = across * (limit / across.length());
            }
        } else {
            let slip = contact.across(velocity + contact.shift - contact.surface_velocity);
            // Impulse that stops the slip while the neighbours stay. If they stop too it is too large; the particle then slips back and sticks in the next pass.
            let stopping = contact.friction - mean_diagonal(&contact.block) * slip;
            if stopping.length() < limit && alone && may_change {
                contact.state = ContactState::Sticks;
                contact.shift -= slip;
            } else {
                let wanted = contact.friction - mass * slip;
                friction = wanted * if wanted.length() > limit { limit / wanted.length() } else { 1.0 };
            }
        }
        constraint.free = if contact.state == ContactState::Sticks { DMat3::ZERO } else { contact.sliding() };
        let flipped = contact.state != before.state || contact.holding != before.holding;
        contact.flips += u32::from(flipped);
        flips += u32::from(flipped);
        let settled = FRICTION_SLACK * limit.max(PULL_SLACK * weight);
        rubs += u32::from(!flipped && (friction - before.friction).length() > settled);
        let next = whole + friction - contact.friction;
        contact.friction = friction;
        set_aside(constraint, contact, next, &mut state.residual[row]);
        state.preconditioner[row] = solve::filtered_inverse(parameters, contact.block, constraint.free);
    }
    (flips, rubs)
}

/// Undoes the push-out of released contacts after the last pass of a safe linearisation: their free part of `led` returns to x̂. Returns the impulse of each
/// constraint on its particle, N·s.
pub fn release_leads(constraints: &[Constraint], contacts: &mut [Contact], state: &mut State) -> Vec<DVec3> {
    let one = |(constraint, contact): (&Constraint, &mut Contact)| {
        let row = constraint.row as usize;
        let back = constraint.free * contact.led;
        state.anchor_positions[row] += back;
        contact.led -= back;
        // From the changed x̂ another velocity reaches the surface.
        let further = contact.products(back / state.scheme.stage_step);
        contact.wanted.iter_mut().zip(further).for_each(|(wanted, further)| *wanted -= further);
        let whole = state.residual[row] + contact.aside;
        constraint.free * whole - whole + contact.friction
    };
    constraints.iter().zip(contacts).map(one).collect()
}

/// Moves engaged contacts to their targets: x += Δv, r -= A Δv, u = Q r.
pub fn engage(
    topology: &Topology,
    constraints: &[Constraint],
    contacts: &mut [Contact],
    groups: &TieGroups,
    state: &mut State,
) {
    if contacts.iter().all(|contact| contact.shift == DVec3::ZERO) {
        return precondition(state);
    }
    state.u.fill(DVec3::ZERO);
    for (constraint, contact) in constraints.iter().zip(contacts.iter()) {
        state.u[constraint.row as usize] = contact.shift;
    }
    ties::tie_copies(groups, state);
    let mut residual = std::mem::take(&mut state.residual);
    residual.par_iter_mut().with_min_len(256).enumerate().for_each(|(row, residual)| {
        *residual -= solve::matrix_row(topology, state, &state.u, row);
    });
    state.residual = residual;
    state.solution.iter_mut().zip(&state.u).for_each(|(x, u)| *x += *u);
    for (constraint, contact) in constraints.iter().zip(contacts) {
        if contact.state != ContactState::Held && contact.body.is_none() {
            let row = constraint.row as usize;
            set_aside(constraint, contact, state.residual[row] + contact.aside, &mut state.residual[row]);
        }
    }
    precondition(state);
}

/// Applies the preconditioner: u = Q r.
pub fn precondition(state: &mut State) {
    let rows = (&mut state.u, &state.preconditioner, &state.residual).into_par_iter().with_min_len(1024);
    rows.for_each(|(u, q, r)| *u = *q * *r);
}

fn mean_diagonal(block: &DMat3) -> f64 {
    (block.x_axis.x + block.y_axis.y + block.z_axis.z) / 3.0
}

/// Friction impulse that stops the particle without its neighbours, including the present friction, bounded by Coulomb's limit.
fn sliding_friction(contact: &Contact, limit: f64, velocity: DVec3, mass: f64) -> DVec3 {
    let slip = contact.across(velocity - contact.surface_velocity);
    let wanted = contact.friction - mass * slip;
    wanted * if wanted.length() > limit { limit / wanted.length() } else { 1.0 }
}

/// Undoes the push-out of released contacts after the last solve of a linearisation: their free part of `led` returns to x̂. Returns the impulse of each constraint
/// on its particle, N·s.
pub fn settle(
    constraints: &[Constraint],
    contacts: &mut [Contact],
    masses: &[f64],
    groups: &TieGroups,
    state: &mut State,
    cg: &CgState,
) -> Vec<DVec3> {
    let held = |(constraint, contact): (&Constraint, &mut Contact)| {
        let row = constraint.row as usize;
        let mut stop = DVec3::ZERO;
        if groups.is_empty() && !cg.newton_done {
            stop = stopped(contact, state.velocities[row] + state.solution[row], state.scheme.stage_step);
        }
        state.solution[row] += stop;
        let back = constraint.free * contact.led;
        state.anchor_positions[row] += back;
        contact.led -= back;
        let whole = state.residual[row] + contact.aside;
        constraint.free * whole - whole + contact.friction + masses[row] * stop
    };
    constraints.iter().zip(contacts).map(held).collect()
}

/// Velocity change that stops a released particle which the last part of the solve would still move into a collider, without its neighbours.
fn stopped(contact: &Contact, velocity: DVec3, stage_step: f64) -> DVec3 {
    let mut contact = *contact;
    let off = contact.holding.map(|holds| !holds);
    let watched = contact.state != ContactState::Held && contact.body.is_none();
    if !watched || !contact.take_hold(off, velocity, stage_step) {
        return DVec3::ZERO;
    }
    let short = contact.lacking(velocity, stage_step);
    contact.along(contact.shares(std::array::from_fn(|ix| if off[ix] { short[ix] } else { 0.0 })))
}

/// Applies reaction constraints after an explicit step. Returns the impulse of each constraint.
pub fn react(
    integrator: Integrator,
    constraints: &[Constraint],
    contacts: &[Contact],
    masses: &[f64],
    parameters: &Parameters,
    state: &mut State,
) -> Vec<DVec3> {
    let h = parameters.time_step;
    let euler = integrator == Integrator::ExplicitEuler;
    // Whether the method moves particles by h v + ½h² a.
    let accelerated = !matches!(integrator.kind(), Kind::Verlet(method) if method != Method::Beeman);
    let share = if euler {
        0.0
    } else if accelerated {
        0.5
    } else {
        1.0
    };
    // The velocity of Verlet's scheme lags half a step behind.
    let lag = if integrator == Integrator::Verlet { 0.5 } else { 1.0 };
    let one = |(constraint, contact): (&Constraint, &Contact)| {
        if !matches!(contact.state, ContactState::Sticks | ContactState::Slides) {
            return DVec3::ZERO;
        }
        let mut contact = *contact;
        let row = constraint.row as usize;
        let start = state.previous_positions[row];
        let moved = (state.positions[row] - start) / h;
        let pace = if accelerated { state.velocities[row] } else { moved };
        let mut missing = contact.release(contact.missing(if euler { pace } else { moved }));
        if !contact.holds() {
            return DVec3::ZERO;
        }
        let shares = contact.shares(contact.missing(pace)).map(|share| share.max(0.0));
        let slip = contact.across(pace - contact.surface_velocity);
        let limit = contact.friction_limit(shares);
        let sticks = slip.length() <= limit;
        let braked = -slip * if sticks { 1.0 } else { limit / slip.length() };
        let change = contact.along(shares) + braked;
        let (gone_along, carried) = if sticks {
            let along = contact.across(contact.surface_velocity);
            (along, along)
        } else {
            (contact.across(moved) + share * braked, contact.across(state.velocities[row] + lag * braked))
        };
        if euler {
            missing = contact.shares(contact.missing(moved)).map(|share| share.max(0.0));
        }
        let gone = moved - contact.across(moved) + contact.along(missing) + gone_along;
        state.positions[row] = start + h * gone;
        state.velocities[row] = gone - contact.across(gone) + carried;
        if integrator == Integrator::Beeman {
            state.s[row] += change
        } else {
            state.p[row] += change
        }
        masses[row] * change
    };
    constraints.iter().zip(contacts).map(one).collect()
}
