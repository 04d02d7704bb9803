//! The table `[body.material.bending]`.

use super::{
    format::{Field, Section, ValueKind::*, words},
    value::{Table, Value},
};
use crate::{Bending, BendingModel, Error, Mass, Normalisation, RestShape};

const MODELS: [(&str, BendingModel); 3] = [
    ("linear", BendingModel::Linear),
    ("linear-printed", BendingModel::LinearPrinted),
    ("dihedral", BendingModel::Dihedral),
];

const NORMALISATIONS: [(&str, Normalisation); 2] =
    [("calibrated", Normalisation::Calibrated), ("printed", Normalisation::Printed)];

pub const BENDING: Section = Section {
    title: "[body.material.bending]",
    text: "Resistance to curvature, on every two triangles with a common side (Volino).",
    groups: &[&[
        Field::required("modulus", Amount, "1e-5", "bending modulus along weft and warp, N·m"),
        Field::optional("weft", Amount, "", "2e-5", "bending modulus for curvature along the weft, N·m")
            .with(&["warp"])
            .without(&["modulus"]),
        Field::optional("warp", Amount, "", "1e-5", "bending modulus for curvature along the warp, N·m")
            .with(&["weft"])
            .without(&["modulus"]),
        Field::optional(
            "length",
            Amount,
            "",
            "0.019",
            "Peirce's bending length in place of a modulus, m: modulus = density · 9.81 m/s² · length³; for materials with a `density`",
        )
        .without(&["modulus"]),
        Field::usual("weft_direction", Vector, "[1, 0, 0]", "[0, 0, 1]", "direction of the weft in the placed mesh"),
        Field::usual("model", Words(|| words(&MODELS)), "\"linear\"", "\"dihedral\"", "bending model"),
        Field::usual(
            "normalisation",
            Words(|| words(&NORMALISATIONS)),
            "\"calibrated\"",
            "\"printed\"",
            "factors fitted to the mesh, so that a strip of it has the modulus, or those of the papers",
        ),
        Field::usual(
            "rest",
            Either(&[Words(|| vec!["flat", "mesh"]), Number]),
            "\"flat\"",
            "12.0",
            "rest shape: flat, the mesh, or a curvature across every edge, 1/m",
        ),
        Field::usual(
            "hardening",
            Amount,
            "0",
            "1e-4",
            "stiffening with curvature, m²: the modulus grows by the factor 1 + hardening · (κ − κ₀)²; not for `\"dihedral\"`",
        ),
        Field::usual("viscosity", Amount, "0", "1e-7", "viscosity, N·m·s"),
    ]],
};

/// Reads bending of a material of this mass; missing keys keep their values of `base`.
pub fn read(table: &Table<'_>, base: Option<Bending>, mass: Mass) -> Result<Bending, Error> {
    table.only(&BENDING)?;
    let usual = base.unwrap_or(Bending::new(0.0));
    let known = base.map(|base| [base.weft, base.warp]);
    let [weft, warp] = match (table.get("length"), table.first_of(&["modulus", "weft", "warp"])) {
        (Some(length), None) => [by_length(&length, mass)?; 2],
        (Some(length), Some(_)) => return Err(length.wrong("the modulus is given already")),
        (None, _) => moduli(table, ["modulus", "weft", "warp"], known)?,
    };
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

/// Modulus of a bending length.
fn by_length(length: &Value<'_>, mass: Mass) -> Result<f32, Error> {
    let Mass::Surface(density) = mass else {
        return Err(length.wrong("is for materials with a `density` in kg/m²; give the modulus in N·m"));
    };
    Ok(Bending::of_length(length.amount()?, density).weft)
}

/// Reads moduli along weft and warp: one for both, or each; missing ones keep the known values.
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
