//! The page: the viewer on its canvas, with the scene of its address.

use crate::{
    app::{App, Start},
    setup::Setup,
    surface,
};
use wasm_bindgen::prelude::*;

/// Starts the viewer on a canvas of the page.
#[wasm_bindgen]
pub async fn start(canvas: web_sys::HtmlCanvasElement) -> Result<(), JsValue> {
    let query = web_sys::window().and_then(|window| window.location().search().ok()).unwrap_or_default();
    let begin = Start { setup: Setup::of_query(&query), paused: query.contains("paused=1"), ..Default::default() };
    let options = eframe::WebOptions { wgpu_options: surface::configuration(), ..Default::default() };
    let make: eframe::AppCreator<'static> = Box::new(|context| Ok(Box::new(App::new(context, begin)?)));
    eframe::WebRunner::new().start(canvas, options, make).await
}
