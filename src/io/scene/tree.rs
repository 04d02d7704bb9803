//! A document as a tree, whatever it was written in, with the place of everything in the text.

use std::ops::Range;

/// A value and where it stands, bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub extent: Range<usize>,
    pub data: Data,
}

/// What can stand there.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    Text(String),
    /// As written, and the number if it fits.
    Whole(String, Option<i64>),
    /// As written, and the number if it is one.
    Real(String, Option<f64>),
    Truth(bool),
    /// What no field of a scene can be, by name: a date, null.
    Other(&'static str),
    List(Vec<Node>),
    Table(Entries),
}

/// Keys and values of a table, in the order they are written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Entries(pub Vec<Entry>);

/// A key of a table and what it says.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub key: String,
    /// Where the key begins.
    pub start: usize,
    pub node: Node,
}

impl Entries {
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.0.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }
}
