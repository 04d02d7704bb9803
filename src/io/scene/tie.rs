//! The tables `[[tie]]`, `[[seam]]` and `[[attach]]`.

use super::{
    format::{Field, Section, ValueKind::*},
    pin::UNTIL,
    selection::{self, BODY, VERTICES},
    value::{Table, Value},
};
use crate::{BodyId, ColliderId, Error, Scene, Seam, Vertices};

pub const TIE: Section =
    Section { title: "[[tie]]", text: "Pairs of vertices that are tied from the start.", groups: &[&[FIRST, SECOND]] };

pub const SEAM: Section = Section {
    title: "[[seam]]",
    text: "Pairs of vertices that threads pull together, and that are tied as soon as they are near.",
    groups: &[&[
        FIRST,
        SECOND,
        Field::usual("stiffness", Amount, "5", "20.0", "stiffness of the thread between two vertices, N/m"),
        Field::usual("damping", Amount, "0.5", "0.2", "damping of the thread between two vertices, N·s/m"),
        Field::usual("distance", Positive, "0.002", "0.004", "distance below which two vertices are tied, m"),
        Field::usual("weightless", Truth, "false", "true", "whether gravity is off until this seam is closed"),
    ]],
};

pub const ATTACH: Section = Section {
    title: "[[attach]]",
    text: "Vertices that are attached to a collider and move with it.",
    groups: &[&[
        BODY,
        VERTICES,
        Field::required("collider", Whole(0, u32::MAX), "0", "index of the collider, from 0; not a rigid body"),
        UNTIL,
    ]],
};

const FIRST: Field = Field::required(
    "first",
    Table(&[&SIDE]),
    "{ vertices = \"left\" }",
    "one side; a seam uses a list in its order, other selections in ascending order",
);
const SECOND: Field =
    Field::required("second", Table(&[&SIDE]), "{ vertices = \"right\" }", "other side, with as many vertices");

const SIDE: Section =
    Section { title: "A side of a tie or seam", text: "Some vertices of a body.", groups: &[&[BODY, VERTICES]] };

/// Reads ties, seams and attachments into the scene, after its bodies and colliders.
pub fn read(root: &Table<'_>, names: &[String], scene: &mut Scene) -> Result<(), Error> {
    for table in root.tables("tie")? {
        table.only(&TIE)?;
        let (first, second) = (side(&table, "first", names)?, side(&table, "second", names)?);
        scene.tie(first, second);
    }
    for table in root.tables("seam")? {
        table.only(&SEAM)?;
        let seam = Seam::new(row(&table, "first", names, scene)?, row(&table, "second", names, scene)?);
        scene.sew(Seam {
            stiffness: table.get_or("stiffness", seam.stiffness, Value::amount)?,
            damping: table.get_or("damping", seam.damping, Value::amount)?,
            distance: table.get_or("distance", seam.distance, |value| Ok(value.positive()? as f32))?,
            weightless: table.get_or("weightless", seam.weightless, Value::boolean)?,
            ..seam
        });
    }
    for table in root.tables("attach")? {
        table.only(&ATTACH)?;
        let body = selection::body(&table, names)?;
        let vertices = selection::vertices(&table.require("vertices")?)?;
        let last = scene.colliders.len().checked_sub(1);
        let last = last.ok_or_else(|| table.wrong("collider", "there is no [[collider]] to attach anything to"))?;
        let collider = table.require("collider")?.whole(0, last as u32)?;
        let pin = scene.attach(body, vertices, ColliderId(collider as usize));
        if let Some(until) = table.get("until") {
            scene.release_pin_at(pin, until.number()?)?;
        }
    }
    Ok(())
}

/// Reads a set of vertices of a body.
fn side(table: &Table<'_>, key: &str, names: &[String]) -> Result<(BodyId, Vertices), Error> {
    let side = table.require(key)?.table()?;
    side.only(&SIDE)?;
    Ok((selection::body(&side, names)?, selection::vertices(&side.require("vertices")?)?))
}

/// Reads vertices in the order in which they are sewn: as listed, else ascending.
fn row(table: &Table<'_>, key: &str, names: &[String], scene: &Scene) -> Result<(BodyId, Vec<u32>), Error> {
    let (body, vertices) = side(table, key, names)?;
    let vertices = match vertices {
        Vertices::List(list) => list,
        other => {
            let wrong = |message| Error::scene(format!("{}.{key}.vertices", table.field), message);
            let body = scene.bodies.get(body.0).ok_or_else(|| wrong("belongs to no body".to_owned()))?;
            other.select(&body.mesh).map_err(wrong)?
        }
    };
    Ok((body, vertices))
}
