//! The table `[body.mesh]`: a mesh out of a few numbers. Those of files are in `mesh_file`.

use super::{
    format::{Field, Kind::*, Section},
    mesh_file,
    value::{Table, Value},
};
use crate::{Error, Mesh};
use glam::{EulerRot, Quat, Vec3};
use std::path::Path;

/// Most vertices of a scene file: about 4 GB on the GPU.
pub const MAX_VERTICES: usize = 1 << 22;

/// Where a mesh is put.
pub const PLACE: &[Field] = &[
    Field::usual("position", Vector, "[0, 0, 0]", "[0, 1.2, 0]", "where its origin is put, the centre of most, m"),
    Field::usual(
        "rotation",
        Vector,
        "[0, 0, 0]",
        "[0, 25, 0]",
        "before that, degrees about the x-axis, then y, then z",
    ),
];

const GRID: Section = Section {
    title: "A grid",
    text: "A flat rectangle in the xz-plane, in rows and columns.",
    groups: &[&[Field::required("kind", Word("grid"), "\"grid\"", "this kind")], RECTANGLE, PLACE],
};

const IRREGULAR: Section = Section {
    title: "An irregular cloth",
    text: "The same rectangle in triangles without rows and columns: jittered vertices, a Delaunay triangulation.",
    groups: &[
        &[Field::required("kind", Word("irregular"), "\"irregular\"", "this kind")],
        RECTANGLE,
        &[Field::usual("seed", Whole(0, u32::MAX), "1", "7", "another one, another mesh")],
        PLACE,
    ],
};

const RECTANGLE: &[Field] = &[
    Field::required("width", Positive, "1.0", "along x, m"),
    Field::required("depth", Positive, "1.0", "along z, m"),
    Field::required("columns", Whole(2, u32::MAX), "8", "vertices along x"),
    Field::required("rows", Whole(2, u32::MAX), "8", "vertices along z"),
];

const DISK: Section = Section {
    title: "A disk",
    text: "A flat round cloth in the xz-plane.",
    groups: &[
        &[
            Field::required("kind", Word("disk"), "\"disk\"", "this kind"),
            Field::required("radius", Positive, "0.5", "m"),
            Field::required("rings", Whole(1, 2000), "8", "of vertices around the one in the middle"),
        ],
        PLACE,
    ],
};

const TUBE: Section = Section {
    title: "A tube",
    text: "A cylinder about the y-axis, open at both ends.",
    groups: &[
        &[
            Field::required("kind", Word("tube"), "\"tube\"", "this kind"),
            Field::required("radius", Positive, "0.1", "m"),
            Field::required("length", Positive, "0.5", "along y, m"),
            Field::required("around", Whole(3, u32::MAX), "24", "vertices around it"),
            Field::required("along", Whole(2, u32::MAX), "12", "vertices along it"),
        ],
        PLACE,
    ],
};

const BLOCK: Section = Section {
    title: "A block",
    text: "A box of tetrahedra, five to a cell.",
    groups: &[
        &[
            Field::required("kind", Word("block"), "\"block\"", "this kind"),
            Field::required("size", Numbers(3), "[0.2, 0.16, 0.2]", "along x, y and z, m"),
            Field::required("counts", Numbers(3), "[4, 4, 4]", "vertices along x, y and z"),
        ],
        PLACE,
    ],
};

const BALL: Section = Section {
    title: "A ball",
    text: "A ball of tetrahedra.",
    groups: &[
        &[
            Field::required("kind", Word("ball"), "\"ball\"", "this kind"),
            Field::required("radius", Positive, "0.1", "m"),
            Field::required("cells", Whole(1, 500), "6", "along its diameter"),
        ],
        PLACE,
    ],
};

const CHAIN: Section = Section {
    title: "A chain",
    text: "Vertices in a row, joined by wires.",
    groups: &[&[
        Field::required("kind", Word("chain"), "\"chain\"", "this kind"),
        Field::required("from", Vector, "[0, 0, 0]", "one end, m"),
        Field::required("to", Vector, "[1, 0, 0]", "the other, m"),
        Field::required("count", Whole(2, u32::MAX), "10", "vertices"),
    ]],
};

pub const MESHES: &[&Section] =
    &[&GRID, &IRREGULAR, &DISK, &TUBE, &BLOCK, &BALL, &CHAIN, &mesh_file::FILE, &mesh_file::FILL];

/// A mesh, and what a file says besides.
#[derive(Default)]
pub struct Loaded {
    pub mesh: Mesh,
    /// Where its vertices start, if not in the shape of the mesh.
    pub start: Option<Vec<Vec3>>,
    /// Vertices that are one from the start.
    pub cuts: Vec<[u32; 2]>,
    /// What is to be seen in its place.
    pub skin: Option<Mesh>,
    /// What was set right in a file.
    pub notes: Vec<String>,
}

impl From<Mesh> for Loaded {
    fn from(mesh: Mesh) -> Self {
        Self { mesh, ..Default::default() }
    }
}

/// Reads a mesh of at most `room` vertices. Paths are taken from a folder.
pub fn read(table: &Table<'_>, room: usize, folder: &Path) -> Result<Loaded, Error> {
    #[derive(Clone, Copy)]
    enum Kind {
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
        ("grid", Kind::Grid),
        ("irregular", Kind::Irregular),
        ("disk", Kind::Disk),
        ("tube", Kind::Tube),
        ("block", Kind::Block),
        ("ball", Kind::Ball),
        ("chain", Kind::Chain),
        ("file", Kind::File),
        ("fill", Kind::Fill),
    ];
    Ok(match table.require("kind")?.choice(&kinds)? {
        Kind::Grid => grid(table, room)?.into(),
        Kind::Irregular => irregular(table, room)?.into(),
        Kind::Disk => disk(table, room)?.into(),
        Kind::Tube => tube(table, room)?.into(),
        Kind::Block => block(table, room)?.into(),
        Kind::Ball => ball(table, room)?.into(),
        Kind::Chain => chain(table, room)?.into(),
        Kind::File => mesh_file::file(table, room, folder)?,
        Kind::Fill => mesh_file::fill(table, room, folder)?,
    })
}

/// Width, depth, columns and rows.
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
    // Six more on each ring.
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

/// Turned and moved as the table says.
pub fn placed(table: &Table<'_>, mesh: Mesh) -> Result<Mesh, Error> {
    let position = table.get_or("position", Vec3::ZERO, Value::vector)?;
    let rotation = table.get_or("rotation", Quat::IDENTITY, turned)?;
    Ok(mesh.rotated(rotation).translated(position))
}

/// Degrees about the x-axis, then y, then z.
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
