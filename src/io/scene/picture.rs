//! The tables `[camera]` and `[output]`: defaults of the command line for pictures and files.

use super::{
    format::{Field, Section, ValueKind::*},
    value::{Table, Value},
};
use crate::Error;
use glam::Vec3;

/// Camera of pictures.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct CameraTable {
    /// Position of the camera, m.
    pub eye: Vec3,
    /// Point that the camera looks at, m.
    pub target: Vec3,
    /// Vertical field of view, degrees.
    pub angle: f32,
}

impl Default for CameraTable {
    fn default() -> Self {
        Self { eye: Vec3::Z, target: Vec3::ZERO, angle: 28.0 }
    }
}

/// Files that a run writes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutputTable {
    /// Formats of files with one frame: any of `obj`, `ply`, `vtu`, `png`.
    pub frames: Vec<&'static str>,
    /// Formats of files with all frames: any of `pc2`, `mdd`, `glb`.
    pub caches: Vec<&'static str>,
    /// Quantity that colours show: `plain`, `strain`, `velocity` or `contact`.
    pub colour: &'static str,
}

impl Default for OutputTable {
    fn default() -> Self {
        Self { frames: vec!["obj"], caches: Vec::new(), colour: "plain" }
    }
}

const FRAMES: [&str; 4] = ["obj", "ply", "vtu", "png"];
const CACHES: [&str; 3] = ["pc2", "mdd", "glb"];
const COLOURS: [&str; 4] = ["plain", "strain", "velocity", "contact"];

pub const CAMERA: Section = Section {
    title: "[camera]",
    text: "Camera of pictures. Without the table the view includes everything.",
    groups: &[&[
        Field::required("eye", Vector, "[1.5, 1.2, 2.5]", "position of the camera, m"),
        Field::required("target", Vector, "[0, 0.4, 0]", "point that the camera looks at, m"),
        Field::usual("angle", Positive, "28", "35.0", "vertical field of view, degrees below 170"),
    ]],
};

pub const OUTPUT: Section = Section {
    title: "[output]",
    text: "Files that `tenter run` writes; its command line overrides them.",
    groups: &[&[
        Field::usual(
            "frames",
            List(&Words(|| FRAMES.to_vec())),
            "[\"obj\"]",
            "[\"vtu\", \"png\"]",
            "formats of files with one frame",
        ),
        Field::usual("caches", List(&Words(|| CACHES.to_vec())), "[]", "[\"glb\"]", "formats of files with all frames"),
        Field::usual(
            "colour",
            Words(|| COLOURS.to_vec()),
            "\"plain\"",
            "\"strain\"",
            "quantity that the colours of pictures show",
        ),
    ]],
};

/// Reads the camera, if there is one.
pub fn camera(root: &Table<'_>) -> Result<Option<CameraTable>, Error> {
    let Some(value) = root.get("camera") else { return Ok(None) };
    let table = value.table()?;
    table.only(&CAMERA)?;
    let (eye, target) = (table.require("eye")?.vector()?, table.require("target")?.vector()?);
    if eye == target {
        return Err(table.wrong("target", "must lie elsewhere than eye"));
    }
    let angle = table.get_or("angle", CameraTable::default().angle, |value| Ok(value.positive()? as f32))?;
    if angle >= 170.0 {
        return Err(table.wrong("angle", format!("must be below 170 degrees, not {angle}")));
    }
    Ok(Some(CameraTable { eye, target, angle }))
}

/// Reads the table of outputs.
pub fn output(root: &Table<'_>) -> Result<OutputTable, Error> {
    let usual = OutputTable::default();
    let Some(value) = root.get("output") else { return Ok(usual) };
    let table = value.table()?;
    table.only(&OUTPUT)?;
    let one = |value: &Value<'_>, words: &[&'static str]| {
        value.choice(&words.iter().map(|word| (*word, *word)).collect::<Vec<_>>())
    };
    let list =
        |value: &Value<'_>, words: &[&'static str]| value.array()?.iter().map(|value| one(value, words)).collect();
    Ok(OutputTable {
        frames: table.get_or("frames", usual.frames, |value| list(value, &FRAMES))?,
        caches: table.get_or("caches", usual.caches, |value| list(value, &CACHES))?,
        colour: table.get_or("colour", usual.colour, |value| one(value, &COLOURS))?,
    })
}
