//! Tied particles, twins of `shaders/solve/{ties,tie_copies,tie_blocks}.wgsl` and `shaders/integrate/tie_*.wgsl`.

use super::State;
use crate::topology::TieGroups;
use glam::DVec3;

/// A correction of u = Q r: u = T Q Tᵀ r, where T copies the value of a master to the particles tied to it.
pub fn ties(groups: &TieGroups, state: &mut State) {
    groups.gather(&mut state.residual);
    for (master, others) in groups.iter() {
        let master = master as usize;
        let common = state.preconditioner[master] * state.residual[master];
        state.u[master] = common;
        others.iter().for_each(|&row| state.u[row as usize] = common);
    }
}

/// A correction of u = Q r after [`rigid`](super::rigid::act): copies the master's u, which a rigid body may have changed, to the particles tied to it.
pub fn tie_copies(groups: &TieGroups, state: &mut State) {
    for (master, others) in groups.iter() {
        let common = state.u[master as usize];
        others.iter().for_each(|&row| state.u[row as usize] = common);
    }
}

/// Sums the diagonal blocks and residuals of each group of tied particles into those of its master, before a solve.
pub fn tie_blocks(groups: &TieGroups, state: &mut State) {
    groups.gather(&mut state.residual);
    state.tied_diagonal.fill(0.0);
    for (master, others) in groups.iter() {
        for &row in others {
            let block = state.diagonal[row as usize];
            state.diagonal[master as usize] += block;
            state.tied_diagonal[master as usize] += state.scalar_diagonal[row as usize];
        }
    }
}

/// Distributes forces over each group in proportion to mass, after an evaluation of the forces without a solve.
pub fn tie_forces(groups: &TieGroups, masses: &[f64], state: &mut State) {
    for (master, others) in groups.iter() {
        let all = || others.iter().chain(std::iter::once(&master)).map(|&row| row as usize);
        let (sum, mass) = all().fold((DVec3::ZERO, 0.0), |(r, m), row| (r + state.residual[row], m + masses[row]));
        all().for_each(|row| state.residual[row] = masses[row] * (sum / mass));
    }
}

/// Copies x̂ and v̂ of each master to the particles tied to it.
pub fn tie_anchors(groups: &TieGroups, state: &mut State) {
    copy(groups, [&mut state.anchor_positions, &mut state.anchor_velocities]);
}

/// Copies the state of each master, and its memory of the last step, to the particles tied to it after an explicit step.
pub fn tie_states(groups: &TieGroups, state: &mut State) {
    copy(groups, [&mut state.positions, &mut state.velocities]);
    copy(groups, [&mut state.p, &mut state.s]);
}

fn copy(groups: &TieGroups, vectors: [&mut Vec<DVec3>; 2]) {
    for values in vectors {
        for (master, others) in groups.iter() {
            let value = values[master as usize];
            others.iter().for_each(|&row| values[row as usize] = value);
        }
    }
}
