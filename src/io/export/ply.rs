//! Stanford PLY, binary little endian: all parts in one mesh, with triangles as faces and wires as edges.

use super::{Frame, Part, numbers::put, one_word};
use std::io::{self, Write};

/// Writes a frame. Normals are `nx ny nz`, texture coordinates `s t`, velocities `vx vy vz`, strains `strain`: each if any part
/// has it, zero for parts without it.
pub fn write(writer: &mut dyn Write, frame: &Frame) -> io::Result<()> {
    frame.check()?;
    let parts = frame.parts;
    let known = Known {
        normals: parts.iter().any(|part| !part.normals.is_empty()),
        texture: parts.iter().any(|part| !part.texture.is_empty()),
        velocities: parts.iter().any(|part| !part.velocities.is_empty()),
        strains: parts.iter().any(|part| !part.strains.is_empty()),
    };
    head(writer, frame, known)?;
    for part in parts {
        put(writer, (0..part.positions.len()).flat_map(|ix| vertex(part, ix, known)).map(f32::to_le_bytes))?;
    }
    for (first, part) in frame.with_first() {
        for triangle in part.triangles {
            writer.write_all(&[3])?;
            put(writer, triangle.map(|ix| (first + ix).to_le_bytes()))?;
        }
    }
    for (first, part) in frame.with_first() {
        put(writer, part.wires.as_flattened().iter().map(|ix| (first + ix).to_le_bytes()))?;
    }
    Ok(())
}

/// Optional properties of the frame.
#[derive(Clone, Copy)]
struct Known {
    normals: bool,
    texture: bool,
    velocities: bool,
    strains: bool,
}

fn head(writer: &mut dyn Write, frame: &Frame, known: Known) -> io::Result<()> {
    writeln!(writer, "ply\nformat binary_little_endian 1.0\ncomment time {}", frame.time)?;
    for part in frame.parts {
        writeln!(writer, "comment part {} {}", one_word(part.name), part.positions.len())?;
    }
    writeln!(writer, "element vertex {}", frame.vertex_count())?;
    let properties = [
        (true, ["x", "y", "z"].as_slice()),
        (known.normals, &["nx", "ny", "nz"]),
        (known.texture, &["s", "t"]),
        (known.velocities, &["vx", "vy", "vz"]),
        (known.strains, &["strain"]),
    ];
    for name in properties.iter().filter(|(known, _)| *known).flat_map(|(_, names)| *names) {
        writeln!(writer, "property float {name}")?;
    }
    let triangles: usize = frame.parts.iter().map(|part| part.triangles.len()).sum();
    writeln!(writer, "element face {triangles}\nproperty list uchar int vertex_indices")?;
    let wires: usize = frame.parts.iter().map(|part| part.wires.len()).sum();
    if wires > 0 {
        writeln!(writer, "element edge {wires}\nproperty int vertex1\nproperty int vertex2")?;
    }
    writeln!(writer, "end_header")
}

fn vertex(part: &Part, ix: usize, known: Known) -> impl Iterator<Item = f32> {
    let vector = |known: bool, values: &[glam::Vec3]| {
        known.then(|| values.get(ix).copied().unwrap_or_default().to_array()).into_iter().flatten()
    };
    let texture = known.texture.then(|| part.texture.get(ix).copied().unwrap_or_default().to_array());
    let strain = known.strains.then(|| part.strains.get(ix).copied().unwrap_or_default());
    vector(true, part.positions)
        .chain(vector(known.normals, part.normals))
        .chain(texture.into_iter().flatten())
        .chain(vector(known.velocities, part.velocities))
        .chain(strain)
}
