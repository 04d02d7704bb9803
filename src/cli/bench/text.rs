//! The benchmark report as text, at most 120 columns wide.

use super::{
    columns::{columns, three_digits},
    comparison::Comparison,
    meetings,
    report::Report,
    row::WorkloadRow,
    solved,
};
use std::fmt::Write;

const ABSENT: &str = "-";

const TIMES: [[&str; 2]; 11] = [
    ["workload", ""],
    ["particles", ""],
    ["elements", ""],
    ["iterations", "/step"],
    ["step", "ms"],
    ["medians", "ms"],
    ["pipelined", "ms"],
    ["per particle", "& it., ns"],
    ["simulated", "s/s"],
    ["CPU step", "ms"],
    ["CPU/GPU", ""],
];

const COSTS: [[&str; 2]; 12] = [
    ["workload", ""],
    ["dispatches", "/iteration"],
    ["/step", ""],
    ["host waits", "/step"],
    ["host", "µs/step"],
    ["traffic", "B/p./it."],
    ["of copy", "%"],
    ["memory", "B/p."],
    ["set-up", "s"],
    ["assembly", "GPU ms"],
    ["solve", "GPU ms"],
    ["integrate", "GPU ms"],
];

/// Text of the whole report.
pub fn report(report: &Report) -> String {
    let mut text = head(report);
    if !report.rows.is_empty() {
        text += "\n";
        text += &columns(&TIMES, &report.rows.iter().map(times).collect::<Vec<_>>());
        text += "\n";
        text += &columns(&COSTS, &report.rows.iter().map(costs).collect::<Vec<_>>());
        text += "\n";
        text += &notes(report);
    }
    if !report.solved.is_empty() {
        text += "\n";
        text += &solved::text(&report.solved);
    }
    if !report.meetings.is_empty() {
        text += "\n";
        text += &meetings::text(&report.meetings);
    }
    for failed in &report.failed {
        let _ = writeln!(text, "{} failed: {}", failed.name, failed.error);
    }
    if let Some(compared) = &report.comparison {
        text += "\n";
        text += &comparison(compared);
    }
    text.truncate(text.trim_end().len());
    text
}

fn head(report: &Report) -> String {
    let Report { tenter, adapter, driver, backend, device_type, .. } = report;
    format!(
        "tenter   {tenter}\nadapter  {adapter} ({device_type}, {backend})\ndriver   {driver}\n\
         copy     {:.1} GB/s read and written, {} ns per vec4, {} µs per launch\n",
        report.copy_bandwidth * 1e-9,
        three_digits(report.copy_ns_per_element),
        three_digits(report.launch_us),
    )
}

fn times(row: &WorkloadRow) -> Vec<String> {
    let least = row.medians_ms.iter().copied().fold(f64::INFINITY, f64::min);
    let most = row.medians_ms.iter().copied().fold(0.0, f64::max);
    vec![
        row.name.clone(),
        row.particles.to_string(),
        row.elements.to_string(),
        format!("{:.1}", row.iterations),
        three_digits(row.ms_per_step),
        format!("{}–{}", three_digits(least), three_digits(most)),
        three_digits(row.ms_per_step_pipelined),
        three_digits(row.ns_per_particle_iteration),
        three_digits(row.simulated_per_wall_second),
        row.cpu.as_ref().map_or(ABSENT.to_owned(), |cpu| three_digits(cpu.ms_per_step)),
        row.cpu.as_ref().map_or(ABSENT.to_owned(), |cpu| format!("{:.2}", cpu.ratio)),
    ]
}

fn costs(row: &WorkloadRow) -> Vec<String> {
    let stage = |pick: fn(&super::row::StageTimes) -> f64| {
        row.gpu_ms.as_ref().map_or(ABSENT.to_owned(), |times| three_digits(pick(times)))
    };
    vec![
        row.name.clone(),
        row.dispatches_per_iteration.to_string(),
        row.dispatches_per_step.to_string(),
        format!("{:.2}", row.host_synchronisations_per_step),
        three_digits(row.host_us_per_step),
        format!("{:.0}", row.bytes_per_particle_iteration),
        format!("{:.0}", 100.0 * row.copy_bandwidth_fraction),
        format!("{:.0}", row.memory_bytes_per_particle),
        three_digits(row.set_up_seconds),
        stage(|times| times.assembly),
        stage(|times| times.solve),
        stage(|times| times.integrate),
    ]
}

fn notes(report: &Report) -> String {
    let mut text = String::from(
        "step: best of three medians, every step waited for; pipelined: submitted one after the other, best of three\n\
         host: time that the host is busy inside a step, without what it waits there; median\n\
         of copy: bytes of all iterations over the time of the whole step, relative to the copy kernel\n",
    );
    if report.rows.iter().any(|row| row.copy_bandwidth_fraction > 1.0) {
        text += "above 100 %: bytes are counted as if there were no caches, which hold more of a cloth than of the copy's 32 MiB\n";
    }
    for row in report.rows.iter().filter(|row| row.contacts > 0.0) {
        let _ = writeln!(text, "{}: {:.0} contacts per step", row.name, row.contacts);
    }
    for tests in &report.contact_tests {
        let millions = three_digits(tests.pairs_per_second * 1e-6);
        let _ = writeln!(
            text,
            "contact tests, {}: {millions} million pairs of a particle and a collider per second",
            tests.situation
        );
    }
    let untimed = |wanted: &str| {
        let rows = report.rows.iter().filter(|row| row.cpu_skipped.as_deref() == Some(wanted));
        rows.map(|row| row.name.as_str()).collect::<Vec<_>>()
    };
    let mut reasons: Vec<&str> = report.rows.iter().filter_map(|row| row.cpu_skipped.as_deref()).collect();
    reasons.dedup();
    for reason in reasons {
        let _ = writeln!(text, "CPU not timed: {reason} ({})", untimed(reason).join(", "));
    }
    if report.rows.iter().any(|row| row.gpu_ms.is_none()) {
        text += "no GPU times: the adapter has no timestamps\n";
    }
    text
}

fn comparison(comparison: &Comparison) -> String {
    const HEADINGS: [[&str; 2]; 5] = [["workload", ""], ["old", "ms"], ["new", "ms"], ["new/old", ""], ["", ""]];
    let Comparison { old_tenter, old_adapter, old_driver, rows, only_old, only_new } = comparison;
    let mut text = format!("compared with tenter {old_tenter} on {old_adapter}, {old_driver}\n\n");
    let cells = rows.iter().map(|row| {
        let verdict = row.verdict.name().to_owned();
        let ratio = format!("{:.2}", row.ratio);
        vec![row.name.clone(), three_digits(row.old_ms), three_digits(row.new_ms), ratio, verdict]
    });
    text += &columns(&HEADINGS, &cells.collect::<Vec<_>>());
    for (names, whose) in [(only_old, "old"), (only_new, "new")] {
        if !names.is_empty() {
            let _ = writeln!(text, "only in the {whose} report: {}", names.join(", "));
        }
    }
    text
}
