//! Flights: submitted steps whose records are not read yet. A flight ends with a record, or with a failure that the engine recovers from.

use super::{GpuEngine, counts::Counts, rounds::Needs};
use crate::{
    Error, Fault, Instability, Measures, Meeting, Outcome, StageTimes, StepRecord,
    engine::{Clock, farthest, upload},
    gpu::{
        Pace, Readback, Section, Timeline, into_hosts,
        layout::{self, Record},
    },
    stage::StepPart,
};
use std::collections::VecDeque;

/// Batches under way while the next one is encoded. The host waits for the batch before them: its iteration counts size the next solve, and
/// submissions do not pile up.
const BATCHES_IN_FLIGHT: u64 = 2;
/// Largest number of steps in one submission: two submissions fill the ring of records.
const STEPS_AT_ONCE: u32 = upload::RECORD_COUNT as u32 / 2;

/// Number of repetitions of a step without line search for which the guard gets more rounds.
const MOST_CUT_SHORT: u32 = 6;

/// Steps that were submitted, and the results of steps whose records were read.
#[derive(Default)]
pub(super) struct UnderWay {
    /// Steps whose records are not read yet, oldest first.
    pub flights: VecDeque<Flight>,
    /// A step whose dispatches ran out before it ended. It continues when the host asks for the next step.
    pub unfinished: Option<Flight>,
    /// Number of consecutive submissions whose dispatches ran out before the step ended.
    pub cut_short: u32,
    /// Staging buffers free for reuse.
    pub idle: Vec<Readback>,
    /// Records that the host has not taken yet, in order.
    pub records: Vec<StepRecord>,
    /// Iterations and rounds that earlier steps needed.
    pub counts: Counts,
    /// Number of batches begun so far. A very long batch is cut into several submissions.
    pub batches: u64,
    /// The newest batch that the host waited for.
    pub batch_waited_for: Option<u64>,
}

impl UnderWay {
    /// Number of batches with records still unread. Each step in the host's encoder counts as a batch.
    fn batches_in_flight(&self) -> u64 {
        match (self.flights.front(), self.flights.back()) {
            (Some(first), Some(last)) => last.batch - first.batch + 1,
            _ => 0,
        }
    }
}

/// A submitted step whose record is not read yet.
pub(super) struct Flight {
    pub step: u64,
    /// Number of the batch; steps submitted together share it.
    pub batch: u64,
    /// Time at the start and at the end of the step, s.
    pub start: f64,
    pub time: f64,
    pub time_step: f64,
    /// Clock before the step; and, for schemes that look back, the length of the previous step, s.
    clock: Clock,
    before: Option<f64>,
    pub sections: Vec<Section>,
    /// Number of particles in contact.
    pub contacts: u32,
    /// Number of edges and triangles near colliders.
    pub supports: u32,
    pub dispatches: u32,
    /// Staging buffer of the record. `None` for steps in the host's encoder, whose records are fetched from the ring.
    pub readback: Option<Readback>,
}

impl GpuEngine {
    /// Submits several steps, many in one submission, without input from the host between them.
    pub async fn step_many(&mut self, count: u32) -> Result<(), Error> {
        // The timestamp query set has room for one step.
        let most = if self.stages.timer.is_some() { 1 } else { STEPS_AT_ONCE };
        let mut left = count;
        while left > 0 {
            let batch = left.min(most).min(self.safe_steps_at_once());
            self.submit(batch).await?;
            left -= batch;
        }
        Ok(())
    }

    /// Encodes a step into the host's encoder.
    pub fn encode_step(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        // A lost device encodes without a word.
        self.device.gpu.check_lost()?;
        let unread = self.under_way.flights.iter().filter(|flight| flight.readback.is_none()).count();
        if unread >= upload::RECORD_COUNT {
            let message = format!("{unread} steps were encoded since the last finish(): call it at least that often");
            return Err(Error::Usage(message));
        }
        let mut timeline = Timeline::host(encoder);
        // The host may set point loads before it submits.
        let encoded = into_hosts(|| self.encode(&mut timeline, true));
        let dispatches = timeline.dispatches();
        into_hosts(|| timeline.finish()).and(encoded)?;
        self.tally.dispatches = dispatches;
        self.tally.all_dispatches += u64::from(dispatches);
        self.tally.submissions += 1;
        self.under_way.batches += 1;
        self.depart(Vec::new(), None);
        Ok(())
    }

    /// Waits until all steps under way have ended.
    pub async fn finish(&mut self) -> Result<(), Error> {
        while !self.under_way.flights.is_empty() {
            self.land().await?;
        }
        // wgpu reports a lost device only when it is polled.
        self.device.gpu.poll()?;
        self.device.gpu.check()
    }

    /// Takes the records that have arrived, without waiting. A failed or unfinished step stays in the queue, because recovery or continuation has to
    /// wait for the GPU.
    pub fn poll(&mut self) -> Result<(), Error> {
        self.device.gpu.poll()?;
        while let Some(Flight { step, readback: Some(readback), .. }) = self.under_way.flights.front_mut() {
            let step = *step;
            let Some(bytes) = readback.look(&self.device.gpu)? else { break };
            let record = record_of(bytes);
            if record.failed != 0 || !is_of(&record, step) {
                break;
            }
            let bytes = bytes.to_vec();
            let Some(flight) = self.under_way.flights.pop_front() else { break };
            self.arrive(flight, &record, &bytes)?;
        }
        Ok(())
    }

    /// Submits a batch of steps. Copies of their records follow at the end of the submission.
    async fn submit(&mut self, mut count: u32) -> Result<(), Error> {
        count -= u32::from(self.take_up().await?);
        if count == 0 {
            return Ok(());
        }
        while self.under_way.batches_in_flight() >= BATCHES_IN_FLIGHT {
            self.land().await?;
        }
        let mut readbacks = Vec::with_capacity(count as usize);
        for _ in 0..count {
            readbacks.push(self.idle_readback()?);
        }
        let gpu = &self.device.gpu;
        let encoded = gpu.issue(|| -> Result<_, Error> {
            let mut encoder = Timeline::encoder(gpu);
            let rows = self.topology.particle_count();
            let mut timeline =
                Timeline::own(gpu, &mut encoder, rows, self.stages.timer.as_ref()).in_parts(self.dispatches_at_once());
            for _ in 0..count {
                self.encode(&mut timeline, self.device.params.load_count > 0);
                timeline.may_split();
            }
            let (dispatches, submissions) = (timeline.dispatches(), timeline.submissions() + 1);
            let mut parts = timeline.take_parts();
            let sections = timeline.finish();
            for (ix, readback) in readbacks.iter().enumerate() {
                self.copy_record(&mut encoder, self.time.step + ix as u64, readback)?;
            }
            if let Some(last) = readbacks.last() {
                self.copy_motion(&mut encoder, last)?;
            }
            if let (Some(timer), [readback]) = (&self.stages.timer, readbacks.as_slice()) {
                timer.resolve(&mut encoder, sections.len(), readback.destination(), size_of::<Record>() as u64);
            }
            parts.push(encoder.finish());
            Ok((parts, sections, dispatches, submissions))
        });
        let submitted = match encoded.and_then(|inner| inner) {
            Ok((parts, sections, dispatches, submissions)) => {
                let submissions = submissions + parts.len() as u64 - 1;
                self.submit_parts(parts).await.map(|submission| (submission, sections, dispatches, submissions))
            }
            Err(error) => Err(error),
        };
        match submitted {
            Ok((submission, sections, dispatches, submissions)) => {
                self.tally.dispatches = dispatches / count;
                self.tally.all_dispatches += u64::from(dispatches);
                self.tally.submissions += submissions;
                self.under_way.batches += 1;
                let mut requested = Ok(());
                for mut readback in readbacks {
                    // The step is submitted and counts as under way even if its record cannot come.
                    requested = requested.and(readback.request(&self.device.gpu, submission.clone()));
                    self.depart(sections.clone(), Some(readback));
                }
                requested
            }
            Err(error) => {
                self.under_way.idle.extend(readbacks);
                Err(error)
            }
        }
    }

    /// Largest number of dispatches in a submission, where the host sets the pace.
    fn dispatches_at_once(&self) -> Option<u32> {
        self.pace.as_ref().map(Pace::dispatches)
    }

    /// Submits the parts of a step in order: each when the host allows it, or all at once without a pace. Returns the last submission.
    async fn submit_parts(&self, parts: Vec<wgpu::CommandBuffer>) -> Result<wgpu::SubmissionIndex, Error> {
        let gpu = &self.device.gpu;
        let Some(pace) = &self.pace else { return gpu.issue(|| gpu.queue().submit(parts)) };
        let mut last = None;
        for part in parts {
            pace.turn().await;
            last = Some(gpu.issue(|| gpu.queue().submit([part]))?);
            pace.count(gpu.queue());
        }
        last.ok_or_else(|| Error::Gpu("a step without commands".to_owned()))
    }

    /// Queues a step that was submitted, or encoded for the host to submit.
    fn depart(&mut self, sections: Vec<Section>, readback: Option<Readback>) {
        let time_step = self.options.time_step;
        let time = &mut self.time;
        self.under_way.flights.push_back(Flight {
            step: time.step,
            batch: self.under_way.batches,
            start: time.clock.time(time.step),
            time: time.clock.time(time.step + 1),
            time_step,
            clock: time.clock,
            before: time.before,
            sections,
            contacts: self.held.touch_count,
            supports: self.held.support_count,
            dispatches: self.tally.dispatches,
            readback,
        });
        time.step += 1;
        let scheme = self.options.integrator.scheme(time_step, time.before);
        // The residual of the θ-scheme includes the forces at the start of the step, so its impulses are those of the whole step.
        time.last_stage_step = scheme.stage_step * (1.0 + self.options.integrator.explicit_share());
        time.before = Some(time_step);
    }

    /// Allocates a staging buffer for each step that may be under way alone.
    pub(super) fn provide_readbacks(&mut self) -> Result<(), Error> {
        for _ in 0..=BATCHES_IN_FLIGHT {
            let readback = self.new_readback()?;
            self.under_way.idle.push(readback);
        }
        Ok(())
    }

    /// Creates a staging buffer for the record of one step.
    fn new_readback(&self) -> Result<Readback, Error> {
        Readback::new(&self.device.gpu, "tenter.record", self.readback_bytes())
    }

    fn idle_readback(&mut self) -> Result<Readback, Error> {
        self.under_way.idle.pop().map_or_else(|| self.new_readback(), Ok)
    }

    /// Overwrites the ring with records of no step, so that no old record passes for a new one.
    pub(super) fn clear_records(&self) -> Result<(), Error> {
        let none = Record { step: u32::MAX, ..Default::default() };
        self.device.buffers.write(&self.device.gpu, "records", 0, &[none; upload::RECORD_COUNT])
    }

    /// Waits for the oldest step under way and takes its record.
    pub(super) async fn land(&mut self) -> Result<(), Error> {
        loop {
            let Some(front) = self.under_way.flights.front() else { return Ok(()) };
            let batch = front.batch;
            if front.readback.is_none() {
                let readback = self.fetch_record(front.step)?;
                self.under_way.flights[0].readback = Some(readback);
            }
            // While a later batch is under way the GPU stays busy. Only a wait for the last batch makes it idle, and is counted once.
            let under_way = &mut self.under_way;
            let idles = under_way.batches_in_flight() == 1 && under_way.batch_waited_for != Some(batch);
            self.tally.host_waits += u64::from(idles);
            under_way.batch_waited_for = Some(batch);
            // After a timeout the step stays in the queue, so that the host can wait for it again.
            let Some(readback) = &mut under_way.flights[0].readback else { return Ok(()) };
            let bytes = readback.wait(&self.device.gpu, "a step").await?;
            let Some(mut flight) = under_way.flights.pop_front() else { return Ok(()) };
            let record = record_of(&bytes);
            let searches = self.stages.search.is_some();
            if searches && record.failed == layout::failed::BUDGET && self.may_go_on() {
                // The host may already have changed pins, loads or the time step for the steps behind it.
                if !self.under_way.flights.is_empty() {
                    return Err(self.suspend(flight).await);
                }
                self.go_on(flight).await?;
                continue;
            }
            if record.failed != 0 && is_of(&record, flight.step) {
                self.under_way.idle.extend(flight.readback.take());
                let cut_short = self.under_way.cut_short;
                let error = self.recover(&flight, &record).await;
                return Err(match record.failed {
                    layout::failed::PAIRS => self.grow(record.met[3]).err().unwrap_or(error),
                    layout::failed::LOST => self.divide().err().unwrap_or(error),
                    layout::failed::BUDGET if !searches && cut_short < MOST_CUT_SHORT => {
                        // The guard gets more rounds when the step is repeated.
                        self.under_way.cut_short = cut_short + 1;
                        Error::Unstable { step: flight.step, cause: Instability::Budget, particle: None }
                    }
                    _ => error,
                });
            }
            return self.arrive(flight, &record, &bytes);
        }
    }

    /// Takes the record of a step that succeeded.
    fn arrive(&mut self, mut flight: Flight, record: &Record, bytes: &[u8]) -> Result<(), Error> {
        self.under_way.idle.extend(flight.readback.take());
        if !is_of(record, flight.step) {
            let message = "an encoder that was given to encode_step() has not been submitted".to_owned();
            return Err(Error::Usage(message));
        }
        let times = &bytes[size_of::<Record>()..];
        let timer = self.stages.timer.as_ref().filter(|_| !flight.sections.is_empty());
        let stage_times = timer.map(|timer| StepPart::times(timer.read(&flight.sections, times)));
        if self.searcher().is_some() {
            self.under_way.cut_short = 0;
            let needs = Needs::new(record.profile, record.searches);
            self.tally.used_dispatches += u64::from(self.useful_dispatches(&needs, record.linearisations));
            let slowly = !self.waits();
            self.under_way.counts.add_safe(flight.batch, needs, slowly);
        } else {
            self.under_way.cut_short = 0;
            self.tally.used_dispatches += u64::from(flight.dispatches);
            let later = self.touching().map(|_| record.later_iterations);
            self.under_way.counts.add(flight.batch, record.most_iterations, later);
        }
        if self.under_way.flights.is_empty() {
            self.keep_motion(bytes);
        }
        let record = self.translate(&flight, record, stage_times);
        self.under_way.records.push(record);
        Ok(())
    }

    /// Submits more dispatches for a step whose dispatches ran out; it continues from its present state.
    async fn go_on(&mut self, mut flight: Flight) -> Result<(), Error> {
        self.under_way.cut_short += 1;
        let mut readback = match flight.readback.take() {
            Some(readback) => readback,
            None => self.idle_readback()?,
        };
        let gpu = &self.device.gpu;
        let status = self.device.buffers.named("status")?;
        let (step, failed) = (flight.step as u32, 0u32);
        let (parts, dispatches) = gpu.issue(|| -> Result<_, Error> {
            let write = |offset: usize, word: u32| gpu.queue().write_buffer(status, offset as u64, &word.to_le_bytes());
            write(std::mem::offset_of!(layout::Status, step), step);
            write(std::mem::offset_of!(layout::Status, failed), failed);
            let mut encoder = Timeline::encoder(gpu);
            let mut timeline = Timeline::own(gpu, &mut encoder, self.topology.particle_count(), None)
                .in_parts(self.dispatches_at_once());
            let loads = self.device.params.load_count > 0;
            if let Some(search) = self.searcher() {
                self.encode_rounds(&mut timeline, search, &self.rounds(), loads);
            }
            self.encode_end(&mut timeline, loads);
            let dispatches = timeline.dispatches();
            let mut parts = timeline.take_parts();
            timeline.finish();
            self.copy_record(&mut encoder, flight.step, &readback)?;
            self.copy_motion(&mut encoder, &readback)?;
            parts.push(encoder.finish());
            Ok((parts, dispatches))
        })??;
        let submissions = parts.len() as u64;
        let submission = self.submit_parts(parts).await?;
        readback.request(&self.device.gpu, submission)?;
        self.tally.all_dispatches += u64::from(dispatches);
        self.tally.submissions += submissions;
        flight.sections.clear();
        flight.readback = Some(readback);
        self.under_way.flights.push_front(flight);
        Ok(())
    }

    /// Suspends a step whose dispatches ran out while others were queued behind it. The others did nothing and are dropped. The host sets the inputs of this step
    /// again and asks for it again; it then continues from its present state.
    async fn suspend(&mut self, flight: Flight) -> Error {
        let step = flight.step;
        let dropped = self.drop_flights().await.and_then(|()| {
            let time = &mut self.time;
            time.step = step;
            // The clock of the host belongs to the step after this one.
            time.clock = flight.clock;
            time.clock.change(step, self.options.time_step);
            time.before = flight.before;
            self.clear_records()
        });
        self.under_way.unfinished = Some(flight);
        dropped.err().unwrap_or(Error::Unstable { step, cause: Instability::Budget, particle: None })
    }

    /// Continues an unfinished step, if there is one.
    async fn take_up(&mut self) -> Result<bool, Error> {
        let Some(flight) = self.under_way.unfinished.take() else { return Ok(false) };
        self.time.step += 1;
        self.time.before = Some(flight.time_step);
        self.go_on(flight).await?;
        self.land().await.map(|()| true)
    }

    /// Waits for all steps under way and drops their records.
    async fn drop_flights(&mut self) -> Result<(), Error> {
        while let Some(flight) = self.under_way.flights.front_mut() {
            if let Some(readback) = &mut flight.readback {
                readback.wait(&self.device.gpu, "a step").await?;
            }
            let flight = self.under_way.flights.pop_front();
            self.under_way.idle.extend(flight.and_then(|flight| flight.readback));
        }
        Ok(())
    }

    /// Requests the record of a step that was in the host's encoder.
    fn fetch_record(&mut self, step: u64) -> Result<Readback, Error> {
        let mut readback = self.idle_readback()?;
        let mut encoder = self.device.gpu.device().create_command_encoder(&Default::default());
        self.copy_record(&mut encoder, step, &readback)?;
        self.copy_motion(&mut encoder, &readback)?;
        let gpu = &self.device.gpu;
        let submission = gpu.issue(|| gpu.queue().submit([encoder.finish()]))?;
        readback.request(gpu, submission)?;
        Ok(readback)
    }

    fn copy_record(&self, encoder: &mut wgpu::CommandEncoder, step: u64, to: &Readback) -> Result<(), Error> {
        let size = size_of::<Record>() as u64;
        let place = step % upload::RECORD_COUNT as u64;
        encoder.copy_buffer_to_buffer(self.device.buffers.named("records")?, place * size, to.destination(), 0, size);
        Ok(())
    }

    /// Recovers from a failed step. The steps behind it did nothing, so the state at its start can be restored.
    async fn recover(&mut self, failed: &Flight, record: &Record) -> Error {
        let cause = if record.failed & layout::failed::SOLVE != 0 {
            Fault::Solve { iteration: record.iterations }
        } else {
            Fault::State
        };
        let restored = self.put_back_start(failed).await;
        let particle = match restored {
            Ok(row) => row.map(|row| self.topology.order[row]),
            Err(error) => return error,
        };
        let step = failed.step;
        let has = |bit: u32| record.failed & bit != 0;
        let cause_of = match record.failed {
            // The step is repeated, with more room for pairs.
            layout::failed::PAIRS => Instability::Budget,
            _ if has(layout::failed::SOLVE | layout::failed::STATE) => return Error::NonFinite { step, cause },
            _ if has(layout::failed::RUNAWAY) => Instability::Runaway,
            // The step is repeated, with searches in more parts.
            layout::failed::LOST => Instability::Budget,
            _ if has(layout::failed::CROWD) => return self.crowd(record.met[3]),
            _ if has(layout::failed::ENERGY) => Instability::EnergyRise,
            _ => match record.outcome {
                layout::outcome::ACTIVE_SET => Instability::ActiveSet,
                layout::outcome::LINE_SEARCH => Instability::LineSearch,
                _ => Instability::Linearisations,
            },
        };
        Error::Unstable { step, cause: cause_of, particle }
    }

    /// Restores the state at the start of a failed step, and finds the row with the largest change of velocity in it.
    async fn put_back_start(&mut self, failed: &Flight) -> Result<Option<usize>, Error> {
        self.drop_flights().await?;
        self.under_way.cut_short = 0;
        let after = self.rows_now("velocities").await?;
        self.time.step = failed.step;
        self.time.clock = Clock::at(failed.step, failed.start, self.options.time_step);
        self.clear_records()?;
        self.time.before = None;
        self.held.last_motion = None;
        // The whole status is reset except the phase of the wind, which stopped at the failed step.
        let status = layout::Status { step: failed.step as u32, ..Default::default() };
        let before_wind = &bytemuck::bytes_of(&status)[..std::mem::offset_of!(layout::Status, wind_phase)];
        self.device.put("status", 0, before_wind, None)?;
        self.forget_coarse_matrix(None)?;
        self.write_scheme()?;
        let gpu = &self.device.gpu;
        let mut encoder = Timeline::encoder(gpu);
        let mut timeline = Timeline::host(&mut encoder);
        self.stages.integrate.encode_restore(&mut timeline);
        timeline.finish();
        gpu.issue(|| gpu.queue().submit([encoder.finish()]))?;
        Ok(farthest(&after, &self.rows_now("velocities").await?))
    }

    fn translate(&self, flight: &Flight, record: &Record, stage_times: Option<StageTimes>) -> StepRecord {
        StepRecord {
            step: flight.step + 1,
            time: flight.time,
            time_step: flight.time_step,
            error: self.options.adaptive.map(|_| f64::from(record.error)),
            iterations: record.iterations,
            linearisations: record.linearisations,
            outcome: match record.outcome {
                // Explicit steps have no linear system.
                _ if self.options.integrator.is_explicit() => Outcome::Converged,
                layout::outcome::CONVERGED if self.collides() && record.met[3] > 0 => Outcome::Driven,
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
            meeting: match flight.supports {
                _ if self.collides() => {
                    let [pairs, active, truncated, driven] = record.met;
                    Some(Meeting { pairs, active, truncated, driven })
                }
                0 => None,
                pairs => Some(Meeting { pairs, active: record.met[1], truncated: 0, driven: 0 }),
            },
            measures: self.options.measure.then(|| Measures {
                kinetic: f64::from(record.kinetic),
                potential: f64::from(record.potential),
                elastic: f64::from(record.elastic),
                largest_strain: f64::from(record.largest_strain),
            }),
            stage_times,
        }
    }
}

/// The record at the beginning of the bytes read back.
fn record_of(bytes: &[u8]) -> Record {
    bytemuck::pod_read_unaligned(&bytes[..size_of::<Record>()])
}

/// Whether a record belongs to a step.
fn is_of(record: &Record, step: u64) -> bool {
    u64::from(record.step) == step & u64::from(u32::MAX)
}
