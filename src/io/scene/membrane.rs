//! The table `[body.material.membrane]`: Young's modulus and Poisson's ratio, or moduli of weft and warp.

use super::{
    format::{Field, Section, ValueKind::*},
    value::{Table, Value},
};
use crate::{Error, Membrane};

/// Keys of every membrane.
const COMMON: &[Field] = &[
    Field::usual("viscous_time", Amount, "0", "0.001", "ratio of viscous to elastic moduli, s"),
    Field::usual("weft_direction", Vector, "[1, 0, 0]", "[0, 0, 1]", "direction of the weft in the placed mesh"),
];

const ISOTROPIC: Section = Section {
    title: "[body.material.membrane]",
    text: "Isotropic St. Venant–Kirchhoff membrane on triangles.",
    groups: &[
        &[
            Field::required("young", Amount, "300.0", "Young's modulus, N/m"),
            Field::required("poisson", Inside(-1.0, 1.0), "0.3", "Poisson's ratio, between -1 and 1"),
        ],
        COMMON,
    ],
};

const ORTHOTROPIC: Section = Section {
    title: "[body.material.membrane] with weft and warp",
    text: "Orthotropic St. Venant–Kirchhoff membrane on triangles, in place of `young` and `poisson`.",
    groups: &[
        &[
            Field::required("weft", Amount, "400.0", "modulus along the weft, N/m"),
            Field::required("warp", Amount, "300.0", "modulus along the warp, N/m"),
            Field::required("shear", Amount, "30.0", "shear modulus, N/m"),
            Field::usual("contraction", Number, "0", "60.0", "coupling of weft and warp, N/m, at most √(weft · warp)"),
        ],
        COMMON,
    ],
};

pub const MEMBRANES: &[&Section] = &[&ISOTROPIC, &ORTHOTROPIC];

/// Reads a membrane; missing keys keep their values of `base`.
pub fn read(table: &Table<'_>, base: Option<Membrane>) -> Result<Membrane, Error> {
    let moduli = if table.first_of(&["young", "poisson"]).is_some() { isotropic } else { orthotropic };
    let moduli = moduli(table, base)?;
    let usual = base.unwrap_or(Membrane::isotropic(0.0, 0.0));
    Ok(Membrane {
        viscous_time: table.get_or("viscous_time", usual.viscous_time, Value::single)?,
        weft_direction: table.get_or("weft_direction", usual.weft_direction, Value::vector)?,
        ..moduli
    })
}

fn isotropic(table: &Table<'_>, base: Option<Membrane>) -> Result<Membrane, Error> {
    table.only(&ISOTROPIC)?;
    // Moduli of an isotropic base.
    let known = base.filter(|base| base.weft == base.warp && base.weft > 0.0).map(|base| {
        let poisson = base.contraction / base.weft;
        (base.weft * (1.0 - poisson * poisson), poisson)
    });
    let poisson = table.single_or("poisson", known.map(|(_, poisson)| poisson))?;
    if !(poisson > -1.0 && poisson < 1.0) {
        return Err(table.wrong("poisson", format!("must lie between -1 and 1, not {poisson}")));
    }
    let young = match (table.get("young"), known) {
        (Some(value), _) => value.amount()?,
        (None, Some((young, _))) => young,
        (None, None) => return Err(table.wrong("young", "is missing")),
    };
    Ok(Membrane::isotropic(young, poisson))
}

fn orthotropic(table: &Table<'_>, base: Option<Membrane>) -> Result<Membrane, Error> {
    table.only(&ORTHOTROPIC)?;
    let usual = base.unwrap_or(Membrane::isotropic(0.0, 0.0));
    Ok(Membrane {
        weft: table.single_or("weft", base.map(|base| base.weft))?,
        warp: table.single_or("warp", base.map(|base| base.warp))?,
        contraction: table.get_or("contraction", usual.contraction, Value::single)?,
        shear: table.single_or("shear", base.map(|base| base.shear))?,
        ..usual
    })
}
