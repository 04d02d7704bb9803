//! The tables `[[collider]]`.

use super::{
    mesh::turned,
    value::{Table, Value},
};
use crate::{Collider, Dynamic, Error, KeyFrame, Motion, Pose, Scene, Shape};
use glam::{Quat, Vec3};

/// Of every shape.
const COMMON: [&str; 8] =
    ["shape", "thickness", "friction", "relaxation", "frames", "mass", "velocity", "angular_velocity"];

/// Reads all colliders into the scene.
pub fn read(root: &Table<'_>, scene: &mut Scene) -> Result<(), Error> {
    for table in root.tables("collider")? {
        scene.add_collider(collider(&table)?);
    }
    Ok(())
}

fn collider(table: &Table<'_>) -> Result<Collider, Error> {
    let (shape, placed) = shape(table)?;
    let usual = Collider::fixed(shape, Pose::default());
    Ok(Collider {
        thickness: table.get_or("thickness", usual.thickness, Value::amount)?,
        friction: table.get_or("friction", usual.friction, Value::amount)?,
        relaxation: table.get_or("relaxation", usual.relaxation, Value::single)?,
        motion: motion(table, placed)?,
        ..usual
    })
}

/// The form, and where it is unless frames say so.
fn shape(table: &Table<'_>) -> Result<(Shape, Pose), Error> {
    #[derive(Clone, Copy)]
    enum Form {
        Plane,
        Sphere,
        Box,
        Capsule,
        Cylinder,
    }
    let forms = [
        ("plane", Form::Plane),
        ("sphere", Form::Sphere),
        ("box", Form::Box),
        ("capsule", Form::Capsule),
        ("cylinder", Form::Cylinder),
    ];
    let moves = table.get("frames").is_some();
    match table.require("shape")?.choice(&forms)? {
        Form::Plane => {
            only(table, &["point", "normal"])?;
            Ok((Shape::Plane, if moves { nowhere(table, &["point", "normal"])? } else { plane(table)? }))
        }
        Form::Sphere => {
            only(table, &["centre", "radius"])?;
            let radius = table.require("radius")?.positive()? as f32;
            Ok((Shape::Sphere { radius }, about_centre(table)?))
        }
        Form::Box => {
            only(table, &["centre", "half", "size", "rotation"])?;
            Ok((Shape::Box { half: half(table)? }, about_centre(table)?))
        }
        Form::Capsule => {
            let (radius, half_length, pose) = round(table)?;
            Ok((Shape::Capsule { radius, half_length }, pose))
        }
        Form::Cylinder => {
            let (radius, half_length, pose) = round(table)?;
            Ok((Shape::Cylinder { radius, half_length }, pose))
        }
    }
}

/// Refuses keys that neither this shape nor every shape has.
fn only(table: &Table<'_>, own: &[&str]) -> Result<(), Error> {
    table.only(&[&COMMON[..1], own, &COMMON[1..]].concat())
}

/// Where something is that frames place: the keys that would say so must not be there.
fn nowhere(table: &Table<'_>, keys: &[&str]) -> Result<Pose, Error> {
    match table.first_of(keys) {
        Some(value) => Err(value.wrong("frames say where it is: leave this out")),
        None => Ok(Pose::default()),
    }
}

fn plane(table: &Table<'_>) -> Result<Pose, Error> {
    let point = table.require("point")?.vector()?;
    let normal = direction(&table.require("normal")?)?;
    Ok(Collider::plane(point, normal).start())
}

fn direction(value: &Value<'_>) -> Result<Vec3, Error> {
    value.vector()?.try_normalize().ok_or_else(|| value.wrong("must have a direction"))
}

fn about_centre(table: &Table<'_>) -> Result<Pose, Error> {
    if table.get("frames").is_some() {
        return nowhere(table, &["centre", "rotation"]);
    }
    let position = table.require("centre")?.vector()?;
    Ok(Pose { position, rotation: table.get_or("rotation", Quat::IDENTITY, rotation)? })
}

/// An axis and an angle, or three angles.
fn rotation(value: &Value<'_>) -> Result<Quat, Error> {
    if value.is_array() {
        return turned(value);
    }
    let message = "must be { axis = [x, y, z], degrees = angle } or degrees about the x-axis, then y, then z";
    let table = value.table().map_err(|_| value.wrong(message))?;
    table.only(&["axis", "degrees"])?;
    let axis = direction(&table.require("axis")?)?;
    Ok(Quat::from_axis_angle(axis, table.require("degrees")?.single()?.to_radians()))
}

/// Half the sides of a box.
fn half(table: &Table<'_>) -> Result<Vec3, Error> {
    let sides = |value: &Value<'_>| Ok(Vec3::from_array(value.three(Value::positive)?.map(|side| side as f32)));
    match (table.get("half"), table.get("size")) {
        (Some(half), None) => sides(&half),
        (None, Some(size)) => Ok(0.5 * sides(&size)?),
        (None, None) => Err(table.wrong("half", "is missing: half its sides, or its sides as size")),
        (Some(_), Some(size)) => Err(size.wrong("half says how large it is already")),
    }
}

/// Radius and half length of a capsule or cylinder, and where it is.
fn round(table: &Table<'_>) -> Result<(f32, f32, Pose), Error> {
    only(table, &["centre", "radius", "half_length", "rotation", "from", "to"])?;
    let radius = table.require("radius")?.positive()? as f32;
    if table.first_of(&["from", "to"]).is_none() {
        return Ok((radius, table.require("half_length")?.positive()? as f32, about_centre(table)?));
    }
    if let Some(other) = table.first_of(&["centre", "half_length", "rotation"]) {
        return Err(other.wrong("from and to say where it is and how long"));
    }
    if table.get("frames").is_some() {
        nowhere(table, &["from", "to"])?;
    }
    let (from, end) = (table.require("from")?.vector()?, table.require("to")?);
    let to = end.vector()?;
    let axis = (to - from).try_normalize().ok_or_else(|| end.wrong("must lie elsewhere than from"))?;
    let pose = Pose { position: from.midpoint(to), rotation: Quat::from_rotation_arc(Vec3::Y, axis) };
    Ok((radius, 0.5 * from.distance(to), pose))
}

/// Stays where it is placed, goes from frame to frame, or is a rigid body that starts there.
fn motion(table: &Table<'_>, placed: Pose) -> Result<Motion, Error> {
    let frames = table.tables("frames")?;
    if let Some(mass) = table.get("mass") {
        if table.get("frames").is_some() {
            return Err(mass.wrong("what goes from frame to frame is not moved by forces: leave out frames or mass"));
        }
        return Ok(Motion::Dynamic(Dynamic {
            pose: placed,
            mass: mass.positive()? as f32,
            velocity: table.get_or("velocity", Vec3::ZERO, Value::vector)?,
            angular_velocity: table.get_or("angular_velocity", Vec3::ZERO, Value::vector)?,
        }));
    }
    if let Some(value) = table.first_of(&["velocity", "angular_velocity"]) {
        return Err(value.wrong("is for rigid bodies, which have a mass"));
    }
    match table.get("frames") {
        None => Ok(Motion::Static(placed)),
        Some(value) if frames.is_empty() => Err(value.wrong("must have at least one frame")),
        Some(_) => Ok(Motion::KeyFrames(frames.iter().map(frame).collect::<Result<_, _>>()?)),
    }
}

fn frame(table: &Table<'_>) -> Result<KeyFrame, Error> {
    table.only(&["time", "position", "rotation"])?;
    let time = table.require("time")?.number()?;
    let position = table.require("position")?.vector()?;
    Ok(KeyFrame { time, pose: Pose { position, rotation: table.get_or("rotation", Quat::IDENTITY, rotation)? } })
}
