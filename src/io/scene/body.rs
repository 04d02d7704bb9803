//! The tables `[[body]]`.

use super::{
    format::{Field, Kind::*, Section},
    material::{self, MATERIAL},
    mesh::{self, MAX_VERTICES, MESHES},
    start::{MIN_GATHER, Start},
    value::{Table, Value},
};
use crate::{Body, Error, Scene};
use glam::Vec3;

pub const BODY: Section = Section {
    title: "[[body]]",
    text: "Something that moves: a mesh and what it is made of.",
    groups: &[&[
        Field::optional("name", Text, "`body0`, `body1`, …", "\"cloth\"", "each body's differs"),
        Field::required(
            "mesh",
            Table(MESHES),
            "{ kind = \"grid\", width = 1.0, depth = 1.0, columns = 8, rows = 8 }",
            "its vertices become particles, and its shape is what it is at rest",
        ),
        Field::required("material", Table(&[&MATERIAL]), "{ preset = \"cotton\" }", "what it is made of"),
        Field::usual("velocity", Vector, "[0, 0, 0]", "[0, 0, 1]", "at the start, m/s"),
        Field::usual("waviness", Number, "0", "0.004", "of a grid: start in waves out of its plane, this high, m"),
        Field::usual(
            "gather",
            Number,
            "1",
            "0.6",
            "of a grid: start in folds that shorten its rows to this part of their length, 0.3 to 1",
        ),
    ]],
};

/// Reads all bodies into the scene and returns their names.
pub fn read(root: &Table<'_>, scene: &mut Scene) -> Result<Vec<String>, Error> {
    let mut names: Vec<String> = Vec::new();
    for (ix, table) in root.tables("body")?.iter().enumerate() {
        table.only(&BODY)?;
        let name = table.get_or("name", format!("body{ix}"), |value| value.text().map(str::to_owned))?;
        if name.is_empty() || name.contains(char::is_control) {
            return Err(table.wrong("name", "must be a word or a few"));
        }
        if let Some(other) = names.iter().position(|known| *known == name) {
            return Err(table.wrong("name", format!("body[{other}] is called {name:?} already")));
        }
        names.push(name);
        let body = body(table, MAX_VERTICES - scene.particle_count())?;
        scene.add(body);
    }
    if names.is_empty() {
        return Err(root.wrong("body", "is missing: a scene needs at least one [[body]]"));
    }
    Ok(names)
}

fn body(table: &Table<'_>, room: usize) -> Result<Body, Error> {
    let velocity = table.get_or("velocity", Vec3::ZERO, Value::vector)?;
    let start = start(table)?;
    let material = material::read(&table.require("material")?.table()?)?;
    let mesh = mesh::read(&table.require("mesh")?.table()?, room)?;
    let body = Body::cloth(mesh, material).moving(velocity);
    if start == Start::FLAT {
        return Ok(body);
    }
    match start.positions(&body.mesh) {
        Some(positions) => Ok(body.starting_at(positions)),
        None => {
            let key = if start.waviness == Start::FLAT.waviness { "gather" } else { "waviness" };
            Err(table.wrong(key, "is for grids only"))
        }
    }
}

fn start(table: &Table<'_>) -> Result<Start, Error> {
    let gather = table.get_or("gather", Start::FLAT.gather, Value::single)?;
    if !(MIN_GATHER..=1.0).contains(&gather) {
        return Err(table.wrong("gather", format!("must be from {MIN_GATHER} to 1, not {gather}")));
    }
    Ok(Start { gather, waviness: table.get_or("waviness", Start::FLAT.waviness, Value::single)? })
}
