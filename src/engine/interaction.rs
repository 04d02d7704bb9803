//! Inputs that the host sets between steps: air, point loads, pins, contacts, ties.

use super::{Engine, PinChanges, Relocation, either};
use crate::{
    Air, Error,
    topology::{Contacts, PointLoad, TieGroups},
};
use glam::{DVec3, Vec3};

impl Engine {
    pub fn set_positions(&mut self, positions: &[DVec3]) -> Result<(), Error> {
        either!(self, engine => engine.set_positions(positions))
    }

    pub fn set_velocities(&mut self, velocities: &[DVec3]) -> Result<(), Error> {
        either!(self, engine => engine.set_velocities(velocities))
    }

    pub fn set_edge_history(&mut self, history: &[[f64; 4]]) -> Result<(), Error> {
        either!(self, engine => engine.set_edge_history(history))
    }

    pub fn set_gravity(&mut self, gravity: Vec3) -> Result<(), Error> {
        either!(self, engine => engine.set_gravity(gravity))
    }

    /// Changes wind and air resistance, in scenes with air.
    pub fn set_air(&mut self, air: Air) -> Result<(), Error> {
        either!(self, engine => engine.set_air(air))
    }

    /// Replaces all point loads; no two are on the same row.
    pub fn set_loads(&mut self, loads: &[PointLoad]) -> Result<(), Error> {
        either!(self, engine => engine.set_loads(loads))
    }

    /// Changes constraints from the next step on; in the host's encoder if it gives one.
    pub fn change_pins(
        &mut self,
        changes: &PinChanges,
        encoder: Option<&mut wgpu::CommandEncoder>,
    ) -> Result<(), Error> {
        match self {
            Self::Gpu(engine) => engine.write_pins(changes, encoder),
            Self::Cpu(engine) => engine.change_pins(changes),
        }
    }

    /// Replaces the contacts of the next step, in scenes with colliders.
    pub fn set_contacts(&mut self, contacts: &Contacts) -> Result<(), Error> {
        either!(self, engine => engine.set_contacts(contacts))
    }

    /// Replaces the groups of tied particles from the next step on, and moves newly tied particles. Multi-step schemes restart. Only for scenes with ties.
    pub async fn set_ties(&mut self, ties: &TieGroups, places: &[Relocation]) -> Result<(), Error> {
        match self {
            Self::Gpu(engine) => engine.tie(ties, places).await,
            Self::Cpu(engine) => engine.set_ties(ties, places),
        }
    }
}
