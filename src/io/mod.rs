//! Files: scenes, and what comes out of a simulation.

mod draft;
pub mod export;
mod scene;

pub(crate) use draft::Draft;
pub use scene::SceneFile;
