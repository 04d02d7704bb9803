//! Loop turns of one thread on software drivers. llvmpipe silently ends all loops of a thread after 65 535 turns together
//! (LP_MAX_TGSI_LOOP_ITERATIONS). The thread with the most turns counts, not the mean: one particle may have as many springs, triangles or elements as all
//! others together. Threads of a workgroup run in lockstep, so that one turn over the rows takes as many inner turns as the longest of these rows.

use std::ops::Range;

/// Largest number of loop turns of one thread: the limit of llvmpipe, less a margin for loops that are not counted.
pub const MOST: u64 = 60_000;

/// Rows of a slice; a workgroup of `launch/software` takes whole slices.
const SLICE_ROWS: u64 = 32;

/// Loop turns over rows in order, as prefix sums over the turns of a workgroup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turns {
    /// Number of threads of a workgroup, which is the number of rows in one turn.
    threads: usize,
    sums: Vec<u64>,
}

impl Turns {
    /// Counts the turns over rows with `inside(row)` inner turns each.
    pub fn new(threads: u32, rows: usize, inside: impl Fn(usize) -> u64) -> Self {
        let threads = threads as usize;
        let mut sums = vec![0];
        for first in (0..rows).step_by(threads) {
            let longest = (first..rows.min(first + threads)).map(&inside).max().unwrap_or(0);
            sums.push(sums[sums.len() - 1] + 1 + longest);
        }
        Self { threads, sums }
    }

    /// Turns of the workgroup with the most of them, when `groups` workgroups share a range of rows as `rows_among` of `launch/software` divides it. The range begins
    /// with a slice.
    pub fn most(&self, rows: &Range<usize>, groups: u64) -> u64 {
        let each = ((rows.len() as u64).div_ceil(SLICE_ROWS * groups) * SLICE_ROWS) as usize;
        let of_group = |start: usize| {
            let end = rows.end.min(start + each).div_ceil(self.threads);
            self.sums[end] - self.sums[start / self.threads]
        };
        rows.clone().step_by(each.max(1)).map(of_group).max().unwrap_or(0)
    }

    /// Smallest number of workgroups, not below `from`, for which no thread exceeds `turns` in any of these ranges. If that takes more than `at_most` workgroups, the
    /// error holds the turns of the thread with the most.
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

    /// Counts the turns row by row and thread by thread, as the shader does.
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
        // A single row is never divided among workgroups.
        assert_eq!(turns.groups(&all, 1, 1000, 900), Err(turns.most(&all[0], 1000)));
        let nothing = 0..0;
        assert_eq!(Turns::new(16, 0, |_| 0).groups(&[nothing], 1, 10, 5), Ok(1));
    }
}
