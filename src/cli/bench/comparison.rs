//! Comparison of two benchmark reports.

use super::report::Report;
use serde::{Deserialize, Serialize};

/// Largest relative difference that counts as noise.
const NOISE: f64 = 0.05;

/// Two reports, workload by workload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Version of tenter in the old report.
    pub old_tenter: String,
    pub old_adapter: String,
    pub old_driver: String,
    pub rows: Vec<ComparedRow>,
    /// Workloads only in the old report.
    pub only_old: Vec<String>,
    /// Workloads only in the new report.
    pub only_new: Vec<String>,
}

/// A workload that both reports have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparedRow {
    pub name: String,
    pub old_ms: f64,
    pub new_ms: f64,
    /// Ratio of the new time to the old one.
    pub ratio: f64,
    pub verdict: Verdict,
}

/// Direction of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Faster,
    Same,
    Slower,
}

impl Verdict {
    fn of(ratio: f64) -> Self {
        if ratio < 1.0 - NOISE {
            Verdict::Faster
        } else if ratio > 1.0 + NOISE {
            Verdict::Slower
        } else {
            Verdict::Same
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Same => "same",
            Verdict::Slower => "slower",
        }
    }
}

impl Comparison {
    pub fn new(old: &Report, new: &Report) -> Self {
        let mut rows = Vec::new();
        let mut only_new = Vec::new();
        for (name, new_ms) in new.times() {
            let Some((_, old_ms)) = old.times().find(|(before, _)| *before == name) else {
                only_new.push(name.to_owned());
                continue;
            };
            let ratio = new_ms / old_ms;
            rows.push(ComparedRow { name: name.to_owned(), old_ms, new_ms, ratio, verdict: Verdict::of(ratio) });
        }
        let gone = |name: &&str| new.times().all(|(other, _)| other != *name);
        Self {
            old_tenter: old.tenter.clone(),
            old_adapter: old.adapter.clone(),
            old_driver: old.driver.clone(),
            rows,
            only_old: old.times().map(|(name, _)| name).filter(gone).map(str::to_owned).collect(),
            only_new,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_percent_make_the_difference() {
        let verdicts = [0.5, 0.94, 0.96, 1.0, 1.04, 1.06, 2.0].map(Verdict::of);
        use Verdict::{Faster, Same, Slower};
        assert_eq!(verdicts, [Faster, Faster, Same, Same, Same, Slower, Slower]);
    }
}
