//! A state as a Wavefront OBJ file: one object per body, with triangles as faces and wires as lines.

use crate::Scene;
use glam::Vec3;
use std::io::{self, Write};

/// Writes the scene's meshes at other positions, m, particle by particle.
pub fn write(writer: &mut dyn Write, scene: &Scene, names: &[String], positions: &[Vec3]) -> io::Result<()> {
    let mut first = 0;
    for (body, name) in scene.bodies.iter().zip(names) {
        let count = body.mesh.positions.len();
        // A name ends at the first blank for many readers.
        writeln!(writer, "o {}", name.replace(char::is_whitespace, "_"))?;
        for p in positions.iter().skip(first).take(count) {
            writeln!(writer, "v {} {} {}", p.x, p.y, p.z)?;
        }
        // Vertices are counted from 1, through all objects.
        let number = |vertex: u32| first + vertex as usize + 1;
        for [a, b, c] in body.mesh.triangles.iter().map(|triangle| triangle.map(number)) {
            writeln!(writer, "f {a} {b} {c}")?;
        }
        for [a, b] in body.mesh.wires.iter().map(|wire| wire.map(number)) {
            writeln!(writer, "l {a} {b}")?;
        }
        first += count;
    }
    Ok(())
}
