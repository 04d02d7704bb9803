//! Files dropped on the window.

use crate::{app::App, link::Link, setup::Setup};
use eframe::egui;
use std::path::Path;

/// Opens what was dropped: a scene, or a mesh on a floor.
pub fn take(app: &mut App, context: &egui::Context) {
    for file in context.input(|input| input.raw.dropped_files.clone()) {
        let path = file.path().to_owned();
        let name = path.to_string_lossy().into_owned();
        let is_scene = [".toml", ".json"].iter().any(|ending| name.to_lowercase().ends_with(ending));
        if !is_scene {
            match cfg!(target_arch = "wasm32") {
                true => app.link.status().error = Some(format!("{name}: a page opens scenes, not meshes")),
                false => app.open(Setup::of_mesh(&name)),
            }
            continue;
        }
        // A page reads files asynchronously.
        #[cfg(target_arch = "wasm32")]
        {
            let link = app.link.clone();
            wasm_bindgen_futures::spawn_local(async move { note(&link, &path, file.bytes_async().await) });
        }
        #[cfg(not(target_arch = "wasm32"))]
        note(&app.link, &path, file.bytes());
    }
    let dropped = app.link.status().dropped.take();
    if let Some(setup) = dropped {
        app.open(setup);
    }
}

/// Notes a scene that was read, or why it was not.
fn note(link: &Link, path: &Path, bytes: Result<Vec<u8>, String>) {
    let name = path.to_string_lossy();
    let mut status = link.status();
    match bytes {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            status.dropped = Some(Setup::of_text(&name, text, Some(path.to_owned())));
        }
        Err(error) => status.error = Some(format!("{name}: {error}")),
    }
}
