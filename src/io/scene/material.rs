//! The table `[body.material]`.

use super::{
    bending::{self, BENDING},
    energy::{self, AREA, SHELL, VOLUME},
    format::{Field, Section, ValueKind::*},
    membrane::{self, MEMBRANES},
    neo_hookean::{self, NEO_HOOKEAN},
    spring::{self, SPRINGS},
    value::Table,
    weave::{self, WEAVE},
};
use crate::{Error, Mass, Material, Spring, scene::presets};

pub const MATERIAL: Section = Section {
    title: "[body.material]",
    text: "A preset with changes by the other keys of the table, or mass and models of its own. One kind of mass is required without a preset. \
           With a preset, its values are the defaults.",
    groups: &[&[
        Field::optional(
            "preset",
            Words(|| presets::ALL.iter().map(|preset| preset.0).collect()),
            "none",
            "\"denim\"",
            "name of a predefined material",
        ),
        Field::optional("density", Positive, "of the preset", "0.2", "density of triangles, kg/m²"),
        Field::optional("volume_density", Positive, "", "1000.0", "density of tetrahedra, kg/m³").without(&["density"]),
        Field::optional("line_density", Positive, "", "0.05", "density of wires, kg/m").without(&["density"]),
        Field::optional("mass", Positive, "", "0.3", "total mass, kg").without(&["density"]),
        Field::optional(
            "structural",
            Table(SPRINGS),
            "none",
            "{ stiffness = 100.0, damping = 0.1 }",
            "springs along rows and columns of a grid, along edges of other meshes",
        ),
        Field::optional(
            "shear",
            Table(SPRINGS),
            "none",
            "{ stiffness = 50.0 }",
            "springs along the diagonals of a grid's cells",
        ),
        Field::optional(
            "crossover",
            Table(SPRINGS),
            "none",
            "{ stiffness = 5.0 }",
            "bending springs from a vertex to the one after the next",
        ),
        Field::optional("area", Table(&[&AREA]), "none", "{ stiffness = 0.05 }", "energy of the area of triangles"),
        Field::optional(
            "volume",
            Table(&[&VOLUME]),
            "none",
            "{ stiffness = 0.2 }",
            "energy of the volume of tetrahedra",
        ),
        Field::optional(
            "shell",
            Table(&[&SHELL]),
            "none",
            "{ stiffness = 0.01 }",
            "energy of virtual tetrahedra, which resists bending",
        ),
        Field::optional(
            "membrane",
            Table(MEMBRANES),
            "none",
            "{ young = 300.0, poisson = 0.3 }",
            "continuum model of triangles",
        ),
        Field::optional(
            "neo_hookean",
            Table(&[&NEO_HOOKEAN]),
            "none",
            "{ young = 1e4, poisson = 0.45 }",
            "continuum model of tetrahedra",
        ),
        Field::optional("bending", Table(&[&BENDING]), "none", "{ modulus = 1e-5 }", "resistance to curvature"),
        Field::optional(
            "weave",
            Table(&[&WEAVE]),
            "none",
            "{ weft = 300.0, warp = 250.0 }",
            "continuum model of a grid's cells",
        ),
    ]],
};

/// Reads a material: a preset with changes, or mass and models of its own.
pub fn read(table: &Table<'_>) -> Result<Material, Error> {
    table.only(&MATERIAL)?;
    let preset = match table.get("preset") {
        Some(value) => {
            let (name, _, make) =
                value.choice(&presets::ALL.iter().map(|preset| (preset.0, *preset)).collect::<Vec<_>>())?;
            let preset = make();
            refuse_foreign_models(table, name, &preset)?;
            Some(preset)
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
        bending: model(table, "bending", base.bending, |table, base| bending::read(table, base, mass))?,
        neo_hookean: model(table, "neo_hookean", base.neo_hookean, neo_hookean::read)?,
        weave: model(table, "weave", base.weave, weave::read)?,
    })
}

/// Rejects the table of a model beside a preset that is a continuum of other models: springs beside a membrane would add to its moduli, which then hold no
/// longer.
fn refuse_foreign_models(table: &Table<'_>, preset: &str, material: &Material) -> Result<(), Error> {
    let own: &[&str] = match (material.membrane, material.neo_hookean) {
        (Some(_), _) => &["membrane", "bending"],
        (None, Some(_)) => &["neo_hookean"],
        (None, None) => return Ok(()),
    };
    for key in MODELS.iter().filter(|key| !own.contains(key)) {
        let Some(value) = table.get(key) else { continue };
        let replacement = match *key {
            _ if own.len() == 1 => own[0],
            "shear" => "membrane.shear",
            "crossover" | "shell" => "bending",
            _ => "membrane",
        };
        let springs = format!("{preset}-springs");
        let springs = presets::ALL.iter().find(|(name, ..)| *name == springs);
        let springs = springs.map_or_else(String::new, |(name, ..)| format!(", or take preset {name:?}"));
        return Err(value.wrong(format!(
            "preset {preset:?} is a continuum without {key}: change its {replacement} instead{springs}, or leave out the preset and give every model yourself"
        )));
    }
    Ok(())
}

/// Keys of force models.
const MODELS: [&str; 10] =
    ["structural", "shear", "crossover", "area", "volume", "shell", "membrane", "neo_hookean", "bending", "weave"];

/// Reads a model, new or changed, if its table exists; otherwise keeps the preset's.
fn model<'d, T: Copy>(
    table: &Table<'d>,
    key: &str,
    base: Option<T>,
    read: impl Fn(&Table<'d>, Option<T>) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    table.get_or(key, base, |value| read(&value.table()?, base).map(Some))
}

fn mass(table: &Table<'_>) -> Result<Option<Mass>, Error> {
    type MassKey = (&'static str, fn(f32) -> Mass);
    const KEYS: [MassKey; 4] = [
        ("density", Mass::Surface),
        ("volume_density", Mass::Volume),
        ("line_density", Mass::Line),
        ("mass", Mass::Total),
    ];
    let mut found: Option<(&str, Mass)> = None;
    for (key, kind) in KEYS {
        let Some(value) = table.get(key) else { continue };
        if let Some((other, _)) = found {
            return Err(value.wrong(format!("the mass is given by {other} already")));
        }
        found = Some((key, kind(value.single()?)));
    }
    Ok(found.map(|(_, mass)| mass))
}
