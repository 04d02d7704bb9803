//! Wavefront OBJ.

use super::finish::note;
use super::polygon::{MOST_CORNERS, cut};
use super::raw::{MAX_ELEMENTS, MAX_VERTICES, Raw, Wrong};
use super::source::{Source, float, integer, name, shown, words};
use glam::{DVec3, Vec2};

/// Largest number of names after a `g`: every face belongs to all of them.
const MOST_GROUPS: usize = 8;

/// A face as in the file, before all vertices are known.
struct Polygon {
    /// Range of its corners.
    corners: std::ops::Range<usize>,
    /// Range of its groups in `sets`.
    groups: std::ops::Range<usize>,
    line: usize,
}

#[derive(Default)]
struct Reader {
    raw: Raw,
    polygons: Vec<Polygon>,
    /// Vertex and texture coordinate, from 0; `u32::MAX` without one.
    corners: Vec<[u32; 2]>,
    /// Groups of faces, one range after each `o` or `g`.
    sets: Vec<usize>,
    object: Option<usize>,
    named: Vec<usize>,
    /// Current range of groups.
    set: std::ops::Range<usize>,
}

pub(super) fn parse(bytes: &[u8]) -> Result<Raw, Wrong> {
    let mut source = Source::new(bytes);
    let mut reader = Reader::default();
    reader.raw.numbers.first = 1;
    let mut joined = Vec::new();
    let mut first = 1;
    loop {
        if joined.is_empty() {
            first = source.line;
        }
        let Some(line) = source.next_line() else { break };
        // A backslash at the end of a line continues it.
        if let Some(part) = line.strip_suffix(b"\\") {
            joined.extend_from_slice(part);
            joined.push(b' ');
        } else if joined.is_empty() {
            reader.line(line, first).map_err(|wrong| wrong.at(first))?;
        } else {
            joined.extend_from_slice(line);
            reader.line(&joined, first).map_err(|wrong| wrong.at(first))?;
            joined.clear();
        }
    }
    reader.line(&joined, first).map_err(|wrong| wrong.at(first))?;
    reader.finish()
}

impl Reader {
    fn line(&mut self, line: &[u8], number: usize) -> Result<(), Wrong> {
        let line = line.split(|&byte| byte == b'#').next().unwrap_or_default();
        let mut words = words(line);
        let Some(kind) = words.next() else { return Ok(()) };
        match kind {
            b"v" => self.vertex(words),
            b"vt" => self.texture(words),
            b"f" | b"fo" => self.face(words, number),
            b"l" => self.wires(words),
            b"o" => {
                let name = name(&line[kind.len() + line.len() - line.trim_ascii_start().len()..]);
                self.object = (!name.is_empty()).then(|| self.raw.groups.place(&name));
                self.open_set();
                Ok(())
            }
            b"g" => self.groups(words),
            // Normals, materials, smoothing and curves are ignored.
            _ => Ok(()),
        }
    }

    fn vertex<'a>(&mut self, words: impl Iterator<Item = &'a [u8]>) -> Result<(), Wrong> {
        let field = || format!("vertex {}", self.raw.positions.len() + 1);
        if self.raw.positions.len() >= MAX_VERTICES {
            return Err(Wrong::new(format!("more than {MAX_VERTICES} vertices")).of(field()));
        }
        // A weight or a colour may follow.
        let position = numbers::<3>(words, 3).map_err(|wrong| wrong.of(field()))?;
        self.raw.positions.push(DVec3::from_array(position));
        Ok(())
    }

    fn texture<'a>(&mut self, words: impl Iterator<Item = &'a [u8]>) -> Result<(), Wrong> {
        let field = || format!("texture coordinate {}", self.raw.texture.len() + 1);
        if self.raw.texture.len() >= MAX_ELEMENTS {
            return Err(Wrong::new(format!("more than {MAX_ELEMENTS} texture coordinates")).of(field()));
        }
        let [u, v] = numbers::<2>(words, 1).map_err(|wrong| wrong.of(field()))?;
        self.raw.texture.push(Vec2::new(u as f32, v as f32));
        Ok(())
    }

    fn face<'a>(&mut self, words: impl Iterator<Item = &'a [u8]>, line: usize) -> Result<(), Wrong> {
        let first = self.corners.len();
        for word in words {
            let corner = self.corner(word)?;
            self.corners.push(corner);
        }
        let corners = first..self.corners.len();
        if corners.len() < 3 {
            return Err(Wrong::new(format!("a face must have three vertices at least, not {}", corners.len())));
        }
        if self.corners.len() > 3 * MAX_ELEMENTS {
            return Err(Wrong::new(format!("more than {MAX_ELEMENTS} triangles")));
        }
        self.polygons.push(Polygon { corners, groups: self.set.clone(), line });
        Ok(())
    }

    fn wires<'a>(&mut self, words: impl Iterator<Item = &'a [u8]>) -> Result<(), Wrong> {
        let mut last = None;
        let mut count = 0;
        for word in words {
            let [vertex, _] = self.corner(word)?;
            // Lines are checked at once: their vertices must precede them.
            if vertex as usize >= self.raw.positions.len() {
                return Err(self.no_vertex(vertex));
            }
            if let Some(last) = last {
                self.raw.wires.push([last, vertex]);
            }
            for place in self.set.clone() {
                self.raw.groups.add(self.sets[place], &[vertex]);
            }
            last = Some(vertex);
            count += 1;
        }
        if count < 2 {
            return Err(Wrong::new(format!("a line must have two vertices at least, not {count}")));
        }
        Ok(())
    }

    fn groups<'a>(&mut self, words: impl Iterator<Item = &'a [u8]>) -> Result<(), Wrong> {
        self.named.clear();
        for word in words {
            if self.named.len() >= MOST_GROUPS {
                return Err(Wrong::new(format!("more than {MOST_GROUPS} names for a group")));
            }
            let name = name(word);
            // The default group of a file would contain everything and is ignored.
            if name != "default" {
                self.named.push(self.raw.groups.place(&name));
            }
        }
        self.open_set();
        Ok(())
    }

    fn open_set(&mut self) {
        let first = self.sets.len();
        self.sets.extend(self.object);
        self.sets.extend(self.named.iter().filter(|place| Some(**place) != self.object));
        self.set = first..self.sets.len();
    }

    /// Vertex and texture coordinate of `7`, `7/3`, `7//2`, `7/3/2`, or relative to the end, `-1/-1`.
    fn corner(&self, word: &[u8]) -> Result<[u32; 2], Wrong> {
        let mut parts = word.split(|&byte| byte == b'/');
        let index = |part: &[u8], count: usize, what: &str| {
            let Some(number) = integer(part) else {
                return Err(Wrong::new(format!("{} is not the number of a {what}", shown(part))));
            };
            let place = if number < 0 { count as i64 + number } else { number - 1 };
            if number == 0 || place < 0 || place >= i64::from(u32::MAX) {
                let message = format!("names {what} {number}, but there are {count} before it, counted from 1");
                return Err(Wrong::new(message));
            }
            Ok(place as u32)
        };
        let vertex = index(parts.next().unwrap_or_default(), self.raw.positions.len(), "vertex")?;
        let texture = match parts.next() {
            None | Some(b"") => u32::MAX,
            Some(part) => index(part, self.raw.texture.len(), "texture coordinate")?,
        };
        Ok([vertex, texture])
    }

    fn no_vertex(&self, vertex: u32) -> Wrong {
        let count = self.raw.positions.len();
        Wrong::new(format!("names vertex {}, but there are {count} vertices", u64::from(vertex) + 1))
    }

    /// Triangulates the polygons.
    fn finish(mut self) -> Result<Raw, Wrong> {
        let with_texture = !self.corners.is_empty() && self.corners.iter().all(|corner| corner[1] != u32::MAX);
        if !with_texture && self.corners.iter().any(|corner| corner[1] != u32::MAX) {
            self.raw.notes.push("left out texture coordinates: not all faces have them".to_owned());
        }
        let mut cut_up = 0;
        let mut places = Vec::new();
        for polygon in &self.polygons {
            let corners = &self.corners[polygon.corners.clone()];
            places.clear();
            for &[vertex, texture] in corners {
                let Some(&position) = self.raw.positions.get(vertex as usize) else {
                    return Err(self.no_vertex(vertex).at(polygon.line));
                };
                let count = self.raw.texture.len();
                if with_texture && texture as usize >= count {
                    let number = u64::from(texture) + 1;
                    let message = format!("names texture coordinate {number}, but there are {count} of them");
                    return Err(Wrong::new(message).at(polygon.line));
                }
                places.push(position);
            }
            let Some(triangles) = cut(&places) else {
                let message = format!("a face of more than {MOST_CORNERS} corners must be convex");
                return Err(Wrong::new(message).at(polygon.line));
            };
            cut_up += usize::from(triangles.len() > 1);
            for triangle in triangles {
                let vertices = triangle.map(|k| corners[k][0]);
                self.raw.triangles.push(vertices);
                self.raw.lines.push(polygon.line);
                if with_texture {
                    self.raw.texture_corners.push(triangle.map(|k| corners[k][1]));
                }
            }
            for place in polygon.groups.clone() {
                for &[vertex, _] in corners {
                    self.raw.groups.add(self.sets[place], &[vertex]);
                }
            }
        }
        note(&mut self.raw.notes, cut_up, "cut", "polygon", "polygons", " into triangles");
        Ok(self.raw)
    }
}

/// First N numbers of a line, of which `least` must exist.
fn numbers<'a, const N: usize>(words: impl Iterator<Item = &'a [u8]>, least: usize) -> Result<[f64; N], Wrong> {
    let mut numbers = [0.0; N];
    let mut count = 0;
    for (word, number) in words.zip(&mut numbers) {
        *number = float(word).ok_or_else(|| Wrong::new(format!("{} is not a number", shown(word))))?;
        if !number.is_finite() {
            return Err(Wrong::new(format!("{} is not finite", shown(word))));
        }
        count += 1;
    }
    if count < least {
        return Err(Wrong::new(format!("must have {least} numbers, not {count}")));
    }
    Ok(numbers)
}
