//! Scene files. [`SceneFile`] says what can stand in one.
//!
//! ```text
//! text ─► document ─► value ─► simulation, body, mesh, …, pin, collider, force, tie ─► SceneFile
//!         (lines)     (types)              (one table each)                                  (checked)
//! ```
//! Errors on the way name a field only, as those of the library do; its line is looked up at the very end, in one place.

mod air;
mod bending;
mod body;
mod collider;
mod document;
mod energy;
mod force;
mod material;
mod membrane;
mod mesh;
mod pin;
mod scene_file;
mod selection;
mod simulation;
mod spring;
mod start;
mod tie;
mod value;
mod weave;

pub use scene_file::SceneFile;
