//! The interface of the GPU engine; `flights` holds the steps themselves.

use super::{
    GpuEngine,
    contacts::LastMotion,
    counts::Counts,
    footprint,
    inputs::{put_air, put_scheme},
    skins,
};
use crate::{
    Air, Costs, Error, Gpu, StepRecord,
    engine::{Clock, Motion, Skinned, upload},
    gpu::{Pace, Timeline, layout, traffic},
    integrator::Scheme,
    topology::PointLoad,
};
use glam::{DVec3, Vec3};

impl GpuEngine {
    pub fn gpu(&self) -> &Gpu {
        &self.device.gpu
    }

    pub fn set_pace(&mut self, pace: Option<Pace>) {
        self.pace = pace;
    }

    pub fn buffer(&self, name: &str) -> Option<&wgpu::Buffer> {
        self.device.buffers.get(name)
    }

    pub fn steps_under_way(&self) -> usize {
        self.under_way.flights.len()
    }

    pub fn records(&mut self) -> &mut Vec<StepRecord> {
        &mut self.under_way.records
    }

    pub fn steps(&self) -> u64 {
        self.time.step
    }

    pub fn clock(&self) -> &Clock {
        &self.time.clock
    }

    pub fn time_step(&self) -> f64 {
        self.options.time_step
    }

    pub fn previous_step(&self) -> Option<f64> {
        self.time.before
    }

    /// Reads forces of the constraints by row, averaged over the last step, N.
    pub async fn constraint_forces(&mut self) -> Result<Vec<DVec3>, Error> {
        let mut residual = self.read_rows("residual").await?;
        self.held.groups.gather(&mut residual);
        let pins = self.topology.constraints.len();
        let mut forces =
            crate::engine::constraint_forces(&self.held.constraints[..pins], &residual, self.time.last_stage_step);
        if let Some(LastMotion::Whole(motion)) = &self.held.last_motion {
            // Contacts of the last step are no longer listed.
            let mut pinned = vec![false; forces.len()];
            self.topology.constraints.iter().for_each(|pin| pinned[pin.row as usize] = true);
            let others = forces.iter_mut().zip(&motion.forces).zip(pinned).filter(|(_, pinned)| !pinned);
            others.for_each(|((force, touching), _)| *force = *touching);
        } else if self.contact_count() > 0 && self.held.last_motion.is_some() {
            let touching = self.read_motion().await?.forces;
            for constraint in &self.held.constraints[pins..] {
                forces[constraint.row as usize] = touching[constraint.row as usize];
            }
        }
        Ok(forces)
    }

    pub fn set_lenient(&mut self, lenient: bool) -> Result<(), Error> {
        self.device.params.flags =
            self.device.params.flags & !layout::flag::LENIENT | if lenient { layout::flag::LENIENT } else { 0 };
        self.device.write_params()
    }

    /// Reads the inputs of contact tests, after all steps under way.
    pub async fn motion(&mut self) -> Result<Motion, Error> {
        self.finish().await?;
        self.read_motion().await
    }

    pub fn set_positions(&mut self, positions: &[DVec3]) -> Result<(), Error> {
        upload::positions(&self.topology, positions, &self.device.gpu, &self.device.buffers)?;
        self.held.last_motion = None;
        self.restart()
    }

    pub fn set_velocities(&mut self, velocities: &[DVec3]) -> Result<(), Error> {
        upload::velocities(&self.topology, velocities, &self.device.gpu, &self.device.buffers)?;
        self.held.last_motion = None;
        self.restart()
    }

    pub fn set_gravity(&mut self, gravity: Vec3) -> Result<(), Error> {
        self.device.params.gravity = gravity.to_array();
        self.device.write_params()
    }

    pub fn set_air(&mut self, air: Air) -> Result<(), Error> {
        self.air = air;
        put_air(&mut self.device.params, &air, self.options.time_step);
        self.device.write_params()
    }

    pub fn set_loads(&mut self, loads: &[PointLoad]) -> Result<(), Error> {
        self.write_loads(loads)?;
        self.device.write_params()
    }

    pub fn set_time_step(&mut self, time_step: f64) -> Result<(), Error> {
        self.time.clock.change(self.time.step, time_step);
        self.options.time_step = time_step;
        self.device.params.time_step = time_step as f32;
        put_air(&mut self.device.params, &self.air, time_step);
        put_scheme(&mut self.device.params, self.options.integrator, time_step);
        let estimate = self.options.integrator.estimate(time_step, self.time.before);
        self.device.params.error_new = estimate.new as f32;
        self.device.params.error_old = estimate.old as f32;
        self.write_scheme()?;
        self.device.write_params()
    }

    /// Coefficients of the next step.
    pub fn next_scheme(&self) -> Scheme {
        self.options.integrator.scheme(self.options.time_step, self.time.before)
    }

    /// Resets the engine to the start of the simulation.
    pub async fn reset(&mut self) -> Result<(), Error> {
        self.device.gpu.check_lost()?;
        // What becomes of steps under way does not matter after a reset: whether they fail, were never submitted, or cannot be read.
        while let Some(flight) = self.under_way.flights.pop_front() {
            self.under_way.idle.extend(flight.readback.map(|mut readback| {
                readback.cancel(&self.device.gpu);
                readback
            }));
        }
        self.under_way.records.clear();
        self.under_way.counts = Counts::default();
        (self.time.step, self.time.clock) = (0, Clock::new(self.options.time_step));
        self.upload_start()
    }

    pub fn encode_skins(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        let mut timeline = Timeline::host(encoder);
        self.stages.skins.iter().for_each(|skins| skins.stage.encode(&mut timeline, true));
        timeline.finish();
        Ok(())
    }

    pub fn skin_buffer(&self, what: Skinned) -> Option<&wgpu::Buffer> {
        self.device.buffers.get(skins::buffer_name(what))
    }

    pub fn costs(&self) -> Costs {
        Costs {
            dispatches: self.tally.dispatches,
            all_dispatches: self.tally.all_dispatches,
            used_dispatches: self.tally.used_dispatches,
            dispatches_per_iteration: self.stages.solve.dispatches(),
            iteration_bytes: traffic::iteration_bytes(
                self.device.params.particle_count.into(),
                self.device.slot_count,
                self.device.full_count,
                self.options.integrator.is_imex(),
                footprint::coarse_size(&self.topology),
            ),
            buffer_bytes: self.device.buffer_bytes,
            submissions: self.tally.submissions,
            host_waits: self.tally.host_waits,
        }
    }
}
