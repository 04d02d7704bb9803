//! What carries a simulation out: the GPU, or the f64 twins on the CPU. Same interface, same step.

mod clock;
mod cpu;
mod gpu;
mod upload;

use clock::Clock;
pub(crate) use cpu::CpuEngine;
pub(crate) use gpu::GpuEngine;
pub use gpu::footprint::{Footprint, LimitUse};

use crate::{
    Error, StepRecord,
    integrator::Scheme,
    topology::{Constraint, Contacts, Load, Six, TieGroups},
};
use glam::{DMat3, DVec3, Vec3};
use std::ops::Range;

/// The row whose vector has changed most; one that is not a number has.
fn farthest(after: &[DVec3], before: &[DVec3]) -> Option<usize> {
    let changes = after.iter().zip(before).map(|(after, before)| (*after - *before).length().abs());
    changes.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(row, _)| row)
}

/// What every backend can do. Rows here, particles outside.
pub(crate) trait Engine: Send {
    /// Submits steps, many at once, with nothing from the host between them.
    fn step_many(&mut self, count: u32) -> Result<(), Error>;
    /// Submits a step.
    fn step(&mut self) -> Result<(), Error> {
        self.step_many(1)
    }
    /// Adds a step to the host's encoder.
    fn encode_step(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error>;
    /// Waits for all steps.
    fn finish(&mut self) -> Result<(), Error>;
    /// Takes the records that came in, in order.
    fn take_records(&mut self) -> Vec<StepRecord>;
    /// Steps submitted.
    fn steps(&self) -> u64;
    /// Time at the end of the last submitted step, s.
    fn time(&self) -> f64;
    /// Time after so many more steps of the present length, s.
    fn time_after(&self, steps: u32) -> f64;
    /// Positions by row.
    fn positions(&mut self) -> Result<Vec<DVec3>, Error>;
    /// Velocities by row.
    fn velocities(&mut self) -> Result<Vec<DVec3>, Error>;
    /// Forces of the constraints, averaged over the last step, by row, N.
    fn constraint_forces(&mut self) -> Result<Vec<DVec3>, Error>;
    fn set_positions(&mut self, positions: &[DVec3]) -> Result<(), Error>;
    fn set_velocities(&mut self, velocities: &[DVec3]) -> Result<(), Error>;
    /// What edges remember, in the order of the topology.
    fn edge_history(&mut self) -> Result<Vec<[f64; 4]>, Error>;
    fn set_edge_history(&mut self, history: &[[f64; 4]]) -> Result<(), Error>;
    fn set_gravity(&mut self, gravity: Vec3) -> Result<(), Error>;
    /// Only where the scene has air.
    fn set_air(&mut self, air: crate::Air) -> Result<(), Error>;
    /// Replaces all loads; no two on the same row.
    fn set_loads(&mut self, loads: &[Load]) -> Result<(), Error>;
    /// Length of the next step, s.
    fn time_step(&self) -> f64;
    fn set_time_step(&mut self, time_step: f64) -> Result<(), Error>;
    /// Length of the step before the next one, while the scheme may look back at it, s.
    fn previous_step(&self) -> Option<f64>;
    /// The numbers of the next step.
    fn scheme(&self) -> Scheme;
    /// A scheme that looks back begins again with the next step.
    fn begin_again(&mut self) -> Result<(), Error>;
    /// Whether safe steps stand although their contacts or residual have not settled, as long as their energy is sound.
    fn set_lenient(&mut self, lenient: bool) -> Result<(), Error>;
    /// Keeps the state, where steps are adaptive or safe among colliders. No step is on its way.
    fn save(&mut self) -> Result<(), Error>;
    /// Back to what was kept, as if nothing had happened since.
    fn rollback(&mut self) -> Result<(), Error>;
    /// Adds the whole state to some bytes. Waits for all steps.
    fn checkpoint(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error>;
    /// Takes it from there. No step is on its way; pins, ties, loads and the step's length are what they were then.
    fn restore(&mut self, bytes: &mut &[u8]) -> Result<(), Error>;
    /// Changes constraints from the next step on; in the host's encoder if it gives one.
    fn change_pins(&mut self, changes: &PinChanges, encoder: Option<&mut wgpu::CommandEncoder>) -> Result<(), Error>;
    /// What particles touch in the next step, instead of what they touched before. Only where the scene has something to touch.
    fn set_contacts(&mut self, contacts: &Contacts) -> Result<(), Error>;
    /// Which particles are one from the next step on, and where those are that have just become so. No step is on its way. A scheme that
    /// looks back begins again. Only where the scene has ties.
    fn set_ties(&mut self, ties: &TieGroups, places: &[Place]) -> Result<(), Error>;
    /// Everything that contact tests need, in one copy. Waits for all steps.
    fn motion(&mut self) -> Result<Motion, Error>;
    /// Back to the start.
    fn reset(&mut self) -> Result<(), Error>;
    /// Some vertices of all skins, or their normals, as they are now. Waits for all steps. Only where the scene has skins.
    fn skin(&mut self, what: Skinned, range: Range<usize>) -> Result<Vec<DVec3>, Error>;
    /// Adds both to the host's encoder. Only where the scene has skins.
    fn encode_skins(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error>;
    /// Either of them on the GPU.
    fn skin_buffer(&self, what: Skinned) -> Option<&wgpu::Buffer>;
    /// Positions on the GPU, in the user's order.
    fn position_buffer(&self) -> Option<&wgpu::Buffer>;
    /// What the engine runs on.
    fn gpu(&self) -> Option<&crate::Gpu>;
    /// What a step costs.
    fn costs(&self) -> crate::Costs;
}

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
