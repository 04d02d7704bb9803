//! The table `[contact]`.

use super::{
    format::{Field, Section, ValueKind::*},
    selection::{self, BODY},
    value::{Table, Value},
};
use crate::{BodyContact, BodyId, ContactOf, Error};

pub const CONTACT: Section = Section {
    title: "[contact]",
    text: "Contact of bodies with each other and with themselves; [contact.md](contact.md#contact-between-bodies) tells more. Without the table bodies pass through each other. The table may be empty.",
    groups: &[&[
        Field::optional(
            "thickness",
            Positive,
            "0.15 of the mean edge of each body, at most 5 mm",
            "0.002",
            "distance that surfaces keep, m",
        ),
        Field::usual("friction", Amount, "0.3", "0.5", "Coulomb's coefficient of friction between surfaces"),
        Field::usual(
            "refuse_intersections",
            Truth,
            "false",
            "true",
            "refuse a scene whose surfaces intersect at the start; otherwise they are reported",
        ),
        Field::optional(
            "ignored",
            List(&Pair(&Either(&[Text, Whole(0, u32::MAX)]))),
            "none",
            "[[0, 0]]",
            "pairs of bodies, by name or index, that do not meet; a body paired with itself does not meet itself",
        ),
        Field::optional(
            "bodies",
            Tables(&[&BODIES]),
            "none",
            "[{ body = 0, friction = 0.8 }]",
            "contact of single bodies",
        ),
    ]],
};

const BODIES: Section = Section {
    title: "[[contact.bodies]]",
    text: "Contact of one body. Between two bodies the means of both numbers hold.",
    groups: &[&[
        BODY,
        Field::usual("meets", Truth, "true", "false", "whether the body meets any body, itself included"),
        Field::optional("thickness", Positive, "as in `[contact]`", "0.001", "distance that surfaces keep, m"),
        Field::optional("friction", Amount, "as in `[contact]`", "0.8", "Coulomb's coefficient of friction"),
    ]],
};

/// Reads contact between bodies; `None` without the table.
pub fn read(root: &Table<'_>, names: &[String]) -> Result<Option<BodyContact>, Error> {
    let Some(value) = root.get("contact") else { return Ok(None) };
    let table = value.table()?;
    table.only(&CONTACT)?;
    let usual = BodyContact::default();
    Ok(Some(BodyContact {
        thickness: thickness(&table)?,
        friction: table.get_or("friction", usual.friction, Value::amount)?,
        refuse_intersections: table.get_or("refuse_intersections", usual.refuse_intersections, Value::boolean)?,
        ignored: table.get_or("ignored", usual.ignored, |value| {
            value.array()?.iter().map(|pair| two_bodies(pair, names)).collect()
        })?,
        bodies: table.tables("bodies")?.iter().map(|table| one_body(table, names)).collect::<Result<_, _>>()?,
    }))
}

fn one_body(table: &Table<'_>, names: &[String]) -> Result<ContactOf, Error> {
    table.only(&BODIES)?;
    let usual = ContactOf::new(selection::body(table, names)?);
    Ok(ContactOf {
        meets: table.get_or("meets", usual.meets, Value::boolean)?,
        thickness: thickness(table)?,
        friction: table.get_or("friction", usual.friction, |value| value.amount().map(Some))?,
        ..usual
    })
}

fn two_bodies(pair: &Value<'_>, names: &[String]) -> Result<[BodyId; 2], Error> {
    match pair.array()?.as_slice() {
        [first, second] => Ok([selection::named(first, names)?, selection::named(second, names)?]),
        others => Err(pair.wrong(format!("must be two bodies, not {}", others.len()))),
    }
}

fn thickness(table: &Table<'_>) -> Result<Option<f32>, Error> {
    table.get_or("thickness", None, |value| Ok(Some(value.positive()? as f32)))
}
