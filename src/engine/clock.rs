//! Simulated time: a multiple of the time step, so that it does not drift.

use crate::simulation::archive::stored;

/// Time as a function of the number of steps.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    /// Length of a step, s.
    time_step: f64,
    /// Step from which on the present time step holds.
    since_step: u64,
    since_time: f64,
}

stored!(Clock { time_step, since_step, since_time });

impl Clock {
    /// A clock at step 0.
    pub fn new(time_step: f64) -> Self {
        Self { time_step, since_step: 0, since_time: 0.0 }
    }

    /// A clock at a given step and time.
    pub fn at(step: u64, time: f64, time_step: f64) -> Self {
        Self { time_step, since_step: step, since_time: time }
    }

    /// Time after `step` steps, s.
    pub fn time(&self, step: u64) -> f64 {
        self.since_time + (step.saturating_sub(self.since_step)) as f64 * self.time_step
    }

    /// Changes the time step from this step on; an equal time step changes nothing.
    pub fn change(&mut self, step: u64, time_step: f64) {
        if time_step != self.time_step {
            *self = Self::at(step, self.time(step), time_step);
        }
    }
}
