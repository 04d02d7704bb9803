//! Positions, velocities and what edges remember: read back on demand, and set from outside.

use super::Simulation;
use crate::Error;
use glam::{DVec3, Vec3};

impl Simulation {
    /// Positions in the user's order, body after body, m. Waits for all steps.
    pub fn positions(&mut self) -> Result<&[Vec3], Error> {
        self.finish()?;
        let rows = self.engine.positions();
        self.positions = self.to_particles(&rows?).iter().map(|position| position.as_vec3()).collect();
        Ok(&self.positions)
    }

    /// The same in f64: all digits of the CPU backend, no more than f32 from a GPU.
    pub fn positions_f64(&mut self) -> Result<Vec<DVec3>, Error> {
        self.finish()?;
        let rows = self.engine.positions();
        Ok(self.to_particles(&rows?))
    }

    /// Velocities in the user's order, m/s. Waits for all steps.
    pub fn velocities(&mut self) -> Result<&[Vec3], Error> {
        self.finish()?;
        let rows = self.engine.velocities();
        self.velocities = self.to_particles(&rows?).iter().map(|velocity| velocity.as_vec3()).collect();
        Ok(&self.velocities)
    }

    /// The force each particle was held with by pins and colliders in the last step, N, averaged over it; zero for free ones. In the
    /// user's order.
    pub fn reactions(&mut self) -> Result<Vec<DVec3>, Error> {
        self.finish()?;
        let rows = self.engine.constraint_forces();
        Ok(self.to_particles(&rows?))
    }

    /// Puts every particle somewhere else, m, in the user's order. Pins stay where they lead to.
    pub fn set_positions(&mut self, positions: &[Vec3]) -> Result<(), Error> {
        let rows = self.to_rows(positions, "positions")?;
        self.forget_contacts()?;
        self.engine.set_positions(&self.unite(rows))
    }

    /// Gives every particle a velocity, m/s, in the user's order.
    pub fn set_velocities(&mut self, velocities: &[Vec3]) -> Result<(), Error> {
        let rows = self.to_rows(velocities, "velocities")?;
        self.forget_contacts()?;
        self.engine.set_velocities(&self.unite(rows))
    }

    /// What each edge remembers, in the order of [`Topology::edges`](crate::topology::Topology::edges): the plastic strain, or the strains of its Kelvin–Voigt
    /// elements; zeros where there is nothing to remember. Waits for all steps.
    ///
    /// With positions and velocities this is the whole state of an integrator that looks back at no earlier step, where no wind
    /// swings. An integrator that does begins again as at the start, and so does the wind in a new simulation.
    pub fn edge_history(&mut self) -> Result<Vec<[f32; 4]>, Error> {
        self.finish()?;
        let history = self.engine.edge_history();
        Ok(history?.iter().map(|edge| edge.map(|value| value as f32)).collect())
    }

    /// Gives every edge its memory back, as [`edge_history`](Self::edge_history) had it.
    pub fn set_edge_history(&mut self, history: &[[f32; 4]]) -> Result<(), Error> {
        let count = self.topology.edges.len();
        if history.len() != count {
            return Err(Error::Usage(format!("{} histories for {count} edges", history.len())));
        }
        if let Some(ix) = history.iter().position(|edge| edge.iter().any(|value| !value.is_finite())) {
            return Err(Error::Usage(format!("history[{ix}] is not finite")));
        }
        self.finish()?;
        self.engine.set_edge_history(&history.iter().map(|edge| edge.map(f64::from)).collect::<Vec<_>>())
    }

    pub(super) fn to_particles(&self, rows: &[DVec3]) -> Vec<DVec3> {
        self.topology.row_of.iter().map(|&row| rows[row as usize]).collect()
    }

    pub(super) fn to_rows(&self, values: &[Vec3], what: &str) -> Result<Vec<DVec3>, Error> {
        let count = self.topology.particle_count();
        if values.len() != count {
            return Err(Error::Usage(format!("{} {what} for {count} particles", values.len())));
        }
        if let Some(ix) = values.iter().position(|value| !value.is_finite()) {
            return Err(Error::Usage(format!("{what}[{ix}] is not finite")));
        }
        Ok(self.topology.order.iter().map(|&particle| values[particle as usize].as_dvec3()).collect())
    }
}
