//! Meshes of a scene from mesh files.

use super::{
    format::{Field, Section, ValueKind::*},
    mesh::{Loaded, PLACE, check_room, placed},
    value::{Table, Value},
};
use crate::{
    DeformingMesh, Error, Mesh, MeshFrame,
    io::{MeshCache, MeshFile, MeshOptions, Pattern, Weld},
    scene::holes::listed,
};
use glam::Vec3;
use std::path::Path;

/// Keys of a mesh file.
pub const READ: &[Field] = &[
    Field::required(
        "file",
        Path,
        "\"meshes/ring.obj\"",
        "OBJ, PLY, STL, glTF or GLB file; for tetrahedra Gmsh .msh or TetGen .node/.ele",
    ),
    Field::usual("scale", Positive, "1", "0.01", "size of the file's unit, m"),
    Field::usual("z_up", Truth, "false", "true", "whether the file has z up; it is rotated to y up"),
    Field::usual(
        "weld",
        Either(&[Truth, Positive]),
        "true",
        "1e-5",
        "merge coincident vertices, or those within this distance, m",
    ),
    Field::usual(
        "close",
        Either(&[Truth, Positive]),
        "false",
        "0.05",
        "close the holes of a surface: all, or those that are at most this far across, m; without new vertices",
    ),
];

pub const FILE: Section = Section {
    title: "A mesh from a file",
    text: "Triangles or tetrahedra of a mesh file.",
    groups: &[
        &[Field::required("kind", Word("file"), "\"file\"", "kind of the mesh")],
        READ,
        &[
            Field::usual(
                "rest",
                Words(|| vec!["mesh", "texture"]),
                "\"mesh\"",
                "\"texture\"",
                "rest shape: the mesh, or the flat pattern of its texture coordinates, sewn at its cuts",
            ),
            Field::optional("texture_scale", Positive, "1", "0.5", "size of the unit of texture coordinates, m")
                .with(&["rest = \"texture\""]),
        ],
        PLACE,
    ],
};

pub const FILL: Section = Section {
    title: "A filled surface",
    text: "A closed surface from a file, filled with the tetrahedra of a lattice. The tetrahedra are simulated; the surface is the body's skin.",
    groups: &[
        &[Field::required("kind", Word("fill"), "\"fill\"", "kind of the mesh")],
        READ,
        &[Field::required("spacing", Positive, "0.06", "side of the lattice's cells, m")],
        PLACE,
    ],
};

/// Reads a mesh from a file.
pub fn file(table: &Table<'_>, room: usize, folder: &Path) -> Result<Loaded, Error> {
    table.only(&FILE)?;
    let loaded = read(table, folder)?;
    let by_texture = table.get_or("rest", false, |value| value.choice(&[("mesh", false), ("texture", true)]))?;
    if !by_texture {
        if let Some(value) = table.get("texture_scale") {
            return Err(value.wrong("needs rest = \"texture\""));
        }
        check_room(loaded.mesh.positions.len() as u64, room).map_err(|message| table.wrong("file", message))?;
        return Ok(Loaded { mesh: placed(table, loaded.mesh)?, notes: loaded.notes, ..Default::default() });
    }
    let scale = table.get_or("texture_scale", 1.0, Value::positive)? as f32;
    let Some(Pattern { mesh, cuts }) = loaded.pattern else {
        return Err(table.wrong("rest", "the file has no texture coordinates, or not at every corner"));
    };
    check_room(mesh.positions.len() as u64, room).map_err(|message| table.wrong("file", message))?;
    let start = placed(table, Mesh::points(mesh.positions.clone()))?.positions;
    // The flat pattern lies in the xz-plane, seen from above as the texture.
    let flat = mesh.texture.iter().map(|uv| scale * Vec3::new(uv.x, 0.0, -uv.y)).collect();
    let mesh = Mesh { positions: flat, ..mesh };
    Ok(Loaded { mesh, start: Some(start), cuts, notes: loaded.notes, skin: None })
}

/// Reads a closed surface and fills it with tetrahedra.
pub fn fill(table: &Table<'_>, room: usize, folder: &Path) -> Result<Loaded, Error> {
    table.only(&FILL)?;
    let spacing = table.require("spacing")?.positive()? as f32;
    let loaded = read(table, folder)?;
    let surface = placed(table, loaded.mesh)?;
    let mesh = Mesh::filled(&surface, spacing).map_err(|error| match error {
        Error::Scene { field, message } => table.wrong(if field == "spacing" { "spacing" } else { "file" }, message),
        other => other,
    })?;
    check_room(mesh.positions.len() as u64, room).map_err(|message| table.wrong("spacing", message))?;
    Ok(Loaded { mesh, skin: Some(surface), notes: loaded.notes, ..Default::default() })
}

/// Reads the mesh that a table names with the positions of its vertices over time, if the table names them.
pub fn deforming(table: &Table<'_>, folder: &Path) -> Result<Option<DeformingMesh>, Error> {
    let rate = table.get_or("rate", 25.0, Value::positive)?;
    let options = MeshOptions { weld: Weld::Never, ..options(table)? };
    let Some(value) = table.get("cache") else {
        return match table.get("rate") {
            Some(rate) => Err(rate.wrong("needs a cache")),
            None => Ok(None),
        };
    };
    let is_file = value.is_text();
    let cache = if is_file {
        MeshCache::read(folder.join(value.text()?), rate, &options)
    } else {
        let files = value.array()?;
        let paths = files.iter().map(|file| Ok(folder.join(file.text()?))).collect::<Result<Vec<_>, Error>>()?;
        MeshCache::read_sequence(&paths, rate, &options)
    };
    let frames = cache.map_err(|error| value.wrong(error.to_string()))?.frames;
    let mesh = read_with(table, folder, &options)?.mesh;
    if let Some(frame) = frames.first().filter(|frame| frame.positions.len() != mesh.positions.len()) {
        let (has, needs) = (frame.positions.len(), mesh.positions.len());
        return Err(value.wrong(format!("has {has} points, but the mesh has {needs} vertices")));
    }
    if is_file {
        return Ok(Some(DeformingMesh { triangles: mesh.triangles, frames }));
    }
    // The file itself comes first.
    let mut all = vec![MeshFrame { time: 0.0, positions: mesh.positions }];
    all.extend(frames.into_iter().map(|frame| MeshFrame { time: frame.time + 1.0 / rate, ..frame }));
    Ok(Some(DeformingMesh { triangles: mesh.triangles, frames: all }))
}

/// Reads the file that a table names.
pub fn read(table: &Table<'_>, folder: &Path) -> Result<MeshFile, Error> {
    read_with(table, folder, &options(table)?)
}

fn options(table: &Table<'_>) -> Result<MeshOptions, Error> {
    Ok(MeshOptions {
        scale: table.get_or("scale", 1.0, Value::positive)? as f32,
        z_up: table.get_or("z_up", false, Value::boolean)?,
        weld: table.get_or("weld", Weld::Exact, weld)?,
    })
}

fn read_with(table: &Table<'_>, folder: &Path, options: &MeshOptions) -> Result<MeshFile, Error> {
    let value = table.require("file")?;
    let path = folder.join(value.text()?);
    // The error has the file's own name and line besides the scene's.
    let mut loaded = MeshFile::read(&path, options).map_err(|error| value.wrong(error.to_string()))?;
    if let Some(across) = table.get_or("close", None, closed)? {
        close(&mut loaded, across);
    }
    Ok(loaded)
}

/// Largest size of the holes that are closed, m; `None` if none are.
fn closed(value: &Value<'_>) -> Result<Option<f32>, Error> {
    if value.is_number() {
        return Ok(Some(value.positive()? as f32));
    }
    Ok(value.boolean()?.then_some(f32::INFINITY))
}

/// Closes the holes of a surface. Triangles that close a hole have no place in the flat pattern, which is given up.
fn close(loaded: &mut MeshFile, across: f32) {
    if !loaded.mesh.tetrahedra.is_empty() {
        return;
    }
    let closed = loaded.mesh.close_holes(across);
    if !closed.is_empty() {
        loaded.pattern = None;
        loaded.notes.push(format!("closed {}", listed(&closed)));
    }
}

fn weld(value: &Value<'_>) -> Result<Weld, Error> {
    if value.is_number() {
        return Ok(Weld::Within(value.positive()? as f32));
    }
    Ok(if value.boolean()? { Weld::Exact } else { Weld::Never })
}

/// Triangles of a mesh with the vertices they use.
pub fn surface(mesh: Mesh) -> Mesh {
    let mut number = vec![u32::MAX; mesh.positions.len()];
    let (mut positions, mut texture) = (Vec::new(), Vec::new());
    let mut triangles = mesh.triangles;
    for corner in triangles.as_flattened_mut() {
        let Some(known) = number.get_mut(*corner as usize) else { continue };
        if *known == u32::MAX {
            *known = positions.len() as u32;
            positions.push(mesh.positions[*corner as usize]);
            texture.extend(mesh.texture.get(*corner as usize));
        }
        *corner = *known;
    }
    Mesh { positions, triangles, texture, ..Default::default() }
}
