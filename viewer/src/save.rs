//! Saving: a picture, the last seconds as GIF or GLB, the scene with its changed numbers, a checkpoint. Nothing here waits: pictures come back some frames later.

use crate::{
    app::App,
    canvas::{self, Canvas},
    link::Command,
    readback::Pixels,
    share,
};
use eframe::egui;
use std::collections::VecDeque;
use tenter::{
    glam::Vec3,
    view::{Orbit, Shown, View},
};

/// Size of a GIF, pixels, and the time of one of its frames, 1/100 s.
const GIF_SIZE: [u32; 2] = [640, 480];
const GIF_DELAY: u16 = 4;

/// What is being saved.
#[derive(Default)]
pub struct Saving {
    picture: Option<Pixels>,
    gif: Option<Gif>,
    checkpoint: bool,
    /// Where the last file went, or why not.
    pub message: Option<String>,
}

impl Saving {
    /// Whether something is under way.
    pub fn is_busy(&self) -> bool {
        self.picture.is_some() || self.gif.is_some() || self.checkpoint
    }
}

/// A GIF under way.
struct Gif {
    frames: VecDeque<Vec<Vec3>>,
    view: View,
    canvas: Canvas,
    orbit: Orbit,
    shown: Shown,
    pixels: Option<Pixels>,
    encoder: gif::Encoder<Vec<u8>>,
}

/// The buttons.
pub fn panel(app: &mut App, ui: &mut egui::Ui) {
    let mut recording = app.link.status().recording;
    if ui.checkbox(&mut recording, "record the last 5 s").changed() {
        app.link.send(Command::Record(recording));
    }
    ui.horizontal_wrapped(|ui| {
        if ui.button("Picture").clicked() {
            let pixels =
                app.pixels().map(|(texture, size)| Pixels::of(&app.render.device, &app.render.queue, texture, size));
            app.saving.picture = pixels;
        }
        let frames = app.link.status().frames.len();
        ui.add_enabled_ui(frames > 1, |ui| {
            if ui.button("GIF").clicked() {
                let begun = begin_gif(app);
                app.saving.message = begun.err();
            }
            #[cfg(not(target_arch = "wasm32"))]
            if ui.button("GLB").clicked() {
                app.saving.message = Some(glb(app).unwrap_or_else(|error| error));
            }
        });
        if ui.button("Scene").clicked() {
            let text = app.setup.changed_text();
            let name = format!("{}.toml", app.setup.name.trim_end_matches(".toml"));
            give(app, &name, text.map(String::into_bytes));
        }
        if ui.button("Checkpoint").clicked() {
            app.saving.checkpoint = true;
            app.link.send(Command::Checkpoint);
        }
    });
    if let Some(message) = &app.saving.message {
        ui.label(message);
    }
}

fn give(app: &mut App, name: &str, bytes: Result<Vec<u8>, String>) {
    let given = bytes.and_then(|bytes| share::give(name, &bytes));
    app.saving.message = Some(given.unwrap_or_else(|error| error));
}

/// Takes in what has arrived.
pub fn go_on(app: &mut App) {
    if let Some(taken) = app.saving.picture.as_ref().and_then(Pixels::take) {
        app.saving.picture = None;
        give(app, "picture.png", taken.and_then(|(size, bytes)| png(size, &bytes)));
    }
    if app.saving.checkpoint
        && let Some(bytes) = { app.link.status().checkpoint.take() }
    {
        app.saving.checkpoint = false;
        give(app, "checkpoint.tenter", Ok(bytes));
    }
    if let Some(gif) = app.saving.gif.take() {
        match go_on_with_gif(app, gif) {
            Ok(None) => {}
            Ok(Some(Progress::Under(gif))) => app.saving.gif = Some(*gif),
            Ok(Some(Progress::Done(bytes))) => give(app, "cloth.gif", Ok(bytes)),
            Err(error) => app.saving.message = Some(error),
        }
    }
}

fn png([width, height]: [u32; 2], bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let write = |error: png::EncodingError| error.to_string();
    encoder.write_header().map_err(write)?.write_image_data(bytes).map_err(write)?;
    Ok(file)
}

fn begin_gif(app: &mut App) -> Result<(), String> {
    let (scene, frames, poses) = {
        let status = app.link.status();
        let file = status.file.as_ref().ok_or("no scene")?;
        (file.scene.clone(), status.frames.iter().map(|(_, frame)| frame.clone()).collect(), status.poses.clone())
    };
    let plain = |error: tenter::Error| error.to_string();
    let mut view = View::new(&app.gpu, &scene, canvas::FORMAT, 1).map_err(plain)?;
    view.set_poses(&poses).map_err(plain)?;
    let [width, height] = GIF_SIZE.map(|side| side as u16);
    let mut encoder = gif::Encoder::new(Vec::new(), width, height, &[]).map_err(|error| error.to_string())?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(|error| error.to_string())?;
    let canvas = Canvas::new(app.render.clone(), 1);
    app.saving.gif = Some(Gif { frames, view, canvas, orbit: app.orbit, shown: app.shown, pixels: None, encoder });
    Ok(())
}

enum Progress {
    Under(Box<Gif>),
    Done(Vec<u8>),
}

/// Draws, reads or writes one frame of a GIF.
fn go_on_with_gif(app: &App, mut gif: Gif) -> Result<Option<Progress>, String> {
    let plain = |error: tenter::Error| error.to_string();
    if let Some(pixels) = &gif.pixels {
        if let Some(taken) = pixels.take() {
            let (_, mut bytes) = taken?;
            let [width, height] = GIF_SIZE.map(|side| side as u16);
            let mut frame = gif::Frame::from_rgba_speed(width, height, &mut bytes, 20);
            frame.delay = GIF_DELAY;
            gif.encoder.write_frame(&frame).map_err(|error| error.to_string())?;
            gif.pixels = None;
        }
        return Ok(Some(Progress::Under(Box::new(gif))));
    }
    let Some(positions) = gif.frames.pop_front() else {
        return gif.encoder.into_inner().map(|bytes| Some(Progress::Done(bytes))).map_err(|error| error.to_string());
    };
    gif.view.write_positions(&positions).map_err(plain)?;
    let mut encoder = app.render.device.create_command_encoder(&Default::default());
    gif.view.encode_update(&mut encoder);
    app.render.queue.submit([encoder.finish()]);
    gif.canvas.draw(&mut gif.view, &gif.orbit, &gif.shown, GIF_SIZE).map_err(plain)?;
    gif.pixels =
        gif.canvas.pixels().map(|(texture, size)| Pixels::of(&app.render.device, &app.render.queue, texture, size));
    Ok(Some(Progress::Under(Box::new(gif))))
}

/// Writes the frames as a glTF animation.
#[cfg(not(target_arch = "wasm32"))]
fn glb(app: &App) -> Result<String, String> {
    use tenter::io::export::{Animation, Frame, Part};
    let plain = |error: tenter::Error| error.to_string();
    let (file, frames) = {
        let status = app.link.status();
        (status.file.clone().ok_or("no scene")?, status.frames.clone())
    };
    let path = (0..10_000).map(|ix| std::path::PathBuf::from(format!("cloth-{ix}.glb"))).find(|path| !path.exists());
    let path = path.ok_or("no free name")?;
    let mut animation = Animation::create(&path).map_err(plain)?;
    let start = frames.front().map_or(0.0, |(time, _)| *time);
    for (time, positions) in &frames {
        let mut parts = Vec::new();
        for (id, name) in file.scene.body_ids().zip(&file.names) {
            let range = file.scene.body_range(id).map_err(plain)?;
            let mesh = &file.scene.bodies[id.index()].mesh;
            let positions = positions.get(range).unwrap_or_default();
            parts.push(Part { name, positions, triangles: &mesh.triangles, wires: &mesh.wires, ..Default::default() });
        }
        animation.push(&Frame { time: time - start, parts: &parts }).map_err(plain)?;
    }
    animation.finish().map_err(plain)?;
    Ok(path.display().to_string())
}
