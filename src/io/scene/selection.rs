//! Selections of a body's vertices, used by pins and forces.

use super::{
    format::{Field, Section, ValueKind::*, words},
    value::{Table, Value},
};
use crate::{BodyId, Error, Side, Vertices};

pub const BODY: Field = Field::optional(
    "body",
    Either(&[Text, Whole(0, u32::MAX)]),
    "the only one",
    "0",
    "name or index of the body, from 0",
);

pub const VERTICES: Field = Field::required(
    "vertices",
    Either(&[Words(|| words(WORDS)), List(&Whole(0, u32::MAX)), Table(&[&BOX, &SPHERE, &GROUP])]),
    "\"corners\"",
    "selected vertices: `\"corners\"` are the two far corners of a grid, `\"far\"`, `\"near\"`, `\"left\"`, `\"right\"` its sides, `\"border\"` the boundary of triangles",
);

const BOX: Section = Section {
    title: "Vertices in a box",
    text: "Vertices that lie in an axis-aligned box at rest.",
    groups: &[&[
        Field::required("low", Vector, "[-1, -1, -1]", "smallest coordinates, m"),
        Field::required("high", Vector, "[1, 1, 1]", "largest coordinates, m"),
    ]],
};

const SPHERE: Section = Section {
    title: "Vertices in a sphere",
    text: "Vertices that lie in a sphere at rest.",
    groups: &[&[
        Field::required("centre", Vector, "[0, 0, 0]", "centre, m"),
        Field::required("radius", Positive, "2.0", "radius, m"),
    ]],
};

const GROUP: Section = Section {
    title: "Vertices of a group",
    text: "Vertices of a named group of the mesh's file: `g` and `o` of OBJ, physical groups of Gmsh, markers of TetGen, solids of STL, meshes of glTF.",
    groups: &[&[Field::required("group", Text, "\"collar\"", "name of the group")]],
};

/// Words for sets of vertices.
const WORDS: &[(&str, Word)] = &[
    ("corners", Word::Corners),
    ("far", Word::Side(Side::Far)),
    ("near", Word::Side(Side::Near)),
    ("left", Word::Side(Side::Left)),
    ("right", Word::Side(Side::Right)),
    ("far-left", Word::Corner(Side::Far, Side::Left)),
    ("far-right", Word::Corner(Side::Far, Side::Right)),
    ("near-left", Word::Corner(Side::Near, Side::Left)),
    ("near-right", Word::Corner(Side::Near, Side::Right)),
    ("border", Word::Border),
    ("all", Word::All),
];

#[derive(Clone, Copy)]
enum Word {
    All,
    Corners,
    Corner(Side, Side),
    Side(Side),
    Border,
}

/// Reads a body by name or index; optional if there is only one.
pub fn body(table: &Table<'_>, names: &[String]) -> Result<BodyId, Error> {
    let Some(value) = table.get("body") else {
        return if names.len() == 1 { Ok(BodyId(0)) } else { Err(table.wrong("body", "is missing: which body?")) };
    };
    named(&value, names)
}

/// Reads a name or index of a body.
pub fn named(value: &Value<'_>, names: &[String]) -> Result<BodyId, Error> {
    if !value.is_text() {
        return Ok(BodyId(value.whole(0, names.len().saturating_sub(1) as u32)? as usize));
    }
    let wanted = value.text()?;
    let ix = names.iter().position(|name| name == wanted);
    ix.map(BodyId).ok_or_else(|| value.wrong(format!("no body is called {wanted:?}; there are: {}", names.join(", "))))
}

/// Reads a set of vertices of a body.
pub fn vertices(value: &Value<'_>) -> Result<Vertices, Error> {
    if value.is_array() {
        return Ok(Vertices::List(value.array()?.iter().map(|v| v.whole(0, u32::MAX)).collect::<Result<_, _>>()?));
    }
    if value.is_text() {
        return Ok(match value.choice(WORDS)? {
            Word::All => Vertices::All,
            Word::Corners => Vertices::Corners,
            Word::Corner(row, column) => Vertices::Corner(row, column),
            Word::Side(side) => Vertices::Side(side),
            Word::Border => Vertices::Border,
        });
    }
    let message = "must be a word, a list of numbers, a box { low, high }, a sphere { centre, radius } or a { group }";
    let table = value.table().map_err(|_| value.wrong(message))?;
    if let Some(name) = table.get("group") {
        table.only(&GROUP)?;
        return Ok(Vertices::Group(name.text()?.to_owned()));
    }
    if table.first_of(&["centre", "radius"]).is_some() {
        table.only(&SPHERE)?;
        let centre = table.require("centre")?.vector()?;
        return Ok(Vertices::Sphere { centre, radius: table.require("radius")?.positive()? as f32 });
    }
    table.only(&BOX)?;
    let (low, high) = (table.require("low")?, table.require("high")?);
    let (low_corner, high_corner) = (low.vector()?, high.vector()?);
    if low_corner.cmpgt(high_corner).any() {
        return Err(high.wrong("must not be below low"));
    }
    Ok(Vertices::Box { low: low_corner, high: high_corner })
}
