//! Panels: scenes and controls on the left, numbers and plots on the right.

use crate::{app::App, gallery, input, link::Command, plots, save, setup::Setup};
use eframe::egui::{self, RichText};
use tenter::{Air, Integrator, Nonlinear, SceneFile, glam::Vec3, view::Colouring};

/// Presets of materials that the panel offers.
const PRESETS: [&str; 7] = ["silk", "wool", "cotton", "denim", "leather", "rubber", "jelly"];

/// State of the panels: what their widgets show.
pub struct Panels {
    pub visible: bool,
    pub help: bool,
    speed: f64,
    gravity: f32,
    air: Air,
    time_step: f64,
    integrator: String,
    tolerance: f64,
    safe: bool,
    friction: f32,
    thickness: f32,
    body: Option<BodyNumbers>,
    recording: bool,
}

/// Numbers of the first body.
struct BodyNumbers {
    name: String,
    /// Columns and rows of a generated grid.
    grid: Option<[u32; 2]>,
    preset: Option<String>,
    material: Vec<(String, &'static str, f32)>,
}

impl Panels {
    pub fn new(_: &Setup) -> Self {
        Self {
            visible: true,
            help: false,
            speed: 1.0,
            gravity: 9.81,
            air: Air::default(),
            time_step: 0.01,
            integrator: String::new(),
            tolerance: 1e-2,
            safe: true,
            friction: 0.3,
            thickness: 0.005,
            body: None,
            recording: false,
        }
    }

    /// The same, with what belongs to the person and not to the scene.
    pub fn like(self, other: &Self) -> Self {
        Self { visible: other.visible, help: other.help, speed: other.speed, recording: other.recording, ..self }
    }

    /// Takes the numbers of a scene.
    pub fn read(&mut self, file: &SceneFile) {
        self.gravity = -file.scene.gravity.y;
        self.air = file.scene.air.unwrap_or_default();
        self.time_step = file.options.time_step;
        self.integrator = file.options.integrator.name().to_owned();
        (self.safe, self.tolerance) = match &file.options.nonlinear {
            Nonlinear::Safe(safe) => (true, safe.tolerance),
            _ => (false, file.options.solver.tolerance),
        };
        if let Some(collider) = file.scene.colliders.first() {
            (self.friction, self.thickness) = (collider.friction, collider.thickness);
        } else if let Some(contact) = &file.scene.contact {
            self.friction = contact.friction;
        }
        self.body = file.scene.bodies.first().map(|body| BodyNumbers {
            name: file.names.first().cloned().unwrap_or_default(),
            grid: body.mesh.grid.map(|grid| [grid.columns, grid.rows]),
            preset: None,
            material: crate::material::numbers(&body.material),
        });
    }
}

/// The panels around the scene.
pub fn around(app: &mut App, ui: &mut egui::Ui) {
    if !app.panels.visible {
        return;
    }
    egui::Panel::left("controls").default_size(230.0).show(ui, |ui| {
        egui::ScrollArea::vertical().show(ui, |ui| controls(app, ui));
    });
    egui::Panel::right("numbers").default_size(230.0).show(ui, |ui| {
        egui::ScrollArea::vertical().show(ui, |ui| plots::numbers(app, ui));
    });
}

fn controls(app: &mut App, ui: &mut egui::Ui) {
    ui.add_space(4.0);
    scenes(app, ui);
    ui.separator();
    playback(app, ui);
    ui.separator();
    ui.collapsing("Drawing", |ui| drawing(app, ui));
    egui::CollapsingHeader::new("Forces").default_open(true).show(ui, |ui| forces(app, ui));
    egui::CollapsingHeader::new("Solver").default_open(true).show(ui, |ui| solver(app, ui));
    egui::CollapsingHeader::new("Material").default_open(true).show(ui, |ui| material(app, ui));
    ui.collapsing("Contact", |ui| contact(app, ui));
    ui.collapsing("Save", |ui| save::panel(app, ui));
    if ui.button("Keys (?)").clicked() {
        app.panels.help ^= true;
    }
}

fn scenes(app: &mut App, ui: &mut egui::Ui) {
    let mut wanted = None;
    egui::ComboBox::from_id_salt("scene").selected_text(&app.setup.name).width(200.0).show_ui(ui, |ui| {
        for scene in gallery::SCENES {
            if ui.selectable_label(app.setup.name == scene.name, scene.name).on_hover_text(scene.about()).clicked() {
                wanted = Setup::built_in(scene.name);
            }
        }
    });
    if let Some(about) = gallery::find(&app.setup.name).map(|scene| scene.about()) {
        ui.label(RichText::new(about).weak().small());
    }
    if let Some(setup) = wanted {
        app.open(setup);
    }
}

fn playback(app: &mut App, ui: &mut egui::Ui) {
    let playing = app.link.status().playing;
    ui.horizontal(|ui| {
        if ui.button(if playing { "Pause" } else { "Play" }).clicked() {
            app.link.send(Command::Play(!playing));
        }
        if ui.button("Step").clicked() {
            app.link.send(Command::Step);
        }
        if ui.button("Reset").clicked() {
            app.link.send(Command::Reset);
            app.changes += 1;
        }
    });
    let speed = egui::Slider::new(&mut app.panels.speed, 0.05..=4.0).logarithmic(true).text("speed");
    if ui.add(speed).changed() {
        app.link.set_speed(app.panels.speed);
    }
    ui.add(egui::Slider::new(&mut app.mouse.strength, 0.1..=10.0).logarithmic(true).text("hand"))
        .on_hover_text("Strength with which the mouse pulls");
    ui.horizontal(|ui| {
        if ui.button("Throw a ball").clicked() {
            input::throw(app, ui.ctx());
        }
        if ui.button("Unpin").clicked() {
            app.link.send(Command::Unpin);
            app.changes += 1;
        }
    });
}

fn drawing(app: &mut App, ui: &mut egui::Ui) {
    let now = app.link.status().colouring;
    ui.horizontal_wrapped(|ui| {
        for colouring in Colouring::ALL {
            if ui.selectable_label(now == colouring, colouring.name()).clicked() {
                input::colour(app, colouring);
            }
        }
    });
    ui.checkbox(&mut app.shown.surfaces, "surfaces");
    ui.checkbox(&mut app.shown.wires, "wires");
    ui.checkbox(&mut app.shown.beads, "pins");
    if ui.button("Frame all").clicked() {
        app.orbit = app.orbit.with_all(app.bounds_with_colliders());
    }
}

fn list(values: Vec3) -> String {
    let number = |value: f32| format!("{:?}", f64::from((value * 1e4).round()) / 1e4);
    format!("[{}, {}, {}]", number(values.x), number(values.y), number(values.z))
}

/// A number as TOML, without the noise of f32.
fn number(value: f64) -> String {
    let text = format!("{value:.6e}");
    format!("{:?}", text.parse::<f64>().unwrap_or(value))
}

fn forces(app: &mut App, ui: &mut egui::Ui) {
    if ui.add(egui::Slider::new(&mut app.panels.gravity, -5.0..=25.0).text("gravity")).changed() {
        let gravity = -app.panels.gravity * Vec3::Y;
        app.link.send(Command::Gravity(gravity));
        app.changed("simulation.gravity", list(gravity));
    }
    let mut air = app.panels.air;
    let mut changed = false;
    for (ix, name) in ["wind x", "wind y", "wind z"].into_iter().enumerate() {
        changed |= ui.add(egui::Slider::new(&mut air.wind[ix], -30.0..=30.0).text(name)).changed();
    }
    changed |= ui.add(egui::Slider::new(&mut air.resistance, 0.0..=1.0).text("air")).changed();
    if changed {
        app.panels.air = air;
        app.link.send(Command::Air(air));
        app.changed("air.wind", list(air.wind));
        app.changed("air.resistance", number(air.resistance.into()));
    }
}

fn solver(app: &mut App, ui: &mut egui::Ui) {
    let step = egui::Slider::new(&mut app.panels.time_step, 0.001..=0.04).logarithmic(true).text("step, s");
    if ui.add(step).changed() {
        app.link.send(Command::TimeStep(app.panels.time_step));
        app.changed("simulation.time_step", number(app.panels.time_step));
    }
    let mut wanted = None;
    egui::ComboBox::from_label("integrator").selected_text(&app.panels.integrator).show_ui(ui, |ui| {
        for name in Integrator::ALL.map(Integrator::name) {
            if ui.selectable_label(app.panels.integrator == name, name).clicked() {
                wanted = Some(name);
            }
        }
    });
    if let Some(name) = wanted {
        app.panels.integrator = name.to_owned();
        app.rebuild("simulation.integrator", format!("\"{name}\""));
    }
    let tolerance = egui::Slider::new(&mut app.panels.tolerance, 1e-5..=0.2).logarithmic(true).text("tolerance");
    if settled(&ui.add(tolerance)) {
        let key = if app.panels.safe { "safe.tolerance" } else { "solver.tolerance" };
        app.rebuild(key, number(app.panels.tolerance));
    }
}

/// Whether a slider was let go of, or its number was typed: what is rebuilt is not rebuilt for every pixel.
fn settled(response: &egui::Response) -> bool {
    response.drag_stopped() || (response.changed() && !response.dragged())
}

fn material(app: &mut App, ui: &mut egui::Ui) {
    let Some(mut body) = app.panels.body.take() else { return };
    ui.label(RichText::new(&body.name).strong());
    let mut changes = Vec::new();
    if let Some(grid) = &mut body.grid {
        let mut columns = grid[0];
        let slider = egui::Slider::new(&mut columns, 4..=256).logarithmic(true).text("columns");
        let response = ui.add(slider);
        if columns != grid[0] {
            let rows = (f64::from(grid[1]) * f64::from(columns) / f64::from(grid[0])).round().max(2.0);
            *grid = [columns, rows as u32];
        }
        if settled(&response) {
            changes.push(("body.0.mesh.columns".to_owned(), grid[0].to_string()));
            changes.push(("body.0.mesh.rows".to_owned(), grid[1].to_string()));
        }
    }
    let shown = body.preset.clone().unwrap_or_else(|| "as in the scene".to_owned());
    egui::ComboBox::from_label("preset").selected_text(shown).show_ui(ui, |ui| {
        for preset in PRESETS {
            if ui.selectable_label(body.preset.as_deref() == Some(preset), preset).clicked() {
                body.preset = Some(preset.to_owned());
                app.setup.changes.retain(|(key, _)| !key.starts_with("body.0.material"));
                changes.push(("body.0.material".to_owned(), format!("{{ preset = \"{preset}\" }}")));
            }
        }
    });
    for (key, name, value) in &mut body.material {
        let most = (*value * 100.0).max(1e-6);
        let range = (*value * 0.01).max(1e-9)..=most;
        ui.horizontal(|ui| {
            let response = ui.add(egui::DragValue::new(value).range(range).speed(most * 2e-5));
            ui.label(*name);
            if settled(&response) {
                changes.push((format!("body.0.material.{key}"), number(f64::from(*value))));
            }
        });
    }
    app.panels.body = Some(body);
    if let Some((last_key, last_value)) = changes.pop() {
        for (key, value) in changes {
            app.setup.change(&key, value);
        }
        app.rebuild(&last_key, last_value);
    }
}

fn contact(app: &mut App, ui: &mut egui::Ui) {
    let (count, between) = {
        let status = app.link.status();
        let scene = status.file.as_ref().map(|file| &file.scene);
        (scene.map_or(0, |scene| scene.colliders.len()), scene.is_some_and(|scene| scene.contact.is_some()))
    };
    if count == 0 && !between {
        ui.label("nothing to touch");
        return;
    }
    if settled(&ui.add(egui::Slider::new(&mut app.panels.friction, 0.0..=2.0).text("friction"))) {
        let value = number(app.panels.friction.into());
        (0..count).for_each(|ix| app.setup.change(&format!("collider.{ix}.friction"), value.clone()));
        if between {
            app.setup.change("contact.friction", value);
        }
        app.link.send(Command::Rebuild(app.setup.clone()));
        crate::share::show(&app.setup);
    }
    if count > 0 && settled(&ui.add(egui::Slider::new(&mut app.panels.thickness, 0.0..=0.05).text("thickness, m"))) {
        let value = number(app.panels.thickness.into());
        (0..count).for_each(|ix| app.setup.change(&format!("collider.{ix}.thickness"), value.clone()));
        app.link.send(Command::Rebuild(app.setup.clone()));
    }
    ui.label(RichText::new("Shift-drag moves a collider.").weak());
}

/// What is written over the scene: legend, speed, errors.
pub fn overlays(app: &App, ui: &egui::Ui, rect: egui::Rect) {
    let painter = ui.painter_at(rect);
    let ink = egui::Color32::from_rgb(38, 42, 50);
    let font = egui::FontId::proportional(13.0);
    let status = app.link.status();
    let mut text = format!("{:.2} s", status.time);
    if status.playing {
        text += &format!("   {:.2} × real time", status.real_time);
    }
    if status.loading {
        text += "   building …";
    }
    painter.text(rect.left_top() + egui::vec2(10.0, 8.0), egui::Align2::LEFT_TOP, text, font.clone(), ink);
    if let Some(error) = &status.error {
        let galley =
            painter.layout(error.clone(), font.clone(), egui::Color32::from_rgb(150, 20, 20), rect.width() - 20.0);
        let at = rect.left_bottom() + egui::vec2(10.0, -10.0 - galley.size().y);
        painter.rect_filled(galley.rect.translate(at.to_vec2()).expand(5.0), 3.0, egui::Color32::from_white_alpha(220));
        painter.galley(at, galley, egui::Color32::RED);
    }
    if let (Some([place, target]), true) = (status.grip, app.mouse.is_pulling()) {
        let at = |point: Vec3| {
            let at = app.orbit.project(point, rect.aspect_ratio()).unwrap_or_default();
            rect.min + egui::vec2(0.5 + 0.5 * at.x, 0.5 - 0.5 * at.y) * rect.size()
        };
        painter.line_segment([at(place), at(target)], egui::Stroke::new(1.5, ink));
        painter.circle_filled(at(place), 4.0, ink);
    }
    if status.colouring != Colouring::Plain && status.most > 0.0 {
        let (width, height) = (12.0, 150.0);
        let corner = egui::pos2(rect.right() - 70.0, rect.center().y - 0.5 * height);
        for ix in 0..50 {
            let value = 1.0 - ix as f32 / 49.0;
            let [red, green, blue] = Colouring::colour(value);
            let bar = egui::Rect::from_min_size(
                corner + egui::vec2(0.0, ix as f32 * height / 50.0),
                egui::vec2(width, height / 50.0 + 0.5),
            );
            painter.rect_filled(bar, 0.0, egui::Color32::from_rgb(red, green, blue));
        }
        let unit = status.colouring.unit();
        let label = |y: f32, text: String| {
            painter.text(corner + egui::vec2(width + 5.0, y), egui::Align2::LEFT_CENTER, text, font.clone(), ink)
        };
        label(0.0, format!("{} {unit}", status.most));
        label(height, "0".to_owned());
        painter.text(
            corner + egui::vec2(0.0, -16.0),
            egui::Align2::LEFT_CENTER,
            status.colouring.name(),
            font.clone(),
            ink,
        );
    }
}

/// Windows over everything: the keys.
pub fn windows(app: &mut App, context: &egui::Context) {
    let mut open = app.panels.help;
    egui::Window::new("Keys").open(&mut open).collapsible(false).show(context, |ui| {
        egui::Grid::new("keys").striped(true).show(ui, |ui| {
            for (key, deed) in KEYS {
                ui.label(RichText::new(*key).strong());
                ui.label(*deed);
                ui.end_row();
            }
        });
    });
    app.panels.help = open;
}

const KEYS: &[(&str, &str)] = &[
    ("drag on cloth", "pull at it"),
    ("drag beside it, right button", "turn the camera"),
    ("middle button, Shift + right", "move the camera"),
    ("wheel, two fingers", "zoom; two fingers move, too"),
    ("Shift + drag on a collider", "move the collider"),
    ("Space", "play, pause"),
    ("S", "one step"),
    ("R", "back to the start"),
    ("P while pulling", "pin what is held"),
    ("U", "release all pins"),
    ("B", "throw a ball at the pointer"),
    ("F", "frame all"),
    ("C", "colour: plain, strain, velocity, contact"),
    ("W", "wires"),
    ("Tab", "hide the panels"),
    ("?", "this list"),
];
