//! Scene files. [`SceneFile`] lists their contents.
//!
//! ```text
//! text ─► syntax, tree ─► document ─► value ─► simulation, body, mesh, …, pin, collider, force, tie ─► SceneFile
//!      (TOML, JSON)        (lines)     (types)              (one table each)                                  (checked)
//! ```
//! Errors of readers name a field only, as those of the library do; the line is added in one place at the end.

mod air;
mod bending;
mod body;
mod collider;
mod contact;
mod document;
mod energy;
#[cfg(feature = "cli")]
pub(crate) mod estimate;
mod force;
mod format;
mod material;
mod membrane;
mod mesh;
mod mesh_file;
mod neo_hookean;
mod nonlinear;
mod picture;
mod pin;
mod scene_file;
mod selection;
mod simulation;
mod spring;
mod start;
mod syntax;
mod tie;
mod tree;
mod value;
mod weave;

pub use format::{scene_format_page, scene_schema};
pub use picture::{CameraTable, OutputTable};
pub use scene_file::SceneFile;
