//! What carries a simulation out: the GPU, or the f64 twins on the CPU. Same interface, same step.

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
pub use gpu::footprint::{Footprint, LimitUse};

use crate::topology::{Constraint, Six};
use glam::{DMat3, DVec3};

/// The row whose vector has changed most; one that is not a number has.
fn farthest(after: &[DVec3], before: &[DVec3]) -> Option<usize> {
    let changes = after.iter().zip(before).map(|(after, before)| (*after - *before).length().abs());
    changes.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(row, _)| row)
}

/// What carries a simulation out. Everything is by row here; particles in the user's order are the simulation's business.
///
/// Its interface is in three files: `stepping`, `state` (what there is to read, keep and put back) and `interaction` (what the host sets between steps).
/// What may have to wait for the GPU is `async`.
pub(crate) enum Engine {
    Gpu(Box<GpuEngine>),
    Cpu(Box<CpuEngine>),
}

/// The same call to either engine.
macro_rules! either {
    ($engine:expr, $name:ident => $call:expr) => {
        match $engine {
            $crate::engine::Engine::Gpu($name) => $call,
            $crate::engine::Engine::Cpu($name) => $call,
        }
    };
}
use either;

/// What there is at the vertices of skins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Skinned {
    Positions,
    Normals,
}

/// Where everything is, how fast, and what constraints have done in the last step, by row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Motion {
    /// m
    pub positions: Vec<DVec3>,
    /// m/s
    pub velocities: Vec<DVec3>,
    /// Of pins and contacts, averaged over the step, N.
    pub forces: Vec<DVec3>,
    /// By how much the step has changed the velocities of rigid bodies; none if there was no step.
    pub rigids: Vec<Six>,
}

/// Where a particle is put, and how fast it is there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub row: u32,
    /// m
    pub position: DVec3,
    /// m/s
    pub velocity: DVec3,
}

/// Constraints that change before a step, by index.
#[derive(Debug, Default)]
pub(crate) struct PinChanges {
    /// Where they lead to.
    pub targets: Vec<(u32, DVec3)>,
    /// Whether they hold. Forces jump when they no longer do, so a scheme that looks back begins again.
    pub held: Vec<(u32, bool)>,
}

impl PinChanges {
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty() && self.held.is_empty()
    }

    /// Puts them into a list of constraints; `whole` has the projections of those that hold.
    fn apply(&self, constraints: &mut [Constraint], whole: &[Constraint]) {
        for &(ix, target) in &self.targets {
            constraints[ix as usize].target = target;
        }
        for &(ix, held) in &self.held {
            constraints[ix as usize].free = if held { whole[ix as usize].free } else { DMat3::IDENTITY };
        }
    }
}

/// What constraints hold with: the constrained part of the residual that a solve leaves, over the step's length, sign reversed.
fn constraint_forces(constraints: &[Constraint], residual: &[DVec3], time_step: f64) -> Vec<DVec3> {
    let mut forces = vec![DVec3::ZERO; residual.len()];
    for constraint in constraints {
        let row = constraint.row as usize;
        forces[row] = -((DMat3::IDENTITY - constraint.free) * residual[row]) / time_step;
    }
    forces
}
