//! What the host tells the kernels: parameters, the scheme of the next step, loads, and the state at the start.

use super::*;

impl GpuEngine {
    pub(super) fn write_loads(&mut self, loads: &[Load]) -> Result<(), Error> {
        self.params.load_count = loads.len() as u32;
        let loads: Vec<_> = loads.iter().map(upload::load).collect();
        self.buffers.write(&self.gpu, "loads", 0, &loads)
    }

    /// The numbers of the next step.
    pub(super) fn scheme(&self) -> layout::Scheme {
        upload::scheme(&Engine::scheme(self))
    }

    /// Puts them where the kernels look: the steps after it follow `Params::steady`.
    pub(super) fn write_scheme(&self) -> Result<(), Error> {
        self.write_scheme_to(None)
    }

    pub(super) fn write_scheme_to(&self, encoder: Option<&mut wgpu::CommandEncoder>) -> Result<(), Error> {
        let offset = std::mem::offset_of!(layout::Status, scheme) as u64;
        self.put("status", offset, bytemuck::bytes_of(&self.scheme()), encoder)
    }

    /// What was set from outside: a scheme that looks back has nothing to look at.
    pub(super) fn restart(&mut self) -> Result<(), Error> {
        self.before = None;
        self.write_scheme()
    }

    pub(super) fn write_params(&self) -> Result<(), Error> {
        self.buffers.write(&self.gpu, "params", 0, &[self.params])
    }

    pub(super) fn upload_start(&mut self) -> Result<(), Error> {
        self.unfinished = None;
        self.cut_short = 0;
        self.clear_records()?;
        self.buffers.clear(&self.gpu, "residual")?;
        self.constraints.clone_from(&self.topology.constraints);
        self.params.constraint_count = self.constraints.len() as u32;
        self.last_motion = None;
        self.write_loads(&self.topology.clone().loads)?;
        self.write_constraints(0..self.constraints.len(), None)?;
        self.write_constraint_ix(None)?;
        self.write_ties(&self.topology.tied_at_start())?;
        if self.contact.is_some() {
            self.write_pins_as_contacts()?;
        }
        self.before = None;
        let scheme = self.scheme();
        self.buffers.write(&self.gpu, "status", 0, &[layout::Status { scheme, ..Default::default() }])?;
        self.write_params()?;
        if self.topology.has_memory() {
            self.write_history(&vec![[0.0; 4]; self.topology.edges.len()])?;
        }
        upload::positions(&self.topology, &self.topology.positions, &self.gpu, &self.buffers)?;
        upload::velocities(&self.topology, &self.topology.velocities, &self.gpu, &self.buffers)
    }
}

/// The scheme of all steps but the first, for steps of a length.
pub(super) fn put_scheme(params: &mut layout::Params, integrator: Integrator, time_step: f64) {
    params.steady = upload::scheme(&integrator.scheme(time_step, Some(time_step)));
    params.explicit_share = integrator.explicit_share() as f32;
    params.drift = integrator.drift(time_step) as f32;
    params.predict = integrator.predicts().into();
}

/// Wind and resistance, for steps of a length.
pub(super) fn put_air(params: &mut layout::Params, air: &Air, time_step: f64) {
    params.wind = air.wind.to_array();
    params.wind_steady = air.steady;
    params.wind_drag = air.drag;
    params.wind_lift = air.lift;
    params.wind_turns = (f64::from(air.angular_velocity) * time_step / std::f64::consts::TAU) as f32;
    params.air_resistance = air.resistance;
}
