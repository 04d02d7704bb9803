//! The table `[body.mesh]`.

use super::{
    format::{Field, Kind::*, Section},
    value::{Table, Value},
};
use crate::{Error, Mesh};
use glam::{EulerRot, Quat, Vec3};

/// Most vertices of a scene file: about 4 GB on the GPU.
pub const MAX_VERTICES: usize = 1 << 22;

/// Where a mesh is put.
const PLACE: &[Field] = &[
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
    groups: &[
        &[
            Field::required("kind", Word("grid"), "\"grid\"", "this kind"),
            Field::required("width", Positive, "1.0", "along x, m"),
            Field::required("depth", Positive, "1.0", "along z, m"),
            Field::required("columns", Whole(2, u32::MAX), "8", "vertices along x"),
            Field::required("rows", Whole(2, u32::MAX), "8", "vertices along z"),
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

pub const MESHES: &[&Section] = &[&GRID, &BLOCK, &CHAIN];

/// Reads a mesh of at most `room` vertices.
pub fn read(table: &Table<'_>, room: usize) -> Result<Mesh, Error> {
    #[derive(Clone, Copy)]
    enum Kind {
        Grid,
        Chain,
        Block,
    }
    let kinds = [("grid", Kind::Grid), ("chain", Kind::Chain), ("block", Kind::Block)];
    match table.require("kind")?.choice(&kinds)? {
        Kind::Grid => grid(table, room),
        Kind::Chain => chain(table, room),
        Kind::Block => block(table, room),
    }
}

fn grid(table: &Table<'_>, room: usize) -> Result<Mesh, Error> {
    table.only(&GRID)?;
    let width = table.require("width")?.positive()? as f32;
    let depth = table.require("depth")?.positive()? as f32;
    let columns = table.require("columns")?.whole(2, u32::MAX)?;
    let rows = table.require("rows")?.whole(2, u32::MAX)?;
    check_room(u64::from(columns) * u64::from(rows), room).map_err(|message| table.wrong("columns", message))?;
    placed(table, Mesh::grid(width, depth, columns, rows))
}

fn block(table: &Table<'_>, room: usize) -> Result<Mesh, Error> {
    table.only(&BLOCK)?;
    let size = table.require("size")?.three(Value::positive)?.map(|length| length as f32);
    let counts = table.require("counts")?.three(|value| value.whole(2, u32::MAX))?;
    let vertices = counts.iter().fold(1u64, |product, &count| product.saturating_mul(count.into()));
    check_room(vertices, room).map_err(|message| table.wrong("counts", message))?;
    placed(table, Mesh::block(size.into(), counts))
}

/// Turned and moved as the table says.
fn placed(table: &Table<'_>, mesh: Mesh) -> Result<Mesh, Error> {
    let position = table.get_or("position", Vec3::ZERO, Value::vector)?;
    let rotation = table.get_or("rotation", Quat::IDENTITY, turned)?;
    Ok(mesh.rotated(rotation).translated(position))
}

/// Degrees about the x-axis, then y, then z.
pub fn turned(value: &Value<'_>) -> Result<Quat, Error> {
    let angles = value.vector()?.map(f32::to_radians);
    Ok(Quat::from_euler(EulerRot::XYZEx, angles.x, angles.y, angles.z))
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

fn check_room(vertices: u64, room: usize) -> Result<(), String> {
    if vertices <= room as u64 {
        return Ok(());
    }
    let others = MAX_VERTICES - room;
    let besides = if others > 0 { format!(", besides {others} of the bodies before it,") } else { String::new() };
    Err(format!("{vertices} vertices{besides} are more than the {MAX_VERTICES} a scene file may have"))
}
