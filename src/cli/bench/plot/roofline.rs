//! Roofline chart: attained bandwidth of every workload below two roofs, the copy kernel's bandwidth, and the same with launch
//! times.
//!
//! The usual axis, flop per byte, would be the same for all workloads, about half: all run the same sparse product. They differ
//! in the bytes per iteration, which hide the launches.

use super::{
    chart::{BLUE, Chart, Dots, GREY, Line, ORANGE},
    where_measured,
};
use crate::cli::bench::{report::Report, row::WorkloadRow};

/// Number of segments of the curved roof.
const SEGMENTS: i32 = 60;

pub fn chart(report: &Report) -> Chart {
    let bandwidth = report.copy_bandwidth * 1e-9;
    let bytes = report.rows.iter().map(|row| row.iteration_bytes());
    let least = bytes.clone().fold(f64::INFINITY, f64::min) / 2.0;
    let most = bytes.fold(0.0, f64::max) * 2.0;
    let point =
        |row: &WorkloadRow| ((row.iteration_bytes() * 1e-6, bandwidth * row.copy_bandwidth_fraction), row.name.clone());
    let launches = report.rows.iter().map(|row| row.dispatches_per_iteration).max().unwrap_or(0);
    let launch_time = f64::from(launches) * report.launch_us * 1e-6;
    let under_launches = |ix: i32| {
        let bytes = least * (most / least).powf(f64::from(ix) / f64::from(SEGMENTS));
        (bytes * 1e-6, bytes / (bytes / report.copy_bandwidth + launch_time) * 1e-9)
    };
    let drawable = least.is_finite() && least > 0.0;
    let (copy, launch) = if drawable {
        (vec![(least * 1e-6, bandwidth), (most * 1e-6, bandwidth)], (0..=SEGMENTS).map(under_launches).collect())
    } else {
        (Vec::new(), Vec::new())
    };
    Chart {
        title: "Attained bandwidth of a step, all its time counted, and what bounds it".to_owned(),
        subtitle: where_measured(report),
        x_label: "bytes read and written by one iteration, MB",
        y_label: "attained bandwidth, GB/s",
        lines: vec![
            Line { name: "copy kernel, 32 MiB", colour: GREY, dashed: false, points: copy },
            Line { name: "copy kernel and launches", colour: ORANGE, dashed: true, points: launch },
        ],
        dots: vec![Dots { name: "workloads", colour: BLUE, points: report.rows.iter().map(point).collect() }],
    }
}
