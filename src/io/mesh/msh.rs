//! Gmsh's MSH files, versions 2.2 and 4.1, ASCII and binary.

use super::finish::note;
use super::raw::{MAX_ELEMENTS, MAX_VERTICES, Raw, Wrong};
use super::source::{Source, integer, name, shown, words};
use glam::DVec3;
use std::collections::HashMap;

/// Largest number of physical groups of an entity: each of its elements belongs to all of them.
const MOST_GROUPS: usize = 16;

#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Ascii,
    Little,
    Big,
}

/// Shape of an element type.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Point,
    Line,
    Triangle,
    Quadrangle,
    Tetrahedron,
}

/// Shape and number of nodes of an element type, corners first; `Err` with the name of an unsupported type.
fn shape(kind: i64) -> Result<(Shape, usize), String> {
    Ok(match kind {
        1 => (Shape::Line, 2),
        8 => (Shape::Line, 3),
        26..=28 => (Shape::Line, kind as usize - 22),
        2 => (Shape::Triangle, 3),
        9 => (Shape::Triangle, 6),
        20 => (Shape::Triangle, 9),
        21 => (Shape::Triangle, 10),
        22 => (Shape::Triangle, 12),
        23 | 24 => (Shape::Triangle, 15),
        25 => (Shape::Triangle, 21),
        3 => (Shape::Quadrangle, 4),
        10 => (Shape::Quadrangle, 9),
        16 => (Shape::Quadrangle, 8),
        4 => (Shape::Tetrahedron, 4),
        11 => (Shape::Tetrahedron, 10),
        29 => (Shape::Tetrahedron, 20),
        30 => (Shape::Tetrahedron, 35),
        31 => (Shape::Tetrahedron, 56),
        15 => (Shape::Point, 1),
        5 | 12 | 17 => return Err("hexahedra".to_owned()),
        6 | 13 | 18 => return Err("prisms".to_owned()),
        7 | 14 | 19 => return Err("pyramids".to_owned()),
        _ => return Err(format!("elements of type {kind}")),
    })
}

impl Shape {
    fn corners(self) -> usize {
        match self {
            Self::Point => 1,
            Self::Line => 2,
            Self::Triangle => 3,
            Self::Quadrangle | Self::Tetrahedron => 4,
        }
    }

    fn dimension(self) -> i64 {
        match self {
            Self::Point => 0,
            Self::Line => 1,
            Self::Triangle | Self::Quadrangle => 2,
            Self::Tetrahedron => 3,
        }
    }
}

struct Reader<'a> {
    source: Source<'a>,
    encoding: Encoding,
    /// Version 4.1 instead of 2.2.
    new: bool,
    raw: Raw,
    /// Index of each node by its tag.
    nodes: HashMap<u64, u32>,
    /// Names of physical groups, by dimension and tag.
    names: HashMap<(i64, i64), String>,
    /// Index of each physical group by dimension and tag.
    groups: HashMap<(i64, i64), usize>,
    /// Physical groups of each entity by dimension and tag.
    parts: HashMap<(i64, i64), Vec<i64>>,
    /// Number of elements of higher order.
    higher: usize,
}

pub(super) fn parse(bytes: &[u8]) -> Result<Raw, Wrong> {
    let mut reader = Reader {
        source: Source::new(bytes),
        encoding: Encoding::Ascii,
        new: false,
        raw: Raw::default(),
        nodes: HashMap::new(),
        names: HashMap::new(),
        groups: HashMap::new(),
        parts: HashMap::new(),
        higher: 0,
    };
    reader.raw.numbers.first = 1;
    let read = reader.sections();
    // Only ASCII files have line numbers.
    let text = reader.encoding == Encoding::Ascii;
    read.map_err(|wrong| if text { wrong } else { Wrong { line: None, ..wrong } })?;
    let mut raw = reader.raw;
    if !text {
        raw.lines.clear();
    }
    note(&mut raw.notes, reader.higher, "used the corners of", "element", "elements", " of higher order");
    Ok(raw)
}

impl Reader<'_> {
    fn sections(&mut self) -> Result<(), Wrong> {
        let mut formatted = false;
        loop {
            let number = self.source.line;
            let Some(line) = self.source.next_line() else { break };
            let line = line.trim_ascii();
            let Some(section) = line.strip_prefix(b"$") else {
                if line.is_empty() {
                    continue;
                }
                return Err(Wrong::new(format!("{} is no section: $Nodes, for one", shown(line))).at(number));
            };
            if !formatted && section != b"MeshFormat" && section != b"Comments" {
                return Err(Wrong::new("$MeshFormat must come first").at(number));
            }
            let field = name(section);
            let read = match section {
                b"MeshFormat" => {
                    formatted = true;
                    self.format()
                }
                b"PhysicalNames" => self.physical_names(),
                b"Entities" if self.new => self.entities(),
                b"Nodes" if self.new => self.nodes_4(),
                b"Nodes" => self.nodes_2(),
                b"Elements" if self.new => self.elements_4(),
                b"Elements" => self.elements_2(),
                _ => {
                    self.skip_section(section);
                    continue;
                }
            };
            read.map_err(|wrong| if wrong.field.is_empty() { wrong.of(format!("${field}")) } else { wrong })?;
            self.end_of(section)?;
        }
        if !formatted {
            return Err(Wrong::new("is no mesh of Gmsh: $MeshFormat is missing"));
        }
        Ok(())
    }

    /// Skips everything up to the section's end, or the end of the file.
    fn skip_section(&mut self, section: &[u8]) {
        while let Some(line) = self.source.next_line() {
            if line.trim_ascii().strip_prefix(b"$End").is_some_and(|name| name == section) {
                break;
            }
        }
    }

    fn end_of(&mut self, section: &[u8]) -> Result<(), Wrong> {
        let word = self.source.word();
        if word.and_then(|word| word.strip_prefix(b"$End")) == Some(section) {
            return Ok(());
        }
        let found = word.map_or("the end of the file".to_owned(), shown);
        Err(self.source.wrong(format!("$End{} must follow here, not {found}", name(section))))
    }

    fn format(&mut self) -> Result<(), Wrong> {
        let line = self.source.next_line().unwrap_or_default();
        let words: Vec<&[u8]> = words(line).take(4).collect();
        let [version, kind, size] = *words else {
            return Err(self.source.wrong("must be a version, a kind and a size"));
        };
        self.new = match version {
            b"2" | b"2.1" | b"2.2" => false,
            b"4.1" => true,
            _ => return Err(Wrong::new(format!("version {} cannot be read: use 2.2 or 4.1", shown(version)))),
        };
        match kind {
            b"0" => return Ok(()),
            b"1" if size == b"8" => {}
            _ => return Err(Wrong::new("must be text, 0, or binary, 1, of 8 bytes a number")),
        }
        let one = self.source.take()?;
        self.encoding = match (i32::from_le_bytes(one), i32::from_be_bytes(one)) {
            (1, _) => Encoding::Little,
            (_, 1) => Encoding::Big,
            _ => return Err(Wrong::new("the number that tells the order of bytes is not 1")),
        };
        Ok(())
    }

    /// Reads lines of a dimension, a tag and a quoted name; always ASCII.
    fn physical_names(&mut self) -> Result<(), Wrong> {
        let count = self.line_count(MAX_ELEMENTS, "names")?;
        for _ in 0..count {
            let number = self.source.line;
            let line = self.source.next_line().unwrap_or_default();
            let mut quoted = line.splitn(3, |&byte| byte == b'"');
            let mut numbers = words(quoted.next().unwrap_or_default());
            let (dimension, tag) = (numbers.next().and_then(integer), numbers.next().and_then(integer));
            let (Some(dimension), Some(tag), Some(called)) = (dimension, tag, quoted.next()) else {
                return Err(Wrong::new("must be a dimension, a number and a name in quotes").at(number));
            };
            self.names.insert((dimension, tag), name(called));
        }
        Ok(())
    }

    /// Reads the physical groups of the model's entities.
    fn entities(&mut self) -> Result<(), Wrong> {
        let mut counts = [0; 4];
        for count in &mut counts {
            let wanted = self.size("a number of parts")?;
            *count = self.source.count(wanted, 8, MAX_ELEMENTS, "parts of the model")?;
        }
        for (dimension, count) in counts.into_iter().enumerate() {
            for _ in 0..count {
                let tag = self.int("the number of a part")?;
                for _ in 0..if dimension == 0 { 3 } else { 6 } {
                    self.float("a coordinate")?;
                }
                let mut groups = Vec::new();
                let wanted = self.size("a number of groups")?;
                for _ in 0..self.source.count(wanted, 2, MOST_GROUPS, "physical groups of a part")? {
                    groups.push(self.int("the number of a group")?);
                }
                if !groups.is_empty() {
                    self.parts.insert((dimension as i64, tag), groups);
                }
                if dimension > 0 {
                    let wanted = self.size("a number of borders")?;
                    for _ in 0..self.source.count(wanted, 2, MAX_ELEMENTS, "borders of a part")? {
                        self.int("the number of a border")?;
                    }
                }
            }
        }
        Ok(())
    }

    fn nodes_2(&mut self) -> Result<(), Wrong> {
        let count = self.line_count(MAX_VERTICES, "nodes")?;
        for _ in 0..count {
            let tag = self.int("the number of a node")?;
            self.node(tag)?;
        }
        Ok(())
    }

    fn nodes_4(&mut self) -> Result<(), Wrong> {
        let wanted = self.size("a number of blocks")?;
        let blocks = self.source.count(wanted, 8, MAX_ELEMENTS, "blocks")?;
        for what in ["a number of nodes", "the least number", "the largest number"] {
            self.size(what)?;
        }
        let mut tags = Vec::new();
        for _ in 0..blocks {
            let dimension = self.int("a dimension")?;
            self.int("the number of a part")?;
            let parametric = self.int("whether it is parametric")?;
            let wanted = self.size("a number of nodes")?;
            let count = self.source.count(wanted, 8, MAX_VERTICES, "nodes")?;
            tags.clear();
            for _ in 0..count {
                tags.push(self.size("the number of a node")?);
            }
            for &tag in &tags {
                self.node(tag)?;
                if parametric != 0 {
                    for _ in 0..dimension.clamp(0, 3) {
                        self.float("a parameter")?;
                    }
                }
            }
        }
        Ok(())
    }

    fn node(&mut self, tag: i64) -> Result<(), Wrong> {
        let field = || format!("vertex {tag}");
        let mut position = [0.0; 3];
        for coordinate in &mut position {
            *coordinate = self.float("a coordinate").map_err(|wrong| wrong.of(field()))?;
            if !coordinate.is_finite() {
                return Err(self.source.wrong("is not finite").of(field()));
            }
        }
        let Ok(tag) = u64::try_from(tag) else {
            return Err(self.source.wrong("must not be negative").of(field()));
        };
        let place = self.raw.positions.len();
        if place >= MAX_VERTICES {
            return Err(self.source.wrong(format!("more than {MAX_VERTICES} nodes")));
        }
        if self.nodes.insert(tag, place as u32).is_some() {
            return Err(self.source.wrong("is there twice").of(field()));
        }
        self.raw.positions.push(DVec3::from_array(position));
        self.raw.numbers.tags.push(tag);
        Ok(())
    }

    fn elements_2(&mut self) -> Result<(), Wrong> {
        let count = self.line_count(MAX_ELEMENTS, "elements")?;
        let mut done = 0;
        while done < count {
            // ASCII files have this header before each element, binary files once per block.
            let mut tag = 0;
            let (kind, in_block, tag_count);
            if self.encoding == Encoding::Ascii {
                tag = self.int("the number of an element")?;
                kind = self.int("a type")?;
                in_block = 1;
                tag_count = self.int("a number of tags")?;
            } else {
                kind = self.int("a type")?;
                in_block = self.int("a number of elements")?;
                tag_count = self.int("a number of tags")?;
            }
            let (shape, nodes) = self.shape(kind)?;
            let tag_count = self.source.count(tag_count, 2, 1024, "tags")?;
            let in_block = self.source.count(in_block, 8, count - done, "elements")?;
            if in_block == 0 {
                return Err(self.source.wrong("a block without elements"));
            }
            for _ in 0..in_block {
                if self.encoding != Encoding::Ascii {
                    tag = self.int("the number of an element")?;
                }
                let mut group = None;
                for ix in 0..tag_count {
                    let value = self.int("a tag")?;
                    if ix == 0 && value != 0 {
                        group = Some(self.group(shape.dimension(), value));
                    }
                }
                self.element(shape, nodes, tag, group.as_slice())?;
            }
            done += in_block;
        }
        Ok(())
    }

    fn elements_4(&mut self) -> Result<(), Wrong> {
        let wanted = self.size("a number of blocks")?;
        let blocks = self.source.count(wanted, 8, MAX_ELEMENTS, "blocks")?;
        for what in ["a number of elements", "the least number", "the largest number"] {
            self.size(what)?;
        }
        for _ in 0..blocks {
            let dimension = self.int("a dimension")?;
            let part = self.int("the number of a part")?;
            let kind = self.int("a type")?;
            let wanted = self.size("a number of elements")?;
            let count = self.source.count(wanted, 4, MAX_ELEMENTS, "elements")?;
            if count == 0 {
                continue;
            }
            let (shape, nodes) = self.shape(kind)?;
            let tags = self.parts.get(&(dimension, part)).cloned().unwrap_or_default();
            let groups: Vec<usize> = tags.into_iter().map(|tag| self.group(dimension, tag)).collect();
            for _ in 0..count {
                let tag = self.size("the number of an element")?;
                self.element(shape, nodes, tag, &groups)?;
            }
        }
        Ok(())
    }

    fn shape(&self, kind: i64) -> Result<(Shape, usize), Wrong> {
        shape(kind)
            .map_err(|what| self.source.wrong(format!("{what} cannot be simulated: use triangles or tetrahedra")))
    }

    /// Index of a physical group. Its tag is negative if an entity has reversed orientation.
    fn group(&mut self, dimension: i64, tag: i64) -> usize {
        let tag = tag.saturating_abs();
        let (groups, names) = (&mut self.raw.groups, &self.names);
        *self.groups.entry((dimension, tag)).or_insert_with(|| match names.get(&(dimension, tag)) {
            Some(name) => groups.place(name),
            None => groups.place(&format!("physical {tag}")),
        })
    }

    fn element(&mut self, shape: Shape, nodes: usize, tag: i64, groups: &[usize]) -> Result<(), Wrong> {
        let field = || format!("element {tag}");
        let mut corners = [0; 4];
        for ix in 0..nodes {
            let node = if self.new { self.size("the number of a node") } else { self.int("the number of a node") };
            let node = node.map_err(|wrong| wrong.of(field()))?;
            let place = u64::try_from(node).ok().and_then(|node| self.nodes.get(&node)).copied();
            let place = place
                .ok_or_else(|| self.source.wrong(format!("names vertex {node}, which is not there")).of(field()))?;
            if let Some(corner) = corners.get_mut(ix) {
                *corner = place;
            }
        }
        let [a, b, c, d] = corners;
        let line = self.source.line;
        match shape {
            Shape::Point => {}
            Shape::Line => self.raw.wires.push([a, b]),
            Shape::Triangle => {
                self.raw.triangles.push([a, b, c]);
                self.raw.lines.push(line);
            }
            Shape::Quadrangle => {
                let places = corners.map(|vertex| self.raw.positions[vertex as usize]);
                for triangle in super::polygon::cut(&places).unwrap_or_default() {
                    self.raw.triangles.push(triangle.map(|k| corners[k]));
                    self.raw.lines.push(line);
                }
            }
            Shape::Tetrahedron => self.raw.tetrahedra.push([a, b, c, d]),
        }
        for &place in groups {
            self.raw.groups.add(place, &corners[..shape.corners()]);
        }
        self.higher += usize::from(nodes > shape.corners());
        Ok(())
    }

    /// A count on a line of its own, ASCII even in binary files.
    fn line_count(&mut self, most: usize, what: &str) -> Result<usize, Wrong> {
        let number = self.source.line;
        let line = self.source.next_line().unwrap_or_default().trim_ascii();
        let count = integer(line).ok_or_else(|| Wrong::new(format!("{} is not a number of {what}", shown(line))));
        // Each entry has at least four bytes: a number and a name, or two numbers, with spaces.
        count.and_then(|count| self.source.count(count, 4, most, what)).map_err(|wrong| wrong.at(number))
    }

    /// Reads an integer of 4 bytes.
    fn int(&mut self, what: &str) -> Result<i64, Wrong> {
        Ok(match self.encoding {
            Encoding::Ascii => return self.source.integer(what),
            Encoding::Little => i32::from_le_bytes(self.source.take()?).into(),
            Encoding::Big => i32::from_be_bytes(self.source.take()?).into(),
        })
    }

    /// Reads an integer of 8 bytes. One that is too large becomes negative and is rejected later.
    fn size(&mut self, what: &str) -> Result<i64, Wrong> {
        Ok(match self.encoding {
            Encoding::Ascii => return self.source.integer(what),
            Encoding::Little => i64::from_le_bytes(self.source.take()?),
            Encoding::Big => i64::from_be_bytes(self.source.take()?),
        })
    }

    fn float(&mut self, what: &str) -> Result<f64, Wrong> {
        Ok(match self.encoding {
            Encoding::Ascii => return self.source.float(what),
            Encoding::Little => f64::from_le_bytes(self.source.take()?),
            Encoding::Big => f64::from_be_bytes(self.source.take()?),
        })
    }
}
