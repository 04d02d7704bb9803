//! Built-in scenes.

/// A scene that the viewer brings along.
pub struct BuiltIn {
    pub name: &'static str,
    pub text: &'static str,
}

/// All built-in scenes, by name.
pub const SCENES: &[BuiltIn] = include!(concat!(env!("OUT_DIR"), "/scenes.rs"));

impl BuiltIn {
    /// The first sentence of the scene's head.
    pub fn about(&self) -> &'static str {
        let line = self.text.lines().next().unwrap_or_default().trim_start_matches('#').trim();
        line.split(['.', ';']).next().unwrap_or_default()
    }
}

/// A built-in scene by its name.
pub fn find(name: &str) -> Option<&'static BuiltIn> {
    SCENES.iter().find(|scene| scene.name == name)
}
