//! `tenter bench --safe`: cost of the safe step compared with one linearisation.

use super::{
    BenchArguments,
    columns::{columns, three_digits},
};
use crate::{
    Backend, Error, Gpu,
    bench::{
        copy,
        safe_cost::{self, Comparison, Cost},
        workload::Workload,
    },
    cli::{adapter_text, progress::Progress},
};
use serde::Serialize;
use std::fmt::Write;

/// Results of the comparison, printed and saved.
#[derive(Debug, Serialize)]
pub struct SafeReport {
    tenter: &'static str,
    adapter: String,
    driver: String,
    /// Time of an almost empty dispatch, µs.
    launch_us: f64,
    /// Tolerance of one linearisation.
    tolerance: f64,
    /// Number of paired runs.
    pairs: usize,
    rows: Vec<SafeRow>,
}

/// Results of a scene on one backend; means per step.
#[derive(Debug, Serialize)]
struct SafeRow {
    name: String,
    about: &'static str,
    /// `gpu` or `cpu`.
    on: &'static str,
    particles: usize,
    steps: u32,
    iterations: f64,
    iterations_one: f64,
    linearisations: f64,
    ms_per_step: f64,
    ms_per_step_one: f64,
    /// Ratio of the time of safe steps to one linearisation: median of all pairs, and each pair's.
    ratio: f64,
    ratios: Vec<f64>,
    dispatches_per_step: f64,
    /// Fraction of dispatches that returned early.
    idle_dispatches: f64,
    /// Estimated fraction of time in early-returning dispatches, each as long as an almost empty one.
    idle_time: f64,
    /// Whether the cloth left the scene with one linearisation, which makes the comparison meaningless.
    one_exploded: bool,
}

impl SafeRow {
    fn new(workload: &Workload, on: &'static str, launch_us: f64, comparison: &Comparison) -> Self {
        let Comparison { particles, steps, safe, one, .. } = comparison;
        let Cost { iterations, linearisations, ms, dispatches, idle_dispatches, .. } = *safe;
        Self {
            name: workload.name.clone(),
            about: workload.about,
            on,
            particles: *particles,
            steps: *steps,
            iterations,
            iterations_one: one.iterations,
            linearisations,
            ms_per_step: ms,
            ms_per_step_one: one.ms,
            ratio: comparison.ratio(),
            ratios: comparison.ratios.clone(),
            dispatches_per_step: dispatches,
            idle_dispatches: idle_dispatches / dispatches.max(1.0),
            idle_time: idle_dispatches * launch_us * 1e-3 / ms.max(f64::MIN_POSITIVE),
            one_exploded: one.exploded,
        }
    }
}

/// Runs scenes with both methods, on the GPU and on the CPU.
pub fn compare_all(
    gpu: &Gpu,
    workloads: &[Workload],
    arguments: &BenchArguments,
    progress: &Progress,
) -> Result<SafeReport, Error> {
    let launch_us = copy::time(gpu)?.launch_us;
    let mut backends = vec![("gpu", Backend::from(gpu))];
    if !arguments.no_cpu {
        backends.push(("cpu", Backend::Cpu));
    }
    let mut rows = Vec::new();
    for workload in workloads {
        for (on, backend) in &backends {
            progress.next_task((rows.len() / backends.len()) as u64, &format!("{} on the {on}", workload.name));
            rows.push(SafeRow::new(
                workload,
                on,
                launch_us,
                &safe_cost::compare(backend, workload, arguments.tolerance, arguments.pairs)?,
            ));
        }
    }
    let info = gpu.info();
    Ok(SafeReport {
        tenter: env!("CARGO_PKG_VERSION"),
        adapter: info.name.clone(),
        driver: adapter_text::driver(info),
        launch_us,
        tolerance: arguments.tolerance,
        pairs: arguments.pairs,
        rows,
    })
}

/// The report as text.
pub fn text(report: &SafeReport) -> String {
    const HEADINGS: [[&str; 2]; 11] = [
        ["scene", ""],
        ["on", ""],
        ["iterations", "/step"],
        ["one lin.", "/step"],
        ["assemblies", "/step"],
        ["step", "ms"],
        ["one lin.", "ms"],
        ["safe/one", ""],
        ["lowest–highest", ""],
        ["idle", "% dispatches"],
        ["idle", "% time"],
    ];
    let SafeReport { tenter, adapter, driver, launch_us, tolerance, pairs, rows } = report;
    let mut text = format!(
        "tenter   {tenter}\nadapter  {adapter}\ndriver   {driver}\nlaunch   {} µs per dispatch\n\n",
        three_digits(*launch_us)
    );
    let percent =
        |row: &SafeRow, share: f64| if row.on == "gpu" { format!("{:.0}", 100.0 * share) } else { "-".to_owned() };
    let cells = rows.iter().map(|row| {
        let (least, most) = (row.ratios.first().unwrap_or(&0.0), row.ratios.last().unwrap_or(&0.0));
        vec![
            row.name.clone(),
            row.on.to_owned(),
            format!("{:.0}", row.iterations),
            format!("{:.0}", row.iterations_one),
            format!("{:.2}", row.linearisations),
            three_digits(row.ms_per_step),
            three_digits(row.ms_per_step_one),
            format!("{:.2}", row.ratio),
            format!("{least:.2}–{most:.2}"),
            percent(row, row.idle_dispatches),
            percent(row, row.idle_time),
        ]
    });
    text += &columns(&HEADINGS, &cells.collect::<Vec<_>>());
    let _ = write!(
        text,
        "\nsafe/one: time of the safe step over that of one linearisation, solved to {tolerance:e}; median of {pairs} pairs of runs in turn\n\
         idle: dispatches that found nothing to do, or were for nothing; their time as if each took as long as one of next to nothing\n"
    );
    for row in rows.iter().filter(|row| row.one_exploded) {
        let _ = writeln!(
            text,
            "{} on the {}: one linearisation explodes, so the comparison is meaningless",
            row.name, row.on
        );
    }
    text.truncate(text.trim_end().len());
    text
}
