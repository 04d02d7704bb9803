//! Text of a scene file with the positions of its fields.

use super::{
    syntax::Syntax,
    tree::{Data, Entries, Node},
    value::Table,
};
use std::ops::Range;

/// A parsed file.
pub struct Document<'d> {
    text: &'d str,
    root: Entries,
}

/// A syntax error with its location.
pub struct SyntaxError {
    pub line: Option<usize>,
    pub field: String,
    pub message: String,
}

impl<'d> Document<'d> {
    /// Parses a file.
    pub fn parse(text: &'d str, syntax: Syntax) -> Result<Self, SyntaxError> {
        let (root, complaint) = syntax.parse(text);
        let document = Self { text, root };
        let Some(complaint) = complaint else { return Ok(document) };
        let (line, mut field) = match &complaint.extent {
            Some(extent) => (Some(line_at(text, extent.start)), document.field_at(extent.start)),
            None => (None, String::new()),
        };
        // A duplicate key is reported at its second occurrence, which is not in the document unless it is a table's.
        if let (true, Some(key)) = (complaint.duplicate, complaint.extent.and_then(|extent| text.get(extent))) {
            let key = key.trim_matches('"');
            if !field.ends_with(key) {
                field = if field.is_empty() { key.to_owned() } else { format!("{field}.{key}") };
            }
        }
        Err(SyntaxError { line, field, message: complaint.message })
    }

    /// A changed tree of a file's text.
    #[cfg(feature = "cli")]
    pub fn of_tree(text: &'d str, root: Entries) -> Self {
        Self { text, root }
    }

    /// Error at the first bytes that are not UTF-8, located in the text before them.
    pub fn parse_bytes(bytes: &[u8], offset: usize, syntax: Syntax) -> SyntaxError {
        let text = String::from_utf8_lossy(bytes);
        let document = Document { text: &text, root: syntax.parse(&text).0 };
        SyntaxError {
            line: Some(line_at(&text, offset)),
            field: document.field_at(offset),
            message: format!("is not UTF-8: byte {offset} of the file"),
        }
    }

    /// The outermost table.
    pub fn root(&self) -> Table<'_> {
        Table::root(&self.root)
    }

    /// Line of a field such as `body[0].mesh.width`, or of the nearest existing table around it.
    pub fn line_of(&self, field: &str) -> usize {
        line_at(self.text, offset_in_table(&self.root, field).unwrap_or(0))
    }

    /// Field at an offset of the text, or the table around it.
    fn field_at(&self, offset: usize) -> String {
        let mut nearest = Nearest { offset, ..Default::default() };
        nearest.visit_table(&self.root, "");
        let Some((start, value)) = nearest.place else { return String::new() };
        let line = line_at(self.text, offset);
        if line == line_at(self.text, start) || value.contains(&offset) {
            return nearest.field;
        }
        // A malformed header does not belong to the table before it.
        let header = self.text.lines().nth(line - 1).is_some_and(|line| line.trim_start().starts_with('['));
        if header { String::new() } else { nearest.parent }
    }
}

/// A key as written in the path of a field.
pub fn written(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(bare) { key.to_owned() } else { format!("{key:?}") }
}

/// Path of a key of a table.
pub fn join(table: &str, key: &str) -> String {
    if table.is_empty() { written(key) } else { format!("{table}.{}", written(key)) }
}

fn line_at(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count()
}

/// Offset of a path relative to a table; `None` if its first part is missing.
fn offset_in_table(table: &Entries, path: &str) -> Option<usize> {
    let path = path.strip_prefix('.').unwrap_or(path);
    table.0.iter().find_map(|entry| {
        let rest = path.strip_prefix(&written(&entry.key))?;
        let whole = rest.is_empty() || rest.starts_with(['.', '[']);
        // A table named only by the headers of its subtables has the offset of the first of them.
        whole.then(|| offset_in_node(&entry.node, rest).unwrap_or(entry.start))
    })
}

fn offset_in_node(node: &Node, path: &str) -> Option<usize> {
    match &node.data {
        Data::Table(table) => offset_in_table(table, path),
        Data::List(list) => {
            let (number, rest) = path.strip_prefix('[')?.split_once(']')?;
            let element = list.get(number.parse::<usize>().ok()?)?;
            Some(offset_in_node(element, rest).unwrap_or(element.extent.start))
        }
        _ => None,
    }
}

/// Search for the last key that starts before an offset.
#[derive(Default)]
struct Nearest {
    offset: usize,
    /// Start of the key and extent of its value.
    place: Option<(usize, Range<usize>)>,
    field: String,
    parent: String,
}

impl Nearest {
    fn visit_table(&mut self, table: &Entries, path: &str) {
        for entry in &table.0 {
            self.visit(entry.start, &entry.node, join(path, &entry.key), path);
        }
    }

    fn visit(&mut self, start: usize, node: &Node, field: String, parent: &str) {
        let nearer = self.place.as_ref().is_none_or(|(known, _)| start >= *known);
        if start <= self.offset && nearer {
            self.place = Some((start, node.extent.clone()));
            self.field.clone_from(&field);
            // Text after the header of a table is inside the table.
            self.parent = if matches!(node.data, Data::Table(_)) { field.clone() } else { parent.to_owned() };
        }
        match &node.data {
            Data::Table(table) => self.visit_table(table, &field),
            Data::List(list) => {
                for (ix, element) in list.iter().enumerate() {
                    self.visit(element.extent.start, element, format!("{field}[{ix}]"), &field);
                }
            }
            _ => {}
        }
    }
}
