//! Wavefront OBJ: one object per part, with triangles as faces and wires as lines.

use super::{Frame, one_word};
use std::io::{self, Write};

/// Writes a frame, with texture coordinates and normals where they are known. Numbers are such that they are read back to the bit.
pub fn write(writer: &mut dyn Write, frame: &Frame) -> io::Result<()> {
    frame.check()?;
    // Counted from 1, through all objects, each by itself.
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
            let (v, t, n) = (positions + vertex, textures + vertex, normals + vertex);
            match (part.texture.is_empty(), part.normals.is_empty()) {
                (true, true) => format!("{v}"),
                (false, true) => format!("{v}/{t}"),
                (true, false) => format!("{v}//{n}"),
                (false, false) => format!("{v}/{t}/{n}"),
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
