//! The table `[air]`.

use super::value::{Table, Value};
use crate::{Air, Error};

/// Reads the air; without the table there is none.
pub fn read(root: &Table<'_>) -> Result<Option<Air>, Error> {
    let Some(value) = root.get("air") else { return Ok(None) };
    let table = value.table()?;
    table.only(&["wind", "steady", "angular_velocity", "drag", "lift", "resistance"])?;
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
