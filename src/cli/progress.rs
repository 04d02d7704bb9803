//! A bar on stderr while a run takes its time; not where nobody watches.

use crate::StepRecord;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// Between two drawings.
const INTERVAL: Duration = Duration::from_millis(100);

/// The bar of a run.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar of so many steps; hidden if stderr is no terminal, or on demand.
    pub fn new(steps: u64, quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
        let bar = ProgressBar::with_draw_target(Some(steps), target);
        let template = "{bar:30} {pos}/{len} steps, {per_sec}, {eta} left{msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(INTERVAL);
        Self(bar)
    }

    /// So many steps are done.
    pub fn show(&self, steps: u64, latest: Option<&StepRecord>) {
        self.0.set_position(steps);
        if let Some(record) = latest {
            self.0.set_message(format!(", {} iterations", record.iterations));
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}
