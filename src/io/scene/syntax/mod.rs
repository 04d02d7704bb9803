//! Syntaxes of scene files.

mod json;
mod toml;

use super::tree::Entries;
use std::{ops::Range, path::Path};

/// Syntax of a scene file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    Toml,
    Json,
}

/// A syntax error.
pub struct Complaint {
    pub extent: Option<Range<usize>>,
    pub message: String,
    /// Whether the error is a duplicate key, with the extent of the second one.
    pub duplicate: bool,
}

impl Syntax {
    /// Syntax by extension: JSON for `.json`, else TOML.
    pub fn of(path: &Path) -> Self {
        let json = |extension: &str| ["json", "jsonc"].iter().any(|known| extension.eq_ignore_ascii_case(known));
        if path.extension().and_then(|extension| extension.to_str()).is_some_and(json) {
            Syntax::Json
        } else {
            Syntax::Toml
        }
    }

    /// Parses a text; after an error returns the part that could be parsed.
    pub fn parse(self, text: &str) -> (Entries, Option<Complaint>) {
        match self {
            Syntax::Toml => toml::parse(text),
            Syntax::Json => json::parse(text),
        }
    }
}
