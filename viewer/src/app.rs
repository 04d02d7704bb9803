//! The interface: one window with the scene, its controls and its numbers.

use crate::{
    canvas::{self, Canvas},
    grants::Grants,
    input::Mouse,
    link::{Command, Link},
    panels::{self, Panels},
    report::Report,
    runner,
    save::Saving,
    setup::Setup,
    worker::Surroundings,
};
use eframe::{egui, egui_wgpu::RenderState};
use std::sync::Arc;
use tenter::{
    Gpu,
    glam::Vec3,
    view::{Orbit, Shown},
};
use web_time::Instant;

/// What the program was started with.
#[derive(Default)]
pub struct Start {
    /// The scene to show, and a message if it could not be opened.
    pub setup: Option<Setup>,
    pub error: Option<String>,
    /// Simulate on the CPU.
    pub cpu: bool,
    /// Do not begin to simulate by itself.
    pub paused: bool,
    /// File for a line per frame.
    pub report: Option<std::path::PathBuf>,
}

/// The whole interface.
pub struct App {
    pub link: Arc<Link>,
    pub gpu: Gpu,
    pub render: RenderState,
    canvas: Canvas,
    pub setup: Setup,
    pub orbit: Orbit,
    pub shown: Shown,
    pub panels: Panels,
    pub mouse: Mouse,
    pub saving: Saving,
    grants: Grants,
    report: Report,
    generation: u64,
    last_frame: Option<Instant>,
    /// Length of the last frames on the clock, s, averaged.
    pub frame_seconds: f64,
    /// What the texture shows.
    drawn: Option<(u64, Orbit, Shown, [u32; 2], u64)>,
    /// Counts changes of the picture other than steps and camera.
    pub changes: u64,
    /// Size of the picture in pixels, and its place in the window in points.
    pub size: [u32; 2],
    pub rect: egui::Rect,
}

impl App {
    /// Starts the simulation's side and the interface.
    pub fn new(context: &eframe::CreationContext<'_>, start: Start) -> Result<Self, String> {
        let render = context.wgpu_render_state.clone().ok_or("the window has no device")?;
        let gpu = Gpu::from_wgpu(render.device.clone(), render.queue.clone());
        let samples = if gpu.is_software() { 1 } else { 4 };
        let link = Link::new();
        let surroundings = Surroundings { gpu: gpu.clone(), format: canvas::FORMAT, samples, cpu: start.cpu };
        runner::start(surroundings, link.clone());
        let setup = start.setup.or_else(|| Setup::built_in("drape")).unwrap_or_default();
        link.status().error = start.error;
        link.send(Command::Load(setup.clone()));
        link.send(Command::Play(!start.paused));
        Ok(Self {
            canvas: Canvas::new(render.clone(), samples),
            link,
            gpu,
            render,
            orbit: Orbit::default(),
            shown: Shown::default(),
            panels: Panels::new(&setup),
            mouse: Mouse::default(),
            saving: Saving::default(),
            grants: Grants::default(),
            report: Report::new(start.report),
            generation: 0,
            last_frame: None,
            frame_seconds: 0.0,
            drawn: None,
            changes: 0,
            size: [1, 1],
            rect: egui::Rect::NOTHING,
            setup,
        })
    }

    /// Opens another scene.
    pub fn open(&mut self, setup: Setup) {
        self.panels = Panels::new(&setup).like(&self.panels);
        self.setup = setup.clone();
        self.link.send(Command::Load(setup));
        crate::share::show(&self.setup);
    }

    /// Changes a number of the scene that needs a rebuild.
    pub fn rebuild(&mut self, key: &str, value: String) {
        self.setup.change(key, value);
        self.link.send(Command::Rebuild(self.setup.clone()));
        crate::share::show(&self.setup);
    }

    /// Notes a number of the scene that acts at once.
    pub fn changed(&mut self, key: &str, value: String) {
        self.setup.change(key, value);
        crate::share::show(&self.setup);
    }

    fn greet_new_scene(&mut self) {
        let status = self.link.status();
        if status.generation == self.generation {
            return;
        }
        self.generation = status.generation;
        let file = status.file.clone();
        drop(status);
        self.changes += 1;
        if let Some(file) = file {
            self.panels.read(&file);
            let ratio = self.size[0] as f32 / self.size[1].max(1) as f32;
            let bounds = self.bounds_with_colliders();
            self.orbit = match file.camera {
                Some(camera) => Orbit::between(camera.eye, camera.target),
                None => Orbit::framing(bounds),
            };
            if ratio < 1.0 && ratio > 0.0 {
                self.orbit.distance /= ratio;
            }
        }
    }

    /// The box around everything that may come into sight, m: the bodies, and what they may fall on.
    pub fn bounds_with_colliders(&self) -> [Vec3; 2] {
        let Some([mut least, mut most]) = self.link.view().as_ref().map(|view| view.bounds()) else {
            return [Vec3::splat(-1.0), Vec3::ONE];
        };
        let size = (most - least).length();
        let status = self.link.status();
        if let Some(file) = &status.file {
            let middle = 0.5 * (least + most);
            for (collider, pose) in file.scene.colliders.iter().zip(&status.poses) {
                let near = pose.position.distance(middle) < 2.5 * size;
                if !matches!(collider.shape, tenter::Shape::Plane) && near {
                    let reach = 0.15 * size;
                    least = least.min(pose.position - reach);
                    most = most.max(pose.position + reach);
                }
            }
            // Hanging cloth swings down.
            if file.scene.colliders.is_empty() && !file.scene.pins.is_empty() && file.scene.gravity.y < 0.0 {
                least.y = least.y.min(most.y - 0.75 * (most - least).max_element());
            }
        }
        [least, most]
    }

    fn grant(&mut self, seconds: f64) {
        self.link.frame(seconds);
        self.grants.frame(seconds, &self.link.pace);
    }

    fn draw_scene(&mut self, ui: &mut egui::Ui) {
        let rect = ui.available_rect_before_wrap();
        let response = ui.allocate_rect(rect, egui::Sense::click_and_drag());
        let scale = ui.ctx().pixels_per_point();
        // A driver without a GPU draws fewer pixels.
        let coarse = if self.gpu.is_software() { 0.75 } else { 1.0 };
        self.size = [rect.width(), rect.height()].map(|side| (side * scale * coarse).round().max(1.0) as u32);
        self.rect = rect;
        self.greet_new_scene();
        crate::input::handle(self, ui, &response);
        let steps = self.link.status().steps;
        let key = (steps, self.orbit, self.shown, self.size, self.changes);
        let Self { canvas, link, orbit, shown, size, .. } = self;
        if let Some(view) = &mut *link.view() {
            let surveyed = view.survey();
            if self.drawn != Some(key) {
                let drawn = surveyed.and_then(|()| canvas.draw(view, orbit, shown, *size));
                match drawn {
                    Ok(()) => self.drawn = Some(key),
                    Err(error) => link.status().error = Some(error.to_string()),
                }
            }
        }
        if let Some(texture) = self.canvas.texture() {
            let whole = egui::Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
            ui.painter().image(texture, rect, whole, egui::Color32::WHITE);
        }
        panels::overlays(self, ui, rect);
    }

    /// The texture of the scene, for pictures.
    pub fn pixels(&self) -> Option<(&eframe::wgpu::Texture, [u32; 2])> {
        self.canvas.pixels()
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        let begin = Instant::now();
        let seconds = self.last_frame.replace(begin).map_or(0.0, |last| begin.duration_since(last).as_secs_f64());
        self.frame_seconds += 0.1 * (seconds.min(1.0) - self.frame_seconds);
        if let Err(error) = self.gpu.poll() {
            self.link.status().error = Some(error.to_string());
        }
        #[cfg(target_arch = "wasm32")]
        let is_behind = crate::web::is_behind(&self.render.queue, ui.ctx());
        #[cfg(not(target_arch = "wasm32"))]
        let is_behind = false;
        self.grant(seconds);
        crate::drop::take(self, ui.ctx());
        panels::around(self, ui);
        egui::CentralPanel::no_frame().show(ui, |ui| self.draw_scene(ui));
        panels::windows(self, ui.ctx());
        crate::save::go_on(self);
        let busy = {
            let status = self.link.status();
            status.playing || status.loading
        };
        // While something moves or is under way the next frame comes at once; otherwise a glance now and then.
        if is_behind {
            // The device asks for a frame when it has caught up.
        } else if busy || self.mouse.is_busy() || self.saving.is_busy() || self.drawn.is_none() {
            ui.ctx().request_repaint();
        } else {
            ui.ctx().request_repaint_after(std::time::Duration::from_millis(150));
        }
        self.report.frame(
            self.link.clone(),
            &self.orbit,
            self.rect,
            ui.ctx().pixels_per_point(),
            seconds,
            begin.elapsed().as_secs_f64(),
        );
    }

    fn on_exit(&mut self) {
        self.link.status().playing = false;
    }
}
