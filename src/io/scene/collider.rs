//! The tables `[[collider]]`.

use super::{
    format::{Field, Section, ValueKind::*},
    mesh::turned,
    mesh_file::{self, READ},
    value::{Table, Value},
};
use crate::{
    Collider, Dynamic, Error, KeyFrame, Motion, Pose, Scene, Shape,
    contact::{CELLS, check_surface},
};
use glam::{Quat, Vec3};
use std::path::Path;

/// Keys of every shape.
const COMMON: &[Field] = &[
    Field::usual("thickness", Amount, "0.005", "0.01", "distance that particles keep from the surface, m"),
    Field::usual("friction", Amount, "0.3", "0.5", "coefficient of Coulomb friction"),
    Field::usual("relaxation", Fraction, "0.2", "0.5", "fraction of a penetration that is removed per step"),
    Field::usual(
        "edges",
        Truth,
        "true",
        "false",
        "whether edges and triangles of bodies keep away as well as their particles: corners and tips do not stand out between them",
    ),
    Field::optional(
        "frames",
        Tables(&[&FRAME]),
        "stays",
        "[{ time = 0.0, position = [0, 0, 0] }, { time = 1.0, position = [0, 1, 0] }]",
        "key frames of its motion: position of the centre, or of a point of a plane, and rotation, of a plane from the normal y; at rest before the first and after the last",
    )
    .without(&["point", "normal", "centre", "rotation"]),
];

/// Keys of shapes that can be rigid bodies.
const RIGID: &[Field] = &[
    Field::optional(
        "mass",
        Positive,
        "not a rigid body",
        "2.0",
        "mass, kg, which makes it a rigid body that gravity and cloth move",
    ),
    Field::optional("velocity", Vector, "`[0, 0, 0]`", "[0, -1, 0]", "velocity of a rigid body at the start, m/s")
        .with(&["mass"]),
    Field::optional(
        "angular_velocity",
        Vector,
        "`[0, 0, 0]`",
        "[0, 3, 0]",
        "angular velocity of a rigid body at the start, rad/s",
    )
    .with(&["mass"]),
];

const CENTRE: Field = Field::required("centre", Vector, "[0, 0.4, 0]", "position of the centre, m");
const ROTATION: Field = Field::optional(
    "rotation",
    Either(&[Vector, Table(&[&TURN])]),
    "none",
    "{ axis = [0, 0, 1], degrees = 30.0 }",
    "rotation by an angle about an axis, or by degrees about the x-axis, then y, then z",
);
const ENDS: [Field; 2] = [
    Field::optional("from", Vector, "", "[-0.5, 0, 0]", "centre of one end, m").with(&["to"]).without(&[
        "centre",
        "half_length",
        "rotation",
    ]),
    Field::optional("to", Vector, "", "[0.5, 0, 0]", "centre of the other end, m").with(&["from"]).without(&[
        "centre",
        "half_length",
        "rotation",
    ]),
];
const RADIUS: Field = Field::required("radius", Positive, "0.3", "radius, m");
const HALF_LENGTH: Field = Field::required(
    "half_length",
    Positive,
    "0.5",
    "distance from its centre to that of an end, along y before rotation, m",
);

const TURN: Section = Section {
    title: "A rotation about an axis",
    text: "",
    groups: &[&[
        Field::required("axis", Vector, "[0, 0, 1]", "direction of the axis, of any length"),
        Field::required("degrees", Number, "30.0", "angle, counter-clockwise seen from the axis' tip, degrees"),
    ]],
};

const FRAME: Section = Section {
    title: "A frame of a moving collider",
    text: "Pose of the collider at a time.",
    groups: &[&[
        Field::required("time", Number, "1.0", "time, s"),
        Field::required("position", Vector, "[0, 1, 0]", "position, m"),
        ROTATION,
    ]],
};

const PLANE: Section = Section {
    title: "A plane",
    text: "A half-space: everything below the plane is solid.",
    groups: &[
        &[
            Field::required("shape", Word("plane"), "\"plane\"", "shape of the collider"),
            Field::required("point", Vector, "[0, 0, 0]", "a point of the plane, m"),
            Field::required("normal", Vector, "[0, 1, 0]", "normal out of the solid half-space"),
        ],
        COMMON,
    ],
};

const SPHERE: Section = Section {
    title: "A sphere",
    text: "A ball.",
    groups: &[
        &[Field::required("shape", Word("sphere"), "\"sphere\"", "shape of the collider"), CENTRE, RADIUS],
        COMMON,
        RIGID,
    ],
};

const BOX: Section = Section {
    title: "A box",
    text: "A solid box.",
    groups: &[
        &[
            Field::required("shape", Word("box"), "\"box\"", "shape of the collider"),
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
    text: "All points within a radius of a line segment.",
    groups: &[
        &[
            Field::required("shape", Word("capsule"), "\"capsule\"", "shape of the collider"),
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
    text: "A solid cylinder with flat ends.",
    groups: &[
        &[
            Field::required("shape", Word("cylinder"), "\"cylinder\"", "shape of the collider"),
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
    text: "A closed surface from a file, as a grid of signed distances. With a `cache` its vertices move: it is a figure to dress.",
    groups: &[
        &[Field::required("shape", Word("mesh"), "\"mesh\"", "shape of the collider")],
        READ,
        &[
            Field::usual(
                "cells",
                Whole(*CELLS.start(), *CELLS.end()),
                "64",
                "32",
                "number of cells of the grid along its longest side",
            )
            .without(&["cache"]),
            Field::optional(
                "cache",
                Either(&[Path, List(&Path)]),
                "stays",
                "[\"meshes/ring.obj\"]",
                "positions of the vertices of `file` over time: a point cache, .pc2 or .mdd, or mesh files for later times; `weld` is then `false`",
            ),
            Field::optional(
                "rate",
                Positive,
                "25",
                "30",
                "frames of a cache or mesh files in a second; an .mdd file has its own times",
            )
            .with(&["cache"]),
            CENTRE,
            ROTATION,
        ],
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
        relaxation: table.get_or("relaxation", usual.relaxation, Value::fraction)?,
        edges: table.get_or("edges", usual.edges, Value::boolean)?,
        motion: motion(table, placed)?,
        ..usual
    })
}

/// Shape of a collider, and its pose unless frames give it.
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
            if let Some(mesh) = mesh_file::deforming(table, folder)? {
                if let Some(cells) = table.get("cells") {
                    return Err(cells.wrong("a mesh with a cache has exact distances, no grid: leave this out"));
                }
                return Ok((Shape::Deforming(mesh), about_centre(table)?));
            }
            let surface = mesh_file::surface(mesh_file::read(table, folder)?.mesh);
            check_surface(&surface).map_err(|message| table.wrong("file", message))?;
            let cells = table.get_or("cells", 64, |value| value.whole(*CELLS.start(), *CELLS.end()))?;
            Ok((Shape::Mesh { surface, cells }, about_centre(table)?))
        }
    }
}

/// Pose of a collider with frames, which exclude the keys of a fixed pose.
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

/// Rotation by an axis and an angle, or by three angles.
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

/// Radius, half length and pose of a capsule or cylinder.
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

/// Motion of a collider: static, along key frames, or a rigid body.
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
