//! How often the loops of one thread go round, on software drivers: llvmpipe ends all loops of a thread after 65 535 turns together
//! (LP_MAX_TGSI_LOOP_ITERATIONS), without a word. What counts is the thread with the most to do, not the mean: one particle may have
//! as many springs, triangles or elements as all others together. Threads of a workgroup go in step, so that a turn around the rows
//! takes as many turns inside as the longest of these rows has.

use std::ops::Range;

/// Most turns of one thread: what llvmpipe allows, less some that nobody counts.
pub const MOST: u64 = 60_000;

/// Of a stretch of whole slices, as `launch/software` has it.
const SLICE_ROWS: u64 = 32;

/// Turns over rows in order, as prefix sums over the workgroup's turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turns {
    /// Threads of a workgroup: rows of one turn.
    threads: usize,
    sums: Vec<u64>,
}

impl Turns {
    /// Of rows with so many turns inside each.
    pub fn new(threads: u32, rows: usize, inside: impl Fn(usize) -> u64) -> Self {
        let threads = threads as usize;
        let mut sums = vec![0];
        for first in (0..rows).step_by(threads) {
            let longest = (first..rows.min(first + threads)).map(&inside).max().unwrap_or(0);
            sums.push(sums[sums.len() - 1] + 1 + longest);
        }
        Self { threads, sums }
    }

    /// Of the workgroup that has the most, when some of them share a range of rows: `rows_among` of `launch/software`. The range
    /// begins with a slice.
    pub fn most(&self, rows: &Range<usize>, groups: u64) -> u64 {
        let each = ((rows.len() as u64).div_ceil(SLICE_ROWS * groups) * SLICE_ROWS) as usize;
        let of_group = |start: usize| {
            let end = rows.end.min(start + each).div_ceil(self.threads);
            self.sums[end] - self.sums[start / self.threads]
        };
        rows.clone().step_by(each.max(1)).map(of_group).max().unwrap_or(0)
    }

    /// Least workgroups, from some on, with which no thread has more turns than it may in any of these ranges; or, if that takes more
    /// workgroups than there may be, the turns of the one with the most.
    pub fn groups(&self, ranges: &[Range<usize>], from: u64, at_most: u64, turns: u64) -> Result<u64, u64> {
        let worst = |groups| ranges.iter().map(|rows| self.most(rows, groups)).max().unwrap_or(0);
        let mut groups = from.clamp(1, at_most.max(1));
        loop {
            let found = worst(groups);
            if found <= turns {
                return Ok(groups);
            }
            if groups >= at_most {
                return Err(found);
            }
            groups = (groups + groups.div_ceil(4)).min(at_most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row by row, thread by thread, as the shader has it.
    fn by_hand(rows: Range<usize>, groups: usize, inside: impl Fn(usize) -> u64) -> u64 {
        let each = rows.len().div_ceil(32 * groups) * 32;
        let of_group = |group: usize| {
            let start = rows.start + group * each;
            let end = rows.end.min(start + each);
            let mut turns = 0;
            for first in (start..end).step_by(16) {
                turns += 1 + (first..end.min(first + 16)).map(&inside).max().unwrap();
            }
            turns
        };
        (0..groups).map(of_group).max().unwrap()
    }

    #[test]
    fn the_busiest_workgroup_is_found() {
        let mut rng = fastrand::Rng::with_seed(3);
        for rows in [1, 15, 16, 17, 100, 1000, 4097] {
            let inside: Vec<u64> = (0..rows).map(|_| if rng.u8(..) == 0 { 5_000 } else { rng.u64(..9) }).collect();
            let turns = Turns::new(16, rows, |row| inside[row]);
            for groups in [1, 2, 3, 7, 50] {
                for range in [0..rows, rows / 64 * 32..rows] {
                    let expected = by_hand(range.clone(), groups, |row| inside[row]);
                    assert_eq!(turns.most(&range, groups as u64), expected, "{rows} {groups} {range:?}");
                }
            }
        }
    }

    #[test]
    fn workgroups_are_added_until_it_fits_or_cannot() {
        let turns = Turns::new(16, 10_000, |row| if row % 1000 == 0 { 900 } else { 5 });
        let whole = 0..10_000;
        let all = [whole];
        let groups = turns.groups(&all, 1, 1000, 2_000).unwrap();
        assert!(turns.most(&all[0], groups) <= 2_000 && groups < 20, "{groups}");
        // One row by itself is never shared.
        assert_eq!(turns.groups(&all, 1, 1000, 900), Err(turns.most(&all[0], 1000)));
        let nothing = 0..0;
        assert_eq!(Turns::new(16, 0, |_| 0).groups(&[nothing], 1, 10, 5), Ok(1));
    }
}
