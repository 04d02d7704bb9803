//! Impulses of contact between bodies after an explicit step. Twin of `shaders/collision/strike.wgsl` and `shaders/collision/give.wgsl`.
//!
//! The motion of the step is known, and struts are chosen for it. A number of sweeps over all struts finds an impulse P = J n + T of each: with the slip U and the gap G
//! at the end of the step,
//!   J ← max(0, J + m_e (τ - G)/h),   T ← T - m_e U_t, at most μ J in size.
//! All struts of a sweep see the same motion. So that they do not push the same particle several times over, a particle counts for each of its n struts with the n-th part
//! of its mass in the effective mass m_e. Both sides of a strut receive the same impulse, so that momentum is kept. Positions move by h times the change of the velocity.

use crate::{
    reference::State,
    topology::{Constraint, Contact, ContactState, TieGroups},
};
use glam::{DMat3, DVec3};

/// Number of sweeps over all struts.
pub const SWEEPS: u32 = 12;

/// What impulses act on besides struts.
#[derive(Clone, Copy)]
pub struct Bodies<'a> {
    /// Constraints of the step.
    pub constraints: &'a [Constraint],
    /// Their contacts.
    pub contacts: &'a [Contact],
    /// Groups of tied particles, which move as one.
    pub groups: &'a TieGroups,
    /// Mass of each row, kg.
    pub masses: &'a [f64],
}

/// Finds the impulses of all struts for the motion of a step. Returns the change of each row's velocity, m/s.
pub fn strike(bodies: &Bodies<'_>, time_step: f64, state: &mut State) -> Vec<DVec3> {
    let State { struts, positions, previous_positions, .. } = state;
    let rows = positions.len();
    let masses = spread(bodies.groups, bodies.groups.masses(bodies.masses));
    let mut counts: Vec<f64> = struts.counts().iter().map(|count| f64::from(*count)).collect();
    gather(bodies.groups, &mut counts);
    // What struts see of the inverse mass of each row.
    let mut inverse: Vec<f64> = counts.iter().zip(&masses).map(|(count, mass)| count / mass).collect();
    let held = |ix: usize| bodies.contacts.get(ix).is_none_or(|contact| contact.state == ContactState::Held);
    for (ix, constraint) in bodies.constraints.iter().enumerate() {
        if held(ix) && constraint.free == DMat3::ZERO {
            inverse[constraint.row as usize] = 0.0;
        }
    }
    let inverse = spread(bodies.groups, inverse);
    let mut velocities: Vec<DVec3> =
        positions.iter().zip(&*previous_positions).map(|(end, start)| (*end - *start) / time_step).collect();
    let before = velocities.clone();
    let mut pushes = vec![(0.0, DVec3::ZERO); struts.list.len()];
    for _ in 0..SWEEPS {
        let mut gained = vec![DVec3::ZERO; rows];
        for (strut, push) in struts.list.iter().zip(&mut pushes) {
            let all: f64 = (0..4).map(|k| strut.weights[k].powi(2) * inverse[strut.rows[k] as usize]).sum();
            if all <= 0.0 {
                continue;
            }
            let mass = 1.0 / all;
            let slip = strut.between(&velocities);
            let gap = strut.normal.dot(strut.between(previous_positions)) + time_step * strut.normal.dot(slip);
            let old = push.0 * strut.normal + push.1;
            push.0 = (push.0 + mass * (strut.target - gap) / time_step).max(0.0);
            let across = slip - strut.normal.dot(slip) * strut.normal;
            push.1 = (push.1 - mass * across).clamp_length_max(strut.friction * push.0);
            let change = push.0 * strut.normal + push.1 - old;
            for (row, weight) in strut.rows.iter().zip(strut.weights) {
                gained[*row as usize] += weight * change;
            }
        }
        gather(bodies.groups, &mut gained);
        let mut changes: Vec<DVec3> = gained.iter().zip(&masses).map(|(push, mass)| *push / *mass).collect();
        for (ix, constraint) in bodies.constraints.iter().enumerate() {
            let change = &mut changes[constraint.row as usize];
            if held(ix) {
                *change = constraint.free * *change;
            } else {
                // Other bodies do not push a particle into its collider.
                let contact = &bodies.contacts[ix];
                *change -= contact.along(contact.shares(contact.products(*change)).map(|into| into.min(0.0)));
            }
        }
        for (row, change) in spread(bodies.groups, changes).into_iter().enumerate() {
            velocities[row] += change;
        }
    }
    for (strut, (push, _)) in struts.list.iter_mut().zip(&pushes) {
        strut.on = *push > 0.0;
        strut.pressed = Some(*push);
    }
    velocities.iter().zip(before).map(|(after, before)| *after - before).collect()
}

/// Gives all particles of a group the sum over the group.
fn gather<T: Copy + std::iter::Sum>(groups: &TieGroups, values: &mut [T]) {
    for (master, others) in groups.iter() {
        let all = || others.iter().chain(std::iter::once(&master)).map(|&row| row as usize);
        let sum = all().map(|row| values[row]).sum();
        all().for_each(|row| values[row] = sum);
    }
}

/// Gives all particles of a group the value of its master.
fn spread<T: Copy>(groups: &TieGroups, mut values: Vec<T>) -> Vec<T> {
    for (master, others) in groups.iter() {
        others.iter().for_each(|&row| values[row as usize] = values[master as usize]);
    }
    values
}
