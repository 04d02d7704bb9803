//! Files: scenes.

mod scene;

pub use scene::SceneFile;
