//! Tetrahedra: none is flat, all are turned the same way, and faces have two at most.

use super::finish::note;
use super::raw::{Raw, Wrong};
use glam::{DVec3, Vec3};

/// Six times the volume below which a tetrahedron is flat, as a part of the cube of its longest edge.
const LEAST_VOLUME: f64 = 1e-8;

/// The tetrahedra of a file.
pub(super) fn tetrahedra(
    raw: &Raw,
    positions: &[Vec3],
    welded: &[u32],
    notes: &mut Vec<String>,
) -> Result<Vec<[u32; 4]>, Wrong> {
    let mut inverted = 0;
    let mut tetrahedra = Vec::with_capacity(raw.tetrahedra.len());
    for (ix, tetrahedron) in raw.tetrahedra.iter().enumerate() {
        let mut corners = tetrahedron.map(|vertex| welded[vertex as usize]);
        match side(corners.map(|vertex| positions[vertex as usize].as_dvec3())) {
            Some(true) => {}
            Some(false) => {
                corners.swap(2, 3);
                inverted += 1;
            }
            None => {
                let [a, b, c, d] = tetrahedron.map(|vertex| raw.numbers.vertex(vertex));
                let message = format!("is flat: vertices {a}, {b}, {c} and {d} lie in a plane");
                return Err(Wrong::new(message).of(format!("tetrahedron {}", raw.numbers.element(ix))));
            }
        }
        tetrahedra.push(corners);
    }
    note(notes, inverted, "turned", "inverted tetrahedron", "inverted tetrahedra", "");
    check_faces(raw, &tetrahedra)?;
    Ok(tetrahedra)
}

/// Whether it is the right way round; `None` if it is flat.
fn side([a, b, c, d]: [DVec3; 4]) -> Option<bool> {
    let edges = [b - a, c - a, d - a, c - b, d - b, d - c];
    let longest = edges.iter().map(|edge| edge.length()).fold(0.0, f64::max);
    let volume = edges[0].dot(edges[1].cross(edges[2]));
    (volume.abs() > LEAST_VOLUME * longest.powi(3)).then_some(volume > 0.0)
}

fn check_faces(raw: &Raw, tetrahedra: &[[u32; 4]]) -> Result<(), Wrong> {
    let mut faces = Vec::with_capacity(4 * tetrahedra.len());
    for (&[a, b, c, d], ix) in tetrahedra.iter().zip(0u32..) {
        for mut face in [[b, c, d], [a, c, d], [a, b, d], [a, b, c]] {
            face.sort_unstable();
            faces.push((face, ix));
        }
    }
    faces.sort_unstable();
    match faces.windows(3).find(|three| three[0].0 == three[2].0) {
        Some(three) => {
            let [a, b, c] = three[0].0.map(|vertex| raw.numbers.vertex(vertex));
            let message = format!("the face of vertices {a}, {b} and {c} has three tetrahedra: two are the most");
            Err(Wrong::new(message).of(format!("tetrahedron {}", raw.numbers.element(three[2].1 as usize))))
        }
        None => Ok(()),
    }
}
