//! Files: scenes and meshes.
//!
//! [`SceneFile`] is a scene as text; [`MeshFile`] a mesh in one of the usual formats.

mod mesh;
mod scene;

pub use mesh::{MeshFile, MeshFormat, MeshOptions, Pattern, Weld};
pub use scene::SceneFile;
