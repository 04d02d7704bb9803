//! Repetition of failed steps with half the length.
//!
//! A safe step fails when its energy rises, its line search or its contacts do not converge, a number is not finite, or a
//! particle ends inside a collider. The engine then keeps the state before the step, and later steps in flight do nothing. The
//! host repeats the step as two steps of half the length, or four of a quarter, and then makes the later ones. Repeated steps of
//! BDF2 are implicit Euler's. Decisions depend on counts alone, so that bits repeat.

use super::{Simulation, adaptive::nothing, pins::PinState};
use crate::{Error, Instability, Integrator};

/// Number of halvings after which a step is accepted with unsettled contacts or a residual above the tolerance, if its energy is
/// sound.
const STRICT_HALVINGS: u32 = 2;

/// Statistics of repeated steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RepeatReport {
    /// Number of failed steps that were repeated.
    pub failed: u64,
    /// Number of shorter steps made in their place. A step of BDF2 may also be repeated at its own length, as implicit Euler.
    pub shorter: u64,
}

/// A requested step whose success is not known yet.
pub(super) struct Pending {
    /// Time at its start, s.
    start: f64,
    time_step: f64,
    /// State of pins before the step.
    pins: PinState,
    /// Fraction of their displacement that pins cover in the step.
    share: f64,
}

impl Simulation {
    /// Number of failed and repeated steps; all zero unless steps are safe.
    pub fn repeat_report(&self) -> RepeatReport {
        self.repeats
    }

    /// Whether failed steps may be repeated: those that are audited, and those in which bodies meet, whose pairs may need more room.
    fn may_repeat(&self) -> bool {
        self.options.audited().is_some() || self.topology.surface.is_some()
    }

    /// Registers steps before they are made; pins cover `share` of their displacement in the first.
    pub(super) fn expect_steps(&mut self, count: u32, share: f64) {
        if !self.may_repeat() {
            return;
        }
        let pins = self.pins.state();
        let time_step = self.engine.time_step();
        for ix in 0..count {
            let start = self.engine.time_after(ix);
            self.pending.push_back(Pending { start, time_step, pins: pins.clone(), share });
        }
    }

    /// Drops steps that are known to have succeeded: all that end by the time of the newest record.
    pub(super) fn confirm_steps(&mut self) {
        let Some(latest) = &self.latest else { return };
        let known = latest.time + nothing(latest.time);
        // With colliders, the state is checked once more before the next step.
        if self.world.is_none() {
            while self.pending.front().is_some_and(|step| step.start + step.time_step <= known) {
                self.pending.pop_front();
            }
        }
    }

    /// Repeats a failed step and the later ones. Returns any other error.
    pub(super) async fn repeat_after(&mut self, result: Result<(), Error>) -> Result<(), Error> {
        match result {
            Ok(()) => Ok(()),
            // Shorter steps may fail too, hence the recursion.
            Err(error) => Box::pin(self.repeat(error)).await,
        }
    }

    async fn repeat(&mut self, error: Error) -> Result<(), Error> {
        let cut_short = ran_out(&error);
        let repeats = if self.options.audited().is_some() { is_instability(&error) } else { cut_short };
        if !self.may_repeat() || !repeats {
            return Err(error);
        }
        self.collect();
        log::debug!("a step is repeated: {error}");
        if !cut_short && self.options.audited().is_some_and(|safe| safe.max_halvings == 0) {
            return Err(error);
        }
        let now = self.engine.time();
        let steps: Vec<Pending> = self.pending.drain(..).filter(|step| step.start >= now - nothing(now)).collect();
        if steps.is_empty() {
            return Err(error);
        }
        // Settings that the host has changed since are restored afterwards.
        let (time_step, pins) = (self.engine.time_step(), self.pins.state());
        // A step that ran out of dispatches is repeated unchanged, with more of them. After a failed step BDF2 restarts, which
        // may suffice.
        let gained = matches!(error, Error::Unstable { cause: Instability::EnergyRise, .. });
        let as_it_was = cut_short || (gained && self.options.integrator == Integrator::Bdf2);
        self.repeats.failed += u64::from(!cut_short);
        let mut result = Ok(());
        for (ix, step) in steps.into_iter().enumerate() {
            self.put_pins(step.pins.partly(step.share))?;
            let end = step.start + step.time_step;
            result = self.shorter_steps(end, step.time_step, u32::from(ix == 0 && !as_it_was)).await;
            if result.is_err() {
                break;
            }
        }
        self.engine.set_time_step(time_step)?;
        self.engine.set_lenient(false)?;
        if result.is_ok() {
            self.put_pins(pins)?;
        }
        result
    }

    fn put_pins(&mut self, state: PinState) -> Result<(), Error> {
        let changes = self.pins.change_to(state, &self.topology);
        self.engine.change_pins(&changes, None)
    }

    /// Makes steps up to a time, s, and halves their length whenever one fails.
    async fn shorter_steps(&mut self, end: f64, whole: f64, halvings: u32) -> Result<(), Error> {
        let most = self.options.audited().map_or(0, |safe| safe.max_halvings);
        let mut halvings = halvings;
        while end - self.time() > nothing(end) {
            if halvings > most {
                return Err(Error::Unstable {
                    step: self.engine.steps(),
                    cause: Instability::Halvings,
                    particle: None,
                });
            }
            let left = end - self.time();
            let part = whole / f64::from(1u32 << halvings);
            let h = if part > left + nothing(end) { left } else { part };
            self.engine.set_time_step(h)?;
            if halvings > 0 {
                // BDF2 restarts as implicit Euler, which does not gain energy.
                self.engine.begin_again()?;
            }
            self.engine.set_lenient(halvings >= STRICT_HALVINGS.min(most))?;
            self.close_seams().await?;
            self.lead_pins(if left - h > nothing(end) { h / left } else { 1.0 }, None)?;
            let goals = self.pins.state();
            let mut result = self.engine_step().await;
            if result.is_ok() {
                result = self.engine.finish().await;
            }
            self.collect();
            if result.is_ok() {
                result = self.verify(halvings < most).await;
            }
            match result {
                Ok(()) => self.repeats.shorter += u64::from(halvings > 0),
                Err(error) if ran_out(&error) => {
                    log::debug!("a step is repeated: {error}");
                    self.put_pins(goals)?;
                    self.collect();
                }
                Err(error) if is_instability(&error) && halvings < most => {
                    log::debug!("a step is repeated: {error}");
                    self.put_pins(goals)?;
                    self.collect();
                    self.repeats.failed += 1;
                    halvings += 1;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Checks whether the last step left a particle inside a collider, and reverts the step if `strict`.
    pub(super) async fn verify(&mut self, strict: bool) -> Result<(), Error> {
        let steps = self.engine.steps();
        if self.options.safe().is_none() || self.verified == steps || self.world.is_none() {
            return Ok(());
        }
        let motion = self.engine.motion().await?;
        self.collect();
        let pinned = self.pins.rows(&self.topology);
        let time = self.engine.time();
        let Some(world) = &mut self.world else { return Ok(()) };
        let inside = world.penetrated(&motion, &pinned, time);
        let Some(row) = inside.filter(|_| strict) else {
            self.verified = steps;
            // The next step stays registered.
            let now = self.engine.time();
            self.pending.retain(|step| step.start >= now - nothing(now));
            return Ok(());
        };
        self.engine.rollback()?;
        world.follow(self.engine.steps());
        self.drop_records();
        let particle = Some(self.topology.order[row as usize]);
        Err(Error::Unstable { step: self.engine.steps(), cause: Instability::Penetration, particle })
    }
}

/// Whether a step has failed for want of dispatches or of room for pairs. It is repeated as it was, with more of them.
fn ran_out(error: &Error) -> bool {
    matches!(error, Error::Unstable { cause: Instability::Budget, .. })
}

/// Whether an error is the failure of a step that may succeed with a shorter length.
pub(super) fn is_instability(error: &Error) -> bool {
    matches!(error, Error::NonFinite { .. } | Error::Unstable { .. })
}
