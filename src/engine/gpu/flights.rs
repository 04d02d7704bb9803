//! Steps on their way: submitted, their records not read yet. What comes back is a record, or a failure to recover from.

use super::{GpuEngine, rounds::Needs};
use crate::{
    Error, Fault, GpuTimes, Instability, Measures, Outcome, StepRecord,
    engine::{Clock, farthest, upload},
    gpu::{
        Readback,
        layout::{self, Record},
    },
    stage::{Part, Timeline},
};

/// A step on its way.
pub(super) struct Flight {
    pub step: u64,
    /// Steps that were submitted together have the same.
    pub batch: u64,
    /// Time at its start and end, s.
    pub start: f64,
    pub time: f64,
    pub time_step: f64,
    /// Before it, and the length of the step before it while the scheme looks back at it, s.
    clock: Clock,
    before: Option<f64>,
    pub parts: Vec<Part>,
    /// Particles that touched something.
    pub contacts: u32,
    pub dispatches: u32,
    /// `None` for steps in the host's encoder: their records are fetched from the ring.
    pub readback: Option<Readback>,
}

impl GpuEngine {
    /// Notes a step that was submitted, or encoded for the host to submit.
    pub(super) fn depart(&mut self, parts: Vec<Part>, readback: Option<Readback>) {
        let time_step = self.options.time_step;
        let (start, time) = (self.clock.time(self.step), self.clock.time(self.step + 1));
        self.flights.push_back(Flight {
            step: self.step,
            batch: self.batches,
            start,
            time,
            time_step,
            clock: self.clock,
            before: self.before,
            parts,
            contacts: self.touch_count,
            dispatches: self.dispatches,
            readback,
        });
        self.step += 1;
        let scheme = self.options.integrator.scheme(self.options.time_step, self.before);
        // Of the θ-scheme the forces at the start are in the residual too: impulses are those of the whole step.
        self.last_stage_step = scheme.stage_step * (1.0 + self.options.integrator.explicit_share());
        self.before = Some(self.options.time_step);
    }

    /// A staging buffer for the record of a step.
    pub(super) fn new_readback(&self) -> Result<Readback, Error> {
        Readback::new(&self.gpu, "tenter.record", self.readback_bytes())
    }

    /// Records of no step, so that none is taken for another's.
    pub(super) fn clear_records(&self) -> Result<(), Error> {
        let none = Record { step: u32::MAX, ..Default::default() };
        self.buffers.write(&self.gpu, "records", 0, &[none; upload::RECORD_COUNT])
    }

    /// Takes the record of the oldest step on its way.
    pub(super) fn land(&mut self) -> Result<(), Error> {
        let Some(front) = self.flights.front() else { return Ok(()) };
        let batch = front.batch;
        if front.readback.is_none() {
            let readback = self.fetch_record(front.step)?;
            self.flights[0].readback = Some(readback);
        }
        // With a later batch on its way the GPU has work while the host waits: only the last one makes it idle, and only once.
        self.host_waits += u64::from(self.batches_in_flight() == 1 && self.batch_waited_for != Some(batch));
        self.batch_waited_for = Some(batch);
        // A wait that takes too long leaves the step where it is, to be waited for again.
        let Some(readback) = &mut self.flights[0].readback else { return Ok(()) };
        let bytes = readback.wait(&self.gpu, "a step", self.options.timeout)?;
        let Some(mut flight) = self.flights.pop_front() else { return Ok(()) };
        self.idle.extend(flight.readback.take());
        let (record, times) = bytes.split_at(size_of::<Record>());
        let record: Record = bytemuck::pod_read_unaligned(record);
        if record.failed == layout::failed::BUDGET && self.may_go_on() {
            // For steps behind it the host may have changed pins, loads or the length of a step already.
            return if self.flights.is_empty() { self.go_on(flight) } else { Err(self.suspend(flight)) };
        }
        if u64::from(record.step) != flight.step & u64::from(u32::MAX) {
            let message = "an encoder that was given to encode_step() has not been submitted".to_owned();
            return Err(Error::Usage(message));
        }
        if record.failed != 0 {
            return Err(self.recover(&flight, &record));
        }
        let gpu_times = self.timer.as_ref().filter(|_| !flight.parts.is_empty()).map(|t| t.read(&flight.parts, times));
        if self.search.is_some() {
            self.cut_short = 0;
            let needs = Needs::new(record.profile, record.searches);
            self.used_dispatches += u64::from(self.useful_dispatches(&needs, record.linearisations));
            self.counts.add_safe(batch, needs, !self.waits());
        } else {
            self.used_dispatches += u64::from(flight.dispatches);
            let later = self.touching().map(|_| record.later_iterations);
            self.counts.add(batch, record.most_iterations, later);
        }
        if self.flights.is_empty() {
            self.keep_motion(&bytes);
        }
        self.records.push(self.translate(&flight, &record, gpu_times));
        Ok(())
    }

    /// A step that was not over when its dispatches were goes on from where it is.
    fn go_on(&mut self, mut flight: Flight) -> Result<(), Error> {
        self.cut_short += 1;
        let status = self.buffers.named("status")?;
        let (step, failed) = (flight.step as u32, 0u32);
        let mut readback = self.idle.pop().map_or_else(|| self.new_readback(), Ok)?;
        let (submission, dispatches) = self.gpu.checked(|| -> Result<_, Error> {
            let write =
                |offset: usize, word: u32| self.gpu.queue().write_buffer(status, offset as u64, &word.to_le_bytes());
            write(std::mem::offset_of!(layout::Status, step), step);
            write(std::mem::offset_of!(layout::Status, failed), failed);
            let mut encoder = Timeline::encoder(&self.gpu);
            let mut timeline = Timeline::own(&self.gpu, &mut encoder, self.topology.particle_count(), None);
            let loads = self.params.load_count > 0;
            if let Some(search) = &self.search {
                self.encode_rounds(&mut timeline, search, loads);
            }
            self.encode_end(&mut timeline, loads);
            let dispatches = timeline.dispatches();
            timeline.finish();
            self.copy_record(&mut encoder, flight.step, &readback)?;
            self.copy_motion(&mut encoder, &readback)?;
            Ok((self.gpu.queue().submit([encoder.finish()]), dispatches))
        })??;
        readback.request(submission);
        self.all_dispatches += u64::from(dispatches);
        self.submissions += 1;
        flight.parts.clear();
        flight.readback = Some(readback);
        self.flights.push_front(flight);
        self.land()
    }

    /// A step that was not over when its dispatches were, with others behind it, which did nothing: they are dropped. The host sets what it had set for this step,
    /// and asks for it again; it then goes on from where it is.
    fn suspend(&mut self, flight: Flight) -> Error {
        let step = flight.step;
        let dropped = (|| {
            self.drop_flights()?;
            self.step = step;
            // The step that the host has set by now comes after this one.
            self.clock = flight.clock;
            self.clock.change(step, self.options.time_step);
            self.before = flight.before;
            self.clear_records()
        })();
        self.unfinished = Some(flight);
        dropped.err().unwrap_or(Error::Unstable { step, cause: Instability::Budget, particle: None })
    }

    /// Goes on with a step that was not over, if there is one.
    pub(super) fn take_up(&mut self) -> Result<bool, Error> {
        let Some(flight) = self.unfinished.take() else { return Ok(false) };
        self.step += 1;
        self.before = Some(flight.time_step);
        self.go_on(flight).map(|()| true)
    }

    /// Waits for all steps on their way and drops them.
    fn drop_flights(&mut self) -> Result<(), Error> {
        while let Some(flight) = self.flights.pop_front() {
            if let Some(mut readback) = flight.readback {
                readback.wait(&self.gpu, "a step", self.options.timeout)?;
                self.idle.push(readback);
            }
        }
        Ok(())
    }

    /// Asks for the record of a step that was in the host's encoder.
    fn fetch_record(&mut self, step: u64) -> Result<Readback, Error> {
        let mut readback = self.idle.pop().map_or_else(|| self.new_readback(), Ok)?;
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        self.copy_record(&mut encoder, step, &readback)?;
        self.copy_motion(&mut encoder, &readback)?;
        readback.request(self.gpu.checked(|| self.gpu.queue().submit([encoder.finish()]))?);
        Ok(readback)
    }

    pub(super) fn copy_record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        step: u64,
        to: &Readback,
    ) -> Result<(), Error> {
        let size = size_of::<Record>() as u64;
        let place = step % upload::RECORD_COUNT as u64;
        encoder.copy_buffer_to_buffer(self.buffers.named("records")?, place * size, to.destination(), 0, size);
        Ok(())
    }

    /// After a failed step: those behind it did nothing, so that the state it began with can be put back.
    fn recover(&mut self, failed: &Flight, record: &Record) -> Error {
        let cause = if record.failed & layout::failed::SOLVE != 0 {
            Fault::Solve { iteration: record.iterations }
        } else {
            Fault::State
        };
        let restored = (|| {
            self.drop_flights()?;
            self.cut_short = 0;
            let after = self.rows_now("velocities")?;
            self.step = failed.step;
            self.clock = Clock::at(failed.step, failed.start, self.options.time_step);
            self.clear_records()?;
            self.before = None;
            self.last_motion = None;
            // All but the wind's phase, which has waited at the step that failed.
            let status = layout::Status { step: failed.step as u32, ..Default::default() };
            let before_wind = &bytemuck::bytes_of(&status)[..std::mem::offset_of!(layout::Status, wind_phase)];
            let buffer = self.buffers.named("status")?;
            self.gpu.checked(|| self.gpu.queue().write_buffer(buffer, 0, before_wind))?;
            self.write_scheme()?;
            let mut encoder = Timeline::encoder(&self.gpu);
            let mut timeline = Timeline::host(&mut encoder);
            self.integrate.encode_restore(&mut timeline);
            timeline.finish();
            self.gpu.checked(|| self.gpu.queue().submit([encoder.finish()]))?;
            Ok(farthest(&after, &self.rows_now("velocities")?))
        })();
        let particle = match restored {
            Ok(row) => row.map(|row| self.topology.order[row]),
            Err(error) => return error,
        };
        let step = failed.step;
        let has = |bit: u32| record.failed & bit != 0;
        let cause_of = match record.failed {
            _ if has(layout::failed::SOLVE | layout::failed::STATE) => return Error::NonFinite { step, cause },
            _ if has(layout::failed::RUNAWAY) => Instability::Runaway,
            _ if has(layout::failed::ENERGY) => Instability::EnergyRise,
            _ => match record.outcome {
                layout::outcome::ACTIVE_SET => Instability::ActiveSet,
                layout::outcome::LINE_SEARCH => Instability::LineSearch,
                _ => Instability::Linearisations,
            },
        };
        Error::Unstable { step, cause: cause_of, particle }
    }

    fn translate(&self, flight: &Flight, record: &Record, gpu_times: Option<GpuTimes>) -> StepRecord {
        StepRecord {
            step: flight.step + 1,
            time: flight.time,
            time_step: flight.time_step,
            error: self.options.adaptive.map(|_| f64::from(record.error)),
            iterations: record.iterations,
            linearisations: record.linearisations,
            outcome: match record.outcome {
                // There was nothing to solve.
                _ if self.options.integrator.is_explicit() => Outcome::Converged,
                layout::outcome::CONVERGED => Outcome::Converged,
                layout::outcome::INDEFINITE => Outcome::Indefinite,
                layout::outcome::NON_FINITE => Outcome::NonFinite,
                layout::outcome::ACTIVE_SET => Outcome::ActiveSet,
                layout::outcome::LINE_SEARCH => Outcome::LineSearch,
                _ => Outcome::IterationLimit,
            },
            newton_converged: record.newton_done != 0 || self.options.newton().is_none(),
            residual: f64::from(record.residual),
            energy_rise: self.options.audited().map(|_| f64::from(record.energy_rise)),
            contacts: flight.contacts,
            measures: self.options.measure.then(|| Measures {
                kinetic: f64::from(record.kinetic),
                potential: f64::from(record.potential),
                elastic: f64::from(record.elastic),
                largest_strain: f64::from(record.largest_strain),
            }),
            gpu_times,
        }
    }
}
