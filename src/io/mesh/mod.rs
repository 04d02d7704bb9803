//! Mesh files. [`MeshFile`] lists the formats and their contents.
//!
//! ```text
//! bytes ─► obj, ply, stl, gltf, msh, tetgen ─► Raw ─► weld ─► sheet or solid ─► pattern ─► MeshFile
//!          (one file each; polygon)            (as in the file)  (checked)
//! ```
//! Input is not trusted: counts are compared with the remaining bytes before anything is allocated.

mod cache;
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

pub use cache::{CacheFormat, MeshCache};
pub use mesh_file::{MeshFile, MeshFormat};
pub use options::{MeshOptions, Weld};
pub use pattern::Pattern;
