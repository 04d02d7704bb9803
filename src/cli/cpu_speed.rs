//! Compares the CPU backend with a software adapter by the time of a run's first steps.

use crate::{Backend, SceneFile};
use std::time::{Duration, Instant};

/// Smallest number of steps of a run that is compared.
const LEAST_STEPS: u64 = 20;
/// First steps that are not timed, while buffers and caches are cold.
const WARM_UP: u64 = 2;
/// Number of the last timed step.
const LAST: u64 = 8;
/// Time limit of the CPU's steps.
const LIMIT: Duration = Duration::from_secs(2);

/// Times of a run's first steps.
#[derive(Default)]
pub struct FirstSteps {
    /// Number of steps after the warm-up, and the time since the start without writing files.
    warm: Option<(u64, Duration)>,
    last: Option<(u64, Duration)>,
}

impl FirstSteps {
    /// Records the number of submitted steps at a time since the start.
    pub fn note(&mut self, steps: u64, time: Duration) {
        if self.warm.is_none() && steps >= WARM_UP {
            self.warm = Some((steps, time));
        }
        if steps <= LAST {
            self.last = Some((steps, time));
        }
    }

    /// Mean time of a timed step.
    fn each(&self) -> Option<Duration> {
        let ((first, from), (last, to)) = (self.warm?, self.last?);
        let count = u32::try_from(last.checked_sub(first)?).ok().filter(|count| *count > 0)?;
        Some(to.checked_sub(from)? / count)
    }
}

/// Speed-up of the CPU backend in the same first steps; `None` if the run is too short, adaptive or too slow to compare.
pub fn compare(file: &SceneFile, first_steps: &FirstSteps, steps: u64) -> Option<f64> {
    // Adaptive steps differ between the two backends.
    if steps < LEAST_STEPS || file.options.adaptive.is_some() {
        return None;
    }
    let ours = first_steps.each()?;
    // A single step on the CPU could exceed the time limit.
    if ours > LIMIT {
        return None;
    }
    let on_cpu = on_cpu(file)?;
    Some(ours.as_secs_f64() / on_cpu.as_secs_f64().max(1e-9))
}

/// Mean time of a first step on the CPU.
fn on_cpu(file: &SceneFile) -> Option<Duration> {
    let mut simulation = file.scene.simulation(Backend::Cpu, file.options.clone()).ok()?;
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
