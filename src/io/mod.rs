//! Files: scenes, meshes, and exported states.
//!
//! [`SceneFile`] reads a scene, [`MeshFile`] a mesh in one of the usual formats; [`export`] writes frames for other programs.

mod draft;
pub mod export;
mod mesh;
mod scene;

pub(crate) use draft::Draft;
pub use mesh::{CacheFormat, MeshCache, MeshFile, MeshFormat, MeshOptions, Pattern, Weld};
pub use scene::{CameraTable, OutputTable, SceneFile, scene_format_page, scene_schema};
