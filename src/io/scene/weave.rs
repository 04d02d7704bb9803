//! The table `[body.material.weave]`.

use super::{
    bending,
    spring::read_or_number,
    value::{Table, Value},
};
use crate::{Error, Spring, Weave, WeaveBending};

const KINDS: [(&str, WeaveBending); 3] =
    [("none", WeaveBending::None), ("thin-plate", WeaveBending::ThinPlate), ("membrane", WeaveBending::Membrane)];

/// Keys that mean nothing without bending.
const OF_BENDING: [&str; 4] = ["bending_modulus", "bending_weft", "bending_warp", "bending_viscous_time"];

/// Reads a weave; what is left out stays as in `base`.
pub fn read(table: &Table<'_>, base: Option<Weave>) -> Result<Weave, Error> {
    table.only(&[
        "weft",
        "warp",
        "shear",
        "contraction",
        "shear_viscosity",
        "contraction_viscosity",
        "bending",
        "bending_modulus",
        "bending_weft",
        "bending_warp",
        "bending_viscous_time",
        "printed",
    ])?;
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
    // Moduli of one kind, N·m, say nothing about the other, N/m.
    let known = (weave.bending == before).then_some([weave.bending_weft, weave.bending_warp]);
    let [bending_weft, bending_warp] =
        bending::moduli(table, ["bending_modulus", "bending_weft", "bending_warp"], known)?;
    let bending_viscous_time = table.get_or("bending_viscous_time", weave.bending_viscous_time, Value::single)?;
    Ok(Weave { bending_weft, bending_warp, bending_viscous_time, ..weave })
}
