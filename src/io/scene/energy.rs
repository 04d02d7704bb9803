//! The tables `[body.material.area]`, `.volume` and `.shell`: Teschner's energies, a stiffness and a damping each.

use super::value::{Table, Value};
use crate::{Area, Error, Volume};

/// Reads the energy of areas; what is left out stays as in `base`.
pub fn area(table: &Table<'_>, base: Option<Area>) -> Result<Area, Error> {
    let (stiffness, damping) = pair(table, base.map(|area| (area.stiffness, area.damping)))?;
    Ok(Area { stiffness, damping })
}

/// Reads the energy of volumes, of tetrahedra or of a shell's virtual ones, likewise.
pub fn volume(table: &Table<'_>, base: Option<Volume>) -> Result<Volume, Error> {
    let (stiffness, damping) = pair(table, base.map(|volume| (volume.stiffness, volume.damping)))?;
    Ok(Volume { stiffness, damping })
}

fn pair(table: &Table<'_>, base: Option<(f32, f32)>) -> Result<(f32, f32), Error> {
    table.only(&["stiffness", "damping"])?;
    let stiffness = table.single_or("stiffness", base.map(|(stiffness, _)| stiffness))?;
    let damping = table.get_or("damping", base.map_or(0.0, |(_, damping)| damping), Value::single)?;
    Ok((stiffness, damping))
}
