//! The energy audit of the safe step, twin of `shaders/search/audit.wgsl`: whether kinetic, elastic and potential energy have grown by more than what was
//! done from outside, by pins, contacts, friction, loads and wind.

use super::{Parameters, State, external};
use crate::{
    Integrator,
    topology::{Constraint, Contact, ContactState, Load, TieGroups, Topology},
};
use glam::DVec3;

/// What acts from outside in a step.
pub struct Outside<'a> {
    /// Impulses of constraints, in their order, N·s; empty where nothing is touched: then those of pins are in the residual.
    pub impulses: &'a [DVec3],
    /// Pins and contacts.
    pub constraints: &'a [Constraint],
    /// What each is about.
    pub contacts: &'a [Contact],
    /// Forces on single particles.
    pub loads: &'a [Load],
    /// Whether there is air.
    pub air: bool,
}

/// What the energies of a step are compared with, J: kinetic energy and that of handles at its start, ½M(gh)², and the energy of motion that rounding of
/// positions may seem to be. The elastic energy comes on top.
pub fn scale(topology: &Topology, parameters: &Parameters, loads: &[Load], state: &State) -> f64 {
    let rounded = 0.5 * (parameters.rounding / parameters.time_step).powi(2);
    let rows = kinetic(topology, parameters, state) + rounded * topology.masses.iter().sum::<f64>();
    let pull = |load: &Load| (load.target - state.previous_positions[load.row as usize]).length_squared();
    rows + loads.iter().map(|load| 0.5 * load.stiffness * pull(load)).sum::<f64>()
}

/// Kinetic energy at the start of a step, and ½M(gh)², J.
pub fn kinetic(topology: &Topology, parameters: &Parameters, state: &State) -> f64 {
    let gained = 0.5 * (parameters.gravity.length() * parameters.time_step).powi(2);
    let rows = state.previous_velocities.iter().zip(&topology.masses);
    rows.map(|(v, mass)| mass * (0.5 * v.length_squared() + gained)).sum()
}

/// Whether a particle has gained a velocity with which it would leave everything behind in this one step.
pub fn runs_away(parameters: &Parameters, state: &State) -> bool {
    let gains = state.velocities.iter().zip(&state.previous_velocities);
    gains.into_iter().any(|(new, old)| parameters.time_step * (*new - *old).length() > parameters.reach)
}

/// What rows add to the rise of the energy in a step: kinetic and potential energy, less the work from outside, J. The step's state is that of
/// its stage.
pub fn rows(
    topology: &Topology,
    parameters: &Parameters,
    outside: &Outside<'_>,
    groups: &TieGroups,
    state: &State,
) -> f64 {
    let moved = |row: usize| state.positions[row] - state.previous_positions[row];
    let mut rise = 0.0;
    let wind = external::wind(parameters, state);
    for (row, mass) in topology.masses.iter().enumerate() {
        let (new, old) = (state.velocities[row], state.previous_velocities[row]);
        rise += mass * (0.5 * (new - old).dot(new + old) - parameters.gravity.dot(moved(row)));
        if outside.air {
            rise -= external::wind_force(&parameters.air, wind, state.normals[row]).dot(moved(row));
        }
    }
    for load in outside.loads {
        let row = load.row as usize;
        let pull = load.target - 0.5 * (state.positions[row] + state.previous_positions[row]);
        rise -= (load.force + load.stiffness * pull).dot(moved(row));
    }
    let mut residual = state.residual.clone();
    groups.gather(&mut residual);
    // Of what is tied to a pin, too.
    let masses = groups.masses(&topology.masses);
    for (ix, constraint) in outside.constraints.iter().enumerate() {
        let row = constraint.row as usize;
        let impulse = outside.impulses.get(ix).copied();
        let impulse = impulse.unwrap_or_else(|| constraint.free * residual[row] - residual[row]);
        let led = match outside.contacts.get(ix) {
            Some(contact) if contact.state != ContactState::Held && contact.body.is_none() => {
                driven(contact, parameters.time_step, moved(row))
            }
            _ => moved(row),
        };
        rise -= impulse.dot(led) / state.scheme.stage_step;
        let pinned = outside.contacts.get(ix).is_none_or(|contact| contact.state == ContactState::Held);
        if pinned && parameters.explicit_share == 0.0 {
            rise -= masses[row] * held_inertia(constraint, state);
        }
    }
    rise
}

/// What a pin adds to the balance by the inertia of what it holds, over the mass: what is held is part of the outside. Of the θ-scheme v̂ has forces in it.
fn held_inertia(constraint: &Constraint, state: &State) -> f64 {
    let row = constraint.row as usize;
    let held = |a: DVec3, b: DVec3| a.dot(b - constraint.free * b);
    let (new, old) = (state.velocities[row], state.previous_velocities[row]);
    let moved = state.positions[row] - state.previous_positions[row];
    let inertia = held(new - state.anchor_velocities[row], moved) / state.scheme.stage_step;
    0.5 * (held(new, new) - held(old, old)) - inertia
}

/// How far a contact drives its particle: as far as its surface goes, and out of it.
fn driven(contact: &Contact, time_step: f64, moved: DVec3) -> DVec3 {
    let led = time_step * contact.surface_velocity;
    led + contact.along(contact.products(moved - led).map(|out| out.max(0.0)))
}

/// Whether a step may rise by this much, as a share of its energy, after the steps before it, newest first: together with none of them it may rise by more than
/// the integrator's limit. A step that does not rise is never at fault.
pub fn is_sound(integrator: Integrator, rise: f64, before: &[f64]) -> bool {
    let steps = before.iter().take(integrator.audited_steps() - 1);
    let sums = steps.scan(rise, |sum, rise| {
        *sum += rise;
        Some(*sum)
    });
    rise <= 0.0 || sums.fold(rise, f64::max) <= integrator.most_rise()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_ten_steps_together_rise_by_more_than_one_step_may() {
        let sound = |rise, before: &[f64]| is_sound(Integrator::Bdf2, rise, before);
        assert!(sound(0.009, &[]) && !sound(0.011, &[]) && !sound(f64::NAN, &[]));
        assert!(sound(0.000999, &[0.001; 9]) && !sound(0.0011, &[0.001; 9]));
        // What was lost long ago does not make up for it, nor does what is gone by.
        assert!(!sound(0.006, &[0.005, -0.5]) && sound(0.006, &[-0.003, 0.005, -0.5]));
        let old = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5];
        assert!(sound(0.005, &old) && !sound(0.005, &old[1..]));
        // A step that loses energy cannot be blamed.
        assert!(sound(-0.001, &[0.5]));
        assert!(
            is_sound(Integrator::ImplicitEuler, 0.009, &[0.009])
                && !is_sound(Integrator::ImplicitEuler, 0.011, &[-1.0])
        );
        assert!(is_sound(Integrator::ImplicitMidpoint, 0.09, &[0.09]));
    }
}
