//! Types of values in scene files.

use super::Section;
use std::fmt::Write;

/// Type of a field's value.
#[derive(Debug, Clone, Copy)]
pub enum ValueKind {
    Number,
    /// A number above 0.
    Positive,
    /// A number not below 0.
    Amount,
    /// A number above 0 and at most 1.
    Fraction,
    /// A number from the first to the last.
    Between(f64, f64),
    /// A number above the first and below the second.
    Inside(f64, f64),
    /// An integer from the first to the last.
    Whole(u32, u32),
    Truth,
    Text,
    /// The path of a file, relative to the folder of the scene.
    Path,
    /// `[x, y, z]`
    Vector,
    /// This many numbers.
    Numbers(usize),
    /// Exactly this word.
    Word(&'static str),
    /// A word out of a list.
    Words(fn() -> Vec<&'static str>),
    /// A list of values of a kind.
    List(&'static ValueKind),
    /// Two values of a kind.
    Pair(&'static ValueKind),
    /// A value of one of several kinds.
    Either(&'static [ValueKind]),
    /// A table of one of several forms.
    Table(&'static [&'static Section]),
    /// An array of tables of one of several forms.
    Tables(&'static [&'static Section]),
}

impl ValueKind {
    /// Description for the documentation.
    pub fn words(&self) -> String {
        match self {
            ValueKind::Number => "number".to_owned(),
            ValueKind::Positive => "number > 0".to_owned(),
            ValueKind::Amount => "number ≥ 0".to_owned(),
            ValueKind::Fraction => "number > 0, ≤ 1".to_owned(),
            ValueKind::Between(low, high) => format!("number, {low} to {high}"),
            ValueKind::Inside(low, high) => format!("number > {low}, < {high}"),
            ValueKind::Whole(low, u32::MAX) => format!("whole number ≥ {low}"),
            ValueKind::Whole(low, high) => format!("whole number, {low} to {high}"),
            ValueKind::Truth => "`true` or `false`".to_owned(),
            ValueKind::Text => "text".to_owned(),
            ValueKind::Path => "path".to_owned(),
            ValueKind::Vector => "`[x, y, z]`".to_owned(),
            ValueKind::Numbers(count) => format!("{count} numbers"),
            ValueKind::Word(word) => format!("`\"{word}\"`"),
            ValueKind::Words(words) => alternatives(words().iter().map(|word| format!("`\"{word}\"`"))),
            ValueKind::List(kind) => format!("list of: {}", kind.words()),
            ValueKind::Pair(kind) => format!("pairs of: {}", kind.words()),
            ValueKind::Either(kinds) => alternatives(kinds.iter().map(ValueKind::words)),
            ValueKind::Table(sections) => {
                format!("table: {}", alternatives(sections.iter().map(|section| link(section.title))))
            }
            ValueKind::Tables(sections) => {
                format!("tables: {}", alternatives(sections.iter().map(|section| link(section.title))))
            }
        }
    }

    /// Sections that the kind refers to.
    pub fn sections(&self) -> Vec<&'static Section> {
        match self {
            ValueKind::Table(sections) | ValueKind::Tables(sections) => sections.to_vec(),
            ValueKind::List(kind) | ValueKind::Pair(kind) => kind.sections(),
            ValueKind::Either(kinds) => kinds.iter().flat_map(ValueKind::sections).collect(),
            _ => Vec::new(),
        }
    }
}

fn alternatives(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

/// A link to the section of this title, with the anchor of GitHub and rustdoc: lower case, blanks as dashes, other characters
/// removed.
fn link(title: &str) -> String {
    let mut anchor = String::new();
    for c in title.to_lowercase().chars() {
        match c {
            ' ' => anchor.push('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => anchor.push(c),
            _ => {}
        }
    }
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write!(text, "[{}](#{anchor})", title.replace('[', "\\[").replace(']', "\\]"));
    text
}
