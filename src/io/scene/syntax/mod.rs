//! Languages that scenes are written in.

mod json;
mod toml;

use super::tree::Entries;
use std::{ops::Range, path::Path};

/// A language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    Toml,
    Json,
}

/// What is wrong with a text.
pub struct Complaint {
    pub extent: Option<Range<usize>>,
    pub message: String,
    /// A key was there already: the extent is that of the second one.
    pub duplicate: bool,
}

impl Syntax {
    /// By extension: JSON if it says so.
    pub fn of(path: &Path) -> Self {
        let json = |extension: &str| ["json", "jsonc"].iter().any(|known| extension.eq_ignore_ascii_case(known));
        if path.extension().and_then(|extension| extension.to_str()).is_some_and(json) {
            Syntax::Json
        } else {
            Syntax::Toml
        }
    }

    /// What the text says, or what can be made of it and what is wrong.
    pub fn parse(self, text: &str) -> (Entries, Option<Complaint>) {
        match self {
            Syntax::Toml => toml::parse(text),
            Syntax::Json => json::parse(text),
        }
    }
}
