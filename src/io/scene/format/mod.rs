//! Declarative description of scene files. Each table's reader has its [`Section`] beside it, which lists its keys. The
//! documentation (`page`) and the schema for editors (`schema`) are generated from the sections, and tests read every example and
//! default.

mod kind;
mod page;
mod schema;

pub use kind::ValueKind;

use super::scene_file::ROOT;

/// A table, or one form of it.
#[derive(Debug)]
pub struct Section {
    /// Heading: `[[pin]]`.
    pub title: &'static str,
    /// Purpose of the table.
    pub text: &'static str,
    /// Keys of the table in groups, which several forms of a table may share.
    pub groups: &'static [&'static [Field]],
}

/// A key of a table.
#[derive(Debug)]
pub struct Field {
    pub key: &'static str,
    pub kind: ValueKind,
    /// Meaning and unit.
    pub text: &'static str,
    pub need: Need,
    /// Example in TOML.
    pub example: &'static str,
    /// Keys that must also exist.
    pub with: &'static [&'static str],
    /// Keys that it replaces or excludes.
    pub without: &'static [&'static str],
}

/// Whether a key is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// The key is required.
    Required,
    /// The key has this default, in TOML.
    Default(&'static str),
    /// The key is optional; the text describes its absence.
    Optional(&'static str),
}

impl Section {
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> {
        self.groups.iter().copied().flatten()
    }
}

impl Field {
    const fn new(key: &'static str, kind: ValueKind, need: Need, example: &'static str, text: &'static str) -> Self {
        Self { key, kind, text, need, example, with: &[], without: &[] }
    }

    /// A required key.
    pub const fn required(key: &'static str, kind: ValueKind, example: &'static str, text: &'static str) -> Self {
        Self::new(key, kind, Need::Required, example, text)
    }

    /// A key with a default.
    pub const fn usual(
        key: &'static str,
        kind: ValueKind,
        default: &'static str,
        example: &'static str,
        text: &'static str,
    ) -> Self {
        Self::new(key, kind, Need::Default(default), example, text)
    }

    /// An optional key, with a description of its absence.
    pub const fn optional(
        key: &'static str,
        kind: ValueKind,
        absent: &'static str,
        example: &'static str,
        text: &'static str,
    ) -> Self {
        Self::new(key, kind, Need::Optional(absent), example, text)
    }

    pub const fn with(mut self, keys: &'static [&'static str]) -> Self {
        self.with = keys;
        self
    }

    pub const fn without(mut self, keys: &'static [&'static str]) -> Self {
        self.without = keys;
        self
    }
}

/// Words of a list of choices.
pub fn words<T>(choices: &[(&'static str, T)]) -> Vec<&'static str> {
    choices.iter().map(|(word, _)| *word).collect()
}

/// `docs/scene-format.md`: every table and key of a scene file, with unit, default and example.
pub fn scene_format_page() -> String {
    page::write(&ROOT)
}

/// `docs/scene.schema.json`: every table and key of a scene file as a JSON Schema (draft 2020-12), for completion and validation
/// in editors.
pub fn scene_schema() -> String {
    schema::write(&ROOT)
}

#[cfg(test)]
mod tests;
