//! How many iterations the next solve may need, by what earlier steps needed.
//!
//! Which step is looked at depends on nothing but the order of submissions: not on when the host has read a state or waited, so that
//! whoever looks on changes nothing.

use crate::simulation::archive::stored;

/// Most iterations of one solve of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Count {
    /// The submission it belongs to.
    batch: u64,
    /// Of solves.
    first: u32,
    /// Of those that went on after contacts had changed, if there were any.
    later: Option<u32>,
}

/// Counts of the newest submissions that have come back.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Counts(Vec<Count>);

stored!(Count { batch, first, later });

impl crate::simulation::archive::Stored for Counts {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.0.put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Result<Self, crate::simulation::archive::Damaged> {
        crate::simulation::archive::Stored::take(bytes).map(Self)
    }
}

/// As many submissions as can have come back before one that is still looked at.
const KEPT: usize = 3;

impl Counts {
    /// A step of a submission has come back.
    pub fn add(&mut self, batch: u64, first: u32, later: Option<u32>) {
        // What contacts needed is remembered while there are none.
        let later = later.or(self.0.last().and_then(|count| count.later));
        self.0.retain(|count| count.batch != batch);
        self.0.push(Count { batch, first, later });
        let surplus = self.0.len().saturating_sub(KEPT);
        self.0.drain(..surplus);
    }

    /// A safe step has come back, with all of its iterations and rounds. What earlier ones needed is forgotten slowly, since contacts come and go.
    pub fn add_slowly(&mut self, batch: u64, iterations: u32, rounds: u32) {
        let (before, rounds_before) = self.until(batch);
        let at_least = |before: Option<u32>| before.map_or(0, |count| count * 3 / 4);
        self.add(batch, iterations.max(at_least(before)), Some(rounds.max(at_least(rounds_before))));
    }

    /// Of the newest submission up to this one: of solves, and of those that went on.
    pub fn until(&self, batch: u64) -> (Option<u32>, Option<u32>) {
        let count = self.0.iter().rev().find(|count| count.batch <= batch);
        (count.map(|count| count.first), count.and_then(|count| count.later))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_changes_nothing() {
        let mut counts = Counts::default();
        assert_eq!(counts.until(5), (None, None));
        for batch in 1..=5 {
            counts.add(batch, 10 * batch as u32, (batch == 3).then_some(7));
        }
        // The fifth has come back, and is not looked at yet.
        assert_eq!(counts.until(3), (Some(30), Some(7)));
        assert_eq!(counts.until(4), (Some(40), Some(7)));
        counts.add(5, 60, None);
        assert_eq!(counts.until(9), (Some(60), Some(7)));
    }
}
