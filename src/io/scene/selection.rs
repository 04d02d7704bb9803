//! Which vertices of which body: what pins and forces have in common.

use super::value::{Table, Value};
use crate::{BodyId, Error, Side, Vertices};

/// A body by name or number; the only one there is need not be named.
pub fn body(table: &Table<'_>, names: &[String]) -> Result<BodyId, Error> {
    let Some(value) = table.get("body") else {
        return if names.len() == 1 { Ok(BodyId(0)) } else { Err(table.wrong("body", "is missing: which body?")) };
    };
    if !value.is_text() {
        return Ok(BodyId(value.whole(0, names.len().saturating_sub(1) as u32)? as usize));
    }
    let wanted = value.text()?;
    let ix = names.iter().position(|name| name == wanted);
    ix.map(BodyId).ok_or_else(|| value.wrong(format!("no body is called {wanted:?}; there are: {}", names.join(", "))))
}

/// Some vertices of a body.
pub fn vertices(value: &Value<'_>) -> Result<Vertices, Error> {
    if value.is_array() {
        return Ok(Vertices::List(value.array()?.iter().map(|v| v.whole(0, u32::MAX)).collect::<Result<_, _>>()?));
    }
    if value.is_text() {
        #[derive(Clone, Copy)]
        enum Word {
            All,
            Corners,
            Side(Side),
        }
        let words = [
            ("corners", Word::Corners),
            ("far", Word::Side(Side::Far)),
            ("near", Word::Side(Side::Near)),
            ("left", Word::Side(Side::Left)),
            ("right", Word::Side(Side::Right)),
            ("all", Word::All),
        ];
        return Ok(match value.choice(&words)? {
            Word::All => Vertices::All,
            Word::Corners => Vertices::Corners,
            Word::Side(side) => Vertices::Side(side),
        });
    }
    let table = value.table().map_err(|_| value.wrong("must be a word, a list of numbers, or a box { low, high }"))?;
    table.only(&["low", "high"])?;
    let (low, high) = (table.require("low")?, table.require("high")?);
    let (low_corner, high_corner) = (low.vector()?, high.vector()?);
    if low_corner.cmpgt(high_corner).any() {
        return Err(high.wrong("must not be below low"));
    }
    Ok(Vertices::Box { low: low_corner, high: high_corner })
}
