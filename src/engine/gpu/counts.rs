//! How many iterations the next solve may need, by what earlier steps needed.
//!
//! Which step is looked at depends on nothing but the order of submissions: not on when the host has read a state or waited, so that
//! whoever looks on changes nothing.

use super::rounds::{Needs, Round};
use crate::simulation::archive::{Damaged, Stored, stored};

/// Most iterations of one solve of a step.
#[derive(Debug, Clone, PartialEq)]
struct Count {
    /// The submission it belongs to.
    batch: u64,
    /// Of solves.
    first: u32,
    /// Of those that went on after contacts had changed, if there were any.
    later: Option<u32>,
    /// Of a safe step, which has no other counts.
    needs: Option<Needs>,
}

/// Counts of the newest submissions that have come back.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Counts(Vec<Count>);

stored!(Round { iterations, later_solves, later_iterations });
stored!(Count { batch, first, later, needs });

/// A struct around one value.
macro_rules! stored_as_its_value {
    ($($name:ident),*) => { $(
        impl Stored for $name {
            fn put(&self, bytes: &mut Vec<u8>) {
                self.0.put(bytes);
            }

            fn take(bytes: &mut &[u8]) -> Result<Self, Damaged> {
                Stored::take(bytes).map(Self)
            }
        }
    )* };
}
stored_as_its_value!(Counts, Needs);

/// As many submissions as can have come back before one that is still looked at.
const KEPT: usize = 3;

impl Counts {
    /// A step of a submission has come back.
    pub fn add(&mut self, batch: u64, first: u32, later: Option<u32>) {
        // What contacts needed is remembered while there are none.
        let later = later.or(self.0.last().and_then(|count| count.later));
        self.keep(Count { batch, first, later, needs: None });
    }

    fn keep(&mut self, count: Count) {
        self.0.retain(|kept| kept.batch != count.batch);
        self.0.push(count);
        let surplus = self.0.len().saturating_sub(KEPT);
        self.0.drain(..surplus);
    }

    /// A safe step has come back. `slowly`: what earlier ones needed is not forgotten at once.
    pub fn add_safe(&mut self, batch: u64, needs: Needs, slowly: bool) {
        let before = self.safe_until(batch).filter(|_| slowly).unwrap_or_default();
        self.keep(Count { batch, first: 0, later: None, needs: Some(needs.or_nearly(&before)) });
    }

    /// Of the newest submission of safe steps up to this one.
    pub fn safe_until(&self, batch: u64) -> Option<Needs> {
        self.0.iter().rev().find(|count| count.batch <= batch).and_then(|count| count.needs.clone())
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
