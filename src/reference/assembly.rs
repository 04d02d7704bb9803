//! Forces and system matrix, twins of `shaders/assembly/`.

use super::{
    Block, NEGATIVE_BLOCK, Parameters, State,
    forces::{
        edge::{EdgeResponse, edge_response, outer},
        element::{ElementRow, ElementState, element_row},
    },
};
use crate::parallel::*;
use crate::{
    Rayleigh,
    topology::{Element, ElementIncidence, Incidence, Topology},
};
use glam::{DMat3, DVec3};

/// Assembles edges: off-diagonal blocks to `values`, diagonal blocks to `diagonal`, and h (f + h K v) added to `residual`. Only the first
/// linearisation has the term h K v.
pub fn edges(topology: &Topology, parameters: &Parameters, linearisation: u32, state: &mut State) {
    let h = state.scheme.stage_step;
    let lead = if linearisation == 0 { state.scheme.lead } else { 0.0 };
    let (positions, velocities, history) = (&state.positions, &state.velocities, &state.history);
    let rows = rows_of(&topology.pattern.offsets, &mut state.values);
    let index_rows = rows_of(&topology.pattern.offsets, &mut state.index);
    let Rayleigh { mass: mass_damping, stiffness: stiffness_damping } = parameters.rayleigh;
    for (scalar, mass) in state.scalar_diagonal.iter_mut().zip(&topology.masses) {
        *scalar = mass + h * mass_damping * mass;
    }
    (rows, index_rows, &mut state.diagonal, &mut state.residual)
        .into_par_iter()
        .enumerate()
        .with_min_len(256)
        .for_each(|(row, (values, index, diagonal, residual))| {
            let mass = topology.masses[row];
            let mut force = mass * (parameters.gravity - mass_damping * velocities[row]);
            *diagonal = DMat3::from_diagonal(DVec3::splat(mass + h * mass_damping * mass));
            for ((incidence, value), index) in topology.pattern.row(row).iter().zip(values).zip(index) {
                let (response, k_times_v) =
                    edge_at(topology, parameters, (positions, velocities, history), row, incidence);
                let n = response.direction;
                force += response.force - (lead + stiffness_damping) * k_times_v;
                let stiff = h * (h + stiffness_damping);
                let a = stiff * response.transverse + h * response.drag;
                let b = stiff * response.axial_excess + h * response.damping;
                *diagonal += DMat3::from_diagonal(DVec3::splat(a)) + b * outer(n);
                *value = Block { axis: b.abs().sqrt() * n, a };
                *index = incidence.neighbour | if b < 0.0 { NEGATIVE_BLOCK } else { 0 };
            }
            *residual += h * force;
        });
}

/// Adds the blocks of elements to `full` and `diagonal`, and their forces to `residual`. Runs after [`edges`], which initialises `diagonal` and `residual`.
pub fn elements(topology: &Topology, parameters: &Parameters, linearisation: u32, state: &mut State) {
    let h = state.scheme.stage_step;
    let lead = if linearisation == 0 { state.scheme.lead } else { 0.0 };
    let stiffness_damping = parameters.rayleigh.stiffness;
    let pattern = &topology.element_pattern;
    let (positions, velocities, normals) = (&state.positions, &state.velocities, &state.normals);
    let rows = rows_of(&pattern.offsets, &mut state.full);
    (rows, &mut state.diagonal, &mut state.residual).into_par_iter().enumerate().with_min_len(64).for_each(
        |(row, (blocks, diagonal, residual))| {
            blocks.fill(DMat3::ZERO);
            let mut force = DVec3::ZERO;
            let mut sum = DMat3::ZERO;
            for incidence in pattern.row(row) {
                let (response, k_times_v) =
                    element_at(topology, parameters, (positions, velocities, normals), incidence);
                force += response.force - (lead + stiffness_damping) * k_times_v;
                let others = (0..4).filter(|&j| j != incidence.own as usize);
                for (j, block) in others.zip(incidence.blocks) {
                    let Some(block) = block else { continue };
                    let value = h * (h + stiffness_damping) * response.stiffness[j] + h * response.damping[j];
                    sum += value;
                    blocks[block as usize - pattern.offsets[row] as usize] += value;
                }
            }
            // The sum is symmetric but for rounding; its symmetric part keeps the diagonal block, and with it the preconditioner, symmetric.
            *diagonal += 0.5 * (sum + sum.transpose());
            *residual += h * force;
        },
    );
}

/// Forces without a matrix, of edges and elements: residual = h f. Twin of `shaders/assembly/{element_forces,forces}.wgsl`.
pub fn forces(topology: &Topology, parameters: &Parameters, state: &mut State) {
    let h = state.scheme.stage_step;
    let (positions, velocities, history, normals) =
        (&state.positions, &state.velocities, &state.history, &state.normals);
    let Rayleigh { mass: mass_damping, stiffness: stiffness_damping } = parameters.rayleigh;
    state.residual.par_iter_mut().enumerate().with_min_len(256).for_each(|(row, residual)| {
        let mut force = topology.masses[row] * (parameters.gravity - mass_damping * velocities[row]);
        for incidence in topology.pattern.row(row) {
            let (response, k_times_v) = edge_at(topology, parameters, (positions, velocities, history), row, incidence);
            force += response.force - stiffness_damping * k_times_v;
        }
        for incidence in topology.element_pattern.row(row) {
            let (response, k_times_v) = element_at(topology, parameters, (positions, velocities, normals), incidence);
            force += response.force - stiffness_damping * k_times_v;
        }
        *residual = h * force;
    });
}

/// Force and stiffness of an edge at one of its ends, and K (v_i - v_j).
fn edge_at(
    topology: &Topology,
    parameters: &Parameters,
    (positions, velocities, history): (&[DVec3], &[DVec3], &[[f64; 4]]),
    row: usize,
    incidence: &Incidence,
) -> (EdgeResponse, DVec3) {
    let edge = &topology.edges[incidence.edge as usize];
    let neighbour = incidence.neighbour as usize;
    let relative_velocity = velocities[row] - velocities[neighbour];
    let response = edge_response(
        &topology.materials[edge.material as usize],
        edge,
        &history[incidence.edge as usize],
        positions[row] - positions[neighbour],
        relative_velocity,
        parameters.time_step,
        parameters.clamp,
    );
    let n = response.direction;
    let k_times_v = response.transverse * relative_velocity + response.axial_excess * n.dot(relative_velocity) * n;
    (response, k_times_v)
}

/// Force and stiffness of an element at one of its particles, and Σ_j K_ij (v_i - v_j).
fn element_at(
    topology: &Topology,
    parameters: &Parameters,
    (positions, velocities, normals): (&[DVec3], &[DVec3], &[(DVec3, f64)]),
    incidence: &ElementIncidence,
) -> (ElementRow, DVec3) {
    let element = &topology.elements[incidence.element as usize];
    let material = &topology.element_materials[element.material as usize];
    let gathered = gather(positions, velocities, normals, element);
    let own = incidence.own as usize;
    let response = element_row(material, element, &gathered, own, parameters.clamp);
    let others = (0..material.model.particle_count()).filter(|&j| j != own);
    let k_times_v = others.map(|j| response.stiffness[j] * (gathered.v[own] - gathered.v[j])).sum();
    (response, k_times_v)
}

/// Replaces the matrix of [`edges`] and [`elements`] by the constant matrix of the IMEX schemes, A_ij = -a I with a = (γh)² k + γh d. In the first
/// linearisation r -= γh lead K v. Runs after [`edges`] and [`elements`], which are called without a lead of their own.
pub fn scalars(
    topology: &Topology,
    couplings: &[[f64; 2]],
    parameters: &Parameters,
    linearisation: u32,
    state: &mut State,
) {
    let h = state.scheme.stage_step;
    let lead = if linearisation == 0 { state.scheme.lead } else { 0.0 };
    state.full.fill(DMat3::ZERO);
    for row in 0..topology.particle_count() {
        let scalar = topology.masses[row] * (1.0 + h * parameters.rayleigh.mass);
        let mut sum = scalar;
        for place in topology.pattern.range(row) {
            let incidence = topology.pattern.incidences[place];
            let [k, d] = couplings[incidence.edge as usize];
            let a = h * (h + parameters.rayleigh.stiffness) * k + h * d;
            sum += a;
            state.values[place] = Block { axis: DVec3::ZERO, a };
            state.index[place] = incidence.neighbour;
            let relative = state.velocities[row] - state.velocities[incidence.neighbour as usize];
            state.residual[row] -= h * lead * k * relative;
        }
        state.diagonal[row] = DMat3::from_diagonal(DVec3::splat(sum));
        state.scalar_diagonal[row] = scalar;
    }
}

/// Gathers the positions, velocities and normals of an element's particles.
pub fn gather(positions: &[DVec3], velocities: &[DVec3], normals: &[(DVec3, f64)], element: &Element) -> ElementState {
    ElementState {
        x: element.particles.map(|row| positions[row as usize]),
        v: element.particles.map(|row| velocities[row as usize]),
        normals: element.particles.map(|row| normals[row as usize].0),
    }
}

/// Splits `values` into one slice per row.
fn rows_of<'a, T>(offsets: &[u32], mut values: &'a mut [T]) -> Vec<&'a mut [T]> {
    offsets
        .windows(2)
        .map(|pair| {
            let (head, tail) = std::mem::take(&mut values).split_at_mut((pair[1] - pair[0]) as usize);
            values = tail;
            head
        })
        .collect()
}
