//! Checks of tetrahedra: none is flat, all have the same orientation, and a face has at most two.

use super::finish::note;
use super::raw::{Raw, Wrong};
use glam::{DVec3, Vec3};

/// Six times the volume of a flat tetrahedron, as a fraction of the cube of its longest edge.
const LEAST_VOLUME: f64 = 1e-8;

/// Checked tetrahedra of a file, all of positive orientation.
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

/// Whether the orientation is positive; `None` for a flat tetrahedron.
fn side([a, b, c, d]: [DVec3; 4]) -> Option<bool> {
    let edges = [b - a, c - a, d - a, c - b, d - b, d - c];
    let longest = edges.iter().map(|edge| edge.length()).fold(0.0, f64::max);
    let volume = edges[0].dot(edges[1].cross(edges[2]));
    (volume.abs() > LEAST_VOLUME * longest.powi(3)).then_some(volume > 0.0)
}

/// Checks that every face has at most two tetrahedra, on different sides.
fn check_faces(raw: &Raw, tetrahedra: &[[u32; 4]]) -> Result<(), Wrong> {
    let mut faces = Vec::with_capacity(4 * tetrahedra.len());
    for (&[a, b, c, d], ix) in tetrahedra.iter().zip(0u32..) {
        for face in [[b, c, d], [a, d, c], [a, b, d], [a, c, b]] {
            let (key, even) = sorted(face);
            faces.push((key, ix, even));
        }
    }
    faces.sort_unstable();
    for run in faces.chunk_by(|one, other| one.0 == other.0) {
        let problem = match run {
            [one, other] if one.2 == other.2 => "has two tetrahedra on the same side",
            [_, _, _, ..] => "has three tetrahedra: two are the most",
            _ => continue,
        };
        let (key, ix, _) = run[run.len().min(3) - 1];
        let [a, b, c] = key.map(|vertex| raw.numbers.vertex(vertex));
        let message = format!("the face of vertices {a}, {b} and {c} {problem}");
        return Err(Wrong::new(message).of(format!("tetrahedron {}", raw.numbers.element(ix as usize))));
    }
    Ok(())
}

/// Vertices in ascending order, and whether their orientation is unchanged.
fn sorted([a, b, c]: [u32; 3]) -> ([u32; 3], bool) {
    let mut key = [a, b, c];
    key.sort_unstable();
    (key, key == [a, b, c] || key == [b, c, a] || key == [c, a, b])
}
