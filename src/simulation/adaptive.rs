//! Adaptive step lengths: the host waits for each step, checks its record, and repeats it with a shorter length if its error is
//! too large.

use super::{MAX_STEPS, Simulation};
use crate::{Adaptive, AdaptiveReport, Control, Error, Integrator, Outcome, StepRecord};

/// Safety factor of the length that the error estimate allows.
const SAFETY: f64 = 0.9;
/// Smallest and largest ratio of the next step to this one.
const FACTORS: (f64, f64) = (0.3, 2.0);
/// Factors of the step after too many iterations, and after few.
const FEWER: f64 = 0.5;
const MORE: f64 = 1.25;
/// Largest ratio of consecutive steps of BDF2, slightly below its stability limit 1 + √2.
const MOST_RATIO: f64 = 2.4;
/// Relative difference of step lengths that counts as rounding.
const ROUNDING: f64 = 1e-9;

/// Decision about a finished step.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Verdict {
    /// The step is accepted; the next one may be longer by this factor.
    Accept(f64),
    /// The step is rejected and repeated with its length times this factor.
    Reject(f64),
}

impl Simulation {
    /// Statistics of the step control; all zero without [`Options::adaptive`](crate::Options).
    pub fn adaptive_report(&self) -> AdaptiveReport {
        self.adaptive_report
    }

    /// Makes steps that end exactly at a time, s.
    pub(super) async fn make_steps_to(&mut self, time: f64) -> Result<u32, Error> {
        let left = time - self.time();
        if !left.is_finite() || left < -nothing(time) {
            return Err(Error::Usage(format!("from {} s there is no way to {time} s", self.time())));
        }
        if self.options.adaptive.is_some() {
            return self.adaptive_steps(time, u32::MAX).await;
        }
        if left <= nothing(time) {
            return Ok(0);
        }
        let h = self.options.time_step;
        let count = (left / h - 1e-6).ceil().max(1.0);
        if count > MAX_STEPS {
            return Err(Error::Usage(format!(
                "{left} s in steps of {h} s are {count:.1e} steps, more than {MAX_STEPS:.0e}"
            )));
        }
        let even = (left / count - h).abs() <= ROUNDING * h;
        // Lengths that differ only by rounding keep the time a multiple of the step.
        if !even {
            self.engine.set_time_step(left / count)?;
        }
        let result = self.make_steps(count as u32).await;
        if !even {
            self.engine.set_time_step(h)?;
        }
        result.map(|_| count as u32)
    }

    /// Makes at most `most` steps up to a time, s.
    pub(super) async fn adaptive_steps(&mut self, time: f64, most: u32) -> Result<u32, Error> {
        let mut count = 0;
        while count < most && time - self.time() > nothing(time) {
            self.adaptive_step(time - self.time()).await?;
            count += 1;
        }
        Ok(count)
    }

    /// Makes one accepted step no longer than `left`, s. Moved pins cover the corresponding fraction of their displacement.
    pub(super) async fn adaptive_step(&mut self, left: f64) -> Result<(), Error> {
        let Some(adaptive) = self.options.adaptive else { return Ok(()) };
        self.finish_steps().await?;
        // Pins are released before the state is saved: a shorter step begins at the same time.
        self.release_due_pins()?;
        self.close_seams().await?;
        let before = self.engine.previous_step();
        let wanted = self.wanted_step.clamp(adaptive.smallest, adaptive.largest);
        let bounded = match (self.options.integrator, before) {
            (Integrator::Bdf2 | Integrator::Sbdf2, Some(before)) => wanted.min(MOST_RATIO * before),
            _ => wanted,
        };
        // Steps end at key frames of a path and where a pin is released.
        let horizon = left.min(self.pins.time_to_event(self.time(), adaptive.smallest));
        let mut h = fit(bounded, horizon);
        let mut rejected = false;
        loop {
            let goals = self.pins.goals.clone();
            self.engine.save()?;
            self.engine.set_time_step(h)?;
            self.lead_pins(if left.is_finite() && h < left { h / left } else { 1.0 }, None)?;
            let outlook = self.look_ahead().await?;
            let result = match self.engine.step().await {
                Ok(()) => self.engine.finish().await,
                failed => failed,
            };
            let record = self.engine.take_records().last().copied();
            let smallest = h <= adaptive.smallest * (1.0 + ROUNDING);
            let verdict = match (result, &record) {
                (Ok(()), Some(record)) => self.judge(&adaptive, record, before),
                (Err(Error::NonFinite { .. } | Error::Unstable { .. }), _) if !smallest => Verdict::Reject(FACTORS.0),
                (Err(error), _) => return Err(error),
                (Ok(()), None) => return Err(Error::Gpu("a step left no record".to_owned())),
            };
            match verdict {
                Verdict::Reject(factor) if !smallest => {
                    self.engine.rollback()?;
                    self.pins.goals = goals;
                    self.adaptive_report.rejected += 1;
                    rejected = true;
                    h = fit((factor * h).max(adaptive.smallest), horizon);
                }
                Verdict::Accept(factor) | Verdict::Reject(factor) => {
                    self.go_on(outlook);
                    self.adaptive_report.accepted += 1;
                    self.adaptive_report.forced += u64::from(matches!(verdict, Verdict::Reject(_)));
                    let next = h * if rejected { factor.min(1.0) } else { factor };
                    // A step that was cut short to end at a time does not limit the following ones.
                    let cut = !rejected && h < wanted && factor >= 1.0;
                    self.wanted_step =
                        (if cut { next.max(wanted) } else { next }).clamp(adaptive.smallest, adaptive.largest);
                    self.latest = record.or(self.latest);
                    self.records.extend(record);
                    return Ok(());
                }
            }
        }
    }

    fn judge(&self, adaptive: &Adaptive, record: &StepRecord, before: Option<f64>) -> Verdict {
        match adaptive.control {
            Control::ErrorEstimate => {
                let order = self.options.integrator.estimate(record.time_step, before).order;
                let error = record.error.unwrap_or(0.0);
                let factor = if error > 0.0 {
                    SAFETY * (adaptive.tolerance / error).powf(1.0 / f64::from(order + 1))
                } else {
                    FACTORS.1
                };
                let factor = factor.clamp(FACTORS.0, FACTORS.1);
                // A NaN error fails this comparison and rejects the step.
                if error <= adaptive.tolerance { Verdict::Accept(factor) } else { Verdict::Reject(factor.min(SAFETY)) }
            }
            Control::Iterations { few, many } => {
                if record.iterations > many || record.outcome == Outcome::IterationLimit {
                    Verdict::Accept(FEWER)
                } else if record.iterations < few {
                    Verdict::Accept(MORE)
                } else {
                    Verdict::Accept(1.0)
                }
            }
        }
    }
}

/// Length of the next step, so that no very short step remains: `left`, half of it, or `h`.
fn fit(h: f64, left: f64) -> f64 {
    if left <= h * (1.0 + ROUNDING) {
        left
    } else if left < 2.0 * h {
        0.5 * left
    } else {
        h
    }
}

/// Duration that is only rounding error at a time, s.
pub(super) fn nothing(time: f64) -> f64 {
    1e-13 * time.abs().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sliver_is_left() {
        assert_eq!(fit(0.1, f64::INFINITY), 0.1);
        assert_eq!(fit(0.1, 1.0), 0.1);
        assert_eq!(fit(0.1, 0.15), 0.075);
        assert_eq!(fit(0.1, 0.1 + 1e-12), 0.1 + 1e-12);
        assert_eq!(fit(0.1, 0.03), 0.03);
        let (mut left, mut shortest) = (1.0f64, 1.0f64);
        while left > 1e-12 {
            let h = fit(0.0999, left);
            shortest = shortest.min(h);
            left -= h;
        }
        assert!(shortest > 0.5 * 0.0999, "{shortest}");
    }
}
