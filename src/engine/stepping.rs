//! Stepping an engine: submit, wait, change the time step.

use super::{Engine, either};
use crate::{Error, Pace, StepRecord, integrator::Scheme};

impl Engine {
    /// Submits several steps, many in one submission, without input from the host between them.
    pub async fn step_many(&mut self, count: u32) -> Result<(), Error> {
        match self {
            Self::Gpu(engine) => engine.step_many(count).await,
            Self::Cpu(engine) => engine.step_many(count),
        }
    }

    /// Submits a step.
    pub async fn step(&mut self) -> Result<(), Error> {
        self.step_many(1).await
    }

    /// Encodes a step into the host's encoder.
    pub fn encode_step(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        match self {
            Self::Gpu(engine) => engine.encode_step(encoder),
            Self::Cpu(_) => Err(Error::Usage("the CPU backend has nothing to encode: use step()".to_owned())),
        }
    }

    /// Sets the pace of submissions; on the CPU there are none.
    pub fn set_pace(&mut self, pace: Option<Pace>) {
        match self {
            Self::Gpu(engine) => engine.set_pace(pace),
            Self::Cpu(_) => {}
        }
    }

    /// Waits until all steps under way have ended.
    pub async fn finish(&mut self) -> Result<(), Error> {
        match self {
            Self::Gpu(engine) => engine.finish().await,
            Self::Cpu(_) => Ok(()),
        }
    }

    /// Takes the records that have arrived, without waiting.
    pub fn poll(&mut self) -> Result<(), Error> {
        match self {
            Self::Gpu(engine) => engine.poll(),
            Self::Cpu(_) => Ok(()),
        }
    }

    /// Number of submitted steps whose records are not read yet.
    pub fn steps_under_way(&self) -> usize {
        match self {
            Self::Gpu(engine) => engine.steps_under_way(),
            Self::Cpu(_) => 0,
        }
    }

    /// Takes the records that were read, in order.
    pub fn take_records(&mut self) -> Vec<StepRecord> {
        either!(self, engine => std::mem::take(engine.records()))
    }

    /// Number of steps submitted.
    pub fn steps(&self) -> u64 {
        either!(self, engine => engine.steps())
    }

    /// Time at the end of the last submitted step, s.
    pub fn time(&self) -> f64 {
        self.time_after(0)
    }

    /// Time after `steps` more steps of the present length, s.
    pub fn time_after(&self, steps: u32) -> f64 {
        either!(self, engine => engine.clock().time(engine.steps() + u64::from(steps)))
    }

    /// Length of the next step, s.
    pub fn time_step(&self) -> f64 {
        either!(self, engine => engine.time_step())
    }

    /// Changes the length of the next step, s.
    pub fn set_time_step(&mut self, time_step: f64) -> Result<(), Error> {
        either!(self, engine => engine.set_time_step(time_step))
    }

    /// Length of the step before the next one, for schemes that look back at it, s.
    pub fn previous_step(&self) -> Option<f64> {
        either!(self, engine => engine.previous_step())
    }

    /// Coefficients of the next step.
    pub fn scheme(&self) -> Scheme {
        either!(self, engine => engine.next_scheme())
    }

    /// Makes multi-step schemes restart with the next step.
    pub fn begin_again(&mut self) -> Result<(), Error> {
        either!(self, engine => engine.restart())
    }

    /// Sets whether safe steps are accepted although their contacts or residual have not converged, as long as their energy is sound.
    pub fn set_lenient(&mut self, lenient: bool) -> Result<(), Error> {
        either!(self, engine => engine.set_lenient(lenient))
    }
}
