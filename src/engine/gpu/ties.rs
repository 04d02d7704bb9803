//! Upload of groups of tied particles.

use super::GpuEngine;
use crate::{
    Error,
    engine::{Relocation, upload},
    topology::TieGroups,
};

impl GpuEngine {
    /// Replaces the groups of tied particles. The constraint of a master applies to its whole group.
    pub(super) fn write_ties(&mut self, ties: &TieGroups) -> Result<(), Error> {
        self.write_masters(ties)?;
        if self.stages.ties.is_none() {
            return Ok(());
        }
        self.held.groups = ties.clone();
        self.device.params.tie_count = ties.count() as u32;
        self.device.buffers.write(&self.device.gpu, "ties", 0, &ties.words())?;
        self.write_constraint_ix(None)?;
        self.device.write_params()
    }

    /// Moves particles.
    pub(super) fn write_places(&mut self, places: &[Relocation]) -> Result<(), Error> {
        for place in places {
            let row = place.row as usize;
            let particle = self.topology.order[row] as usize;
            self.device.buffers.write(&self.device.gpu, "positions", row, &[upload::vec4(place.position, 0.0)])?;
            self.device.buffers.write(&self.device.gpu, "published", particle, &[upload::vec4(place.position, 1.0)])?;
            let velocity = upload::vec4(place.velocity, self.topology.masses[row] as f32);
            self.device.buffers.write(&self.device.gpu, "velocities", row, &[velocity])?;
        }
        self.held.last_motion = None;
        Ok(())
    }

    pub async fn tie(&mut self, ties: &TieGroups, places: &[Relocation]) -> Result<(), Error> {
        self.finish().await?;
        self.write_ties(ties)?;
        self.write_places(places)?;
        self.restart()
    }
}
