//! Inputs of the kernels: parameters, the scheme of the next step, point loads, the state at the start; and reads of the state by row.

use super::{Device, GpuEngine};
use crate::{
    Air, Error, Integrator,
    engine::upload,
    gpu::{Readback, layout},
    topology::PointLoad,
};
use glam::{DVec3, Vec3};
use std::ops::Range;

impl GpuEngine {
    pub(super) fn write_loads(&mut self, loads: &[PointLoad]) -> Result<(), Error> {
        self.device.params.load_count = loads.len() as u32;
        let loads: Vec<_> = loads.iter().map(upload::load).collect();
        self.device.buffers.write(&self.device.gpu, "loads", 0, &loads)
    }

    /// Coefficients of the next step.
    fn scheme(&self) -> layout::Scheme {
        upload::scheme(&self.next_scheme())
    }

    /// Writes the coefficients of the next step to `status`; the steps after it follow `Params::steady`.
    pub(super) fn write_scheme(&self) -> Result<(), Error> {
        self.write_scheme_to(None)
    }

    pub(super) fn write_scheme_to(&self, encoder: Option<&mut wgpu::CommandEncoder>) -> Result<(), Error> {
        let offset = std::mem::offset_of!(layout::Status, scheme) as u64;
        self.device.put("status", offset, bytemuck::bytes_of(&self.scheme()), encoder)
    }

    /// Restarts multi-step schemes after the host has changed the state.
    pub fn restart(&mut self) -> Result<(), Error> {
        self.time.before = None;
        self.write_scheme()
    }

    pub(super) fn upload_start(&mut self) -> Result<(), Error> {
        self.under_way.unfinished = None;
        self.under_way.cut_short = 0;
        self.clear_records()?;
        self.device.buffers.clear(&self.device.gpu, "residual")?;
        if self.collides() {
            self.device.buffers.clear(&self.device.gpu, "fractions")?;
        }
        self.held.constraints.clone_from(&self.topology.constraints);
        self.device.params.constraint_count = self.held.constraints.len() as u32;
        self.held.last_motion = None;
        self.write_loads(&self.topology.clone().loads)?;
        self.write_constraints(0..self.held.constraints.len(), None)?;
        self.write_constraint_ix(None)?;
        self.write_ties(&self.topology.tied_at_start())?;
        if self.stages.contact.is_some() {
            self.write_pins_as_contacts()?;
        }
        self.time.before = None;
        let scheme = self.scheme();
        self.device.buffers.write(&self.device.gpu, "status", 0, &[layout::Status { scheme, ..Default::default() }])?;
        self.device.write_params()?;
        if self.topology.has_memory() {
            self.set_edge_history(&vec![[0.0; 4]; self.topology.edges.len()])?;
        }
        upload::positions(&self.topology, &self.topology.positions, &self.device.gpu, &self.device.buffers)?;
        upload::previous(&self.topology, &self.device.gpu, &self.device.buffers)?;
        upload::velocities(&self.topology, &self.topology.velocities, &self.device.gpu, &self.device.buffers)
    }
}

impl GpuEngine {
    /// Reads a buffer of one vec4 per row, after all steps under way.
    pub async fn read_rows(&mut self, name: &'static str) -> Result<Vec<DVec3>, Error> {
        self.finish().await?;
        self.rows_now(name).await
    }

    /// Reads a buffer of one vec4 per row, even if the last step has failed.
    pub(super) async fn rows_now(&mut self, name: &'static str) -> Result<Vec<DVec3>, Error> {
        if self.topology.particle_count() == 0 {
            return Ok(Vec::new());
        }
        let device = &mut self.device;
        let source = device.buffers.named(name)?;
        let bytes = device.state_readback.fetch(&device.gpu, source, 0, |_| {}, "a copy of the state").await?;
        Ok(vectors(&bytes))
    }
}

impl GpuEngine {
    /// Reads positions of all particles in the user's order, after all steps under way, m.
    pub async fn published(&mut self) -> Result<Vec<DVec3>, Error> {
        self.read_rows("published").await
    }

    /// Reads positions of some particles, after all steps under way, m. Neighbouring numbers share one copy.
    pub async fn published_of(&mut self, particles: &[u32]) -> Result<Vec<DVec3>, Error> {
        self.finish().await?;
        if particles.is_empty() {
            return Ok(Vec::new());
        }
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for start in particles.iter().map(|&particle| 16 * u64::from(particle)) {
            match ranges.last_mut() {
                Some(last) if last.end == start => last.end += 16,
                _ => ranges.push(start..start + 16),
            }
        }
        let Device { gpu, buffers, .. } = &self.device;
        let mut readback = Readback::new(gpu, "tenter.particles", 16 * particles.len() as u64)?;
        let source = buffers.named("published")?;
        Ok(vectors(&readback.fetch_ranges(gpu, source, &ranges, |_| {}, "a copy of some particles").await?))
    }
}

/// Converts bytes of one vec4 per row to vectors.
pub(super) fn vectors(bytes: &[u8]) -> Vec<DVec3> {
    let vector = |row: &[u8]| {
        let [x, y, z, _]: [f32; 4] = bytemuck::pod_read_unaligned(row);
        Vec3::new(x, y, z).as_dvec3()
    };
    bytes.chunks_exact(16).map(vector).collect()
}

/// Sets the scheme of all steps but the first, for steps of this length.
pub(super) fn put_scheme(params: &mut layout::Params, integrator: Integrator, time_step: f64) {
    params.steady = upload::scheme(&integrator.scheme(time_step, Some(time_step)));
    params.explicit_share = integrator.explicit_share() as f32;
    params.drift = integrator.drift(time_step) as f32;
    params.extrapolate = integrator.extrapolates().into();
}

/// Sets wind and air resistance, for steps of this length.
pub(super) fn put_air(params: &mut layout::Params, air: &Air, time_step: f64) {
    params.wind = air.wind.to_array();
    params.wind_steady = air.steady;
    params.wind_drag = air.drag;
    params.wind_lift = air.lift;
    params.wind_turns = (f64::from(air.angular_velocity) * time_step / std::f64::consts::TAU) as f32;
    params.air_resistance = air.resistance;
}
