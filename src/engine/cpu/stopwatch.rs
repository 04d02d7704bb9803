//! Time of a step by stage, by the clock of the host.

use crate::{StageTimes, stage::StepPart};
use std::{cell::Cell, time::Instant};

/// A clock that runs for one stage at a time.
#[derive(Debug)]
pub(in crate::engine) struct Stopwatch {
    /// Time of each stage so far, s.
    times: Cell<[f64; StepPart::COUNT]>,
    /// The stage that runs, and since when; `None` where nothing is timed.
    running: Cell<Option<(StepPart, Instant)>>,
}

/// A stage that runs until this is dropped. Then the stage goes on that it interrupted.
pub(in crate::engine) struct Running<'a> {
    stopwatch: &'a Stopwatch,
    interrupted: Option<StepPart>,
}

impl Stopwatch {
    /// Starts the clock for what belongs to no other stage, if the step is timed. Browsers have no such clock.
    pub fn start(timed: bool) -> Self {
        let timed = timed && !cfg!(target_arch = "wasm32");
        let running = timed.then(|| (StepPart::Integrate, Instant::now()));
        Self { times: Cell::default(), running: Cell::new(running) }
    }

    /// Begins a stage, which may interrupt another.
    #[must_use]
    pub fn enter(&self, part: StepPart) -> Running<'_> {
        Running { stopwatch: self, interrupted: self.switch(part) }
    }

    /// Time of each stage so far.
    pub fn times(&self) -> Option<StageTimes> {
        self.switch(StepPart::Integrate).map(|_| StepPart::times(self.times.get()))
    }

    /// Runs for another stage from now on. Returns the stage before it.
    fn switch(&self, part: StepPart) -> Option<StepPart> {
        let (before, since) = self.running.get()?;
        let now = Instant::now();
        let mut times = self.times.get();
        times[before as usize] += now.duration_since(since).as_secs_f64();
        self.times.set(times);
        self.running.set(Some((part, now)));
        Some(before)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if let Some(part) = self.interrupted {
            self.stopwatch.switch(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn time_counts_for_the_innermost_stage() {
        let pause = || std::thread::sleep(Duration::from_millis(2));
        let stopwatch = Stopwatch::start(true);
        {
            let _outer = stopwatch.enter(StepPart::Solve);
            pause();
            {
                let _inner = stopwatch.enter(StepPart::Collision);
                pause();
            }
            pause();
        }
        let times = stopwatch.times().unwrap();
        assert!(times.solve >= 4e-3 && times.collision >= 2e-3, "{times:?}");
        assert!(times.assembly == 0.0 && times.integrate < times.solve, "{times:?}");
        assert_eq!(Stopwatch::start(false).times(), None);
    }
}
