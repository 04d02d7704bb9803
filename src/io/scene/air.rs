//! The table `[air]`.

use super::{
    format::{Field, Section, ValueKind::*},
    value::{Table, Value},
};
use crate::{Air, Error};

pub const AIR: Section = Section {
    title: "[air]",
    text: "Wind and air resistance on surfaces. Without the table there is no air.",
    groups: &[&[
        Field::usual("wind", Vector, "[0, 0, 0]", "[2, 0, 0.5]", "pressure of the wind, N/m²"),
        Field::usual("steady", Number, "1", "0.6", "constant part a of the wind's factor a + sin ωt"),
        Field::usual(
            "angular_velocity",
            Number,
            "0",
            "3",
            "angular velocity ω of the gusts, rad/s; 0 for a constant wind",
        ),
        Field::usual("drag", Number, "1", "0.8", "fraction of the pressure along the normal that acts"),
        Field::usual("lift", Number, "0.1", "0.05", "fraction of the pressure across the normal that acts"),
        Field::usual("resistance", Amount, "0", "0.15", "resistance to motion through the air, N·s/m³"),
    ]],
};

/// Reads the air; `None` without the table.
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
