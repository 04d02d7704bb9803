//! Table of contact between bodies: pairs, shortened motion, and where the time of a step goes.

use super::columns::{columns, three_digits};
use crate::{
    StageTimes,
    bench::{meetings::Met, workload::Workload},
};
use serde::{Deserialize, Serialize};

/// Results of a scene of contact between bodies on one backend. Means are over the counted steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeetingRow {
    /// Workload and backend, by which old and new results are matched.
    pub name: String,
    pub workload: String,
    pub about: String,
    /// `adapter` or `CPU`.
    pub on: String,
    pub particles: usize,
    /// Steps before the counted ones.
    pub start: u32,
    /// Number of counted steps.
    pub steps: u32,
    /// Iterations per step.
    pub iterations: f64,
    /// Linearisations per step.
    pub linearisations: f64,
    /// Pairs of a vertex and a triangle or of two edges that are near each other.
    pub pairs: f64,
    /// Pairs that are kept apart, each a row of the system.
    pub active: f64,
    /// Particles whose motion was shortened, per step.
    pub truncated: f64,
    /// Counted steps that failed and were repeated as shorter ones.
    pub failed: u64,
    /// Time per step with a wait after each, ms: median.
    pub ms_per_step: f64,
    /// Share of detection and response in the time of all stages; `null` without timestamps.
    pub collision_share: Option<f64>,
    /// Share of preconditioner, conjugate gradients and line search.
    pub solve_share: Option<f64>,
    /// Share of the assembly of forces and matrix.
    pub assembly_share: Option<f64>,
    pub memory_bytes_per_particle: f64,
    /// Dispatches per step; 0 on the CPU backend.
    pub dispatches_per_step: f64,
    /// Dispatches per iteration; 0 on the CPU backend.
    pub dispatches_per_iteration: u32,
}

impl MeetingRow {
    pub fn new(workload: &Workload, on: &str, (start, steps): (u32, u32), met: &Met) -> Self {
        let whole = |times: &StageTimes| times.assembly + times.solve + times.integrate + times.collision;
        let share = |of: fn(&StageTimes) -> f64| met.stages.as_ref().map(|times| of(times) / whole(times));
        Self {
            name: format!("{} on {on}", workload.name),
            workload: workload.name.clone(),
            about: workload.about.to_owned(),
            on: on.to_owned(),
            particles: met.particles,
            start,
            steps,
            iterations: met.iterations,
            linearisations: met.linearisations,
            pairs: met.pairs,
            active: met.active,
            truncated: met.truncated,
            failed: met.failed,
            ms_per_step: met.ms_per_step,
            collision_share: share(|times| times.collision),
            solve_share: share(|times| times.solve),
            assembly_share: share(|times| times.assembly),
            memory_bytes_per_particle: met.costs.buffer_bytes as f64 / met.particles.max(1) as f64,
            dispatches_per_step: met.dispatches,
            dispatches_per_iteration: met.costs.dispatches_per_iteration,
        }
    }
}

/// The table, with notes.
pub fn text(rows: &[MeetingRow]) -> String {
    const HEADINGS: [[&str; 2]; 15] = [
        ["bodies meet", ""],
        ["on", ""],
        ["particles", ""],
        ["iter.", "/step"],
        ["lin.", "/step"],
        ["pairs", ""],
        ["rows", ""],
        ["cut", "/step"],
        ["failed", "steps"],
        ["step", "ms"],
        ["contact", "%"],
        ["solve", "%"],
        ["assembly", "%"],
        ["memory", "B/p."],
        ["dispatches", "/step, /it."],
    ];
    let percent = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{:.0}", 100.0 * share));
    let on_gpu = |row: &MeetingRow, text: String| if row.dispatches_per_step > 0.0 { text } else { "-".to_owned() };
    let cells = rows.iter().map(|row| {
        vec![
            row.workload.clone(),
            row.on.clone(),
            row.particles.to_string(),
            format!("{:.0}", row.iterations),
            format!("{:.1}", row.linearisations),
            format!("{:.0}", row.pairs),
            format!("{:.0}", row.active),
            format!("{:.1}", row.truncated),
            format!("{} of {}", row.failed, row.steps),
            three_digits(row.ms_per_step),
            percent(row.collision_share),
            percent(row.solve_share),
            percent(row.assembly_share),
            on_gpu(row, format!("{:.0}", row.memory_bytes_per_particle)),
            on_gpu(row, format!("{:.0}, {}", row.dispatches_per_step, row.dispatches_per_iteration)),
        ]
    });
    let mut text = columns(&HEADINGS, &cells.collect::<Vec<_>>());
    text += "\npairs: near each other; rows: kept apart; cut: particles whose motion was shortened\n\
             contact: search for pairs, contact passes and guard, as a share of all stages; the product with rows is part of the solve\n\
             step: median, every step waited for, stages timed; what failed and was repeated counts as one step\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Costs, bench::meetings};

    #[test]
    fn shares_of_the_stages_are_of_their_sum() {
        let met = Met {
            particles: 10,
            iterations: 5.0,
            linearisations: 1.0,
            pairs: 3.0,
            active: 2.0,
            truncated: 0.0,
            failed: 0,
            ms_per_step: 7.0,
            stages: Some(StageTimes { assembly: 1.0, solve: 2.0, integrate: 1.0, collision: 4.0 }),
            dispatches: 0.0,
            costs: Costs::default(),
        };
        let row = MeetingRow::new(&meetings::all()[0], "CPU", (4, 5), &met);
        assert_eq!((row.collision_share, row.solve_share), (Some(0.5), Some(0.25)));
        let untimed = MeetingRow::new(&meetings::all()[0], "CPU", (4, 5), &Met { stages: None, ..met });
        assert_eq!(untimed.collision_share, None);
        let text = text(&[row, untimed]);
        assert!(
            text.lines().nth(2).unwrap().contains("50  ") && text.lines().nth(3).unwrap().contains(" -  "),
            "{text}"
        );
    }
}
