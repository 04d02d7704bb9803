//! The tables `[[pin]]`.

use super::{
    format::{Field, Kind::*, Section},
    selection::{self, BODY, VERTICES},
    value::{Table, Value},
};
use crate::{Error, Free, PinKey, Scene};

pub const PIN: Section = Section {
    title: "[[pin]]",
    text: "Vertices that are held where they are, slide, or are led along a path.",
    groups: &[&[
        BODY,
        VERTICES,
        Field::optional("free", Table(&[&LINE, &PLANE]), "nowhere", "{ line = [1, 0, 0] }", "where they may still go"),
        Field::optional(
            "path",
            Tables(&[&KEY]),
            "at rest",
            "[{ time = 0.0, offset = [0, 0, 0] }, { time = 1.0, offset = [0, 0.2, 0] }]",
            "how they are led, on straight lines; at rest before and after",
        ),
        UNTIL,
    ]],
};

/// When something that is held is let go.
pub const UNTIL: Field = Field::optional("until", Amount, "never", "1.5", "when they are let go, s");

const KEY: Section = Section {
    title: "A key of a pin's path",
    text: "How far the vertices are from their start at a time.",
    groups: &[&[
        Field::required("time", Number, "1.0", "s, later than the key before"),
        Field::required("offset", Vector, "[0, 0.2, 0]", "m"),
    ]],
};

const LINE: Section = Section {
    title: "Free along a line",
    text: "Vertices slide along it, through where they start.",
    groups: &[&[Field::required("line", Vector, "[1, 0, 0]", "its direction")]],
};

const PLANE: Section = Section {
    title: "Free in a plane",
    text: "Vertices slide in it, through where they start.",
    groups: &[&[Field::required("plane", Vector, "[0, 1, 0]", "its normal")]],
};

/// Both, for the reader to say which it is.
const FREE: Section = Section { groups: &[LINE.groups[0], PLANE.groups[0]], ..LINE };

/// Reads all pins into the scene.
pub fn read(root: &Table<'_>, names: &[String], scene: &mut Scene) -> Result<(), Error> {
    for table in root.tables("pin")? {
        table.only(&PIN)?;
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
        table.only(&KEY)?;
        Ok(PinKey { time: table.require("time")?.number()?, offset: table.require("offset")?.vector()? })
    };
    table.tables("path")?.iter().map(key).collect()
}

/// Directions that stay free: those of a line, or of a plane with a normal.
fn free(value: &Value<'_>) -> Result<Free, Error> {
    let table = value.table()?;
    table.only(&FREE)?;
    match (table.get("line"), table.get("plane")) {
        (Some(direction), None) => Ok(Free::Line(direction.vector()?)),
        (None, Some(normal)) => Ok(Free::Plane(normal.vector()?)),
        (Some(_), Some(plane)) => Err(plane.wrong("a pin slides along a line or in a plane, not both")),
        (None, None) => {
            Err(value.wrong("must be { line = [x, y, z] }, its direction, or { plane = [x, y, z] }, its normal"))
        }
    }
}
