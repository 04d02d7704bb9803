//! The table `[air]`.

use super::{
    format::{Field, Kind::*, Section},
    value::{Table, Value},
};
use crate::{Air, Error};

pub const AIR: Section = Section {
    title: "[air]",
    text: "Wind and air resistance on surfaces. A vacuum unless the table is there.",
    groups: &[&[
        Field::usual("wind", Vector, "[0, 0, 0]", "[2, 0, 0.5]", "pressure of the wind, N/m²"),
        Field::usual("steady", Number, "1", "0.6", "how much of it is always there"),
        Field::usual("angular_velocity", Number, "0", "3", "of the part that swings, rad/s; 0 does not swing"),
        Field::usual("drag", Number, "1", "0.8", "share of the pressure along the normal that is felt"),
        Field::usual("lift", Number, "0.1", "0.05", "share across the normal"),
        Field::usual("resistance", Number, "0", "0.15", "to motion through the air, N·s/m³"),
    ]],
};

/// Reads the air; without the table there is none.
pub fn read(root: &Table<'_>) -> Result<Option<Air>, Error> {
    let Some(value) = root.get("air") else { return Ok(None) };
    let table = value.table()?;
    table.only(&AIR)?;
    let still = Air::default();
    Ok(Some(Air {
        wind: table.get_or("wind", still.wind, Value::vector)?,
        steady: table.get_or("steady", still.steady, Value::single)?,
        angular_velocity: table.get_or("angular_velocity", still.angular_velocity, Value::single)?,
        drag: table.get_or("drag", still.drag, Value::single)?,
        lift: table.get_or("lift", still.lift, Value::single)?,
        resistance: table.get_or("resistance", still.resistance, Value::single)?,
    }))
}
