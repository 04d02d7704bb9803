//! From velocities to positions, twins of `shaders/integrate/`.

use super::{Parameters, State, forces::law::history_after};
use crate::topology::{Constraint, Topology};
use rayon::prelude::*;

/// Begins a step: saves x₀, v₀, gives constrained particles their velocity, r = -M (v - v₀).
pub fn begin(topology: &Topology, constraints: &[Constraint], parameters: &Parameters, state: &mut State) {
    state.previous_positions.copy_from_slice(&state.positions);
    state.previous_velocities.copy_from_slice(&state.velocities);
    for constraint in constraints {
        let row = constraint.row as usize;
        let wanted = (constraint.target - state.positions[row]) / parameters.time_step;
        state.velocities[row] = wanted + constraint.free * (state.velocities[row] - wanted);
    }
    relinearise(topology, state);
}

/// Before a further linearisation: r = -M (v - v₀).
pub fn relinearise(topology: &Topology, state: &mut State) {
    let State { residual, velocities, previous_velocities, .. } = state;
    (residual, velocities, previous_velocities, &topology.masses)
        .into_par_iter()
        .with_min_len(1024)
        .for_each(|(r, v, v0, &mass)| *r = mass * (*v0 - *v));
}

/// Implicit Euler after a solve: v ← v + Δv, x = x₀ + h v. Returns whether all is finite.
pub fn euler(parameters: &Parameters, state: &mut State) -> bool {
    let State { positions, velocities, previous_positions, solution, .. } = state;
    (positions, velocities, previous_positions, solution)
        .into_par_iter()
        .with_min_len(1024)
        .map(|(x, v, x0, dv)| {
            *v += *dv;
            *x = *x0 + parameters.time_step * *v;
            x.is_finite() && v.is_finite()
        })
        .reduce(|| true, |a, b| a && b)
}

/// The very last of a step: what edges remember moves on.
pub fn history(topology: &Topology, parameters: &Parameters, state: &mut State) {
    let State { history, positions, .. } = state;
    (history, &topology.edges).into_par_iter().with_min_len(1024).for_each(|(history, edge)| {
        let [a, b] = edge.ends.map(|end| positions[end as usize]);
        let material = &topology.materials[edge.material as usize];
        *history = history_after(material, edge, history, a.distance(b), parameters.time_step);
    });
}

/// After a failed step: the state it began with, and no residual.
pub fn restore(state: &mut State) {
    state.positions.copy_from_slice(&state.previous_positions);
    state.velocities.copy_from_slice(&state.previous_velocities);
    state.residual.fill(glam::DVec3::ZERO);
}
