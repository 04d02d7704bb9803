//! Clock and scheme: the next step, and the previous step that a scheme looks back at.

use crate::engine::Clock;

/// Clock and scheme of an engine at the end of the last submitted step.
#[derive(Debug, Clone)]
pub(super) struct Timekeeping {
    /// Number of steps submitted.
    pub step: u64,
    pub clock: Clock,
    /// Length of the step before the next one, for schemes that look back at it, s.
    pub before: Option<f64>,
    /// γ h of the last submitted step, s.
    pub last_stage_step: f64,
}

impl Timekeeping {
    pub fn new(time_step: f64) -> Self {
        Self { step: 0, clock: Clock::new(time_step), before: None, last_stage_step: time_step }
    }
}
