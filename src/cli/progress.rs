//! A progress bar on stderr, hidden if stderr is not a terminal.

use crate::StepRecord;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// Time between two updates.
const INTERVAL: Duration = Duration::from_millis(100);

/// Progress bar of a run.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar of this many steps; hidden if `quiet` or if stderr is not a terminal.
    pub fn new(steps: u64, quiet: bool) -> Self {
        Self::with_template(steps, quiet, "{bar:30} {pos}/{len} steps, {per_sec}, {eta} left{msg}")
    }

    /// A bar of this many tasks; hidden if stderr is not a terminal.
    pub fn of_tasks(tasks: u64) -> Self {
        Self::with_template(tasks, false, "{bar:30} {pos}/{len} {msg}, {elapsed}")
    }

    fn with_template(length: u64, quiet: bool, template: &str) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
        let bar = ProgressBar::with_draw_target(Some(length), target);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(INTERVAL);
        Self(bar)
    }

    /// Shows the number of finished steps.
    pub fn show(&self, steps: u64, latest: Option<&StepRecord>) {
        self.0.set_position(steps);
        if let Some(record) = latest {
            let contacts = if record.contacts > 0 { format!(", {} contacts", record.contacts) } else { String::new() };
            let meeting =
                record.meeting.map_or_else(String::new, |meeting| format!(", {} pairs in contact", meeting.active));
            self.0.set_message(format!(", {} iterations{contacts}{meeting}", record.iterations));
        }
    }

    /// Shows the number of finished tasks and the name of the next.
    pub fn next_task(&self, done: u64, name: &str) {
        self.0.set_position(done);
        self.0.set_message(name.to_owned());
    }

    /// Removes the bar.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}
