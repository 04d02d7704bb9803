//! A spring of `[body.material]` or of its weave: its law with the law's own keys, damping, memory.

use super::value::{Table, Value};
use crate::{
    Error,
    scene::{Cubic, JACOBIAN_DAMPING, KelvinVoigt, Memory, Plasticity, Spring, SpringLaw},
};

/// Keys of every spring.
const COMMON: [&str; 5] = ["law", "damping", "drag", "plasticity", "viscoelastic"];

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Linear,
    Stvk,
    Cubic,
    TensionOnly,
    Buckling,
    Distance,
}

const KINDS: [(&str, Kind); 6] = [
    ("linear", Kind::Linear),
    ("stvk", Kind::Stvk),
    ("cubic", Kind::Cubic),
    ("tension-only", Kind::TensionOnly),
    ("buckling", Kind::Buckling),
    ("distance", Kind::Distance),
];

impl Kind {
    fn of(law: &SpringLaw) -> Self {
        match law {
            SpringLaw::Linear { .. } => Kind::Linear,
            SpringLaw::Stvk { .. } => Kind::Stvk,
            SpringLaw::Cubic(_) | SpringLaw::CubicCoefficients { .. } => Kind::Cubic,
            SpringLaw::TensionOnly { .. } => Kind::TensionOnly,
            SpringLaw::Buckling { .. } => Kind::Buckling,
            SpringLaw::Distance { .. } => Kind::Distance,
        }
    }
}

/// Reads a spring; what is left out stays as it is in `base`, as far as that follows the same law.
pub fn read(value: &Value<'_>, base: Spring) -> Result<Spring, Error> {
    let table = value.table()?;
    let kind = table.get_or("law", Kind::of(&base.law), |value| value.choice(&KINDS))?;
    Ok(Spring {
        law: law(&table, kind, &base.law)?,
        damping: table.get_or("damping", base.damping, Value::single)?,
        drag: table.get_or("drag", base.drag, Value::single)?,
        memory: memory(&table, base.memory)?,
    })
}

/// The same, or a number alone for the stiffness of a linear spring.
pub fn read_or_number(value: &Value<'_>, base: Spring) -> Result<Spring, Error> {
    if value.is_number() {
        return Ok(Spring { law: SpringLaw::Linear { stiffness: value.single()? }, ..base });
    }
    read(value, base)
}

fn only(table: &Table<'_>, own: &[&str]) -> Result<(), Error> {
    table.only(&[own, &COMMON].concat())
}

fn law(table: &Table<'_>, kind: Kind, base: &SpringLaw) -> Result<SpringLaw, Error> {
    let stiffness = |known: Option<f32>| {
        only(table, &["stiffness"])?;
        table.single_or("stiffness", known)
    };
    Ok(match (kind, base) {
        (Kind::Linear, SpringLaw::Linear { stiffness: known }) => {
            SpringLaw::Linear { stiffness: stiffness(Some(*known))? }
        }
        (Kind::Linear, _) => SpringLaw::Linear { stiffness: stiffness(None)? },
        (Kind::Stvk, SpringLaw::Stvk { stiffness: known }) => SpringLaw::Stvk { stiffness: stiffness(Some(*known))? },
        (Kind::Stvk, _) => SpringLaw::Stvk { stiffness: stiffness(None)? },
        (Kind::TensionOnly, SpringLaw::TensionOnly { stiffness: known }) => {
            SpringLaw::TensionOnly { stiffness: stiffness(Some(*known))? }
        }
        (Kind::TensionOnly, _) => SpringLaw::TensionOnly { stiffness: stiffness(None)? },
        (Kind::Distance, SpringLaw::Distance { stiffness: known }) => {
            SpringLaw::Distance { stiffness: stiffness(Some(*known))? }
        }
        (Kind::Distance, _) => SpringLaw::Distance { stiffness: stiffness(None)? },
        (Kind::Buckling, base) => {
            only(table, &["bending_stiffness", "compression"])?;
            let known = match base {
                SpringLaw::Buckling { bending_stiffness, compression } => Some((*bending_stiffness, *compression)),
                _ => None,
            };
            SpringLaw::Buckling {
                bending_stiffness: table.single_or("bending_stiffness", known.map(|(bending, _)| bending))?,
                compression: table.single_or("compression", known.map(|(_, compression)| compression))?,
            }
        }
        (Kind::Cubic, base) => cubic(table, base)?,
    })
}

fn cubic(table: &Table<'_>, base: &SpringLaw) -> Result<SpringLaw, Error> {
    if let Some(value) = table.get("coefficients") {
        only(table, &["coefficients", "jacobian_damping"])?;
        let elements = value.array()?;
        let [a, b, c, d] = elements.as_slice() else {
            return Err(value.wrong(format!("must be four numbers [a, b, c, d], not {}", elements.len())));
        };
        return Ok(SpringLaw::CubicCoefficients {
            a: a.single()?,
            b: b.single()?,
            c: c.single()?,
            d: d.single()?,
            jacobian_damping: table.single_or("jacobian_damping", Some(JACOBIAN_DAMPING))?,
        });
    }
    only(
        table,
        &["stiffness", "stretched", "compressed", "stretch", "compression", "jacobian_damping", "coefficients"],
    )?;
    let known = if let SpringLaw::Cubic(cubic) = base { Some(*cubic) } else { None };
    let usual = known.unwrap_or(Cubic::new(0.0));
    Ok(SpringLaw::Cubic(Cubic {
        stiffness: table.single_or("stiffness", known.map(|cubic| cubic.stiffness))?,
        stretched: table.single_or("stretched", known.map(|cubic| cubic.stretched))?,
        compressed: table.single_or("compressed", known.map(|cubic| cubic.compressed))?,
        stretch: table.single_or("stretch", Some(usual.stretch))?,
        compression: table.single_or("compression", Some(usual.compression))?,
        jacobian_damping: table.single_or("jacobian_damping", Some(usual.jacobian_damping))?,
    }))
}

fn memory(table: &Table<'_>, base: Option<Memory>) -> Result<Option<Memory>, Error> {
    match (table.get("plasticity"), table.get("viscoelastic")) {
        (Some(_), Some(value)) => Err(value.wrong("a spring is plastic or viscoelastic, not both")),
        (Some(value), None) => {
            let table = value.table()?;
            table.only(&["yield", "maximum", "creep"])?;
            Ok(Some(Memory::Plastic(Plasticity {
                yield_strain: table.require("yield")?.single()?,
                maximum: table.require("maximum")?.single()?,
                creep: table.require("creep")?.single()?,
            })))
        }
        (None, Some(_)) => {
            let mut elements = Vec::new();
            for element in table.tables("viscoelastic")? {
                element.only(&["stiffness", "damping"])?;
                elements.push(KelvinVoigt {
                    stiffness: element.require("stiffness")?.single()?,
                    damping: element.require("damping")?.single()?,
                });
            }
            Ok(Spring::default().viscoelastic(&elements).memory)
        }
        (None, None) => Ok(base),
    }
}
