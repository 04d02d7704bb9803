//! The table `[body.material.neo_hookean]`: Young's modulus, Poisson's ratio and viscosity of a solid.

use super::{
    format::{Field, Section, ValueKind::*},
    value::{Table, Value},
};
use crate::{Error, NeoHookean};

pub const NEO_HOOKEAN: Section = Section {
    title: "[body.material.neo_hookean]",
    text: "Elastic continuum on tetrahedra, the stable neo-Hookean energy of Smith, de Goes and Kim: its moduli hold at any resolution.",
    groups: &[&[
        Field::required("young", Positive, "1e4", "Young's modulus, Pa"),
        Field::required(
            "poisson",
            Between(0.0, 0.495),
            "0.45",
            "Poisson's ratio: closer to 0.5 linear tetrahedra lock",
        ),
        Field::usual("viscous_time", Amount, "0", "0.005", "ratio of viscous to elastic moduli, s"),
    ]],
};

/// Reads a neo-Hookean solid; missing keys keep their values of `base`.
pub fn read(table: &Table<'_>, base: Option<NeoHookean>) -> Result<NeoHookean, Error> {
    table.only(&NEO_HOOKEAN)?;
    Ok(NeoHookean {
        young: table.single_or("young", base.map(|base| base.young))?,
        poisson: table.single_or("poisson", base.map(|base| base.poisson))?,
        viscous_time: table.get_or("viscous_time", base.map_or(0.0, |base| base.viscous_time), Value::single)?,
    })
}
