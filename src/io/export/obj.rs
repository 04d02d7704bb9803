//! Wavefront OBJ: one object per part, with triangles as faces and wires as lines.

use super::{Frame, one_word};
use std::{
    fmt,
    io::{self, Write},
};

/// Writes a frame, with texture coordinates and normals where they exist. Numbers are read back to the bit.
pub fn write(writer: &mut dyn Write, frame: &Frame) -> io::Result<()> {
    frame.check()?;
    // Numbering starts at 1 and continues through all objects, separately for each list.
    let (mut positions, mut textures, mut normals) = (1, 1, 1);
    for part in frame.parts {
        writeln!(writer, "o {}", one_word(part.name))?;
        for p in part.positions {
            writeln!(writer, "v {} {} {}", p.x, p.y, p.z)?;
        }
        for t in part.texture {
            writeln!(writer, "vt {} {}", t.x, t.y)?;
        }
        for n in part.normals {
            writeln!(writer, "vn {} {} {}", n.x, n.y, n.z)?;
        }
        let corner = |vertex: u32| {
            let vertex = vertex as usize;
            let known = |first: usize, empty: bool| (!empty).then_some(first + vertex);
            Corner {
                position: positions + vertex,
                texture: known(textures, part.texture.is_empty()),
                normal: known(normals, part.normals.is_empty()),
            }
        };
        for [a, b, c] in part.triangles.iter().map(|triangle| triangle.map(corner)) {
            writeln!(writer, "f {a} {b} {c}")?;
        }
        for [a, b] in part.wires.iter().map(|wire| wire.map(|vertex| positions + vertex as usize)) {
            writeln!(writer, "l {a} {b}")?;
        }
        positions += part.positions.len();
        textures += part.texture.len();
        normals += part.normals.len();
    }
    Ok(())
}

/// A corner of a face with its number in each list.
struct Corner {
    position: usize,
    texture: Option<usize>,
    normal: Option<usize>,
}

impl fmt::Display for Corner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        match (self.texture, self.normal) {
            (None, None) => write!(f, "{position}"),
            (Some(texture), None) => write!(f, "{position}/{texture}"),
            (None, Some(normal)) => write!(f, "{position}//{normal}"),
            (Some(texture), Some(normal)) => write!(f, "{position}/{texture}/{normal}"),
        }
    }
}
