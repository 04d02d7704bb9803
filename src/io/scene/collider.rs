//! The tables `[[collider]]`.

use super::{
    format::{Field, Kind::*, Section},
    mesh::turned,
    mesh_file::{self, READ},
    value::{Table, Value},
};
use crate::{Collider, Dynamic, Error, KeyFrame, Motion, Pose, Scene, Shape};
use glam::{Quat, Vec3};
use std::path::Path;

/// Of every shape.
const COMMON: &[Field] = &[
    Field::usual("thickness", Amount, "0.005", "0.01", "distance that particles keep from the surface, m"),
    Field::usual("friction", Amount, "0.3", "0.5", "Coulomb's coefficient"),
    Field::usual("relaxation", Number, "0.2", "0.5", "part of its way that a particle too deep is moved out in a step"),
    Field::optional(
        "frames",
        Tables(&[&FRAME]),
        "stays",
        "[{ time = 0.0, position = [0, 0, 0] }, { time = 1.0, position = [0, 1, 0] }]",
        "moves: where its centre is, or of a plane a point, and how it is turned, a plane from one with normal y; at rest before and after",
    )
    .without(&["point", "normal", "centre", "rotation"]),
];

/// Of shapes that may be rigid bodies.
const RIGID: &[Field] = &[
    Field::optional(
        "mass",
        Positive,
        "moved by nothing",
        "2.0",
        "kg: makes it a rigid body, that gravity and cloth move",
    ),
    Field::optional("velocity", Vector, "`[0, 0, 0]`", "[0, -1, 0]", "of a rigid body at the start, m/s")
        .with(&["mass"]),
    Field::optional("angular_velocity", Vector, "`[0, 0, 0]`", "[0, 3, 0]", "of a rigid body at the start, rad/s")
        .with(&["mass"]),
];

const CENTRE: Field = Field::required("centre", Vector, "[0, 0.4, 0]", "m");
const ROTATION: Field = Field::optional(
    "rotation",
    Either(&[Vector, Table(&[&TURN])]),
    "none",
    "{ axis = [0, 0, 1], degrees = 30.0 }",
    "by an angle about an axis, or degrees about the x-axis, then y, then z",
);
const ENDS: [Field; 2] = [
    Field::optional("from", Vector, "", "[-0.5, 0, 0]", "centre of one end, m").with(&["to"]).without(&[
        "centre",
        "half_length",
        "rotation",
    ]),
    Field::optional("to", Vector, "", "[0.5, 0, 0]", "centre of the other, m").with(&["from"]).without(&[
        "centre",
        "half_length",
        "rotation",
    ]),
];
const RADIUS: Field = Field::required("radius", Positive, "0.3", "m");
const HALF_LENGTH: Field = Field::required(
    "half_length",
    Positive,
    "0.5",
    "from its centre to that of an end, along y before it is turned, m",
);

const TURN: Section = Section {
    title: "A turn about an axis",
    text: "",
    groups: &[&[
        Field::required("axis", Vector, "[0, 0, 1]", "of any length"),
        Field::required("degrees", Number, "30.0", "counter-clockwise seen from its tip"),
    ]],
};

const FRAME: Section = Section {
    title: "A frame of a moving collider",
    text: "Where it is at a time.",
    groups: &[&[
        Field::required("time", Number, "1.0", "s"),
        Field::required("position", Vector, "[0, 1, 0]", "m"),
        ROTATION,
    ]],
};

const PLANE: Section = Section {
    title: "A plane",
    text: "Everything below it is solid.",
    groups: &[
        &[
            Field::required("shape", Word("plane"), "\"plane\"", "this shape"),
            Field::required("point", Vector, "[0, 0, 0]", "of the plane, m"),
            Field::required("normal", Vector, "[0, 1, 0]", "to where cloth may be"),
        ],
        COMMON,
    ],
};

const SPHERE: Section = Section {
    title: "A sphere",
    text: "A ball.",
    groups: &[&[Field::required("shape", Word("sphere"), "\"sphere\"", "this shape"), CENTRE, RADIUS], COMMON, RIGID],
};

const BOX: Section = Section {
    title: "A box",
    text: "Of three sides.",
    groups: &[
        &[
            Field::required("shape", Word("box"), "\"box\"", "this shape"),
            CENTRE,
            Field::required("half", Numbers(3), "[0.2, 0.1, 0.2]", "half its sides, m"),
            Field::optional("size", Numbers(3), "", "[0.4, 0.2, 0.4]", "its sides, m").without(&["half"]),
            ROTATION,
        ],
        COMMON,
        RIGID,
    ],
};

const CAPSULE: Section = Section {
    title: "A capsule",
    text: "Everything nearer than its radius to a line.",
    groups: &[
        &[
            Field::required("shape", Word("capsule"), "\"capsule\"", "this shape"),
            CENTRE,
            RADIUS,
            HALF_LENGTH,
            ROTATION,
        ],
        &ENDS,
        COMMON,
        RIGID,
    ],
};

const CYLINDER: Section = Section {
    title: "A cylinder",
    text: "With flat ends.",
    groups: &[
        &[
            Field::required("shape", Word("cylinder"), "\"cylinder\"", "this shape"),
            CENTRE,
            RADIUS,
            HALF_LENGTH,
            ROTATION,
        ],
        &ENDS,
        COMMON,
    ],
};

const MESH: Section = Section {
    title: "A closed mesh",
    text: "From a file, through a grid of signed distances.",
    groups: &[
        &[Field::required("shape", Word("mesh"), "\"mesh\"", "this shape")],
        READ,
        &[Field::usual("cells", Whole(2, 512), "64", "32", "of the grid, along its longest side"), CENTRE, ROTATION],
        COMMON,
    ],
};

pub const COLLIDERS: &[&Section] = &[&PLANE, &SPHERE, &BOX, &CAPSULE, &CYLINDER, &MESH];

/// Reads all colliders into the scene.
pub fn read(root: &Table<'_>, scene: &mut Scene, folder: &Path) -> Result<(), Error> {
    for table in root.tables("collider")? {
        scene.add_collider(collider(&table, folder)?);
    }
    Ok(())
}

fn collider(table: &Table<'_>, folder: &Path) -> Result<Collider, Error> {
    let (shape, placed) = shape(table, folder)?;
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
fn shape(table: &Table<'_>, folder: &Path) -> Result<(Shape, Pose), Error> {
    #[derive(Clone, Copy)]
    enum Form {
        Plane,
        Sphere,
        Box,
        Capsule,
        Cylinder,
        Mesh,
    }
    let forms = [
        ("plane", Form::Plane),
        ("sphere", Form::Sphere),
        ("box", Form::Box),
        ("capsule", Form::Capsule),
        ("cylinder", Form::Cylinder),
        ("mesh", Form::Mesh),
    ];
    let moves = table.get("frames").is_some();
    match table.require("shape")?.choice(&forms)? {
        Form::Plane => {
            table.only(&PLANE)?;
            Ok((Shape::Plane, if moves { nowhere(table, &["point", "normal"])? } else { plane(table)? }))
        }
        Form::Sphere => {
            table.only(&SPHERE)?;
            let radius = table.require("radius")?.positive()? as f32;
            Ok((Shape::Sphere { radius }, about_centre(table)?))
        }
        Form::Box => {
            table.only(&BOX)?;
            Ok((Shape::Box { half: half(table)? }, about_centre(table)?))
        }
        Form::Capsule => {
            let (radius, half_length, pose) = round(table, &CAPSULE)?;
            Ok((Shape::Capsule { radius, half_length }, pose))
        }
        Form::Cylinder => {
            let (radius, half_length, pose) = round(table, &CYLINDER)?;
            Ok((Shape::Cylinder { radius, half_length }, pose))
        }
        Form::Mesh => {
            table.only(&MESH)?;
            let surface = mesh_file::surface(mesh_file::read(table, folder)?.mesh);
            let cells = table.get_or("cells", 64, |value| value.whole(2, 512))?;
            Ok((Shape::Mesh { surface, cells }, about_centre(table)?))
        }
    }
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
    table.only(&TURN)?;
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
fn round(table: &Table<'_>, section: &Section) -> Result<(f32, f32, Pose), Error> {
    table.only(section)?;
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
    table.only(&FRAME)?;
    let time = table.require("time")?.number()?;
    let position = table.require("position")?.vector()?;
    Ok(KeyFrame { time, pose: Pose { position, rotation: table.get_or("rotation", Quat::IDENTITY, rotation)? } })
}
