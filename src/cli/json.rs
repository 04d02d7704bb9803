//! JSON output: a step's line in `steps.jsonl`, and serialisation to one line.

use crate::{Meeting, Outcome, StepRecord};
use serde::Serialize;

/// A step in JSON, as in [`StepRecord`]. Energies and strain are `null` if not measured, the error if steps have a fixed length, `meeting` without contact between
/// bodies.
#[derive(Serialize)]
pub struct StepLine {
    step: u64,
    time: f64,
    time_step: f64,
    error: Option<f64>,
    iterations: u32,
    linearisations: u32,
    residual: f64,
    energy_rise: Option<f64>,
    contacts: u32,
    meeting: Option<MeetingLine>,
    outcome: &'static str,
    kinetic: Option<f64>,
    potential: Option<f64>,
    elastic: Option<f64>,
    total: Option<f64>,
    largest_strain: Option<f64>,
}

/// Contact between bodies in a step, as in [`Meeting`].
#[derive(Serialize)]
struct MeetingLine {
    pairs: u32,
    active: u32,
    truncated: u32,
    driven: u32,
}

impl From<Meeting> for MeetingLine {
    fn from(Meeting { pairs, active, truncated, driven }: Meeting) -> Self {
        Self { pairs, active, truncated, driven }
    }
}

impl From<&StepRecord> for StepLine {
    fn from(record: &StepRecord) -> Self {
        let measures = record.measures.as_ref();
        Self {
            step: record.step,
            time: record.time,
            time_step: record.time_step,
            error: record.error,
            iterations: record.iterations,
            linearisations: record.linearisations,
            residual: record.residual,
            energy_rise: record.energy_rise,
            contacts: record.contacts,
            meeting: record.meeting.map(MeetingLine::from),
            outcome: outcome_name(record.outcome),
            kinetic: measures.map(|m| m.kinetic),
            potential: measures.map(|m| m.potential),
            elastic: measures.map(|m| m.elastic),
            total: measures.map(|m| m.total_energy()),
            largest_strain: measures.map(|m| m.largest_strain),
        }
    }
}

/// Names of the outcomes in JSON.
const OUTCOMES: [(Outcome, &str); 8] = [
    (Outcome::Converged, "converged"),
    (Outcome::IterationLimit, "iteration-limit"),
    (Outcome::Indefinite, "indefinite"),
    (Outcome::ActiveSet, "active-set"),
    (Outcome::LineSearch, "line-search"),
    (Outcome::Driven, "driven"),
    (Outcome::EnergyRise, "energy-rise"),
    (Outcome::NonFinite, "non-finite"),
];

fn outcome_name(outcome: Outcome) -> &'static str {
    OUTCOMES.iter().find(|(known, _)| *known == outcome).map_or("", |(_, name)| name)
}

/// Outcome by its name in JSON.
pub fn outcome_of(name: &str) -> Option<Outcome> {
    OUTCOMES.iter().find(|(_, known)| *known == name).map(|(outcome, _)| *outcome)
}

/// Serialises a value to one line of JSON.
pub fn line(value: &impl Serialize) -> String {
    // Serialisation fails only for maps with keys that are not strings, and there are none.
    serde_json::to_string(value).unwrap_or_default()
}
