//! The tables `[[body]]`.

use super::{
    material,
    mesh::{self, MAX_VERTICES},
    value::{Table, Value},
};
use crate::{Body, Error, Scene};
use glam::Vec3;

/// Reads all bodies into the scene and returns their names.
pub fn read(root: &Table<'_>, scene: &mut Scene) -> Result<Vec<String>, Error> {
    let mut names: Vec<String> = Vec::new();
    for (ix, table) in root.tables("body")?.iter().enumerate() {
        table.only(&["name", "mesh", "material", "velocity", "waviness"])?;
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
    let waviness = table.get_or("waviness", 0.0, Value::single)?;
    let material = material::read(&table.require("material")?.table()?)?;
    let mesh = mesh::read(&table.require("mesh")?.table()?, room)?;
    let start = match waviness {
        0.0 => None,
        amplitude => {
            let wavy = mesh::wavy(&mesh, amplitude);
            Some(wavy.ok_or_else(|| table.wrong("waviness", "only a grid can start in waves"))?)
        }
    };
    Ok(Body { start, ..Body::cloth(mesh, material).moving(velocity) })
}
