//! The table `[body.material.weave]`.

use super::{
    bending,
    format::{Field, Section, ValueKind::*, words},
    spring::{THREADS, read_or_number},
    value::{Table, Value},
};
use crate::{Error, Spring, Weave, WeaveBending};

const KINDS: [(&str, WeaveBending); 3] =
    [("none", WeaveBending::None), ("thin-plate", WeaveBending::ThinPlate), ("membrane", WeaveBending::Membrane)];

/// Keys that require bending.
const OF_BENDING: [&str; 4] = ["bending_modulus", "bending_weft", "bending_warp", "bending_viscous_time"];

const TENSION: crate::io::scene::format::ValueKind = Either(&[Number, Table(THREADS)]);

pub const WEAVE: Section = Section {
    title: "[body.material.weave]",
    text: "A grid's cells as a continuum (Etzmuß): moduli hold at any resolution. A spring's `stiffness` is N/m of modulus here, its `damping` N·s/m of \
           viscosity.",
    groups: &[&[
        Field::required("weft", TENSION, "300.0", "modulus along rows, N/m, or a spring"),
        Field::required("warp", TENSION, "250.0", "modulus along columns, N/m, or a spring"),
        Field::usual("shear", Amount, "0", "20.0", "shear modulus, N/m"),
        Field::usual("contraction", Number, "0", "50.0", "coupling of weft and warp, N/m, at most √(weft · warp)"),
        Field::usual("shear_viscosity", Amount, "0", "0.02", "viscosity of shear, N·s/m"),
        Field::usual(
            "contraction_viscosity",
            Amount,
            "0",
            "0.02",
            "viscosity of the coupling, N·s/m, at most √(weft.damping · warp.damping)",
        )
        .with(&["weft = { stiffness = 300.0, damping = 0.1 }", "warp = { stiffness = 250.0, damping = 0.1 }"]),
        Field::usual("bending", Words(|| words(&KINDS)), "\"none\"", "\"thin-plate\"", "bending model")
            .with(&["bending_modulus"]),
        Field::optional(
            "bending_modulus",
            Amount,
            "",
            "1e-5",
            "bending modulus: N·m for the thin plate, N/m for the membrane",
        )
        .with(&["bending"]),
        Field::optional("bending_weft", Amount, "", "2e-5", "bending modulus for curvature along the weft")
            .with(&["bending", "bending_warp"])
            .without(&["bending_modulus"]),
        Field::optional("bending_warp", Amount, "", "1e-5", "bending modulus for curvature along the warp")
            .with(&["bending", "bending_weft"])
            .without(&["bending_modulus"]),
        Field::usual("bending_viscous_time", Amount, "0", "0.001", "ratio of bending viscosity to stiffness, s")
            .with(&["bending", "bending_modulus"]),
        Field::usual(
            "printed",
            Truth,
            "false",
            "true",
            "shear and bending forces as Etzmuß prints them, which have no energy",
        ),
    ]],
};

/// Reads a weave; missing keys keep their values of `base`.
pub fn read(table: &Table<'_>, base: Option<Weave>) -> Result<Weave, Error> {
    table.only(&WEAVE)?;
    let usual = base.unwrap_or_default();
    let tension = |key: &str, known: Option<Spring>| match (table.get(key), known) {
        (Some(value), known) => read_or_number(&value, known.unwrap_or_default()),
        (None, Some(known)) => Ok(known),
        (None, None) => Err(table.wrong(key, "is missing")),
    };
    let weave = Weave {
        weft: tension("weft", base.map(|base| base.weft))?,
        warp: tension("warp", base.map(|base| base.warp))?,
        shear: table.get_or("shear", usual.shear, Value::single)?,
        contraction: table.get_or("contraction", usual.contraction, Value::single)?,
        shear_viscosity: table.get_or("shear_viscosity", usual.shear_viscosity, Value::single)?,
        contraction_viscosity: table.get_or("contraction_viscosity", usual.contraction_viscosity, Value::single)?,
        bending: table.get_or("bending", usual.bending, |value| value.choice(&KINDS))?,
        printed: table.get_or("printed", usual.printed, Value::boolean)?,
        ..usual
    };
    with_bending(table, weave, usual.bending)
}

fn with_bending(table: &Table<'_>, weave: Weave, before: WeaveBending) -> Result<Weave, Error> {
    if weave.bending == WeaveBending::None {
        return match table.first_of(&OF_BENDING) {
            Some(value) => Err(value.wrong("needs bending = \"thin-plate\" or \"membrane\"")),
            None => Ok(weave),
        };
    }
    // Moduli of the thin plate, N·m, do not apply to the membrane, N/m, or the reverse.
    let known = (weave.bending == before).then_some([weave.bending_weft, weave.bending_warp]);
    let [bending_weft, bending_warp] =
        bending::moduli(table, ["bending_modulus", "bending_weft", "bending_warp"], known)?;
    let bending_viscous_time = table.get_or("bending_viscous_time", weave.bending_viscous_time, Value::single)?;
    Ok(Weave { bending_weft, bending_warp, bending_viscous_time, ..weave })
}
