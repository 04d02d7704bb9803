//! Forces and system matrix, twins of `shaders/assembly/`.

use super::{
    Block, NEGATIVE_BLOCK, Parameters, State,
    forces::edge::{edge_response, outer},
};
use crate::topology::Topology;
use glam::{DMat3, DVec3};
use rayon::prelude::*;

/// Writes the off-diagonal blocks to `values`, the diagonal ones to `preconditioner`, and adds h (f + h K v) to `residual`; the
/// term h K v in the first linearisation only.
pub fn edges(topology: &Topology, parameters: &Parameters, linearisation: u32, state: &mut State) {
    let h = parameters.time_step;
    let lead = if linearisation == 0 { h } else { 0.0 };
    let (positions, velocities, history) = (&state.positions, &state.velocities, &state.history);
    let rows = rows_of(topology, &mut state.values);
    let index_rows = rows_of(topology, &mut state.index);
    (rows, index_rows, &mut state.preconditioner, &mut state.residual)
        .into_par_iter()
        .enumerate()
        .with_min_len(256)
        .for_each(|(row, (values, index, diagonal, residual))| {
            let mass = topology.masses[row];
            let mut force = mass * parameters.gravity;
            *diagonal = DMat3::from_diagonal(DVec3::splat(mass));
            for ((incidence, value), index) in topology.pattern.row(row).iter().zip(values).zip(index) {
                let edge = &topology.edges[incidence.edge as usize];
                let neighbour = incidence.neighbour as usize;
                let relative_velocity = velocities[row] - velocities[neighbour];
                let response = edge_response(
                    &topology.materials[edge.material as usize],
                    edge,
                    &history[incidence.edge as usize],
                    positions[row] - positions[neighbour],
                    relative_velocity,
                    h,
                    parameters.clamp,
                );
                let n = response.direction;
                let k_times_v =
                    response.transverse * relative_velocity + response.axial_excess * n.dot(relative_velocity) * n;
                force += response.force - lead * k_times_v;
                let a = h * h * response.transverse + h * response.drag;
                let b = h * h * response.axial_excess + h * response.damping;
                *diagonal += DMat3::from_diagonal(DVec3::splat(a)) + b * outer(n);
                *value = Block { axis: b.abs().sqrt() * n, a };
                *index = incidence.neighbour | if b < 0.0 { NEGATIVE_BLOCK } else { 0 };
            }
            *residual += h * force;
        });
}

/// What belongs to each row, as slices.
fn rows_of<'a, T>(topology: &Topology, mut values: &'a mut [T]) -> Vec<&'a mut [T]> {
    (0..topology.particle_count())
        .map(|row| {
            let (head, tail) = std::mem::take(&mut values).split_at_mut(topology.pattern.range(row).len());
            values = tail;
            head
        })
        .collect()
}
