//! The page: the viewer on its canvas, with the scene of its address.

use crate::{
    app::{App, Start},
    setup::Setup,
    surface,
};
use eframe::{egui, wgpu};
use std::sync::atomic::{AtomicU32, Ordering};
use wasm_bindgen::prelude::*;

/// Frames that the device may be behind the page.
const MOST_BEHIND: u32 = 2;

/// Notes a frame, and returns whether the device is too far behind for another one. A page is called for frames whether or not the device has drawn the last ones,
/// so that without this bound their queue would grow, and with it the time until a step comes back.
pub fn is_behind(queue: &wgpu::Queue, context: &egui::Context) -> bool {
    static UNDER_WAY: AtomicU32 = AtomicU32::new(0);
    let context = context.clone();
    queue.on_submitted_work_done(move || {
        if UNDER_WAY.fetch_sub(1, Ordering::Relaxed) == MOST_BEHIND {
            context.request_repaint();
        }
    });
    UNDER_WAY.fetch_add(1, Ordering::Relaxed) + 1 >= MOST_BEHIND
}

/// Starts the viewer on a canvas of the page.
#[wasm_bindgen]
pub async fn start(canvas: web_sys::HtmlCanvasElement) -> Result<(), JsValue> {
    let query = web_sys::window().and_then(|window| window.location().search().ok()).unwrap_or_default();
    let begin = Start { setup: Setup::of_query(&query), paused: query.contains("paused=1"), ..Default::default() };
    let options = eframe::WebOptions { wgpu_options: surface::configuration(), ..Default::default() };
    let make: eframe::AppCreator<'static> = Box::new(|context| Ok(Box::new(App::new(context, begin)?)));
    eframe::WebRunner::new().start(canvas, options, make).await
}
