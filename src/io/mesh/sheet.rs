//! Checks of triangles and wires: degenerate ones are left out, an edge has at most two triangles, neighbours have the same
//! orientation.

use super::finish::{located, note};
use super::raw::{Raw, Wrong};
use glam::{DVec3, Vec3};
use std::collections::HashSet;

/// Twice the area of a degenerate triangle, as a fraction of the square of its longest edge.
const LEAST_AREA: f64 = 1e-8;
/// Index of a missing neighbour.
const NONE: u32 = u32::MAX;

/// A triangle of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    pub corners: [u32; 3],
    /// Indices of texture coordinates; zeros without any.
    pub texture: [u32; 3],
    /// Index of the triangle in the file.
    origin: u32,
}

impl Face {
    /// Edge from corner k to the next.
    fn edge(&self, k: usize) -> [u32; 2] {
        [self.corners[k], self.corners[(k + 1) % 3]]
    }

    fn turn(&mut self) {
        self.corners.swap(1, 2);
        self.texture.swap(1, 2);
    }
}

/// Checked triangles of a file.
pub(super) fn faces(
    raw: &Raw,
    positions: &[Vec3],
    welded: &[u32],
    notes: &mut Vec<String>,
) -> Result<Vec<Face>, Wrong> {
    let mut faces = Vec::with_capacity(raw.triangles.len());
    let mut seen = HashSet::with_capacity(raw.triangles.len());
    let (mut flat, mut double) = (0, 0);
    for (ix, triangle) in raw.triangles.iter().enumerate() {
        let corners = triangle.map(|vertex| welded[vertex as usize]);
        if !has_area(corners.map(|vertex| positions[vertex as usize].as_dvec3())) {
            flat += 1;
            continue;
        }
        let mut key = corners;
        key.sort_unstable();
        if !seen.insert(key) {
            double += 1;
            continue;
        }
        let texture = raw.texture_corners.get(ix).copied().unwrap_or_default();
        faces.push(Face { corners, texture, origin: ix as u32 });
    }
    drop(seen);
    note(notes, flat, "left out", "triangle", "triangles", " without area");
    note(notes, double, "left out", "triangle", "triangles", " that the file has more than once");
    let neighbours = neighbours(raw, positions, &faces)?;
    orient(&mut faces, &neighbours, notes);
    Ok(faces)
}

fn has_area([a, b, c]: [DVec3; 3]) -> bool {
    let longest = (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
    (b - a).cross(c - a).length() > LEAST_AREA * longest
}

/// Neighbour across each edge of each triangle, and whether it traverses the edge in the same direction.
fn neighbours(raw: &Raw, positions: &[Vec3], faces: &[Face]) -> Result<Vec<[(u32, bool); 3]>, Wrong> {
    let mut sides: Vec<([u32; 2], u32, u8)> = Vec::with_capacity(3 * faces.len());
    for (face, number) in faces.iter().zip(0..) {
        for k in 0..3 {
            let [from, to] = face.edge(k);
            sides.push(([from.min(to), from.max(to)], number, k as u8));
        }
    }
    sides.sort_unstable();
    let mut neighbours = vec![[(NONE, false); 3]; faces.len()];
    for run in sides.chunk_by(|a, b| a.0 == b.0) {
        match *run {
            [(_, a, k), (_, b, l)] => {
                let same = faces[a as usize].edge(k.into()) == faces[b as usize].edge(l.into());
                neighbours[a as usize][usize::from(k)] = (b, same);
                neighbours[b as usize][usize::from(l)] = (a, same);
            }
            [(edge, ..), _, (_, third, _), ..] => {
                let middle = edge.map(|vertex| positions[vertex as usize]).iter().sum::<Vec3>() * 0.5;
                let [from, to] = edge.map(|vertex| raw.numbers.vertex(vertex));
                let origin = faces[third as usize].origin as usize;
                let message = format!(
                    "the edge between vertices {from} and {to}, at {middle} m, has {} triangles: two are the most. If they should not hang \
                     together there, do not weld them",
                    run.len()
                );
                let wrong = Wrong::new(message).of(format!("triangle {}", raw.numbers.element(origin)));
                return Err(located(raw, origin, wrong));
            }
            _ => {}
        }
    }
    Ok(neighbours)
}

/// Flips triangles so that neighbours have the same orientation; in each piece the minority is flipped. Non-orientable surfaces
/// stay unchanged.
fn orient(faces: &mut [Face], neighbours: &[[(u32, bool); 3]], notes: &mut Vec<String>) {
    // Whether a triangle must be flipped relative to the first of its piece.
    let mut turned: Vec<Option<bool>> = vec![None; faces.len()];
    let (mut count, mut one_sided) = (0, 0);
    let mut piece = Vec::new();
    for first in 0..faces.len() {
        if turned[first].is_some() {
            continue;
        }
        turned[first] = Some(false);
        piece.clear();
        piece.push(first);
        let mut next = 0;
        let mut consistent = true;
        while let Some(&face) = piece.get(next) {
            next += 1;
            let here = turned[face] == Some(true);
            for &(other, same) in neighbours[face].iter().filter(|(other, _)| *other != NONE) {
                let other = other as usize;
                match turned[other] {
                    None => {
                        turned[other] = Some(here != same);
                        piece.push(other);
                    }
                    Some(there) => consistent &= there == (here != same),
                }
            }
        }
        if !consistent {
            one_sided += 1;
            continue;
        }
        let to_turn = piece.iter().filter(|&&face| turned[face] == Some(true)).count();
        let turn = 2 * to_turn <= piece.len();
        count += to_turn.min(piece.len() - to_turn);
        piece.iter().filter(|&&face| turned[face] == Some(turn)).for_each(|&face| faces[face].turn());
    }
    note(notes, count, "turned", "triangle", "triangles", " that showed another side than those around");
    note(
        notes,
        one_sided,
        "found",
        "surface",
        "surfaces",
        " with one side only, whose triangles cannot all show the same",
    );
}

/// Lines of a file except those along edges of triangles.
pub(super) fn wires(raw: &Raw, faces: &[Face], welded: &[u32], notes: &mut Vec<String>) -> Vec<[u32; 2]> {
    if raw.wires.is_empty() {
        return Vec::new();
    }
    let undirected = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
    let mut seen: HashSet<[u32; 2]> =
        faces.iter().flat_map(|face| [0, 1, 2].map(|k| undirected(face.edge(k)))).collect();
    let (mut short, mut double) = (0, 0);
    let mut wires = Vec::new();
    for wire in &raw.wires {
        let ends = wire.map(|vertex| welded[vertex as usize]);
        if ends[0] == ends[1] {
            short += 1;
        } else if !seen.insert(undirected(ends)) {
            double += 1;
        } else {
            wires.push(ends);
        }
    }
    note(notes, short, "left out", "line", "lines", " without length");
    note(notes, double, "left out", "line", "lines", " along edges that are there already");
    wires
}
