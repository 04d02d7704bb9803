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
        Self::with_template(steps, quiet, "{bar:30} {pos}/{len} steps, {per_sec}, {eta} left{msg}")
    }

    /// A bar of so many things that take a while each; hidden likewise.
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

    /// So many steps are done.
    pub fn show(&self, steps: u64, latest: Option<&StepRecord>) {
        self.0.set_position(steps);
        if let Some(record) = latest {
            let contacts = if record.contacts > 0 { format!(", {} contacts", record.contacts) } else { String::new() };
            self.0.set_message(format!(", {} iterations{contacts}", record.iterations));
        }
    }

    /// So many things are done, and this is next.
    pub fn next_task(&self, done: u64, name: &str) {
        self.0.set_position(done);
        self.0.set_message(name.to_owned());
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}
