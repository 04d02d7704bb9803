//! Scene files. [`SceneFile`] says what can stand in one.
//!
//! ```text
//! text ─► document ─► value ─► simulation, body, mesh, material, spring, pin ─► SceneFile
//!         (lines)     (types)              (one table each)                      (checked)
//! ```
//! Errors on the way name a field only, as those of the library do; its line is looked up at the very end, in one place.

mod body;
mod document;
mod material;
mod mesh;
mod pin;
mod scene_file;
mod simulation;
mod spring;
mod start;
mod value;

pub use scene_file::SceneFile;
