//! Mesh files. [`MeshFile`] says what can stand in one.
//!
//! ```text
//! bytes ─► obj, ply, stl, gltf, msh, tetgen ─► Raw ─► weld ─► sheet or solid ─► pattern ─► MeshFile
//!          (one file each; polygon)            (as in the file)  (checked)
//! ```
//! Nothing is believed: counts are compared with the bytes that are left before anything is allocated.

mod finish;
mod gltf;
mod mesh_file;
mod msh;
mod obj;
mod options;
mod pattern;
mod ply;
mod polygon;
mod raw;
mod sheet;
mod solid;
mod source;
mod stl;
mod tetgen;
mod weld;

pub use mesh_file::{MeshFile, MeshFormat};
pub use options::{MeshOptions, Weld};
pub use pattern::Pattern;
