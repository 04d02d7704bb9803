//! Explicit steps, twins of `shaders/integrate/{explicit_begin,runge_kutta,verlet,publish}.wgsl`. The residual holds the forces as h f.

use super::{Parameters, State, finite::is_finite};
use crate::{
    integrator::{Method, RungeKuttaStage},
    topology::{Constraint, Topology},
};
use glam::DVec3;

/// Begins a step: saves x₀, v₀, and sets the velocities of constrained particles.
pub fn begin(constraints: &[Constraint], parameters: &Parameters, state: &mut State) {
    state.previous_positions.copy_from_slice(&state.positions);
    state.previous_velocities.copy_from_slice(&state.velocities);
    for constraint in constraints {
        let row = constraint.row as usize;
        let wanted = (constraint.target - state.positions[row]) / parameters.time_step;
        state.velocities[row] = wanted + constraint.free * (state.velocities[row] - wanted);
    }
}

/// Advances one stage of a Runge–Kutta method; p and s accumulate its sums.
pub fn runge_kutta(
    topology: &Topology,
    constraints: &[Constraint],
    parameters: &Parameters,
    stage: &RungeKuttaStage,
    state: &mut State,
) {
    let h = parameters.time_step;
    for row in 0..topology.particle_count() {
        let moved = h * state.velocities[row];
        let gained = state.residual[row] / topology.masses[row];
        if stage.first {
            (state.p[row], state.s[row]) = (DVec3::ZERO, DVec3::ZERO);
        }
        state.p[row] += stage.weight * moved;
        state.s[row] += stage.weight * gained;
        let (change, gain) =
            if stage.last { (state.p[row], state.s[row]) } else { (stage.next * moved, stage.next * gained) };
        state.positions[row] = state.previous_positions[row] + change;
        state.velocities[row] = state.previous_velocities[row] + gain;
    }
    lead(constraints, h, if stage.last { 1.0 } else { stage.next }, state);
    state.scheme.stage_time = stage.next;
}

/// Advances a method with one evaluation of the forces, at the start of the step. p keeps the velocity of the half step; for Beeman's method p keeps the
/// acceleration, and s the known part of the next velocity.
pub fn verlet(
    topology: &Topology,
    constraints: &[Constraint],
    parameters: &Parameters,
    method: Method,
    state: &mut State,
) {
    let h = parameters.time_step;
    let (started, before_step) = (state.scheme.history > 0.0, state.scheme.previous_step);
    for row in 0..topology.particle_count() {
        let (x, v) = (state.positions[row], state.velocities[row]);
        let acceleration = state.residual[row] / (h * topology.masses[row]);
        let (position, velocity) = match method {
            Method::SymplecticEuler => (x + h * (v + h * acceleration), v + h * acceleration),
            Method::Beeman => {
                let (mut corrected, mut last) = (v, acceleration);
                if started {
                    last = state.p[row];
                    corrected = state.s[row] + before_step / 3.0 * acceleration;
                }
                (state.p[row], state.s[row]) = (acceleration, corrected + h / 6.0 * (5.0 * acceleration - last));
                let position = x + h * corrected + h * h / 6.0 * (4.0 * acceleration - last);
                (position, corrected + 0.5 * h * (3.0 * acceleration - last))
            }
            Method::LeapFrog | Method::Verlet | Method::VelocityVerlet => {
                let before = if started { state.p[row] } else { v };
                let half = before + 0.5 * if started { h + before_step } else { h } * acceleration;
                state.p[row] = half;
                let velocity = match method {
                    Method::Verlet if started => 0.5 * (before + half),
                    Method::Verlet => v,
                    Method::VelocityVerlet => half + 0.5 * h * acceleration,
                    _ => half,
                };
                (x + h * half, velocity)
            }
        };
        (state.positions[row], state.velocities[row]) = (position, velocity);
    }
    lead(constraints, h, 1.0, state);
}

/// Moves constrained particles at constant velocity by the given part of their way in the step.
fn lead(constraints: &[Constraint], h: f64, part: f64, state: &mut State) {
    for constraint in constraints {
        let row = constraint.row as usize;
        let whole = constraint.target - state.previous_positions[row];
        let led = state.previous_positions[row] + part * whole;
        state.positions[row] = led + constraint.free * (state.positions[row] - led);
        state.velocities[row] = whole / h + constraint.free * (state.velocities[row] - whole / h);
    }
}

/// Whether all positions and velocities are finite, and whether a particle runs away.
pub fn check(parameters: &Parameters, state: &State) -> (bool, bool) {
    let finite = state.positions.iter().chain(&state.velocities).all(|v| is_finite(*v));
    let runaway = state.velocities.iter().any(|v| parameters.time_step * v.length() > parameters.reach);
    (finite, runaway)
}
