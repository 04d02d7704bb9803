//! The tables `[[force]]`.

use super::{selection, value::Table};
use crate::{Error, Scene};

/// Reads all forces on single vertices into the scene.
pub fn read(root: &Table<'_>, names: &[String], scene: &mut Scene) -> Result<(), Error> {
    for table in root.tables("force")? {
        table.only(&["body", "vertices", "force"])?;
        let body = selection::body(&table, names)?;
        let vertices = selection::vertices(&table.require("vertices")?)?;
        scene.push(body, vertices, table.require("force")?.vector()?);
    }
    Ok(())
}
