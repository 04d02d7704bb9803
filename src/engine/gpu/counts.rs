//! Iteration counts of earlier steps, which size the next solve.
//!
//! The order of submissions alone determines which step is looked up, not the time at which the host reads a state or waits, so that observation changes nothing.

use super::rounds::{Needs, Round};
use crate::simulation::archive::{Damaged, Stored, stored};

/// Largest iteration counts of the solves of a batch.
#[derive(Debug, Clone, PartialEq)]
struct Count {
    /// The batch of the count.
    batch: u64,
    /// Largest count of the first solves.
    first: u32,
    /// Largest count of the solves that continued after contacts had changed, if there were any.
    later: Option<u32>,
    /// Rounds of a safe step, which has no other counts.
    needs: Option<Needs>,
}

/// Counts of the newest batches whose records were read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Counts(Vec<Count>);

stored!(Round { iterations, later_solves, later_iterations });
stored!(Count { batch, first, later, needs });

/// Stores a struct as its only field.
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

/// Number of batches kept: those that can be read before a batch that is still looked up.
const KEPT: usize = 3;

impl Counts {
    /// Adds the counts of a step of a batch.
    pub fn add(&mut self, batch: u64, first: u32, later: Option<u32>) {
        // The count of later solves is kept while there are no contacts.
        let later = later.or(self.0.last().and_then(|count| count.later));
        self.keep(Count { batch, first, later, needs: None });
    }

    fn keep(&mut self, count: Count) {
        self.0.retain(|kept| kept.batch != count.batch);
        self.0.push(count);
        let surplus = self.0.len().saturating_sub(KEPT);
        self.0.drain(..surplus);
    }

    /// Adds the rounds of a safe step. `slowly`: needs of earlier steps decay gradually.
    pub fn add_safe(&mut self, batch: u64, needs: Needs, slowly: bool) {
        let before = self.safe_until(batch).filter(|_| slowly).unwrap_or_default();
        self.keep(Count { batch, first: 0, later: None, needs: Some(needs.or_nearly(&before)) });
    }

    /// Rounds of the newest batch of safe steps up to this one.
    pub fn safe_until(&self, batch: u64) -> Option<Needs> {
        self.0.iter().rev().find(|count| count.batch <= batch).and_then(|count| count.needs.clone())
    }

    /// Counts of the newest batch up to this one: of first solves, and of continued solves.
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
        // The fifth batch has been read, but lies after the batch asked for.
        assert_eq!(counts.until(3), (Some(30), Some(7)));
        assert_eq!(counts.until(4), (Some(40), Some(7)));
        counts.add(5, 60, None);
        assert_eq!(counts.until(9), (Some(60), Some(7)));
    }
}
