//! Positions, velocities and memory of edges: read back on demand, and set from outside.

use super::Simulation;
use crate::Error;
use glam::{DVec3, Vec3};

impl Simulation {
    /// Checks that memory of edges set from outside fits the scene.
    pub(super) fn checked_history(&self, history: &[[f32; 4]]) -> Result<Vec<[f64; 4]>, Error> {
        let count = self.topology.edges.len();
        if history.len() != count {
            return Err(Error::Usage(format!("{} histories for {count} edges", history.len())));
        }
        if let Some(ix) = history.iter().position(|edge| edge.iter().any(|value| !value.is_finite())) {
            return Err(Error::Usage(format!("history[{ix}] is not finite")));
        }
        Ok(history.iter().map(|edge| edge.map(f64::from)).collect())
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
