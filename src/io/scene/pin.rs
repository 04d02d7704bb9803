//! The tables `[[pin]]`.

use super::{
    selection,
    value::{Table, Value},
};
use crate::{Error, Free, PinKey, Scene};

/// Reads all pins into the scene.
pub fn read(root: &Table<'_>, names: &[String], scene: &mut Scene) -> Result<(), Error> {
    for table in root.tables("pin")? {
        table.only(&["body", "vertices", "free", "path", "until"])?;
        let body = selection::body(&table, names)?;
        let vertices = selection::vertices(&table.require("vertices")?)?;
        let free = table.get_or("free", Free::Nowhere, free)?;
        let pin = scene.pin_sliding(body, vertices, free);
        scene.lead_pin(pin, path(&table)?)?;
        if let Some(until) = table.get("until") {
            scene.release_pin_at(pin, until.number()?)?;
        }
    }
    Ok(())
}

/// Where a pin is led; nowhere unless the table says so.
fn path(table: &Table<'_>) -> Result<Vec<PinKey>, Error> {
    let key = |table: &Table<'_>| {
        table.only(&["time", "offset"])?;
        Ok(PinKey { time: table.require("time")?.number()?, offset: table.require("offset")?.vector()? })
    };
    table.tables("path")?.iter().map(key).collect()
}

/// Directions that stay free: those of a line, or of a plane with a normal.
fn free(value: &Value<'_>) -> Result<Free, Error> {
    let table = value.table()?;
    table.only(&["line", "plane"])?;
    match (table.get("line"), table.get("plane")) {
        (Some(direction), None) => Ok(Free::Line(direction.vector()?)),
        (None, Some(normal)) => Ok(Free::Plane(normal.vector()?)),
        (Some(_), Some(plane)) => Err(plane.wrong("a pin slides along a line or in a plane, not both")),
        (None, None) => {
            Err(value.wrong("must be { line = [x, y, z] }, its direction, or { plane = [x, y, z] }, its normal"))
        }
    }
}
