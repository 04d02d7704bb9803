//! What can stand in a scene file, said once. Each table's reader has its [`Section`] beside it: the keys it knows are those; the
//! documentation (`page`) and the schema for editors (`schema`) are made of them; and tests read every example and every default.

mod kind;
mod page;
mod schema;

pub use kind::Kind;

use super::scene_file::ROOT;

/// A table, or one form of it.
#[derive(Debug)]
pub struct Section {
    /// Heading: `[[pin]]`.
    pub title: &'static str,
    /// What it is for.
    pub text: &'static str,
    /// Its keys, in groups: those of other forms of the same table may be among them.
    pub groups: &'static [&'static [Field]],
}

/// A key of a table.
#[derive(Debug)]
pub struct Field {
    pub key: &'static str,
    pub kind: Kind,
    /// What it is, with its unit.
    pub text: &'static str,
    pub need: Need,
    /// As it would be written in TOML.
    pub example: &'static str,
    /// Keys that have to be there too.
    pub with: &'static [&'static str],
    /// Keys that it stands in for, or that do not go with it.
    pub without: &'static [&'static str],
}

/// Whether a key has to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// It has to.
    Required,
    /// This, in TOML, is what it says if it is not.
    Default(&'static str),
    /// If it is not, what this tells.
    Optional(&'static str),
}

impl Section {
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> {
        self.groups.iter().copied().flatten()
    }
}

impl Field {
    const fn new(key: &'static str, kind: Kind, need: Need, example: &'static str, text: &'static str) -> Self {
        Self { key, kind, text, need, example, with: &[], without: &[] }
    }

    /// A key that has to be there.
    pub const fn required(key: &'static str, kind: Kind, example: &'static str, text: &'static str) -> Self {
        Self::new(key, kind, Need::Required, example, text)
    }

    /// A key that says something usual if it is not there.
    pub const fn usual(
        key: &'static str,
        kind: Kind,
        default: &'static str,
        example: &'static str,
        text: &'static str,
    ) -> Self {
        Self::new(key, kind, Need::Default(default), example, text)
    }

    /// A key that need not be there, and what that means.
    pub const fn optional(
        key: &'static str,
        kind: Kind,
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

/// The words of some choices.
pub fn words<T>(choices: &[(&'static str, T)]) -> Vec<&'static str> {
    choices.iter().map(|(word, _)| *word).collect()
}

/// `docs/scene-format.md`: every table and key of a scene file, with unit, default and example.
pub fn scene_format_page() -> String {
    page::write(&ROOT)
}

/// `docs/scene.schema.json`: the same as a JSON Schema (draft 2020-12), by which editors complete and check.
pub fn scene_schema() -> String {
    schema::write(&ROOT)
}

#[cfg(test)]
mod tests;
