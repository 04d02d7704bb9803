//! Results of one run.

use super::matrix::Combination;
use crate::{Error, bench::judge::Verdict};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Results of one run. Numbers that are not finite are ±10³⁰⁰.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Index in the draw.
    pub index: usize,
    /// Combination of the run, see [`Combination::levels`].
    pub levels: [usize; 7],
    /// Largest rise of the energy, see [`Verdict::rise`].
    pub rise: f64,
    /// Largest rise of the energy in ten steps, see [`Verdict::rise_in_ten`].
    pub rise_in_ten: f64,
    /// Largest stretch, see [`Verdict::stretch`].
    pub stretch: f64,
    /// Largest stretch until the cloth has wrapped the obstacle, for compared runs.
    #[serde(default)]
    pub early_stretch: Option<f64>,
    /// Largest stretch of the scene in steps of 0.5 ms until the cloth has wrapped the obstacle.
    pub fine_stretch: Option<f64>,
    /// Smallest distance from a collider, see [`Verdict::distance`].
    pub distance: f64,
    /// Smallest distance of settled cloth, see [`Verdict::settled_distance`].
    pub settled_distance: Option<f64>,
    /// Conjugate gradient iterations per 10 ms.
    pub iterations: f64,
    /// Linearisations per 10 ms.
    pub linearisations: f64,
    /// Number of steps made.
    pub steps: usize,
    /// Number of steps whose solve did not converge.
    pub unconverged: usize,
    /// Time of the run without fine steps, s.
    pub seconds: f64,
    /// Whether the run was stopped early.
    pub stopped: bool,
    /// Error that ended the run.
    pub error: Option<String>,
}

/// A value clamped to a finite number, for JSON.
pub(super) fn bounded(value: f64) -> f64 {
    if value.is_nan() { 1e300 } else { value.clamp(-1e300, 1e300) }
}

impl Row {
    pub(super) fn new(index: usize, combination: &Combination, verdict: &Verdict) -> Self {
        Self {
            index,
            levels: combination.levels,
            rise: bounded(verdict.rise),
            rise_in_ten: bounded(verdict.rise_in_ten),
            stretch: bounded(verdict.stretch),
            early_stretch: None,
            fine_stretch: None,
            distance: bounded(verdict.distance),
            settled_distance: verdict.settled_distance.map(bounded),
            iterations: bounded(verdict.iterations),
            linearisations: bounded(verdict.linearisations),
            steps: verdict.steps,
            unconverged: verdict.unconverged,
            seconds: 0.0,
            stopped: verdict.stopped,
            error: verdict.error.clone(),
        }
    }

    /// Results of a scene that could not be simulated.
    pub(super) fn refused(index: usize, combination: &Combination, error: &Error) -> Self {
        let error = Some(error.to_string());
        Self::new(index, combination, &Verdict { error, ..Verdict::default() })
    }

    /// Whether the energy rose by more than a tenth in a step.
    pub fn exploded(&self) -> bool {
        self.rise > 0.1 || self.stopped
    }

    /// Whether edges were stretched more than twice as far as in fine steps, and 2 % more; `false` without a comparison.
    pub fn overstretched(&self) -> bool {
        self.early_stretch.zip(self.fine_stretch).is_some_and(|(early, fine)| early > 2.0 * fine + 0.02)
    }

    /// Whether a particle came nearer to a surface than half of the thickness.
    pub fn penetrates(&self) -> bool {
        self.distance < 0.5
    }

    /// Whether a particle of settled cloth lies nearer to a surface than 0.9 of the thickness.
    pub fn rests_too_near(&self) -> bool {
        self.settled_distance.is_some_and(|distance| distance < 0.9)
    }

    /// Names of all faults of the run.
    pub fn faults(&self) -> Vec<&'static str> {
        let all = [
            (self.exploded(), "explodes"),
            (self.overstretched(), "is overstretched"),
            (self.penetrates(), "penetrates"),
            (self.rests_too_near(), "rests too near"),
            (self.error.is_some(), "error"),
        ];
        all.into_iter().filter(|(wrong, _)| *wrong).map(|(_, what)| what).collect()
    }
}

/// The row as a line of a Markdown table with the titles of [`head`](super::head).
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = Combination { levels: self.levels }.labels();
        let fine = self.early_stretch.zip(self.fine_stretch);
        let fine = fine.map_or(String::new(), |(early, fine)| format!(" ({early:.3} : {fine:.3})"));
        let settled = self.settled_distance.map_or("–".to_owned(), |distance| format!("{distance:.2}"));
        let stretch =
            if self.stretch < 1000.0 { format!("{:.3}", self.stretch) } else { format!("{:.0e}", self.stretch) };
        write!(f, "| {} | {} | {:.1e} | {:.1e} | ", self.index, labels.join(", "), self.rise, self.rise_in_ten)?;
        write!(f, "{stretch}{fine} | {:.2} | {settled} | ", self.distance.max(-999.0))?;
        write!(f, "{:.0} | {:.1} | {}/{} | ", self.iterations, self.linearisations, self.unconverged, self.steps)?;
        write!(f, "{:.1} | {} |", self.seconds, self.faults().join(", "))?;
        self.error.as_ref().map_or(Ok(()), |error| write!(f, " {error}"))
    }
}
