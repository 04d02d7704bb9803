//! The tables `[body.material.area]`, `.volume` and `.shell`: Teschner's energies, a stiffness and a damping each.

use super::{
    format::{Field, Section, ValueKind::*},
    value::{Table, Value},
};
use crate::{Area, Error, Volume};

const DAMPING: Field = Field::usual("damping", Amount, "0", "1e-4", "damping of its rate, N·m·s");

pub const AREA: Section = Section {
    title: "[body.material.area]",
    text: "Energy of every triangle's area (Teschner).",
    groups: &[&[Field::required("stiffness", Amount, "0.05", "k_A, N·m"), DAMPING]],
};

pub const VOLUME: Section = Section {
    title: "[body.material.volume]",
    text: "Energy of every tetrahedron's volume (Teschner).",
    groups: &[&[Field::required("stiffness", Amount, "0.2", "k_V, N·m"), DAMPING]],
};

pub const SHELL: Section = Section {
    title: "[body.material.shell]",
    text: "Energy of the volume of the virtual tetrahedron over every two triangles with a common side (Teschner).",
    groups: &[&[Field::required("stiffness", Amount, "0.01", "k_V, N·m"), DAMPING]],
};

/// Reads the energy of areas; missing keys keep their values of `base`.
pub fn area(table: &Table<'_>, base: Option<Area>) -> Result<Area, Error> {
    let (stiffness, damping) = pair(table, &AREA, base.map(|area| (area.stiffness, area.damping)))?;
    Ok(Area { stiffness, damping })
}

/// Reads the energy of volumes, of tetrahedra or of a shell's virtual ones; missing keys keep their values of `base`.
pub fn volume(table: &Table<'_>, base: Option<Volume>) -> Result<Volume, Error> {
    let (stiffness, damping) = pair(table, &VOLUME, base.map(|volume| (volume.stiffness, volume.damping)))?;
    Ok(Volume { stiffness, damping })
}

fn pair(table: &Table<'_>, section: &Section, base: Option<(f32, f32)>) -> Result<(f32, f32), Error> {
    table.only(section)?;
    let stiffness = table.single_or("stiffness", base.map(|(stiffness, _)| stiffness))?;
    let damping = table.get_or("damping", base.map_or(0.0, |(_, damping)| damping), Value::single)?;
    Ok((stiffness, damping))
}
