//! Whether the CPU backend would be faster than a software adapter: the first steps of a run, timed on both.

use crate::{Backend, SceneFile, Simulation};
use std::time::{Duration, Instant};

/// Runs of fewer steps are over before it matters.
const LEAST_STEPS: u64 = 20;
/// Steps that are not timed: buffers and caches are cold.
const WARM_UP: u64 = 2;
/// Last step that is timed.
const LAST: u64 = 8;
/// The CPU's steps end after this time, whatever their number.
const LIMIT: Duration = Duration::from_secs(2);

/// When the first steps of a run were done.
#[derive(Default)]
pub struct FirstSteps {
    /// Steps, and the time since the start, without what was spent on files.
    warm: Option<(u64, Duration)>,
    last: Option<(u64, Duration)>,
}

impl FirstSteps {
    /// Notes that so many steps have been submitted by a time since the start.
    pub fn note(&mut self, steps: u64, time: Duration) {
        if self.warm.is_none() && steps >= WARM_UP {
            self.warm = Some((steps, time));
        }
        if steps <= LAST {
            self.last = Some((steps, time));
        }
    }

    /// Time of one of them.
    fn each(&self) -> Option<Duration> {
        let ((first, from), (last, to)) = (self.warm?, self.last?);
        let count = u32::try_from(last.checked_sub(first)?).ok().filter(|count| *count > 0)?;
        Some(to.checked_sub(from)? / count)
    }
}

/// How many times as fast the CPU backend takes the same first steps; `None` if that is not worth finding out or cannot be.
pub fn compare(file: &SceneFile, first_steps: &FirstSteps, steps: u64) -> Option<f64> {
    // Adaptive steps are not the same ones on both.
    if steps < LEAST_STEPS || file.options.adaptive.is_some() {
        return None;
    }
    let ours = first_steps.each()?;
    // One step of the CPU might then take longer than anybody wants to wait.
    if ours > LIMIT {
        return None;
    }
    let on_cpu = on_cpu(file)?;
    Some(ours.as_secs_f64() / on_cpu.as_secs_f64().max(1e-9))
}

/// Time of one of the first steps on the CPU.
fn on_cpu(file: &SceneFile) -> Option<Duration> {
    let mut simulation = Simulation::new(Backend::Cpu, &file.scene, file.options.clone()).ok()?;
    let start = Instant::now();
    let mut first_steps = FirstSteps::default();
    let mut each = None;
    while simulation.steps() < LAST && start.elapsed() < LIMIT {
        simulation.step().ok()?;
        let time = start.elapsed();
        each = each.or(Some(time));
        first_steps.note(simulation.steps(), time);
    }
    first_steps.each().or(each)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cold_steps_do_not_count() {
        let mut steps = FirstSteps::default();
        assert_eq!(steps.each(), None);
        for (step, ms) in [(0, 0), (1, 500), (2, 510), (3, 520), (8, 570), (9, 10_000)] {
            steps.note(step, Duration::from_millis(ms));
        }
        assert_eq!(steps.each(), Some(Duration::from_millis(10)));
    }
}
