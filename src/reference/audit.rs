//! The energy audit of the safe step, twin of `shaders/search/audit.wgsl`: whether kinetic, elastic and potential energy have grown by more than the external work
//! of pins, contacts, friction, loads and wind.

use super::{Parameters, State, external};
use crate::{
    Integrator,
    topology::{Constraint, Contact, ContactState, PointLoad, TieGroups, Topology},
};
use glam::DVec3;

/// External actions on the particles in a step.
pub struct Outside<'a> {
    /// Impulses of constraints, in their order, N·s. Empty in steps without contacts: the residual then holds the impulses of pins.
    pub impulses: &'a [DVec3],
    /// Constraints of pins and contacts.
    pub constraints: &'a [Constraint],
    /// The contact of each constraint.
    pub contacts: &'a [Contact],
    /// Point loads.
    pub loads: &'a [PointLoad],
    /// Whether the scene has air.
    pub air: bool,
}

/// Energy scale of a step, J: kinetic energy and energy of handles at its start, ½M(gh)², and the kinetic energy that rounded positions may feign. The caller adds
/// the elastic energy.
pub fn scale(topology: &Topology, parameters: &Parameters, loads: &[PointLoad], state: &State) -> f64 {
    let rounded = 0.5 * (parameters.rounding / parameters.time_step).powi(2);
    let rows = kinetic(topology, parameters, state) + rounded * topology.masses.iter().sum::<f64>();
    let pull = |load: &PointLoad| (load.target - state.previous_positions[load.row as usize]).length_squared();
    rows + loads.iter().map(|load| 0.5 * load.stiffness * pull(load)).sum::<f64>()
}

/// Kinetic energy at the start of a step plus ½M(gh)², J.
pub fn kinetic(topology: &Topology, parameters: &Parameters, state: &State) -> f64 {
    let gained = 0.5 * (parameters.gravity.length() * parameters.time_step).powi(2);
    let rows = state.previous_velocities.iter().zip(&topology.masses);
    rows.map(|(v, mass)| mass * (0.5 * v.length_squared() + gained)).sum()
}

/// Whether a particle has gained a velocity that would carry it out of the scene within this step.
pub fn runs_away(parameters: &Parameters, state: &State) -> bool {
    let gains = state.velocities.iter().zip(&state.previous_velocities);
    gains.into_iter().any(|(new, old)| parameters.time_step * (*new - *old).length() > parameters.reach)
}

/// Contribution of the rows to the energy rise of a step: kinetic and potential energy less the external work, J. Positions and velocities are those of the stage
/// of the integrator.
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
    // A pin holds the mass of all particles tied to its particle.
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

/// Inertial term of a pin in the energy balance, over the mass: held components count as external. For the θ-scheme v̂ includes forces, and the term does not.
fn held_inertia(constraint: &Constraint, state: &State) -> f64 {
    let row = constraint.row as usize;
    let held = |a: DVec3, b: DVec3| a.dot(b - constraint.free * b);
    let (new, old) = (state.velocities[row], state.previous_velocities[row]);
    let moved = state.positions[row] - state.previous_positions[row];
    let inertia = held(new - state.anchor_velocities[row], moved) / state.scheme.stage_step;
    0.5 * (held(new, new) - held(old, old)) - inertia
}

/// Displacement that a contact imposes on its particle: the motion of its surface, and the way out of it.
fn driven(contact: &Contact, time_step: f64, moved: DVec3) -> DVec3 {
    let led = time_step * contact.surface_velocity;
    led + contact.along(contact.products(moved - led).map(|out| out.max(0.0)))
}

/// Whether a step may raise the energy by `rise`, relative to its energy scale. The sum over this step and any number of the steps before it, newest first, must
/// not exceed the integrator's limit. A step that does not raise the energy is always sound.
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
        // Energy lost long ago does not compensate a rise, and an old rise does not count after a loss.
        assert!(!sound(0.006, &[0.005, -0.5]) && sound(0.006, &[-0.003, 0.005, -0.5]));
        let old = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5];
        assert!(sound(0.005, &old) && !sound(0.005, &old[1..]));
        // A step that loses energy is always sound.
        assert!(sound(-0.001, &[0.5]));
        assert!(
            is_sound(Integrator::ImplicitEuler, 0.009, &[0.009])
                && !is_sound(Integrator::ImplicitEuler, 0.011, &[-1.0])
        );
        assert!(is_sound(Integrator::ImplicitMidpoint, 0.09, &[0.09]));
    }
}
