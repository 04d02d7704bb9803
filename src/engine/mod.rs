//! The engine of a simulation: the GPU, or the f64 twins on the CPU, with the same interface and the same step.

mod clock;
mod cpu;
mod gpu;
mod interaction;
mod state;
mod stepping;
mod upload;

use clock::Clock;
pub(crate) use cpu::CpuEngine;
pub(crate) use gpu::GpuEngine;
pub use gpu::{
    footprint::{Footprint, LimitUse},
    plan::pipeline_constants,
};

use crate::topology::{Constraint, Six};
use glam::{DMat3, DVec3};

/// The row with the largest change of its vector; NaN counts as the largest.
fn farthest(after: &[DVec3], before: &[DVec3]) -> Option<usize> {
    let changes = after.iter().zip(before).map(|(after, before)| (*after - *before).length().abs());
    changes.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(row, _)| row)
}

/// The engine of a simulation. All its arrays are by row; `simulation` converts to particles in the user's order.
///
/// Its interface is in three files: `stepping`, `state` (read, save and restore) and `interaction` (inputs that the host sets between steps).
/// Every call that may wait for the GPU is `async`.
pub(crate) enum Engine {
    Gpu(Box<GpuEngine>),
    Cpu(Box<CpuEngine>),
}

/// Makes the same call to either engine.
macro_rules! either {
    ($engine:expr, $name:ident => $call:expr) => {
        match $engine {
            $crate::engine::Engine::Gpu($name) => $call,
            $crate::engine::Engine::Cpu($name) => $call,
        }
    };
}
use either;

/// Vertex data of skins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Skinned {
    Positions,
    Normals,
}

/// Positions, velocities and constraint forces after the last step, by row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Motion {
    /// Positions, m.
    pub positions: Vec<DVec3>,
    /// Velocities, m/s.
    pub velocities: Vec<DVec3>,
    /// Forces of pins and contacts, averaged over the step, N.
    pub forces: Vec<DVec3>,
    /// Velocity changes of rigid bodies in the step; empty if there was no step.
    pub rigids: Vec<Six>,
}

/// New position and velocity of a particle that a tie moves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Relocation {
    pub row: u32,
    /// Position, m.
    pub position: DVec3,
    /// Velocity, m/s.
    pub velocity: DVec3,
}

/// Changes of pins before a step, by index of the constraint.
#[derive(Debug, Default)]
pub(crate) struct PinChanges {
    /// New targets, m.
    pub targets: Vec<(u32, DVec3)>,
    /// Whether a pin is active. Forces jump when a pin is released, so that multi-step schemes restart.
    pub held: Vec<(u32, bool)>,
}

impl PinChanges {
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty() && self.held.is_empty()
    }

    /// Applies the changes to a list of constraints; `whole` holds the projections of active pins.
    fn apply(&self, constraints: &mut [Constraint], whole: &[Constraint]) {
        for &(ix, target) in &self.targets {
            constraints[ix as usize].target = target;
        }
        for &(ix, held) in &self.held {
            constraints[ix as usize].free = if held { whole[ix as usize].free } else { DMat3::IDENTITY };
        }
    }
}

/// Forces of constraints, N: the constrained part of the residual after a solve, over the length of the step, sign reversed.
fn constraint_forces(constraints: &[Constraint], residual: &[DVec3], time_step: f64) -> Vec<DVec3> {
    let mut forces = vec![DVec3::ZERO; residual.len()];
    for constraint in constraints {
        let row = constraint.row as usize;
        forces[row] = -((DMat3::IDENTITY - constraint.free) * residual[row]) / time_step;
    }
    forces
}
