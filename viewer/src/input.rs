//! Mouse, touch and keys on the scene.

use crate::{app::App, link::Command, worker};
use eframe::egui::{self, Key, PointerButton};
use tenter::{
    ColliderId,
    glam::{Vec2, Vec3},
    view::{Colouring, Orbit, Ray},
};

/// What the pressed mouse does.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum Deed {
    #[default]
    Nothing,
    /// Waits to hear what is under it; so far moved, in heights of the picture.
    Asking {
        moved: Vec2,
        shift: bool,
    },
    Turning,
    Panning,
    /// Pulls, in a plane through a point.
    Pulling {
        point: Vec3,
        normal: Vec3,
    },
    /// Moves a collider, in a plane through where it was pressed.
    Leading {
        collider: ColliderId,
        offset: Vec3,
        point: Vec3,
        normal: Vec3,
    },
}

/// State of the mouse.
pub struct Mouse {
    deed: Deed,
    /// Strength of the hand.
    pub strength: f32,
    /// Released before the answer came.
    gone: bool,
}

impl Default for Mouse {
    fn default() -> Self {
        Self { deed: Deed::Nothing, strength: 1.0, gone: false }
    }
}

impl Mouse {
    /// Whether the mouse needs frames.
    pub fn is_busy(&self) -> bool {
        self.deed != Deed::Nothing
    }

    /// Whether something is held.
    pub fn is_pulling(&self) -> bool {
        matches!(self.deed, Deed::Pulling { .. })
    }
}

/// Handles mouse, touch and keys.
pub fn handle(app: &mut App, ui: &egui::Ui, response: &egui::Response) {
    keys(app, ui.ctx());
    let height = response.rect.height().max(1.0);
    let delta = response.drag_delta() / height;
    let delta = Vec2::new(delta.x, -delta.y);
    let (shift, touch) = ui.input(|input| (input.modifiers.shift, input.multi_touch()));
    if let Some(touch) = touch {
        // Two fingers move and zoom, and let go of what one finger has taken.
        let by = touch.translation_delta / height;
        app.orbit.pan(Vec2::new(by.x, -by.y));
        app.orbit.zoom(touch.zoom_delta);
        let_go(app);
        app.mouse.deed = Deed::Nothing;
        return;
    }
    if response.hovered() {
        let scroll = ui.input(|input| input.smooth_scroll_delta().y + 200.0 * (input.zoom_delta() - 1.0));
        if scroll != 0.0 {
            app.orbit.zoom((0.003 * scroll).exp());
        }
    }
    let pointer = response.interact_pointer_pos().or(response.hover_pos());
    // Asked once, when the button goes down: a drag begins later, when what was under the mouse has moved on.
    if response.is_pointer_button_down_on() && primary_pressed(ui) {
        if let Some(at) = ui.input(|input| input.pointer.press_origin()).or(pointer) {
            let ray = ray(&app.orbit, response.rect, at);
            let asked = app.link.view().as_mut().map(|view| view.pick(ray));
            if let Some(Err(error)) = asked {
                app.link.status().error = Some(error.to_string());
            }
            app.mouse.deed = Deed::Asking { moved: Vec2::ZERO, shift };
            app.mouse.gone = false;
        }
    } else if response.drag_started_by(PointerButton::Middle)
        || response.drag_started_by(PointerButton::Secondary) && shift
    {
        app.mouse.deed = Deed::Panning;
    } else if response.drag_started_by(PointerButton::Secondary) {
        app.mouse.deed = Deed::Turning;
    }
    let down = ui.input(|input| input.pointer.any_down());
    match app.mouse.deed {
        Deed::Nothing => {}
        Deed::Asking { moved, shift } => {
            let moved = moved + delta;
            app.mouse.deed = Deed::Asking { moved, shift };
            app.mouse.gone |= !down;
            hear(app, moved, shift);
        }
        Deed::Turning => app.orbit.turn(Vec2::new(delta.x, -delta.y)),
        Deed::Panning => app.orbit.pan(delta),
        Deed::Pulling { point, normal } => {
            if let Some(at) = pointer
                && let Some(target) = ray(&app.orbit, response.rect, at).meets_plane(point, normal)
            {
                app.link.send(Command::Pull(target));
            }
        }
        Deed::Leading { collider, offset, point, normal } => {
            if let Some(at) = pointer
                && let Some(target) = ray(&app.orbit, response.rect, at).meets_plane(point, normal)
            {
                app.link.send(Command::MoveCollider(collider, target + offset));
                app.changes += 1;
            }
        }
    }
    if !down && !matches!(app.mouse.deed, Deed::Asking { .. }) {
        let_go(app);
        app.mouse.deed = Deed::Nothing;
    }
}

fn primary_pressed(ui: &egui::Ui) -> bool {
    ui.input(|input| input.pointer.primary_pressed())
}

fn let_go(app: &App) {
    if app.mouse.is_pulling() {
        app.link.send(Command::Release);
    }
}

/// Takes in what is under the pressed mouse.
fn hear(app: &mut App, moved: Vec2, shift: bool) {
    let answer = match app.link.view().as_mut().map(|view| view.picked()) {
        Some(Ok(Some(answer))) => answer,
        Some(Ok(None)) => return,
        Some(Err(error)) => {
            app.mouse.deed = Deed::Nothing;
            app.link.status().error = Some(error.to_string());
            return;
        }
        None => None,
    };
    if app.mouse.gone {
        app.mouse.deed = Deed::Nothing;
        return;
    }
    let normal = app.orbit.forward();
    app.mouse.deed = match answer {
        Some(pick) => match worker::collider_of(&pick) {
            Some(collider) if shift => {
                let at = app.link.status().poses.get(collider.index()).map(|pose| pose.position);
                at.map_or(Deed::Turning, |at| Deed::Leading {
                    collider,
                    offset: at - pick.place,
                    point: pick.place,
                    normal,
                })
            }
            Some(_) => Deed::Turning,
            None => {
                app.link.send(Command::Grab(pick, app.mouse.strength));
                Deed::Pulling { point: pick.place, normal }
            }
        },
        None => Deed::Turning,
    };
    if app.mouse.deed == Deed::Turning {
        app.orbit.turn(Vec2::new(moved.x, -moved.y));
    }
}

/// The ray through a point of the window.
fn ray(orbit: &Orbit, rect: egui::Rect, at: egui::Pos2) -> Ray {
    let part = (at - rect.min) / rect.size();
    orbit.ray(Vec2::new(2.0 * part.x - 1.0, 1.0 - 2.0 * part.y), rect.aspect_ratio())
}

fn keys(app: &mut App, context: &egui::Context) {
    if context.egui_wants_keyboard_input() {
        return;
    }
    let pressed = |key| context.input(|input| input.key_pressed(key) && !input.modifiers.command);
    if pressed(Key::Space) {
        let playing = app.link.status().playing;
        app.link.send(Command::Play(!playing));
    }
    if pressed(Key::S) {
        app.link.send(Command::Step);
    }
    if pressed(Key::R) {
        app.link.send(Command::Reset);
        app.changes += 1;
    }
    if pressed(Key::F) {
        app.orbit = app.orbit.with_all(app.bounds_with_colliders());
    }
    if pressed(Key::P) {
        if app.mouse.is_pulling() {
            app.link.send(Command::Pin);
            app.mouse.deed = Deed::Nothing;
        }
        app.changes += 1;
    }
    if pressed(Key::U) {
        app.link.send(Command::Unpin);
        app.changes += 1;
    }
    if pressed(Key::B) {
        throw(app, context);
    }
    if pressed(Key::W) {
        app.shown.wires ^= true;
    }
    if pressed(Key::C) {
        let now = app.link.status().colouring;
        let ix = Colouring::ALL.iter().position(|colouring| *colouring == now).unwrap_or(0);
        colour(app, Colouring::ALL[(ix + 1) % Colouring::ALL.len()]);
    }
    if pressed(Key::Tab) {
        app.panels.visible ^= true;
    }
    if pressed(Key::Questionmark)
        || pressed(Key::H)
        || context.input(|input| input.key_pressed(Key::Slash) && input.modifiers.shift)
    {
        app.panels.help ^= true;
    }
}

/// Colours by a quantity.
pub fn colour(app: &mut App, colouring: Colouring) {
    app.link.send(Command::Colour(colouring));
    app.changes += 1;
}

/// Throws a ball at what the mouse points at.
pub fn throw(app: &mut App, context: &egui::Context) {
    let at = context.pointer_latest_pos().filter(|at| app.rect.contains(*at)).unwrap_or(app.rect.center());
    let ray = ray(&app.orbit, app.rect, at);
    let [least, most] = app.bounds_with_colliders();
    let size = (most - least).length();
    let radius = 0.05 * size;
    // From beside the eye, as far away as the scene is large, in half a second.
    let aim = ray.at(ray.direction.dot(app.orbit.target - ray.origin));
    let from = aim - 1.1 * size * ray.direction + 0.1 * size * Vec3::Y;
    app.link.send(Command::Throw { from, velocity: 3.0 * (aim - from), radius });
    app.changes += 1;
}
