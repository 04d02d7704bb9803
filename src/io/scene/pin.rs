//! The tables `[[pin]]`.

use super::{
    format::{Field, Section, ValueKind::*},
    selection::{self, BODY, VERTICES},
    value::{Table, Value},
};
use crate::{Error, Free, PinKey, Scene};

pub const PIN: Section = Section {
    title: "[[pin]]",
    text: "Vertices that are fixed, slide along a line or in a plane, or move along a path.",
    groups: &[&[
        BODY,
        VERTICES,
        Field::optional("free", Table(&[&LINE, &PLANE]), "nowhere", "{ line = [1, 0, 0] }", "free directions"),
        Field::optional(
            "path",
            Tables(&[&KEY]),
            "at rest",
            "[{ time = 0.0, offset = [0, 0, 0] }, { time = 1.0, offset = [0, 0.2, 0] }]",
            "keys of their motion, linear between keys; at rest before the first and after the last",
        ),
        UNTIL,
    ]],
};

/// Time at which a constraint is released.
pub const UNTIL: Field = Field::optional("until", Amount, "never", "1.5", "time of release, s");

const KEY: Section = Section {
    title: "A key of a pin's path",
    text: "Displacement of the vertices from their start at a time.",
    groups: &[&[
        Field::required("time", Number, "1.0", "time, s, later than that of the key before"),
        Field::required("offset", Vector, "[0, 0.2, 0]", "displacement, m"),
    ]],
};

const LINE: Section = Section {
    title: "Free along a line",
    text: "Vertices slide along a line through their start.",
    groups: &[&[Field::required("line", Vector, "[1, 0, 0]", "direction of the line")]],
};

const PLANE: Section = Section {
    title: "Free in a plane",
    text: "Vertices slide in a plane through their start.",
    groups: &[&[Field::required("plane", Vector, "[0, 1, 0]", "normal of the plane")]],
};

/// Keys of both forms, for the reader to distinguish them.
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

/// Path of a pin; empty if the table has none.
fn path(table: &Table<'_>) -> Result<Vec<PinKey>, Error> {
    let key = |table: &Table<'_>| {
        table.only(&KEY)?;
        Ok(PinKey { time: table.require("time")?.number()?, offset: table.require("offset")?.vector()? })
    };
    table.tables("path")?.iter().map(key).collect()
}

/// Free directions of a pin: along a line, or in a plane.
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
