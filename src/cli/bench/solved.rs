//! Table of iterations, time and memory by preconditioner.

use super::columns::{columns, three_digits};
use crate::bench::{
    preconditioners::{SetUp, Solved, Variant},
    workload::Workload,
};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Results of a scene with one preconditioner, on the GPU unless stated otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SolvedRow {
    /// Workload, preconditioner and start, by which old and new results are matched.
    pub name: String,
    pub workload: String,
    pub about: String,
    pub preconditioner: String,
    /// Whether the first solve of a step begins along the velocity change of the last step.
    pub warm_start: bool,
    pub particles: usize,
    /// Number of counted steps.
    pub steps: u32,
    /// Iterations per step, mean.
    pub iterations: f64,
    /// Ratio of the iterations to those of block Jacobi from 0.
    pub iterations_ratio: f64,
    /// Time per step with a wait after each, ms: median.
    pub ms_per_step: f64,
    /// Ratio of the time per step to that of block Jacobi from 0: median over the steps.
    pub ratio: f64,
    /// Counted steps whose solve did not end converged.
    pub unconverged: u32,
    /// Particles in contact per step, mean.
    pub contacts: f64,
    /// Time to start a solve, ms: the preconditioner with its coarse matrix.
    pub set_up_ms: f64,
    pub memory_bytes: u64,
    pub memory_bytes_per_particle: f64,
    /// Dispatches per iteration; 0 if the whole solve is one dispatch.
    pub dispatches_per_iteration: u32,
    pub bytes_per_particle_iteration: f64,
    /// Results on the CPU backend; `null` if not timed.
    pub cpu: Option<SolvedOnCpu>,
    /// Reason why the CPU backend was not timed.
    pub cpu_skipped: Option<String>,
}

/// Results of a variant on the CPU backend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SolvedOnCpu {
    pub iterations: f64,
    pub iterations_ratio: f64,
    pub ms_per_step: f64,
    /// Ratio of the time per step to that of block Jacobi from 0: median over the steps.
    pub ratio: f64,
    pub unconverged: u32,
}

/// Rows of a workload, one per variant.
pub fn rows(
    workload: &Workload,
    steps: u32,
    gpu: &[Solved],
    set_ups: &[SetUp],
    cpu: Result<&[Solved], &str>,
) -> Vec<SolvedRow> {
    let particles = workload.scene.particle_count();
    let per_particle = |bytes: u64| bytes as f64 / particles.max(1) as f64;
    let ratio = |value: f64, base: f64| if base > 0.0 { value / base } else { 0.0 };
    let row = |(ix, (variant, set_up)): (usize, (&Variant, &SetUp))| {
        let (base, own) = (gpu.first()?, gpu.get(ix)?);
        let on_cpu = |solved: &[Solved]| {
            let (base, own) = (solved.first()?, solved.get(ix)?);
            Some(SolvedOnCpu {
                iterations: own.iterations,
                iterations_ratio: ratio(own.iterations, base.iterations),
                ms_per_step: own.ms_per_step(),
                ratio: own.ratio_to(base),
                unconverged: own.unconverged,
            })
        };
        Some(SolvedRow {
            name: format!("{} {}", workload.name, variant.name()),
            workload: workload.name.clone(),
            about: workload.about.to_owned(),
            preconditioner: variant.preconditioner.name().to_owned(),
            warm_start: variant.warm_start,
            particles,
            steps,
            iterations: own.iterations,
            iterations_ratio: ratio(own.iterations, base.iterations),
            ms_per_step: own.ms_per_step(),
            ratio: own.ratio_to(base),
            unconverged: own.unconverged,
            contacts: own.contacts,
            set_up_ms: set_up.ms,
            memory_bytes: set_up.bytes,
            memory_bytes_per_particle: per_particle(set_up.bytes),
            dispatches_per_iteration: own.costs.dispatches_per_iteration,
            bytes_per_particle_iteration: per_particle(own.costs.iteration_bytes),
            cpu: cpu.ok().and_then(on_cpu),
            cpu_skipped: cpu.err().map(str::to_owned),
        })
    };
    Variant::ALL.iter().zip(set_ups).enumerate().filter_map(row).collect()
}

/// The table, with notes.
pub fn text(rows: &[SolvedRow]) -> String {
    const HEADINGS: [[&str; 2]; 13] = [
        ["solved", ""],
        ["precon-", "ditioner"],
        ["from", ""],
        ["iter.", "/step"],
        ["/first", ""],
        ["step", "ms"],
        ["/first", ""],
        ["start", "ms"],
        ["disp.", "/it."],
        ["memory", "B/p."],
        ["CPU it.", "/step"],
        ["CPU step", "ms"],
        ["/first", ""],
    ];
    let absent = || "-".to_owned();
    let two = |value: f64| format!("{value:.2}");
    let cells = rows.iter().map(|row| {
        let cpu = |cell: &dyn Fn(&SolvedOnCpu) -> String| row.cpu.as_ref().map_or_else(absent, cell);
        vec![
            row.workload.clone(),
            row.preconditioner.clone(),
            if row.warm_start { "warm" } else { "0" }.to_owned(),
            format!("{:.1}", row.iterations),
            two(row.iterations_ratio),
            three_digits(row.ms_per_step),
            two(row.ratio),
            three_digits(row.set_up_ms),
            row.dispatches_per_iteration.to_string(),
            format!("{:.0}", row.memory_bytes_per_particle),
            cpu(&|cpu| format!("{:.1}", cpu.iterations)),
            cpu(&|cpu| three_digits(cpu.ms_per_step)),
            cpu(&|cpu| two(cpu.ratio)),
        ]
    });
    let mut text = columns(&HEADINGS, &cells.collect::<Vec<_>>());
    text += "\n/first: ratio to the first row of the scene; of times the median over the steps, which the rows make in turn\n\
             step: median, every step waited for; start: preconditioner and coarse matrix, once per linearisation\n";
    for row in rows {
        let on_cpu = row.cpu.as_ref().map_or(0, |cpu| cpu.unconverged);
        for (on, count) in [("adapter", row.unconverged), ("CPU", on_cpu)].into_iter().filter(|(_, count)| *count > 0) {
            let _ = writeln!(text, "{} on the {on}: {count} of {} steps not converged", row.name, row.steps);
        }
    }
    for first in rows.iter().filter(|row| !row.warm_start && row.iterations_ratio == 1.0 && row.cpu.is_none()) {
        if let Some(reason) = &first.cpu_skipped {
            let _ = writeln!(text, "{}: CPU not timed, {reason}", first.workload);
        }
    }
    text
}
