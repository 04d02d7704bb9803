//! The table `[body.mesh]`: generated meshes. `mesh_file` reads meshes from files.

use super::{
    format::{Field, Section, ValueKind::*},
    mesh_file,
    value::{Table, Value},
};
use crate::{Error, Mesh};
use glam::{EulerRot, Quat, Vec3};
use std::path::Path;

/// Largest number of vertices of a scene file: about 4 GB on the GPU.
pub const MAX_VERTICES: usize = 1 << 22;

/// Keys that place a mesh.
pub const PLACE: &[Field] = &[
    Field::usual(
        "position",
        Vector,
        "[0, 0, 0]",
        "[0, 1.2, 0]",
        "position of the mesh's origin, which is the centre of most meshes, m",
    ),
    Field::usual(
        "rotation",
        Vector,
        "[0, 0, 0]",
        "[0, 25, 0]",
        "rotation before the translation, degrees about the x-axis, then y, then z",
    ),
];

const GRID: Section = Section {
    title: "A grid",
    text: "A flat rectangle in the xz-plane, in rows and columns.",
    groups: &[&[Field::required("kind", Word("grid"), "\"grid\"", "kind of the mesh")], RECTANGLE, PLACE],
};

const IRREGULAR: Section = Section {
    title: "An irregular cloth",
    text: "A flat rectangle in the xz-plane of irregular triangles: jittered vertices, a Delaunay triangulation.",
    groups: &[
        &[Field::required("kind", Word("irregular"), "\"irregular\"", "kind of the mesh")],
        RECTANGLE,
        &[Field::usual("seed", Whole(0, u32::MAX), "1", "7", "seed of the random jitter")],
        PLACE,
    ],
};

const RECTANGLE: &[Field] = &[
    Field::required("width", Positive, "1.0", "length along x, m"),
    Field::required("depth", Positive, "1.0", "length along z, m"),
    Field::required("columns", Whole(2, u32::MAX), "8", "number of vertices along x"),
    Field::required("rows", Whole(2, u32::MAX), "8", "number of vertices along z"),
];

const DISK: Section = Section {
    title: "A disk",
    text: "A flat round cloth in the xz-plane.",
    groups: &[
        &[
            Field::required("kind", Word("disk"), "\"disk\"", "kind of the mesh"),
            Field::required("radius", Positive, "0.5", "radius, m"),
            Field::required("rings", Whole(1, 2000), "8", "number of rings of vertices around the central one"),
        ],
        PLACE,
    ],
};

const TUBE: Section = Section {
    title: "A tube",
    text: "A cylinder about the y-axis, open at both ends.",
    groups: &[
        &[
            Field::required("kind", Word("tube"), "\"tube\"", "kind of the mesh"),
            Field::required("radius", Positive, "0.1", "radius, m"),
            Field::required("length", Positive, "0.5", "length along y, m"),
            Field::required("around", Whole(3, u32::MAX), "24", "number of vertices around the axis"),
            Field::required("along", Whole(2, u32::MAX), "12", "number of vertices along the axis"),
        ],
        PLACE,
    ],
};

const BLOCK: Section = Section {
    title: "A block",
    text: "A box of tetrahedra, five to a cell.",
    groups: &[
        &[
            Field::required("kind", Word("block"), "\"block\"", "kind of the mesh"),
            Field::required("size", Numbers(3), "[0.2, 0.16, 0.2]", "sides along x, y and z, m"),
            Field::required("counts", Numbers(3), "[4, 4, 4]", "numbers of vertices along x, y and z"),
        ],
        PLACE,
    ],
};

const BALL: Section = Section {
    title: "A ball",
    text: "A ball of tetrahedra.",
    groups: &[
        &[
            Field::required("kind", Word("ball"), "\"ball\"", "kind of the mesh"),
            Field::required("radius", Positive, "0.1", "radius, m"),
            Field::required("cells", Whole(1, 500), "6", "number of cells along the diameter"),
        ],
        PLACE,
    ],
};

const CHAIN: Section = Section {
    title: "A chain",
    text: "Vertices in a row, joined by wires.",
    groups: &[&[
        Field::required("kind", Word("chain"), "\"chain\"", "kind of the mesh"),
        Field::required("from", Vector, "[0, 0, 0]", "one end, m"),
        Field::required("to", Vector, "[1, 0, 0]", "other end, m"),
        Field::required("count", Whole(2, u32::MAX), "10", "number of vertices"),
    ]],
};

pub const MESHES: &[&Section] =
    &[&GRID, &IRREGULAR, &DISK, &TUBE, &BLOCK, &BALL, &CHAIN, &mesh_file::FILE, &mesh_file::FILL];

/// A mesh with the other data of its table.
#[derive(Default)]
pub struct Loaded {
    pub mesh: Mesh,
    /// Start positions of the vertices, if they differ from the mesh, m.
    pub start: Option<Vec<Vec3>>,
    /// Pairs of vertices tied from the start.
    pub cuts: Vec<[u32; 2]>,
    /// Skin of the body.
    pub skin: Option<Mesh>,
    /// Repairs made in a file.
    pub notes: Vec<String>,
}

impl From<Mesh> for Loaded {
    fn from(mesh: Mesh) -> Self {
        Self { mesh, ..Default::default() }
    }
}

/// Reads a mesh of at most `room` vertices. Paths are relative to `folder`.
pub fn read(table: &Table<'_>, room: usize, folder: &Path) -> Result<Loaded, Error> {
    #[derive(Clone, Copy)]
    enum MeshKind {
        Grid,
        Irregular,
        Disk,
        Tube,
        Block,
        Ball,
        Chain,
        File,
        Fill,
    }
    let kinds = [
        ("grid", MeshKind::Grid),
        ("irregular", MeshKind::Irregular),
        ("disk", MeshKind::Disk),
        ("tube", MeshKind::Tube),
        ("block", MeshKind::Block),
        ("ball", MeshKind::Ball),
        ("chain", MeshKind::Chain),
        ("file", MeshKind::File),
        ("fill", MeshKind::Fill),
    ];
    Ok(match table.require("kind")?.choice(&kinds)? {
        MeshKind::Grid => grid(table, room)?.into(),
        MeshKind::Irregular => irregular(table, room)?.into(),
        MeshKind::Disk => disk(table, room)?.into(),
        MeshKind::Tube => tube(table, room)?.into(),
        MeshKind::Block => block(table, room)?.into(),
        MeshKind::Ball => ball(table, room)?.into(),
        MeshKind::Chain => chain(table, room)?.into(),
        MeshKind::File => mesh_file::file(table, room, folder)?,
        MeshKind::Fill => mesh_file::fill(table, room, folder)?,
    })
}

/// Reads width, depth, columns and rows.
fn rectangle(table: &Table<'_>, room: usize) -> Result<(f32, f32, u32, u32), Error> {
    let width = table.require("width")?.positive()? as f32;
    let depth = table.require("depth")?.positive()? as f32;
    let columns = table.require("columns")?.whole(2, u32::MAX)?;
    let rows = table.require("rows")?.whole(2, u32::MAX)?;
    check_room(u64::from(columns) * u64::from(rows), room).map_err(|message| table.wrong("columns", message))?;
    Ok((width, depth, columns, rows))
}

fn grid(table: &Table<'_>, room: usize) -> Result<Mesh, Error> {
    table.only(&GRID)?;
    let (width, depth, columns, rows) = rectangle(table, room)?;
    placed(table, Mesh::grid(width, depth, columns, rows))
}

fn irregular(table: &Table<'_>, room: usize) -> Result<Mesh, Error> {
    table.only(&IRREGULAR)?;
    let (width, depth, columns, rows) = rectangle(table, room)?;
    let seed = table.get_or("seed", 1, |value| value.whole(0, u32::MAX))?;
    placed(table, Mesh::irregular(width, depth, columns, rows, seed.into()))
}

fn disk(table: &Table<'_>, room: usize) -> Result<Mesh, Error> {
    table.only(&DISK)?;
    let radius = table.require("radius")?.positive()? as f32;
    let rings = table.require("rings")?.whole(1, 2000)?;
    // Each ring has six vertices more than the one before it.
    let vertices = 1 + 3 * u64::from(rings) * (u64::from(rings) + 1);
    check_room(vertices, room).map_err(|message| table.wrong("rings", message))?;
    placed(table, Mesh::disk(radius, rings))
}

fn tube(table: &Table<'_>, room: usize) -> Result<Mesh, Error> {
    table.only(&TUBE)?;
    let radius = table.require("radius")?.positive()? as f32;
    let length = table.require("length")?.positive()? as f32;
    let around = table.require("around")?.whole(3, u32::MAX)?;
    let along = table.require("along")?.whole(2, u32::MAX)?;
    check_room(u64::from(around) * u64::from(along), room).map_err(|message| table.wrong("around", message))?;
    placed(table, Mesh::tube(radius, length, around, along))
}

fn block(table: &Table<'_>, room: usize) -> Result<Mesh, Error> {
    table.only(&BLOCK)?;
    let size = table.require("size")?.three(Value::positive)?.map(|length| length as f32);
    let counts = table.require("counts")?.three(|value| value.whole(2, u32::MAX))?;
    let vertices = counts.iter().fold(1u64, |product, &count| product.saturating_mul(count.into()));
    check_room(vertices, room).map_err(|message| table.wrong("counts", message))?;
    placed(table, Mesh::block(size.into(), counts))
}

fn ball(table: &Table<'_>, room: usize) -> Result<Mesh, Error> {
    table.only(&BALL)?;
    let radius = table.require("radius")?.positive()? as f32;
    let cells = table.require("cells")?.whole(1, 500)?;
    check_room((u64::from(cells) + 1).pow(3), room).map_err(|message| table.wrong("cells", message))?;
    placed(table, Mesh::ball(radius, cells))
}

fn chain(table: &Table<'_>, room: usize) -> Result<Mesh, Error> {
    table.only(&CHAIN)?;
    let from = table.require("from")?.vector()?;
    let to = table.require("to")?.vector()?;
    let count = table.require("count")?.whole(2, u32::MAX)?;
    if from == to {
        return Err(table.wrong("to", "must lie elsewhere than from: a chain has a length"));
    }
    check_room(u64::from(count), room).map_err(|message| table.wrong("count", message))?;
    Ok(Mesh::chain(from, to, count))
}

/// The mesh rotated and moved by the keys of a table.
pub fn placed(table: &Table<'_>, mesh: Mesh) -> Result<Mesh, Error> {
    let position = table.get_or("position", Vec3::ZERO, Value::vector)?;
    let rotation = table.get_or("rotation", Quat::IDENTITY, turned)?;
    Ok(mesh.rotated(rotation).translated(position))
}

/// Rotation by degrees about the x-axis, then y, then z.
pub fn turned(value: &Value<'_>) -> Result<Quat, Error> {
    let angles = value.vector()?.map(f32::to_radians);
    Ok(Quat::from_euler(EulerRot::XYZEx, angles.x, angles.y, angles.z))
}

pub fn check_room(vertices: u64, room: usize) -> Result<(), String> {
    if vertices <= room as u64 {
        return Ok(());
    }
    let others = MAX_VERTICES - room;
    let besides = if others > 0 { format!(", besides {others} of the bodies before it,") } else { String::new() };
    Err(format!("{vertices} vertices{besides} are more than the {MAX_VERTICES} a scene file may have"))
}
