//! The integrate stage: start and end of a step, twins of `shaders/integrate/`.

use super::{Parameters, State, finite::is_finite, forces::law::history_after};
use crate::parallel::*;
use crate::{
    integrator::Estimate,
    topology::{Constraint, Topology},
};
use glam::DVec3;

/// Begins an implicit step: saves x₀, v₀, sets up the stage x = x̂ + γ h v, M (v - v̂) = γ h f, sets the velocities of constrained particles, and r = -M (v - v̂).
/// For the θ-scheme the residual holds γ h f at the start of the step.
pub fn begin(topology: &Topology, constraints: &[Constraint], parameters: &Parameters, state: &mut State) {
    let scheme = state.scheme;
    // Two-step schemes do not extrapolate a change that came from a contact.
    for constraint in constraints {
        let row = constraint.row as usize;
        let (x, v) = (state.positions[row], state.velocities[row]);
        let steady = scheme.previous_step * v;
        state.previous_positions[row] = x - steady - constraint.remembered(x - state.previous_positions[row] - steady);
        state.previous_velocities[row] = v - constraint.remembered(v - state.previous_velocities[row]);
    }
    for row in 0..topology.particle_count() {
        let (x, v) = (state.positions[row], state.velocities[row]);
        let moved = x - state.previous_positions[row];
        state.anchor_positions[row] = x + scheme.history * moved + parameters.drift * v;
        let gained = v - state.previous_velocities[row];
        state.anchor_velocities[row] = v + scheme.history * gained;
        if parameters.explicit_share > 0.0 {
            state.anchor_velocities[row] += parameters.explicit_share / topology.masses[row] * state.residual[row];
        }
        if !parameters.predictor {
            state.velocities[row] = DVec3::ZERO;
        }
        if scheme.history > 0.0 {
            state.velocities[row] = if parameters.extrapolate {
                v + parameters.time_step / scheme.previous_step * gained
            } else {
                moved / scheme.previous_step
            };
        }
        // The velocity changes as it did in the last step.
        state.guess[row] = v + gained - state.velocities[row];
        (state.previous_positions[row], state.previous_velocities[row]) = (x, v);
    }
    for constraint in constraints {
        let row = constraint.row as usize;
        let x = state.positions[row];
        let wanted = (constraint.target - x) / parameters.time_step;
        state.velocities[row] = wanted + constraint.free * (state.velocities[row] - wanted);
        let led = x + (scheme.lead - scheme.stage_step) * wanted;
        state.anchor_positions[row] = led + constraint.free * (state.anchor_positions[row] - led);
    }
    if parameters.extrapolate {
        for row in 0..topology.particle_count() {
            state.positions[row] = state.anchor_positions[row] + scheme.stage_step * state.velocities[row];
        }
    }
    relinearise(topology, state);
}

/// Begins a further linearisation: r = -M (v - v̂).
pub fn relinearise(topology: &Topology, state: &mut State) {
    let State { residual, velocities, anchor_velocities, .. } = state;
    (residual, velocities, anchor_velocities, &topology.masses)
        .into_par_iter()
        .with_min_len(1024)
        .for_each(|(r, v, anchor, &mass)| *r = mass * (*anchor - *v));
}

/// Updates the stage after a solve: v ← v + Δv, x = x̂ + γ h v. Returns whether all values are finite.
pub fn stage(state: &mut State) -> bool {
    let stage_step = state.scheme.stage_step;
    let State { positions, velocities, anchor_positions, solution, .. } = state;
    (positions, velocities, anchor_positions, solution)
        .into_par_iter()
        .with_min_len(1024)
        .map(|(x, v, anchor, dv)| {
            *v += *dv;
            *x = *anchor + stage_step * *v;
            is_finite(*x) && is_finite(*v)
        })
        .reduce(|| true, |a, b| a && b)
}

/// Whether all positions and velocities are finite.
pub fn state_is_finite(state: &State) -> bool {
    state.positions.iter().chain(&state.velocities).all(|v| is_finite(*v))
}

/// Ends a step of the implicit midpoint rule: x = x₀ + 2 (x_s - x₀), v = v₀ + 2 (v_s - v₀), for unconstrained components.
/// Returns whether all values are finite.
pub fn midpoint(constraints: &[Constraint], state: &mut State) -> bool {
    let stage: Vec<_> = constraints.iter().map(|constraint| state.velocities[constraint.row as usize]).collect();
    let mut finite = true;
    for row in 0..state.positions.len() {
        state.positions[row] = 2.0 * state.positions[row] - state.previous_positions[row];
        state.velocities[row] = 2.0 * state.velocities[row] - state.previous_velocities[row];
        finite &= is_finite(state.positions[row]) && is_finite(state.velocities[row]);
    }
    for (constraint, led) in constraints.iter().zip(stage) {
        let velocity = &mut state.velocities[constraint.row as usize];
        *velocity = constraint.continued(*velocity, led);
    }
    finite
}

/// Ends a step of the IMEX midpoint rule, with ½h f of the stage in the residual: x = x₀ + h v_s, v = v₀ + h f / m, for unconstrained components. Returns
/// whether all values are finite.
pub fn imex_midpoint(
    topology: &Topology,
    constraints: &[Constraint],
    parameters: &Parameters,
    state: &mut State,
) -> bool {
    let stage: Vec<_> = constraints.iter().map(|constraint| state.velocities[constraint.row as usize]).collect();
    for row in 0..topology.particle_count() {
        state.positions[row] = state.previous_positions[row] + parameters.time_step * state.velocities[row];
        state.velocities[row] = state.previous_velocities[row] + 2.0 / topology.masses[row] * state.residual[row];
    }
    for (constraint, led) in constraints.iter().zip(stage) {
        let velocity = &mut state.velocities[constraint.row as usize];
        *velocity = constraint.continued(*velocity, led);
    }
    state.positions.iter().chain(&state.velocities).all(|v| is_finite(*v))
}

/// Largest local error of a particle's position in a step of adaptive length, m.
pub fn estimate(constraints: &[Constraint], parameters: &Parameters, state: &State) -> f64 {
    let Estimate { new, old, .. } = parameters.estimate;
    let mut errors: Vec<_> = (0..state.velocities.len())
        .map(|row| {
            let start = state.previous_velocities[row];
            new * (state.velocities[row] - start) + old * (start - state.older_velocities[row])
        })
        .collect();
    for constraint in constraints {
        let error = &mut errors[constraint.row as usize];
        *error = constraint.free * *error;
    }
    errors.iter().fold(0.0, |largest: f64, error| largest.max(error.length()))
}

/// Advances the memory of edges, at the very end of a step.
pub fn history(topology: &Topology, parameters: &Parameters, state: &mut State) {
    let State { history, positions, .. } = state;
    (history, &topology.edges).into_par_iter().with_min_len(1024).for_each(|(history, edge)| {
        let [a, b] = edge.ends.map(|end| positions[end as usize]);
        let material = &topology.materials[edge.material as usize];
        *history = history_after(material, edge, history, a.distance(b), parameters.time_step);
    });
}

/// Restores the state at the start of a failed step, and clears the residual.
pub fn restore(state: &mut State) {
    state.positions.copy_from_slice(&state.previous_positions);
    state.velocities.copy_from_slice(&state.previous_velocities);
    state.residual.fill(glam::DVec3::ZERO);
}
