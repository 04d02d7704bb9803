//! The tables `[[body]]`.

use super::{
    format::{Field, Section, ValueKind::*},
    material::{self, MATERIAL},
    mesh::{self, MAX_VERTICES, MESHES},
    mesh_file,
    start::{MIN_GATHER, Start},
    value::{Table, Value},
};
use crate::{Body, Error, Scene, Vertices};
use glam::Vec3;
use std::path::Path;

pub const BODY: Section = Section {
    title: "[[body]]",
    text: "A deformable body: a mesh and its material.",
    groups: &[&[
        Field::optional("name", Text, "`body0`, `body1`, …", "\"cloth\"", "unique name of the body"),
        Field::required(
            "mesh",
            Table(MESHES),
            "{ kind = \"grid\", width = 1.0, depth = 1.0, columns = 8, rows = 8 }",
            "mesh whose vertices become particles; its shape is the rest shape",
        ),
        Field::optional(
            "skin",
            Table(MESHES),
            "none",
            "{ kind = \"grid\", width = 1.0, depth = 1.0, columns = 30, rows = 30 }",
            "skin: a finer surface that follows the body and is written and drawn in its place; the surface of any mesh, placed as the body's mesh at rest",
        ),
        Field::required("material", Table(&[&MATERIAL]), "{ preset = \"cotton\" }", "material of the body"),
        Field::usual("velocity", Vector, "[0, 0, 0]", "[0, 0, 1]", "velocity at the start, m/s"),
        Field::usual("waviness", Number, "0", "0.004", "amplitude of waves out of a grid's plane at the start, m"),
        Field::usual(
            "gather",
            Between(0.3, 1.0),
            "1",
            "0.6",
            "fraction, 0.3 to 1, to which folds shorten a grid's rows at the start",
        ),
    ]],
};

/// Reads all bodies into the scene. Paths are relative to `folder`.
pub fn read(root: &Table<'_>, scene: &mut Scene, folder: &Path) -> Result<Bodies, Error> {
    let mut names: Vec<String> = Vec::new();
    let mut notes = Vec::new();
    for (ix, table) in root.tables("body")?.iter().enumerate() {
        table.only(&BODY)?;
        let name = table.get_or("name", format!("body{ix}"), |value| value.text().map(str::to_owned))?;
        if name.is_empty() || name.contains(char::is_control) {
            return Err(table.wrong("name", "must be a word or a few"));
        }
        if let Some(other) = names.iter().position(|known| *known == name) {
            return Err(table.wrong("name", format!("body[{other}] is called {name:?} already")));
        }
        let Made { body, cuts, notes: said } = body(table, MAX_VERTICES - scene.particle_count(), folder)?;
        notes.extend(said.into_iter().map(|note| (name.clone(), note)));
        names.push(name);
        let id = scene.add(body);
        for [a, b] in cuts {
            scene.tie((id, Vertices::list([a])), (id, Vertices::list([b])));
        }
    }
    if names.is_empty() {
        return Err(root.wrong("body", "is missing: a scene needs at least one [[body]]"));
    }
    Ok(Bodies { names, notes })
}

/// Names of the bodies, and repairs of their files.
pub struct Bodies {
    pub names: Vec<String>,
    pub notes: Vec<(String, String)>,
}

/// A body, its tied vertices, and notes on its files.
struct Made {
    body: Body,
    cuts: Vec<[u32; 2]>,
    notes: Vec<String>,
}

fn body(table: &Table<'_>, room: usize, folder: &Path) -> Result<Made, Error> {
    let velocity = table.get_or("velocity", Vec3::ZERO, Value::vector)?;
    let start = start(table)?;
    let material = material::read(&table.require("material")?.table()?)?;
    let loaded = mesh::read(&table.require("mesh")?.table()?, room, folder)?;
    let mut body = Body::cloth(loaded.mesh, material).moving(velocity);
    body.start = loaded.start;
    body.skin = loaded.skin;
    let mut notes = loaded.notes;
    if let Some(value) = table.get("skin") {
        let loaded = mesh::read(&value.table()?, MAX_VERTICES, folder)?;
        notes.extend(loaded.notes.into_iter().map(|note| format!("skin: {note}")));
        body = body.with_skin(mesh_file::surface(loaded.skin.unwrap_or(loaded.mesh)));
    }
    if start != Start::FLAT {
        match start.positions(&body.mesh) {
            Some(positions) => body = body.starting_at(positions),
            None => {
                let key = if start.waviness == Start::FLAT.waviness { "gather" } else { "waviness" };
                return Err(table.wrong(key, "is for grids only"));
            }
        }
    }
    Ok(Made { body, cuts: loaded.cuts, notes })
}

fn start(table: &Table<'_>) -> Result<Start, Error> {
    let gather = table.get_or("gather", Start::FLAT.gather, Value::single)?;
    if !(MIN_GATHER..=1.0).contains(&gather) {
        return Err(table.wrong("gather", format!("must be from {MIN_GATHER} to 1, not {gather}")));
    }
    Ok(Start { gather, waviness: table.get_or("waviness", Start::FLAT.waviness, Value::single)? })
}
