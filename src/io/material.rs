//! The table `[body.material]`.

use super::{spring, value::Table};
use crate::{Error, Mass, Material};

/// Reads a material: a preset, changed by what else stands there, or mass and springs of its own.
pub fn read(table: &Table<'_>) -> Result<Material, Error> {
    table.only(&["preset", "density", "line_density", "mass", "structural", "shear", "crossover"])?;
    let preset = match table.get("preset") {
        Some(value) => Some(value.choice::<fn() -> Material>(&[("cotton", Material::cotton)])?()),
        None => None,
    };
    let mass = match (mass(table)?, &preset) {
        (Some(mass), _) => mass,
        (None, Some(preset)) => preset.mass,
        (None, None) => return Err(table.wrong("density", "is missing: density, line_density, mass or a preset")),
    };
    let base = preset.unwrap_or_else(|| Material::loose(mass));
    Ok(Material {
        mass,
        structural: table.get_or("structural", base.structural, |value| spring::read(value, base.structural))?,
        shear: table.get_or("shear", base.shear, |value| spring::read(value, base.shear))?,
        crossover: table.get_or("crossover", base.crossover, |value| spring::read(value, base.crossover))?,
        ..base
    })
}

fn mass(table: &Table<'_>) -> Result<Option<Mass>, Error> {
    let mut found: Option<(&str, Mass)> = None;
    for key in ["density", "line_density", "mass"] {
        let Some(value) = table.get(key) else { continue };
        if let Some((other, _)) = found {
            return Err(value.wrong(format!("the mass is given by {other} already")));
        }
        let amount = value.single()?;
        let mass = match key {
            "density" => Mass::Surface(amount),
            "line_density" => Mass::Line(amount),
            _ => Mass::Total(amount),
        };
        found = Some((key, mass));
    }
    Ok(found.map(|(_, mass)| mass))
}
