//! Springs of `[body.material]` and of its weave: law, damping, memory.

use super::{
    format::{Field, Section, ValueKind::*},
    value::{Table, Value},
};
use crate::{
    Error,
    scene::{Cubic, JACOBIAN_DAMPING, KelvinVoigt, Memory, Plasticity, Spring, SpringLaw},
};

/// Keys of every spring.
const COMMON: &[Field] = &[
    Field::usual("damping", Amount, "0", "0.1", "damping along the spring, N·s/m"),
    Field::usual("drag", Amount, "0", "0.05", "damping along the relative velocity, N·s/m"),
    Field::optional(
        "plasticity",
        Table(&[&PLASTICITY]),
        "none",
        "{ yield = 0.02, maximum = 0.3, creep = 20.0 }",
        "plasticity of the spring",
    ),
];

const PLASTICITY: Section = Section {
    title: "Plasticity of a spring",
    text: "Strain beyond the yield strain creeps into the rest length.",
    groups: &[&[
        Field::required("yield", Amount, "0.02", "yield strain"),
        Field::required("maximum", Amount, "0.3", "largest plastic strain"),
        Field::required("creep", Amount, "20.0", "creep rate, 1/s"),
    ]],
};

const KELVIN_VOIGT: Section = Section {
    title: "A Kelvin–Voigt element",
    text: "Spring and damper in parallel, in series with a linear spring.",
    groups: &[&[
        Field::required("stiffness", Positive, "50.0", "stiffness, N/m"),
        Field::required("damping", Amount, "5.0", "viscosity, N·s/m"),
    ]],
};

const LINEAR: Section = Section {
    title: "A linear spring",
    text: "Tension k (l − L). It is the default law, unless the preset has another.",
    groups: &[
        &[
            Field::usual("law", Word("linear"), "\"linear\"", "\"linear\"", "law of the spring"),
            Field::usual("stiffness", Amount, "0", "100.0", "k, N/m"),
        ],
        COMMON,
        &[Field::optional(
            "viscoelastic",
            Tables(&[&KELVIN_VOIGT]),
            "none",
            "[{ stiffness = 50.0, damping = 5.0 }]",
            "up to three Kelvin–Voigt elements in series",
        )
        .with(&["stiffness"])
        .without(&["plasticity"])],
    ],
};

const STVK: Section = Section {
    title: "A spring after St. Venant and Kirchhoff",
    text: "Stiffness that grows with length (Vogiannou).",
    groups: &[
        &[
            Field::required("law", Word("stvk"), "\"stvk\"", "law of the spring"),
            Field::required("stiffness", Amount, "100.0", "stiffness at rest, N/m"),
        ],
        COMMON,
    ],
};

const CUBIC: Section = Section {
    title: "A cubic spring",
    text: "A cubic tension from stiffnesses at three lengths, or by its coefficients (Vogiannou).",
    groups: &[
        &[
            Field::required("law", Word("cubic"), "\"cubic\"", "law of the spring"),
            Field::required("stiffness", Amount, "100.0", "stiffness at rest, N/m"),
            Field::required("stretched", Number, "300.0", "stiffness at `stretch`, N/m"),
            Field::required("compressed", Number, "80.0", "stiffness at `compression`, N/m"),
            Field::usual("stretch", Number, "1.1", "1.2", "stretched length l/L"),
            Field::usual("compression", Number, "0.9", "0.8", "compressed length l/L"),
            Field::usual("jacobian_damping", Between(0.0, 1.0), "0.99", "1.0", "factor on the Jacobian"),
            Field::optional(
                "coefficients",
                Numbers(4),
                "",
                "[0, 0, 100, -10]",
                "coefficients a, b, c and d of the tension a l³ + b l² + c l + d",
            )
            .without(&["stiffness", "stretched", "compressed", "stretch", "compression"]),
        ],
        COMMON,
    ],
};

const TENSION_ONLY: Section = Section {
    title: "A spring that only pulls",
    text: "Linear tension under stretch, none under compression (Choi–Ko).",
    groups: &[
        &[
            Field::required("law", Word("tension-only"), "\"tension-only\"", "law of the spring"),
            Field::required("stiffness", Amount, "100.0", "stiffness, N/m"),
        ],
        COMMON,
    ],
};

const BUCKLING: Section = Section {
    title: "A spring that buckles",
    text: "A beam that buckles under compression (Choi–Ko), without tension under stretch.",
    groups: &[
        &[
            Field::required("law", Word("buckling"), "\"buckling\"", "law of the spring"),
            Field::required("bending_stiffness", Amount, "1e-5", "bending stiffness of the beam, N·m²"),
            Field::required("compression", Amount, "50.0", "stiffness before buckling, N/m"),
        ],
        COMMON,
    ],
};

const DISTANCE: Section = Section {
    title: "A distance energy",
    text: "Energy ½ k ((l − L)/L)² (Teschner).",
    groups: &[
        &[
            Field::required("law", Word("distance"), "\"distance\"", "law of the spring"),
            Field::required("stiffness", Amount, "0.04", "k, N·m"),
        ],
        COMMON,
    ],
};

/// Laws for threads of any width.
pub const THREADS: &[&Section] = &[&LINEAR, &STVK, &CUBIC, &TENSION_ONLY, &BUCKLING];

pub const SPRINGS: &[&Section] = &[&LINEAR, &STVK, &CUBIC, &TENSION_ONLY, &BUCKLING, &DISTANCE];

#[derive(Clone, Copy, PartialEq)]
enum LawName {
    Linear,
    Stvk,
    Cubic,
    TensionOnly,
    Buckling,
    Distance,
}

const LAW_NAMES: [(&str, LawName); 6] = [
    ("linear", LawName::Linear),
    ("stvk", LawName::Stvk),
    ("cubic", LawName::Cubic),
    ("tension-only", LawName::TensionOnly),
    ("buckling", LawName::Buckling),
    ("distance", LawName::Distance),
];

impl LawName {
    fn section(self) -> &'static Section {
        match self {
            LawName::Linear => &LINEAR,
            LawName::Stvk => &STVK,
            LawName::Cubic => &CUBIC,
            LawName::TensionOnly => &TENSION_ONLY,
            LawName::Buckling => &BUCKLING,
            LawName::Distance => &DISTANCE,
        }
    }

    fn of(law: &SpringLaw) -> Self {
        match law {
            SpringLaw::Linear { .. } => LawName::Linear,
            SpringLaw::Stvk { .. } => LawName::Stvk,
            SpringLaw::Cubic(_) | SpringLaw::CubicCoefficients { .. } => LawName::Cubic,
            SpringLaw::TensionOnly { .. } => LawName::TensionOnly,
            SpringLaw::Buckling { .. } => LawName::Buckling,
            SpringLaw::Distance { .. } => LawName::Distance,
        }
    }
}

/// Reads a spring; missing keys keep their values of `base`, if it has the same law.
pub fn read(value: &Value<'_>, base: Spring) -> Result<Spring, Error> {
    let table = value.table()?;
    let kind = table.get_or("law", LawName::of(&base.law), |value| value.choice(&LAW_NAMES))?;
    Ok(Spring {
        law: law(&table, kind, &base.law)?,
        damping: table.get_or("damping", base.damping, Value::single)?,
        drag: table.get_or("drag", base.drag, Value::single)?,
        memory: memory(&table, base.memory)?,
    })
}

/// Reads a spring, or a number as the stiffness of a linear spring.
pub fn read_or_number(value: &Value<'_>, base: Spring) -> Result<Spring, Error> {
    if value.is_number() {
        return Ok(Spring { law: SpringLaw::Linear { stiffness: value.single()? }, ..base });
    }
    read(value, base)
}

fn law(table: &Table<'_>, kind: LawName, base: &SpringLaw) -> Result<SpringLaw, Error> {
    if let (Some(value), true) = (table.get("viscoelastic"), kind != LawName::Linear) {
        return Err(value.wrong("is for springs of the linear law"));
    }
    table.only(kind.section())?;
    let stiffness = |known: Option<f32>| table.single_or("stiffness", known);
    Ok(match (kind, base) {
        (LawName::Linear, SpringLaw::Linear { stiffness: known }) => {
            SpringLaw::Linear { stiffness: stiffness(Some(*known))? }
        }
        (LawName::Linear, _) => SpringLaw::Linear { stiffness: stiffness(None)? },
        (LawName::Stvk, SpringLaw::Stvk { stiffness: known }) => {
            SpringLaw::Stvk { stiffness: stiffness(Some(*known))? }
        }
        (LawName::Stvk, _) => SpringLaw::Stvk { stiffness: stiffness(None)? },
        (LawName::TensionOnly, SpringLaw::TensionOnly { stiffness: known }) => {
            SpringLaw::TensionOnly { stiffness: stiffness(Some(*known))? }
        }
        (LawName::TensionOnly, _) => SpringLaw::TensionOnly { stiffness: stiffness(None)? },
        (LawName::Distance, SpringLaw::Distance { stiffness: known }) => {
            SpringLaw::Distance { stiffness: stiffness(Some(*known))? }
        }
        (LawName::Distance, _) => SpringLaw::Distance { stiffness: stiffness(None)? },
        (LawName::Buckling, base) => {
            let known = match base {
                SpringLaw::Buckling { bending_stiffness, compression } => Some((*bending_stiffness, *compression)),
                _ => None,
            };
            SpringLaw::Buckling {
                bending_stiffness: table.single_or("bending_stiffness", known.map(|(bending, _)| bending))?,
                compression: table.single_or("compression", known.map(|(_, compression)| compression))?,
            }
        }
        (LawName::Cubic, base) => cubic(table, base)?,
    })
}

fn cubic(table: &Table<'_>, base: &SpringLaw) -> Result<SpringLaw, Error> {
    if let Some(value) = table.get("coefficients") {
        let others = ["stiffness", "stretched", "compressed", "stretch", "compression"];
        if let Some(other) = table.first_of(&others) {
            return Err(other.wrong("the coefficients say it already"));
        }
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
            table.only(&PLASTICITY)?;
            Ok(Some(Memory::Plastic(Plasticity {
                yield_strain: table.require("yield")?.single()?,
                maximum: table.require("maximum")?.single()?,
                creep: table.require("creep")?.single()?,
            })))
        }
        (None, Some(_)) => {
            let mut elements = Vec::new();
            for element in table.tables("viscoelastic")? {
                element.only(&KELVIN_VOIGT)?;
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
