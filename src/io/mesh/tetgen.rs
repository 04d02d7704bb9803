//! TetGen's two files: nodes and tetrahedra.

use super::finish::note;
use super::raw::{MAX_ELEMENTS, MAX_VERTICES, Raw, Wrong};
use super::source::{Source, float, integer, shown, words};
use glam::DVec3;

/// Reads the file of nodes.
pub(super) fn nodes(bytes: &[u8]) -> Result<Raw, Wrong> {
    let mut table = Table::new(bytes, "nodes")?;
    let [dimension, attributes, markers] = [table.header(1, 3), table.header(2, 0), table.header(3, 0)];
    if dimension != 3 {
        return Err(Wrong::new(format!("nodes must have 3 coordinates, not {dimension}")).at(table.header_line));
    }
    let count = table.count(MAX_VERTICES)?;
    let mut raw = Raw::default();
    for ix in 0..count {
        let line = table.row()?;
        let mut words = words(line);
        let number = whole(words.next()).map_err(|wrong| wrong.at(table.line))?;
        if ix == 0 {
            // Numbering starts at 0 or 1.
            raw.numbers.first = u64::try_from(number).ok().filter(|number| *number < 2).ok_or_else(|| {
                Wrong::new(format!("the first node must have number 0 or 1, not {number}")).at(table.line)
            })?;
        }
        let field = || format!("vertex {number}");
        if number != raw.numbers.first as i64 + ix as i64 {
            let expected = raw.numbers.first + ix as u64;
            return Err(table.wrong(format!("must have number {expected}")).of(field()));
        }
        let mut position = [0.0; 3];
        for coordinate in &mut position {
            let word = words.next().unwrap_or_default();
            let value = float(word).filter(|value| value.is_finite());
            *coordinate =
                value.ok_or_else(|| table.wrong(format!("{} is not a finite number", shown(word))).of(field()))?;
        }
        raw.positions.push(DVec3::from_array(position));
        if markers > 0 {
            let word = usize::try_from(attributes).ok().and_then(|attributes| words.nth(attributes));
            let marker = whole(word).map_err(|wrong| wrong.at(table.line).of(field()))?;
            if marker != 0 {
                let place = raw.groups.place(&format!("marker {marker}"));
                raw.groups.add(place, &[ix as u32]);
            }
        }
    }
    Ok(raw)
}

/// Reads the file of tetrahedra, for nodes that were read before.
pub(super) fn tetrahedra(bytes: &[u8], raw: &mut Raw) -> Result<(), Wrong> {
    let mut table = Table::new(bytes, "tetrahedra")?;
    let corners = table.header(1, 4);
    if corners != 4 && corners != 10 {
        return Err(Wrong::new(format!("tetrahedra must have 4 or 10 nodes, not {corners}")).at(table.header_line));
    }
    let count = table.count(MAX_ELEMENTS)?;
    for _ in 0..count {
        let line = table.row()?;
        let mut words = words(line);
        let number = whole(words.next()).map_err(|wrong| wrong.at(table.line))?;
        let field = || format!("tetrahedron {number}");
        let mut tetrahedron = [0; 4];
        for corner in &mut tetrahedron {
            let node = whole(words.next()).map_err(|wrong| wrong.at(table.line).of(field()))?;
            let place = node.checked_sub(raw.numbers.first as i64).and_then(|place| usize::try_from(place).ok());
            let Some(place) = place.filter(|place| *place < raw.positions.len()) else {
                let (count, first) = (raw.positions.len(), raw.numbers.first);
                let message = format!("names vertex {node}, but there are {count} vertices, counted from {first}");
                return Err(table.wrong(message).of(field()));
            };
            *corner = place as u32;
        }
        raw.tetrahedra.push(tetrahedron);
    }
    if corners == 10 {
        note(&mut raw.notes, count, "used the corners of", "element", "elements", " of higher order");
    }
    Ok(())
}

fn whole(word: Option<&[u8]>) -> Result<i64, Wrong> {
    let word = word.unwrap_or_default();
    integer(word).ok_or_else(|| Wrong::new(format!("{} is not a whole number", shown(word))))
}

/// A file with a header and one row per line, with empty lines and comments between them.
struct Table<'a> {
    source: Source<'a>,
    what: &'static str,
    header: Vec<i64>,
    header_line: usize,
    /// Line of the last row.
    line: usize,
}

impl<'a> Table<'a> {
    fn new(bytes: &'a [u8], what: &'static str) -> Result<Self, Wrong> {
        let mut table = Self { source: Source::new(bytes), what, header: Vec::new(), header_line: 0, line: 0 };
        let line = table.row()?;
        table.header_line = table.line;
        let numbers = words(line).take(4).map(|word| whole(Some(word)).map_err(|wrong| wrong.at(table.line)));
        table.header = numbers.collect::<Result<_, _>>()?;
        Ok(table)
    }

    fn header(&self, place: usize, default: i64) -> i64 {
        self.header.get(place).copied().unwrap_or(default)
    }

    fn count(&self, most: usize) -> Result<usize, Wrong> {
        // Each row has at least eight bytes: a number and three or four others, with spaces.
        let count = self.source.count(self.header.first().copied().unwrap_or(0), 8, most, self.what);
        count.map_err(|wrong| wrong.at(self.header_line))
    }

    fn wrong(&self, message: String) -> Wrong {
        Wrong::new(message).at(self.line)
    }

    /// Next line that is neither empty nor a comment.
    fn row(&mut self) -> Result<&'a [u8], Wrong> {
        loop {
            self.line = self.source.line;
            let Some(line) = self.source.next_line() else {
                return Err(self.wrong(format!("ends too early: there should be more {}", self.what)));
            };
            let line = line.split(|&byte| byte == b'#').next().unwrap_or_default().trim_ascii();
            if !line.is_empty() {
                return Ok(line);
            }
        }
    }
}
