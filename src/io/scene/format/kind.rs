//! What a key may say.

use super::Section;
use std::fmt::Write;

/// A type of value.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    Number,
    /// Above 0.
    Positive,
    /// 0 or above.
    Amount,
    /// A whole number from the first to the last.
    Whole(u32, u32),
    Truth,
    Text,
    /// The path of a file, from the folder of the scene.
    Path,
    /// `[x, y, z]`
    Vector,
    /// So many numbers.
    Numbers(usize),
    /// This word.
    Word(&'static str),
    /// One of some words.
    Words(fn() -> Vec<&'static str>),
    /// Any number of these.
    List(&'static Kind),
    /// One of these kinds.
    Either(&'static [Kind]),
    /// A table of one of these forms.
    Table(&'static [&'static Section]),
    /// Any number of such tables.
    Tables(&'static [&'static Section]),
}

impl Kind {
    /// In words, for the documentation.
    pub fn words(&self) -> String {
        match self {
            Kind::Number => "number".to_owned(),
            Kind::Positive => "number > 0".to_owned(),
            Kind::Amount => "number ≥ 0".to_owned(),
            Kind::Whole(low, u32::MAX) => format!("whole number ≥ {low}"),
            Kind::Whole(low, high) => format!("whole number, {low} to {high}"),
            Kind::Truth => "`true` or `false`".to_owned(),
            Kind::Text => "text".to_owned(),
            Kind::Path => "path".to_owned(),
            Kind::Vector => "`[x, y, z]`".to_owned(),
            Kind::Numbers(count) => format!("{count} numbers"),
            Kind::Word(word) => format!("`\"{word}\"`"),
            Kind::Words(words) => alternatives(words().iter().map(|word| format!("`\"{word}\"`"))),
            Kind::List(kind) => format!("list of: {}", kind.words()),
            Kind::Either(kinds) => alternatives(kinds.iter().map(Kind::words)),
            Kind::Table(sections) => {
                format!("table: {}", alternatives(sections.iter().map(|section| link(section.title))))
            }
            Kind::Tables(sections) => {
                format!("tables: {}", alternatives(sections.iter().map(|section| link(section.title))))
            }
        }
    }

    /// Sections that it leads to.
    pub fn sections(&self) -> Vec<&'static Section> {
        match self {
            Kind::Table(sections) | Kind::Tables(sections) => sections.to_vec(),
            Kind::List(kind) => kind.sections(),
            Kind::Either(kinds) => kinds.iter().flat_map(Kind::sections).collect(),
            _ => Vec::new(),
        }
    }
}

fn alternatives(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

/// A link to the section of this title, as GitHub and rustdoc name it: lower case, blanks as dashes, and nothing else but letters.
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
