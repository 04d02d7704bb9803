//! Warnings at the end of a successful run: bodies that intersected at its start, implausible strain, and steps that did not converge.

use super::summary::Totals;
use crate::{BodyId, Intersection, Outcome, SceneFile};
use serde::Serialize;

/// Largest strain at the end of a run without a warning.
const MOST_AT_THE_END: f64 = 0.5;
/// Largest strain during a run without a warning.
const MOST_AT_ANY_TIME: f64 = 1.0;

/// Steps that did not converge, by their outcome.
#[derive(Serialize, Default, Clone, Copy, PartialEq, Debug)]
pub struct Unconverged {
    /// Iterations or linearisations ran out.
    pub iteration_limit: u64,
    /// The matrix was not positive definite.
    pub indefinite: u64,
    /// Contacts still changed.
    pub active_set: u64,
    /// The line search found nothing lower.
    pub line_search: u64,
}

impl Unconverged {
    /// Counts the outcome of an accepted step.
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::IterationLimit => self.iteration_limit += 1,
            Outcome::Indefinite => self.indefinite += 1,
            Outcome::ActiveSet => self.active_set += 1,
            Outcome::LineSearch => self.line_search += 1,
            // Steps of the other outcomes have converged, or are not accepted.
            Outcome::Converged | Outcome::Driven | Outcome::EnergyRise | Outcome::NonFinite => {}
        }
    }

    /// Number of all steps that did not converge.
    pub fn total(&self) -> u64 {
        self.iteration_limit + self.indefinite + self.active_set + self.line_search
    }

    fn warning(&self, steps: u64) -> Option<String> {
        let kinds = [
            (self.iteration_limit, "ran out of iterations or linearisations"),
            (self.indefinite, "had a matrix that is not positive definite"),
            (self.active_set, "ended while contacts still changed"),
            (self.line_search, "found nothing lower in the line search"),
        ];
        let kinds: Vec<String> =
            kinds.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        let (total, kinds) = (self.total(), kinds.join(", "));
        (total > 0).then(|| format!("{total} of {steps} steps did not converge: {kinds}"))
    }
}

/// All warnings of a run.
pub fn about(file: &SceneFile, totals: &Totals) -> Vec<String> {
    about_intersections(file).into_iter().chain(about_steps(totals)).collect()
}

/// A warning for each pair of bodies that intersect at the start.
pub fn about_intersections(file: &SceneFile) -> Vec<String> {
    let name = |body: BodyId| format!("{:?}", file.names[body.index()]);
    let warning =
        |one: &Intersection| format!("at the start {}; they do not meet in this run: move them apart", one.text(name));
    file.scene.intersections().iter().map(warning).collect()
}

/// Warnings about strain and steps.
fn about_steps(totals: &Totals) -> Vec<String> {
    let Totals { largest_strain, largest_strain_time, last_strain, .. } = totals;
    let at_the_end = (*last_strain > MOST_AT_THE_END).then(|| {
        let strain = percent(*last_strain);
        format!("the largest strain at the end is {strain}: take stiffer material or smaller loads, unless it is meant to stretch that far")
    });
    let on_the_way = (*largest_strain > MOST_AT_ANY_TIME).then(|| {
        let strain = percent(*largest_strain);
        format!("the largest strain was {strain}, at {largest_strain_time:.3} s: take stiffer material, smaller loads or a smaller time step")
    });
    [at_the_end, on_the_way, totals.unconverged.warning(totals.steps)].into_iter().flatten().collect()
}

/// A ratio as a percentage, short however large it is.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent < 1e5 { format!("{percent:.0} %") } else { format!("{percent:.1e} %") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_runs_have_none() {
        let totals = Totals { steps: 10, largest_strain: 1.0, last_strain: 0.5, ..Default::default() };
        assert_eq!(about_steps(&totals), Vec::<String>::new());
    }

    #[test]
    fn each_is_said_once() {
        let mut unconverged = Unconverged::default();
        for outcome in [Outcome::Converged, Outcome::ActiveSet, Outcome::IterationLimit, Outcome::ActiveSet] {
            unconverged.add(outcome);
        }
        let totals = Totals {
            steps: 10,
            largest_strain: 1.25,
            largest_strain_time: 0.03,
            last_strain: 0.75,
            unconverged,
            ..Default::default()
        };
        let [end, way, steps] = about_steps(&totals).try_into().unwrap();
        assert!(end.contains("at the end is 75 %"), "{end}");
        assert!(way.contains("125 %, at 0.030 s"), "{way}");
        let expected = "3 of 10 steps did not converge: 1 ran out of iterations or linearisations, 2 ended while contacts still changed";
        assert_eq!(steps, expected);
        assert_eq!(percent(2.27e27), "2.3e29 %");
    }
}
