//! Syntax-independent tree of a scene file, with the position of each value in the text.

use std::ops::Range;

/// A value with its range in the text, bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub extent: Range<usize>,
    pub data: Data,
}

/// Contents of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    Text(String),
    /// An integer as written, and its value if it fits.
    Whole(String, Option<i64>),
    /// A number as written, and its value if valid.
    Real(String, Option<f64>),
    Truth(bool),
    /// A type that scene files do not use, by name: a date, null.
    Other(&'static str),
    List(Vec<Node>),
    Table(Entries),
}

/// Keys and values of a table, in the order of the file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Entries(pub Vec<Entry>);

/// A key of a table with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub key: String,
    /// Offset of the key.
    pub start: usize,
    pub node: Node,
}

impl Entries {
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.0.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }
}
