//! Writes the documentation of scene files and their JSON Schema, generated from the reader's tables.
//!
//!     cargo run --example scene_format

use std::{fs, io, path::Path};
use tenter::io::{scene_format_page, scene_schema};

fn main() -> io::Result<()> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    fs::write(docs.join("scene-format.md"), scene_format_page())?;
    fs::write(docs.join("scene.schema.json"), scene_schema())
}
