//! The table `[body.material.bending]`.

use super::value::{Table, Value};
use crate::{Bending, BendingModel, Error, Normalisation, RestShape};

const MODELS: [(&str, BendingModel); 3] = [
    ("linear", BendingModel::Linear),
    ("linear-printed", BendingModel::LinearPrinted),
    ("dihedral", BendingModel::Dihedral),
];

const NORMALISATIONS: [(&str, Normalisation); 2] =
    [("calibrated", Normalisation::Calibrated), ("printed", Normalisation::Printed)];

/// Reads bending; what is left out stays as in `base`.
pub fn read(table: &Table<'_>, base: Option<Bending>) -> Result<Bending, Error> {
    table.only(&[
        "modulus",
        "weft",
        "warp",
        "weft_direction",
        "model",
        "normalisation",
        "rest",
        "hardening",
        "viscosity",
    ])?;
    let usual = base.unwrap_or(Bending::new(0.0));
    let [weft, warp] = moduli(table, ["modulus", "weft", "warp"], base.map(|base| [base.weft, base.warp]))?;
    Ok(Bending {
        model: table.get_or("model", usual.model, |value| value.choice(&MODELS))?,
        weft,
        warp,
        weft_direction: table.get_or("weft_direction", usual.weft_direction, Value::vector)?,
        normalisation: table.get_or("normalisation", usual.normalisation, |value| value.choice(&NORMALISATIONS))?,
        rest: table.get_or("rest", usual.rest, rest)?,
        hardening: table.get_or("hardening", usual.hardening, Value::single)?,
        viscosity: table.get_or("viscosity", usual.viscosity, Value::single)?,
    })
}

/// Moduli along weft and warp: one for both, or each; or those known already.
pub fn moduli(table: &Table<'_>, keys: [&str; 3], known: Option<[f32; 2]>) -> Result<[f32; 2], Error> {
    let [both, weft, warp] = keys;
    match (table.get(both), table.first_of(&[weft, warp])) {
        (Some(value), None) => value.amount().map(|modulus| [modulus; 2]),
        (Some(_), Some(value)) => Err(value.wrong(format!("{both} is for both directions already"))),
        (None, None) if known.is_none() => Err(table.wrong(both, format!("is missing: {both}, or {weft} and {warp}"))),
        (None, _) => Ok([
            table.single_or(weft, known.map(|[weft, _]| weft))?,
            table.single_or(warp, known.map(|[_, warp]| warp))?,
        ]),
    }
}

fn rest(value: &Value<'_>) -> Result<RestShape, Error> {
    if value.is_number() {
        return value.single().map(RestShape::Curvature);
    }
    if !value.is_text() {
        return Err(value.wrong("must be \"flat\", \"mesh\" or a curvature in 1/m"));
    }
    value.choice(&[("flat", RestShape::Flat), ("mesh", RestShape::Mesh)])
}
