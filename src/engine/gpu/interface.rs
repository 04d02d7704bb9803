//! What every backend can do, on the GPU.

use super::{
    inputs::{put_air, put_scheme},
    *,
};

impl Engine for GpuEngine {
    fn step_many(&mut self, count: u32) -> Result<(), Error> {
        // Timestamps have room for one step.
        let most = if self.timer.is_some() { 1 } else { STEPS_AT_ONCE };
        let mut left = count;
        while left > 0 {
            let batch = left.min(most).min(self.safe_steps_at_once());
            self.submit(batch)?;
            left -= batch;
        }
        Ok(())
    }

    fn encode_step(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        let unread = self.flights.iter().filter(|flight| flight.readback.is_none()).count();
        if unread >= upload::RECORD_COUNT {
            let message = format!("{unread} steps were encoded since the last finish(): call it at least that often");
            return Err(Error::Usage(message));
        }
        let mut timeline = Timeline::host(encoder);
        // The host may push something before it submits.
        self.encode(&mut timeline, true);
        self.dispatches = timeline.dispatches();
        self.all_dispatches += u64::from(self.dispatches);
        timeline.finish();
        self.submissions += 1;
        self.batches += 1;
        self.depart(Vec::new(), None);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Error> {
        while !self.flights.is_empty() {
            self.land()?;
        }
        // A lost device speaks up only when it is polled.
        self.gpu.poll(wgpu::PollType::Poll)?;
        self.gpu.check()
    }

    fn take_records(&mut self) -> Vec<StepRecord> {
        std::mem::take(&mut self.records)
    }

    fn steps(&self) -> u64 {
        self.step
    }

    fn time(&self) -> f64 {
        self.clock.time(self.step)
    }

    fn time_after(&self, steps: u32) -> f64 {
        self.clock.time(self.step + u64::from(steps))
    }

    fn positions(&mut self) -> Result<Vec<DVec3>, Error> {
        self.read_rows("positions")
    }

    fn velocities(&mut self) -> Result<Vec<DVec3>, Error> {
        self.read_rows("velocities")
    }

    fn constraint_forces(&mut self) -> Result<Vec<DVec3>, Error> {
        let mut residual = self.read_rows("residual")?;
        self.groups.gather(&mut residual);
        let pins = self.topology.constraints.len();
        let mut forces = crate::engine::constraint_forces(&self.constraints[..pins], &residual, self.last_stage_step);
        if let Some(contacts::LastMotion::Whole(motion)) = &self.last_motion {
            // What was touched then is not listed any more.
            let mut pinned = vec![false; forces.len()];
            self.topology.constraints.iter().for_each(|pin| pinned[pin.row as usize] = true);
            let others = forces.iter_mut().zip(&motion.forces).zip(pinned).filter(|(_, pinned)| !pinned);
            others.for_each(|((force, touching), _)| *force = *touching);
        } else if self.contact_count() > 0 && self.last_motion.is_some() {
            let touching = self.read_motion()?.forces;
            for constraint in &self.constraints[pins..] {
                forces[constraint.row as usize] = touching[constraint.row as usize];
            }
        }
        Ok(forces)
    }

    fn begin_again(&mut self) -> Result<(), Error> {
        self.restart()
    }

    fn set_lenient(&mut self, lenient: bool) -> Result<(), Error> {
        self.params.flags =
            self.params.flags & !layout::flag::LENIENT | if lenient { layout::flag::LENIENT } else { 0 };
        self.write_params()
    }

    fn set_contacts(&mut self, contacts: &Contacts) -> Result<(), Error> {
        self.write_contacts(contacts)
    }

    fn set_ties(&mut self, ties: &TieGroups, places: &[Place]) -> Result<(), Error> {
        self.tie(ties, places)
    }

    fn motion(&mut self) -> Result<Motion, Error> {
        self.finish()?;
        self.read_motion()
    }

    fn set_positions(&mut self, positions: &[DVec3]) -> Result<(), Error> {
        upload::positions(&self.topology, positions, &self.gpu, &self.buffers)?;
        self.last_motion = None;
        self.restart()
    }

    fn set_velocities(&mut self, velocities: &[DVec3]) -> Result<(), Error> {
        upload::velocities(&self.topology, velocities, &self.gpu, &self.buffers)?;
        self.last_motion = None;
        self.restart()
    }

    fn edge_history(&mut self) -> Result<Vec<[f64; 4]>, Error> {
        self.read_history()
    }

    fn set_edge_history(&mut self, history: &[[f64; 4]]) -> Result<(), Error> {
        self.write_history(history)
    }

    fn set_gravity(&mut self, gravity: Vec3) -> Result<(), Error> {
        self.params.gravity = gravity.to_array();
        self.write_params()
    }

    fn set_air(&mut self, air: Air) -> Result<(), Error> {
        self.air = air;
        put_air(&mut self.params, &air, self.options.time_step);
        self.write_params()
    }

    fn set_loads(&mut self, loads: &[Load]) -> Result<(), Error> {
        self.write_loads(loads)?;
        self.write_params()
    }

    fn time_step(&self) -> f64 {
        self.options.time_step
    }

    fn set_time_step(&mut self, time_step: f64) -> Result<(), Error> {
        self.clock.change(self.step, time_step);
        self.options.time_step = time_step;
        self.params.time_step = time_step as f32;
        put_air(&mut self.params, &self.air, time_step);
        put_scheme(&mut self.params, self.options.integrator, time_step);
        let estimate = self.options.integrator.estimate(time_step, self.before);
        self.params.error_new = estimate.new as f32;
        self.params.error_old = estimate.old as f32;
        self.write_scheme()?;
        self.write_params()
    }

    fn previous_step(&self) -> Option<f64> {
        self.before
    }

    fn scheme(&self) -> Scheme {
        self.options.integrator.scheme(self.options.time_step, self.before)
    }

    fn save(&mut self) -> Result<(), Error> {
        self.take_snapshot()
    }

    fn rollback(&mut self) -> Result<(), Error> {
        self.last_motion = None;
        self.put_back_snapshot()
    }

    fn checkpoint(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        self.put_state(bytes)
    }

    fn restore(&mut self, bytes: &mut &[u8]) -> Result<(), Error> {
        self.take_state(bytes)
    }

    fn change_pins(&mut self, changes: &PinChanges, encoder: Option<&mut wgpu::CommandEncoder>) -> Result<(), Error> {
        self.write_pins(changes, encoder)
    }

    fn reset(&mut self) -> Result<(), Error> {
        while !self.flights.is_empty() {
            match self.land() {
                // What has failed, or was never submitted, does not matter any more.
                Ok(()) | Err(Error::NonFinite { .. } | Error::Unstable { .. } | Error::Usage(_)) => {}
                Err(other) => return Err(other),
            }
        }
        self.records.clear();
        self.counts = Counts::default();
        self.step = 0;
        self.clock = Clock::new(self.options.time_step);
        self.upload_start()
    }

    fn skin(&mut self, what: Skinned, range: Range<usize>) -> Result<Vec<DVec3>, Error> {
        self.read_skin(what, range)
    }

    fn encode_skins(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        let mut timeline = Timeline::host(encoder);
        self.skins.iter().for_each(|skins| skins.stage.encode(&mut timeline, true));
        timeline.finish();
        Ok(())
    }

    fn skin_buffer(&self, what: Skinned) -> Option<&wgpu::Buffer> {
        self.buffers.get(skins::buffer_name(what))
    }

    fn position_buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffers.get("published")
    }

    fn gpu(&self) -> Option<&Gpu> {
        Some(&self.gpu)
    }

    fn costs(&self) -> Costs {
        Costs {
            dispatches: self.dispatches,
            all_dispatches: self.all_dispatches,
            used_dispatches: self.used_dispatches,
            dispatches_per_iteration: self.solve.dispatches(),
            iteration_bytes: traffic::iteration_bytes(
                self.params.particle_count.into(),
                self.slot_count,
                self.full_count,
                self.options.integrator.is_imex(),
            ),
            buffer_bytes: self.buffer_bytes,
            submissions: self.submissions,
            host_waits: self.host_waits,
        }
    }
}
