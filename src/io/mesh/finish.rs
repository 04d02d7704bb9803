//! Checks and repairs that turn a file's raw data into a mesh for simulation.

use super::{
    MeshFile, MeshOptions,
    pattern::Pattern,
    raw::{MAX_ELEMENTS, MAX_VERTICES, Raw, Wrong},
    sheet::{self, Face},
    solid,
    weld::weld,
};
use crate::Mesh;
use glam::{DVec3, Vec3};

/// Number of a vertex that was left out.
const NONE: u32 = u32::MAX;

pub(super) fn finish(raw: Raw, options: &MeshOptions) -> Result<MeshFile, Wrong> {
    check_indices(&raw)?;
    let positions = placed(&raw, options)?;
    let mut notes = Vec::new();
    let welded = weld(&positions, options.weld, &mut notes);
    let mut faces = Vec::new();
    let mut tetrahedra = Vec::new();
    let mut wires = Vec::new();
    if raw.tetrahedra.is_empty() {
        faces = sheet::faces(&raw, &positions, &welded, &mut notes)?;
        wires = sheet::wires(&raw, &faces, &welded, &mut notes);
    } else {
        tetrahedra = solid::tetrahedra(&raw, &positions, &welded, &mut notes)?;
    }
    if faces.is_empty() && tetrahedra.is_empty() && wires.is_empty() {
        return Err(Wrong::new(format!(
            "has no triangles, tetrahedra or lines, only {} vertices",
            raw.positions.len()
        )));
    }

    // Numbers of the remaining vertices, in the order of the file.
    let mut numbers = vec![NONE; positions.len()];
    faces.iter().flat_map(|face| face.corners).for_each(|vertex| numbers[vertex as usize] = 0);
    tetrahedra.iter().flatten().for_each(|&vertex| numbers[vertex as usize] = 0);
    wires.iter().flatten().for_each(|&vertex| numbers[vertex as usize] = 0);
    let mut kept: Vec<Vec3> = Vec::new();
    let mut unused = 0;
    for (ix, number) in numbers.iter_mut().enumerate() {
        if *number == 0 {
            *number = kept.len() as u32;
            kept.push(positions[ix]);
        } else if welded[ix] == ix as u32 {
            unused += 1;
        }
    }
    note(&mut notes, unused, "left out", "vertex", "vertices", " that nothing uses");

    let of_file = |vertex: u32| numbers[welded[vertex as usize] as usize];
    let groups = raw.groups.renumbered(|vertex| Some(of_file(vertex)).filter(|&number| number != NONE));
    faces.iter_mut().for_each(|face| face.corners = face.corners.map(of_file));
    let tetrahedra: Vec<[u32; 4]> = tetrahedra.into_iter().map(|t| t.map(of_file)).collect();
    let wires: Vec<[u32; 2]> = wires.into_iter().map(|wire| wire.map(of_file)).collect();
    let mut mesh = if tetrahedra.is_empty() {
        Mesh::from_triangles(kept, faces.iter().map(|face| face.corners).collect())
    } else {
        Mesh::from_tetrahedra(kept, tetrahedra)
    };
    mesh.wires = wires;
    mesh.groups = groups;
    let pattern = pattern_of(&raw, &faces, &mut mesh)?;
    let notes = raw.notes.into_iter().chain(notes).collect();
    Ok(MeshFile { mesh, pattern, notes })
}

fn pattern_of(raw: &Raw, faces: &[Face], mesh: &mut Mesh) -> Result<Option<Pattern>, Wrong> {
    if raw.texture_corners.is_empty() || faces.is_empty() {
        return Ok(None);
    }
    if let Some(ix) = raw.texture.iter().position(|point| !point.is_finite()) {
        return Err(Wrong::new("is not finite").of(format!("texture coordinate {}", raw.numbers.element(ix))));
    }
    let pattern = Pattern::new(mesh, faces, &raw.texture);
    // The mesh itself gets texture coordinates only if each vertex has exactly one.
    if pattern.cuts.is_empty() && pattern.mesh.positions.len() == mesh.positions.len() {
        mesh.texture = pattern.mesh.texture.clone();
    }
    Ok(Some(pattern))
}

/// Checks that every index is in range.
fn check_indices(raw: &Raw) -> Result<(), Wrong> {
    let count = raw.positions.len();
    let elements = raw.triangles.len().max(raw.tetrahedra.len()).max(raw.wires.len());
    if count == 0 {
        return Err(Wrong::new("has no vertices"));
    }
    if count > MAX_VERTICES || elements > MAX_ELEMENTS {
        let message = format!(
            "{count} vertices and {elements} elements are more than the {MAX_VERTICES} and {MAX_ELEMENTS} that can be read"
        );
        return Err(Wrong::new(message));
    }
    let out = |vertices: &[u32]| vertices.iter().copied().find(|&vertex| vertex as usize >= count);
    let wrong = |kind: &str, ix: usize, vertex: u32| {
        let message = format!("names vertex {}, but there are {count} vertices", raw.numbers.vertex(vertex));
        Wrong::new(message).of(format!("{kind} {}", raw.numbers.element(ix)))
    };
    for (ix, triangle) in raw.triangles.iter().enumerate() {
        if let Some(vertex) = out(triangle) {
            return Err(located(raw, ix, wrong("triangle", ix, vertex)));
        }
    }
    for (ix, corners) in raw.texture_corners.iter().enumerate() {
        if let Some(&place) = corners.iter().find(|&&place| place as usize >= raw.texture.len()) {
            let (number, count) = (raw.numbers.element(place as usize), raw.texture.len());
            let message = format!("names texture coordinate {number}, but there are {count} of them");
            return Err(located(raw, ix, Wrong::new(message).of(format!("triangle {}", raw.numbers.element(ix)))));
        }
    }
    for (ix, tetrahedron) in raw.tetrahedra.iter().enumerate() {
        if let Some(vertex) = out(tetrahedron) {
            return Err(wrong("tetrahedron", ix, vertex));
        }
    }
    for (ix, wire) in raw.wires.iter().enumerate() {
        if let Some(vertex) = out(wire) {
            return Err(wrong("line", ix, vertex));
        }
    }
    Ok(())
}

/// The error with the line of a triangle, if it is known.
pub(super) fn located(raw: &Raw, triangle: usize, wrong: Wrong) -> Wrong {
    Wrong { line: raw.lines.get(triangle).copied().or(wrong.line), ..wrong }
}

/// Positions in metres with y up.
fn placed(raw: &Raw, options: &MeshOptions) -> Result<Vec<Vec3>, Wrong> {
    let scale = f64::from(options.scale);
    let place = |(ix, &position): (usize, &DVec3)| {
        let DVec3 { x, y, z } = scale * position;
        // Adding 0 turns negative zeros into positive ones.
        let place = (if options.z_up { DVec3::new(x, z, -y) } else { DVec3::new(x, y, z) } + DVec3::ZERO).as_vec3();
        if !place.is_finite() {
            let [x, y, z] = position.to_array();
            let message = format!("is not finite, or too far away: [{x}, {y}, {z}]");
            return Err(Wrong::new(message).of(format!("vertex {}", raw.numbers.vertex(ix as u32))));
        }
        Ok(place)
    };
    raw.positions.iter().enumerate().map(place).collect()
}

/// Adds a note with a count, unless the count is 0.
pub(super) fn note(notes: &mut Vec<String>, count: usize, done: &str, one: &str, several: &str, why: &str) {
    match count {
        0 => {}
        1 => notes.push(format!("{done} 1 {one}{why}")),
        _ => notes.push(format!("{done} {count} {several}{why}")),
    }
}
