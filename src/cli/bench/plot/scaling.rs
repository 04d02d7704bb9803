//! Chart of the time per step against size, with the time of the copy kernel for the same bytes.

use super::{
    chart::{BLUE, Chart, Dots, GREY, Line, ORANGE},
    where_measured,
};
use crate::cli::bench::{report::Report, row::WorkloadRow};

pub fn chart(report: &Report) -> Chart {
    let (w1, others): (Vec<&WorkloadRow>, Vec<&WorkloadRow>) = report.rows.iter().partition(|row| row.is_w1());
    let named = |rows: &[&WorkloadRow]| {
        rows.iter().map(|row| ((row.particles as f64, row.ms_per_step), row.name.clone())).collect::<Vec<_>>()
    };
    let joined = |dots: &[((f64, f64), String)]| dots.iter().map(|(point, _)| *point).collect::<Vec<_>>();
    let measured = named(&w1);
    let cpu: Vec<((f64, f64), String)> = report
        .rows
        .iter()
        .filter(|row| row.is_w1())
        .filter_map(|row| Some(((row.particles as f64, row.cpu.as_ref()?.ms_per_step), String::new())))
        .collect();
    let mut lines =
        vec![Line { name: "ideal: bytes at the copy's speed", colour: GREY, dashed: true, points: ideal(report, &w1) }];
    lines.push(Line { name: "", colour: BLUE, dashed: false, points: joined(&measured) });
    lines.push(Line { name: "", colour: GREY, dashed: false, points: joined(&cpu) });
    let mut dots = vec![Dots { name: "W1, hanging cloth", colour: BLUE, points: measured }];
    dots.push(Dots { name: "other workloads", colour: ORANGE, points: named(&others) });
    dots.push(Dots { name: "W1 on the CPU backend", colour: GREY, points: cpu });
    dots.retain(|dots| !dots.points.is_empty());
    Chart {
        title: "Time of a step against size".to_owned(),
        subtitle: where_measured(report),
        x_label: "particles",
        y_label: "time per step, ms",
        lines,
        dots,
    }
}

/// Ideal line: the bytes per particle at the copy kernel's bandwidth, straight in logarithmic axes.
fn ideal(report: &Report, w1: &[&WorkloadRow]) -> Vec<(f64, f64)> {
    let Some(row) = w1.iter().copied().max_by_key(|row| row.particles).or(report.rows.first()) else {
        return Vec::new();
    };
    let bytes_per_particle = row.bytes_per_particle_iteration * row.iterations;
    let least = report.rows.iter().map(|row| row.particles).min().unwrap_or(1) as f64;
    let most = report.rows.iter().map(|row| row.particles).max().unwrap_or(1) as f64;
    let at = |particles: f64| (particles, 1e3 * particles * bytes_per_particle / report.copy_bandwidth);
    vec![at(least / 1.3), at(most * 1.3)]
}
