//! External forces, twins of `shaders/assembly/{normals,air,loads}.wgsl`.

use super::{Parameters, State};
use crate::{
    Air,
    topology::{Fans, PointLoad, Topology},
};
use glam::{DMat3, DVec3};
use std::f64::consts::TAU;

/// Computes the unit normal and area of the surface at each particle.
pub fn normals(fans: &Fans, state: &mut State) {
    for row in 0..state.normals.len() {
        let position = state.positions[row];
        let (mut sum, mut area) = (DVec3::ZERO, 0.0);
        for &[b, c] in fans.row(row) {
            let doubled = (state.positions[b as usize] - position).cross(state.positions[c as usize] - position);
            sum += doubled;
            area += doubled.length() / 6.0;
        }
        state.normals[row] = (sum.normalize_or_zero(), area);
    }
}

/// Adds wind and air resistance.
pub fn air(topology: &Topology, parameters: &Parameters, state: &mut State) {
    let h = state.scheme.stage_step;
    let wind = wind(parameters, state);
    for row in 0..topology.particle_count() {
        let (n, area) = state.normals[row];
        let velocity = state.velocities[row];
        let speed = velocity.length();
        let through_share = if speed > 0.0 { velocity.dot(n).abs() / speed } else { 0.0 };
        let c = area * f64::from(parameters.air.resistance) * through_share;
        let pressed = wind_force(&parameters.air, wind, (n, area));
        add(state, row, h * c, h * (pressed - c * velocity));
    }
}

/// Wind pressure at the stage of the integrator, N/m².
pub fn wind(parameters: &Parameters, state: &State) -> DVec3 {
    let air = &parameters.air;
    let turns = f64::from(air.angular_velocity) * state.scheme.stage_time * parameters.time_step / TAU;
    (f64::from(air.steady) + (TAU * (state.wind_phase + turns)).sin()) * air.wind.as_dvec3()
}

/// Force of the wind on a particle with this normal and area, N.
pub fn wind_force(air: &Air, wind: DVec3, (n, area): (DVec3, f64)) -> DVec3 {
    let through = wind.dot(n) * n;
    area * (f64::from(air.drag) * through + f64::from(air.lift) * (wind - through))
}

/// Advances the phase of the wind by one step.
pub fn advance_wind(parameters: &Parameters, state: &mut State) {
    let turns = f64::from(parameters.air.angular_velocity) * parameters.time_step / TAU;
    state.wind_phase = (state.wind_phase + turns).rem_euclid(1.0);
}

/// Adds point loads.
pub fn loads(loads: &[PointLoad], linearisation: u32, state: &mut State) {
    let h = state.scheme.stage_step;
    let lead = if linearisation == 0 { state.scheme.lead } else { 0.0 };
    for load in loads {
        let row = load.row as usize;
        let velocity = state.velocities[row];
        let pull = load.stiffness * (state.positions[row] - load.target);
        let force = load.force - pull - (load.damping + lead * load.stiffness) * velocity;
        add(state, row, h * h * load.stiffness + h * load.damping, h * force);
    }
}

/// Adds a scalar to the diagonal block of a row, and an impulse to its residual.
fn add(state: &mut State, row: usize, diagonal: f64, impulse: DVec3) {
    state.scalar_diagonal[row] += diagonal;
    state.diagonal[row] += DMat3::from_diagonal(DVec3::splat(diagonal));
    state.residual[row] += impulse;
}
