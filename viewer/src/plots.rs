//! Numbers of the simulation, and their course over time.

use crate::app::App;
use eframe::egui::{self, RichText};
use tenter::{StepRecord, view::Colouring};

/// The panel on the right.
pub fn numbers(app: &App, ui: &mut egui::Ui) {
    let info = app.gpu.info();
    ui.add_space(4.0);
    ui.label(RichText::new(if info.name.is_empty() { "WebGPU" } else { &info.name }).strong());
    let status = app.link.status();
    egui::Grid::new("numbers").num_columns(2).show(ui, |ui| {
        let mut row = |name: &str, value: String| {
            ui.label(name);
            ui.label(value);
            ui.end_row();
        };
        row("frame", format!("{:.1} ms", 1e3 * app.frame_seconds));
        row("step", format!("{:.1} ms", 1e3 * status.step_seconds));
        row("real time", format!("{:.2} ×", status.real_time));
        if let Some(file) = &status.file {
            row("particles", file.scene.particle_count().to_string());
        }
        if let Some(costs) = &status.costs {
            row("memory", format!("{:.1} MB", costs.buffer_bytes as f64 * 1e-6));
            row("dispatches", costs.dispatches.to_string());
        }
        row("submissions", format!("≤ {} dispatches", app.link.pace.dispatches()));
        if let Some(record) = status.records.back() {
            row("outcome", format!("{:?}", record.outcome));
            if let Some(measures) = &record.measures {
                row("strain", format!("{:.1} %", 100.0 * measures.largest_strain));
            }
        }
    });
    let records = || status.records.iter();
    ui.separator();
    let series = |value: &dyn Fn(&StepRecord) -> Option<f64>| records().filter_map(value).collect::<Vec<f64>>();
    plot(ui, "iterations", "", &[series(&|record| Some(record.iterations.into()))], false);
    plot(ui, "linearisations", "", &[series(&|record| Some(record.linearisations.into()))], false);
    plot(ui, "residual", "", &[series(&|record| Some(record.residual))], true);
    let energies = [
        series(&|record| record.measures.map(|it| it.kinetic)),
        series(&|record| record.measures.map(|it| it.elastic)),
        series(&|record| record.measures.map(|it| it.potential)),
    ];
    plot(ui, "kinetic, elastic, potential energy", "J", &energies, false);
    plot(
        ui,
        "contacts",
        "",
        &[series(&|record| Some(f64::from(record.contacts + record.meeting.map_or(0, |it| it.active))))],
        false,
    );
    let stages = [
        series(&|record| record.stage_times.map(|it| 1e3 * it.assembly)),
        series(&|record| record.stage_times.map(|it| 1e3 * it.solve)),
        series(&|record| record.stage_times.map(|it| 1e3 * it.integrate)),
    ];
    if stages.iter().any(|stage| !stage.is_empty()) {
        plot(ui, "assembly, solve, integrate", "ms", &stages, false);
    }
}

/// A plot of some series over the last steps.
fn plot(ui: &mut egui::Ui, title: &str, unit: &str, series: &[Vec<f64>], logarithmic: bool) {
    let finite = |value: &f64| value.is_finite();
    let scale = |value: f64| if logarithmic { value.max(1e-12).log10() } else { value };
    let values = || series.iter().flatten().copied().filter(finite).map(scale);
    let (mut least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    if !logarithmic && least > 0.0 {
        least = 0.0;
    }
    let now: Vec<String> = series.iter().filter_map(|values| values.last()).map(|value| short(*value)).collect();
    ui.label(RichText::new(format!("{title}  {} {unit}", now.join(", "))).small());
    let (rect, _) = ui.allocate_exact_size(egui::vec2(ui.available_width(), 42.0), egui::Sense::hover());
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 2.0, ui.visuals().extreme_bg_color);
    if !(least.is_finite() && most.is_finite()) {
        return;
    }
    let span = (most - least).max(1e-12);
    for (ix, values) in series.iter().enumerate() {
        let [red, green, blue] = Colouring::colour(0.15 + 0.35 * ix as f32);
        let count = values.len().max(2) - 1;
        let point = |(ix, value): (usize, &f64)| {
            let height = ((scale(*value) - least) / span) as f32;
            egui::pos2(
                rect.left() + rect.width() * ix as f32 / count as f32,
                rect.bottom() - 2.0 - (rect.height() - 4.0) * height,
            )
        };
        let line: Vec<egui::Pos2> =
            values.iter().enumerate().filter(|(_, value)| value.is_finite()).map(point).collect();
        painter.line(line, egui::Stroke::new(1.3, egui::Color32::from_rgb(red, green, blue)));
    }
}

fn short(value: f64) -> String {
    if value == 0.0 || (0.01..1e4).contains(&value.abs()) {
        format!("{value:.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.1e}")
    }
}
