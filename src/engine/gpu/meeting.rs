//! Contact between bodies as the host reads it.

use super::GpuEngine;
use crate::{
    Error,
    gpu::{Readback, layout},
};
use glam::DVec3;
use std::collections::BTreeMap;

impl GpuEngine {
    /// Forces of contact between bodies by row, in size, in the last step, N.
    pub async fn meeting_forces(&mut self) -> Result<Vec<f64>, Error> {
        self.finish().await?;
        let mut forces = vec![0.0; self.topology.particle_count()];
        let Some(surface) = &self.topology.surface else { return Ok(forces) };
        let first_offset = surface.vertices.len() + surface.edges.len() + 1;
        let struts: Vec<layout::Strut> = self.whole("struts").await?;
        let step = self.time.last_stage_step;
        if self.options.integrator.is_explicit() {
            // The guard overwrites pairs and states, but not the lists of rows.
            let (offsets, incidents) = (self.whole::<u32>("offsets").await?, self.whole::<u32>("incidents").await?);
            for (row, force) in forces.iter_mut().enumerate() {
                let range = offsets.get(first_offset + row..first_offset + row + 2).unwrap_or(&[0, 0]);
                for word in incidents.get(range[0] as usize..range[1] as usize).unwrap_or_default() {
                    let Some(strut) = struts.get(*word as usize / 4) else { continue };
                    let pressed = vector(&strut.normal).dot(vector(&strut.push));
                    *force += f64::from(strut.weights[*word as usize % 4]).abs() * pressed / step;
                }
            }
            return Ok(forces);
        }
        let positions = self.rows_now("positions").await?;
        let links: Vec<[u32; 2]> = self.whole("links").await?;
        let of_row = |row: usize| {
            let [first, end] = links.get(row).copied().unwrap_or_default();
            links.get(first as usize..end as usize).unwrap_or_default()
        };
        // Offset between the points of each strut, from all of its rows.
        let mut offsets: BTreeMap<u32, DVec3> = BTreeMap::new();
        for (row, position) in positions.iter().enumerate() {
            for [slot, weight] in of_row(row) {
                *offsets.entry(*slot).or_default() += f64::from(f32::from_bits(*weight)) * *position;
            }
        }
        // Struts to colliders come first; they aim at displacements.
        let supports = self.held.support_count;
        for (row, force) in forces.iter_mut().enumerate() {
            for [slot, weight] in of_row(row).iter().filter(|[slot, _]| *slot >= supports) {
                let (Some(strut), Some(offset)) = (struts.get(*slot as usize), offsets.get(slot)) else { continue };
                let missing = (f64::from(strut.goal) - vector(&strut.normal).dot(*offset)).max(0.0);
                let push = f64::from(strut.normal[3]) * missing / (step * step);
                *force += f64::from(f32::from_bits(*weight)).abs() * push;
            }
        }
        Ok(forces)
    }

    /// Reads a whole buffer.
    async fn whole<T: bytemuck::Pod>(&self, name: &'static str) -> Result<Vec<T>, Error> {
        let buffer = self.device.buffers.named(name)?;
        let mut readback = Readback::new(&self.device.gpu, "tenter.meeting", buffer.size())?;
        let bytes = readback.fetch(&self.device.gpu, buffer, 0, |_| {}, "contact between bodies").await?;
        Ok(bytemuck::pod_collect_to_vec(&bytes))
    }
}

fn vector(v: &[f32; 4]) -> DVec3 {
    DVec3::new(v[0].into(), v[1].into(), v[2].into())
}
