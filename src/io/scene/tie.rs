//! The tables `[[tie]]`, `[[seam]]` and `[[attach]]`.

use super::{
    format::{Field, Kind::*, Section},
    pin::UNTIL,
    selection::{self, BODY, VERTICES},
    value::{Table, Value},
};
use crate::{BodyId, ColliderId, Error, Scene, Seam, Vertices};

pub const TIE: Section =
    Section { title: "[[tie]]", text: "Pairs of vertices that are one from the start.", groups: &[&[FIRST, SECOND]] };

pub const SEAM: Section = Section {
    title: "[[seam]]",
    text: "Pairs of vertices that are drawn together by threads, and become one as soon as they are near.",
    groups: &[&[
        FIRST,
        SECOND,
        Field::usual("stiffness", Amount, "5", "20.0", "of the thread between two vertices, N/m"),
        Field::usual("damping", Amount, "0.5", "0.2", "of it, N·s/m"),
        Field::usual("distance", Positive, "0.002", "0.004", "nearer than this they become one, m"),
        Field::usual("weightless", Truth, "false", "true", "no gravity until this seam is closed"),
    ]],
};

pub const ATTACH: Section = Section {
    title: "[[attach]]",
    text: "Vertices that follow a collider, wherever it goes.",
    groups: &[&[
        BODY,
        VERTICES,
        Field::required("collider", Whole(0, u32::MAX), "0", "which one, counted from 0; not a rigid body"),
        UNTIL,
    ]],
};

const FIRST: Field = Field::required(
    "first",
    Table(&[&SIDE]),
    "{ vertices = \"left\" }",
    "one side; a seam takes a list in its order, else ascending",
);
const SECOND: Field =
    Field::required("second", Table(&[&SIDE]), "{ vertices = \"right\" }", "the other side, as many vertices");

const SIDE: Section =
    Section { title: "A side of a tie or seam", text: "Some vertices of a body.", groups: &[&[BODY, VERTICES]] };

/// Reads all of them into the scene, which has its bodies and colliders.
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

/// Some vertices of a body.
fn side(table: &Table<'_>, key: &str, names: &[String]) -> Result<(BodyId, Vertices), Error> {
    let side = table.require(key)?.table()?;
    side.only(&SIDE)?;
    Ok((selection::body(&side, names)?, selection::vertices(&side.require("vertices")?)?))
}

/// The same in the order they are sewn: as listed, else ascending.
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
