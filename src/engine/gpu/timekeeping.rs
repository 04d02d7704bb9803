//! Clock and scheme: which step comes next, and what it looks back at.

use crate::engine::Clock;

/// Clock and scheme of an engine. Everything is as of the end of the last step that was submitted.
#[derive(Debug, Clone)]
pub(super) struct Timekeeping {
    /// Steps submitted.
    pub step: u64,
    pub clock: Clock,
    /// Length of the step before the next one, while the scheme may look back at it, s.
    pub before: Option<f64>,
    /// γ h of the step that was submitted last, s.
    pub last_stage_step: f64,
}

impl Timekeeping {
    pub fn new(time_step: f64) -> Self {
        Self { step: 0, clock: Clock::new(time_step), before: None, last_stage_step: time_step }
    }
}
