//! Files: scenes, meshes, and exported states.
//!
//! [`SceneFile`] reads a scene, [`MeshFile`] a mesh in one of the usual formats; [`export`] writes frames for other programs.

mod draft;
pub mod export;
mod mesh;
pub(crate) mod regular;
mod scene;

pub(crate) use draft::Draft;
#[cfg(feature = "cli")]
pub(crate) use draft::abandon_all;
pub use mesh::{CacheFormat, MeshCache, MeshFile, MeshFormat, MeshOptions, Pattern, Weld};
#[cfg(feature = "cli")]
pub(crate) use scene::estimate::Copies;
pub use scene::{CameraTable, OutputTable, SceneFile, scene_format_page, scene_schema};
