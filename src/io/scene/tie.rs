//! The tables `[[tie]]`, `[[seam]]` and `[[attach]]`.

use super::{
    selection,
    value::{Table, Value},
};
use crate::{BodyId, ColliderId, Error, Scene, Seam, Vertices};

/// Reads all of them into the scene, which has its bodies and colliders.
pub fn read(root: &Table<'_>, names: &[String], scene: &mut Scene) -> Result<(), Error> {
    for table in root.tables("tie")? {
        table.only(&["first", "second"])?;
        let (first, second) = (side(&table, "first", names)?, side(&table, "second", names)?);
        scene.tie(first, second);
    }
    for table in root.tables("seam")? {
        table.only(&["first", "second", "stiffness", "damping", "distance", "weightless"])?;
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
        table.only(&["body", "vertices", "collider", "until"])?;
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
    side.only(&["body", "vertices"])?;
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
