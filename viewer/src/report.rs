//! A line per frame for tests: what the window shows, as JSON.

use crate::link::Link;
use eframe::egui;
use std::{io::Write, path::PathBuf, sync::Arc};
use tenter::{glam::Vec3, view::Orbit};

/// Writes lines to a file, or for scripts of a page.
pub struct Report {
    file: Option<std::fs::File>,
    frames: u64,
}

impl Report {
    pub fn new(path: Option<PathBuf>) -> Self {
        let open = |path: PathBuf| {
            std::fs::File::create(&path).inspect_err(|error| log::error!("{}: {error}", path.display()))
        };
        Self { file: path.and_then(|path| open(path).ok()), frames: 0 }
    }

    /// Writes the line of a frame: its interval and its own time, s.
    pub fn frame(&mut self, link: Arc<Link>, orbit: &Orbit, rect: egui::Rect, scale: f32, interval: f64, own: f64) {
        self.frames += 1;
        let page = cfg!(target_arch = "wasm32");
        if self.file.is_none() && !page {
            return;
        }
        let bounds = link.view().as_ref().map(|view| view.bounds()).unwrap_or_default();
        let status = link.status();
        let point = |place: Vec3| format!("[{:.5},{:.5},{:.5}]", place.x, place.y, place.z);
        let on_screen = |place: Vec3| {
            let at = orbit.project(place, rect.aspect_ratio()).unwrap_or_default();
            let at = rect.min + egui::vec2(0.5 + 0.5 * at.x, 0.5 - 0.5 * at.y) * rect.size();
            format!("[{:.1},{:.1}]", at.x * scale, at.y * scale)
        };
        let grip = status.grip.map_or("null".to_owned(), |[place, target]| {
            format!("{{\"place\":{},\"target\":{},\"pixel\":{}}}", point(place), point(target), on_screen(place))
        });
        let record = status.records.back();
        let line = format!(
            "{{\"frame\":{},\"interval_ms\":{:.2},\"own_ms\":{:.2},\"time\":{:.5},\"steps\":{},\"step_ms\":{:.2},\"real_time\":{:.3},\"playing\":{},\"loading\":{},\"particles\":{},\"iterations\":{},\"submissions\":{},\"bounds\":[{},{}],\"scene_rect\":[{:.1},{:.1},{:.1},{:.1}],\"grip\":{grip},\"pinned\":{},\"colour\":\"{}\",\"error\":{}}}",
            self.frames,
            1e3 * interval,
            1e3 * own,
            status.time,
            status.steps,
            1e3 * status.step_seconds,
            status.real_time,
            status.playing,
            status.loading,
            status.file.as_ref().map_or(0, |file| file.scene.particle_count()),
            record.map_or(0, |record| record.iterations),
            link.pace.submissions(),
            point(bounds[0]),
            point(bounds[1]),
            rect.min.x * scale,
            rect.min.y * scale,
            rect.max.x * scale,
            rect.max.y * scale,
            status.pinned,
            status.colouring.name(),
            status.error.as_ref().map_or("null".to_owned(), |error| format!("{error:?}")),
        );
        drop(status);
        if let Some(file) = &mut self.file
            && writeln!(file, "{line}").is_err()
        {
            self.file = None;
        }
        crate::share::report(&line);
    }
}
