//! The tables `[[force]]`.

use super::{
    format::{Field, Section, ValueKind::*},
    selection::{self, BODY, VERTICES},
    value::Table,
};
use crate::{Error, Scene};

pub const FORCE: Section = Section {
    title: "[[force]]",
    text: "A constant force on single vertices.",
    groups: &[&[BODY, VERTICES, Field::required("force", Vector, "[0, 0, 0.5]", "force on each vertex, N")]],
};

/// Reads all forces on single vertices into the scene.
pub fn read(root: &Table<'_>, names: &[String], scene: &mut Scene) -> Result<(), Error> {
    for table in root.tables("force")? {
        table.only(&FORCE)?;
        let body = selection::body(&table, names)?;
        let vertices = selection::vertices(&table.require("vertices")?)?;
        scene.push(body, vertices, table.require("force")?.vector()?);
    }
    Ok(())
}
