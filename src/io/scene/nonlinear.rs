//! The tables `[safe]` and `[newton]` and the key `nonlinear` of `[simulation]`: solution of the nonlinear equation of an
//! implicit step.

use super::{
    format::{Field, Section, ValueKind::*},
    value::{Table, Value},
};
use crate::{Error, Integrator, NewtonOptions, Nonlinear, SafeOptions};

pub const SAFE: Section = Section {
    title: "[safe]",
    text: "The safe step: inexact Newton with a line search, an energy audit, and shorter steps in place of those that fail; [safe-step.md](safe-step.md) \
           tells more. It is the default; the table is only needed for other bounds.",
    groups: &[&[
        Field::usual(
            "tolerance",
            Amount,
            "1e-2",
            "1e-3",
            "residual at the end of a step, relative to that at its start or to that of weight and momentum, below 1",
        ),
        Field::usual(
            "energy_tolerance",
            Amount,
            "1e-4",
            "1e-5",
            "elastic energy beyond the quadratic model of the last linearisation, as a share of the energy of the step, below 1",
        ),
        Field::usual(
            "max_linearisations",
            Whole(1, 100),
            "24",
            "40",
            "largest number of linearisations of a step; one that needs more is repeated in halves",
        ),
        Field::usual(
            "max_halvings",
            Whole(0, 20),
            "6",
            "8",
            "largest number of halvings of a failed step, before the simulation fails",
        ),
    ]],
};

pub const NEWTON: Section = Section {
    title: "[newton]",
    text: "Newton's method with full steps: no line search, no audit, no repeats. The table may be empty.",
    groups: &[&[
        Field::usual("tolerance", Amount, "1e-3", "1e-2", "residual relative to the start of a step, below 1"),
        Field::usual("max_linearisations", Whole(1, 100), "8", "3", "largest number of linearisations of a step"),
    ]],
};

/// Words of the key `nonlinear`.
pub const METHODS: [(&str, Method); 3] =
    [("safe", Method::Safe), ("one-linearisation", Method::OneLinearisation), ("newton", Method::Newton)];

/// A variant of [`Nonlinear`] without its options.
#[derive(Clone, Copy, PartialEq)]
pub enum Method {
    Safe,
    OneLinearisation,
    Newton,
}

impl Method {
    fn word(self) -> &'static str {
        METHODS.iter().find(|(_, method)| *method == self).map_or("", |(word, _)| *word)
    }

    /// The table of this method's options, if the file has it; an error if the file chooses another method.
    fn table<'d>(self, root: &Table<'d>, chosen: Option<Self>) -> Result<Option<Table<'d>>, Error> {
        let Some(value) = root.get(self.word()) else { return Ok(None) };
        let table = value.table()?;
        match chosen.filter(|chosen| *chosen != self) {
            Some(other) => {
                Err(value.wrong(format!("belongs to nonlinear = {:?}, not to {:?}", self.word(), other.word())))
            }
            None => Ok(Some(table)),
        }
    }
}

/// Reads the tables and the key; each may be missing, but they must not contradict each other.
pub fn read(root: &Table<'_>, simulation: Option<&Table<'_>>, integrator: Integrator) -> Result<Nonlinear, Error> {
    let word = simulation.and_then(|table| table.get("nonlinear"));
    let chosen = word.as_ref().map(|value| value.choice(&METHODS)).transpose()?;
    let safe = Method::Safe.table(root, chosen)?;
    let newton = Method::Newton.table(root, chosen)?;
    if let (Some(_), Some(newton)) = (&safe, &newton) {
        return Err(Error::scene(&newton.field, "does not go with [safe]: leave out one of the two tables"));
    }
    let said = word.as_ref().map(|value| &value.field).or(safe.as_ref().map(|table| &table.field));
    let method = chosen.unwrap_or(match (&safe, &newton) {
        (_, Some(_)) => Method::Newton,
        _ => Method::Safe,
    });
    let solves_repeatedly = !integrator.is_explicit() && !integrator.is_imex();
    if let (Method::Safe, Some(field), false) = (method, said, solves_repeatedly) {
        let message =
            format!("no step of {:?} is safe: take an implicit integrator, or leave this out", integrator.name());
        return Err(Error::scene(field, message));
    }
    Ok(match method {
        Method::Safe => Nonlinear::Safe(safe.map_or(Ok(SafeOptions::default()), |table| safe_options(&table))?),
        Method::OneLinearisation => Nonlinear::OneLinearisation,
        Method::Newton => {
            Nonlinear::Newton(newton.map_or(Ok(NewtonOptions::default()), |table| newton_options(&table))?)
        }
    })
}

fn safe_options(table: &Table<'_>) -> Result<SafeOptions, Error> {
    table.only(&SAFE)?;
    let default = SafeOptions::default();
    Ok(SafeOptions {
        tolerance: table.get_or("tolerance", default.tolerance, Value::number)?,
        energy_tolerance: table.get_or("energy_tolerance", default.energy_tolerance, Value::number)?,
        max_linearisations: table.get_or("max_linearisations", default.max_linearisations, Value::count)?,
        max_halvings: table.get_or("max_halvings", default.max_halvings, Value::count)?,
    })
}

fn newton_options(table: &Table<'_>) -> Result<NewtonOptions, Error> {
    table.only(&NEWTON)?;
    let default = NewtonOptions::default();
    Ok(NewtonOptions {
        tolerance: table.get_or("tolerance", default.tolerance, Value::number)?,
        max_linearisations: table.get_or("max_linearisations", default.max_linearisations, Value::count)?,
    })
}
