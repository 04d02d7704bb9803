//! Files: scenes.

mod scene;

pub use scene::{SceneFile, scene_format_page, scene_schema};
