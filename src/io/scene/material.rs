//! The table `[body.material]`.

use super::{bending, energy, membrane, spring, value::Table, weave};
use crate::{Error, Mass, Material, Spring, scene::presets};

/// Reads a material: a preset, changed by what else stands there, or mass and models of its own.
pub fn read(table: &Table<'_>) -> Result<Material, Error> {
    table.only(&[
        "preset",
        "density",
        "volume_density",
        "line_density",
        "mass",
        "structural",
        "shear",
        "crossover",
        "area",
        "volume",
        "shell",
        "membrane",
        "bending",
        "weave",
    ])?;
    let preset = match table.get("preset") {
        Some(value) => {
            Some(value.choice(&presets::ALL.iter().map(|preset| (preset.0, preset.2)).collect::<Vec<_>>())?())
        }
        None => None,
    };
    let mass = match (mass(table)?, &preset) {
        (Some(mass), _) => mass,
        (None, Some(preset)) => preset.mass,
        (None, None) => {
            let message = "is missing: density, volume_density, line_density, mass or a preset";
            return Err(table.wrong("density", message));
        }
    };
    let base = preset.unwrap_or_else(|| Material::loose(mass));
    let spring = |key: &str, base: Spring| table.get_or(key, base, |value| spring::read(value, base));
    Ok(Material {
        mass,
        structural: spring("structural", base.structural)?,
        shear: spring("shear", base.shear)?,
        crossover: spring("crossover", base.crossover)?,
        area: model(table, "area", base.area, energy::area)?,
        volume: model(table, "volume", base.volume, energy::volume)?,
        shell: model(table, "shell", base.shell, energy::volume)?,
        membrane: model(table, "membrane", base.membrane, membrane::read)?,
        bending: model(table, "bending", base.bending, bending::read)?,
        weave: model(table, "weave", base.weave, weave::read)?,
    })
}

/// A model, new or changed, if its table is there; otherwise that of the preset.
fn model<'d, T: Copy>(
    table: &Table<'d>,
    key: &str,
    base: Option<T>,
    read: impl Fn(&Table<'d>, Option<T>) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    table.get_or(key, base, |value| read(&value.table()?, base).map(Some))
}

fn mass(table: &Table<'_>) -> Result<Option<Mass>, Error> {
    type Kind = (&'static str, fn(f32) -> Mass);
    const KINDS: [Kind; 4] = [
        ("density", Mass::Surface),
        ("volume_density", Mass::Volume),
        ("line_density", Mass::Line),
        ("mass", Mass::Total),
    ];
    let mut found: Option<(&str, Mass)> = None;
    for (key, kind) in KINDS {
        let Some(value) = table.get(key) else { continue };
        if let Some((other, _)) = found {
            return Err(value.wrong(format!("the mass is given by {other} already")));
        }
        found = Some((key, kind(value.single()?)));
    }
    Ok(found.map(|(_, mass)| mass))
}
