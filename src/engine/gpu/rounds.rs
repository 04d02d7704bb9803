//! The budget of a step: how many dispatches are submitted ahead for it, from the counts of earlier steps.
//!
//! A round is one or more solves, each followed by a contact pass, then one point of a line search and the next linearisation. Every kernel reads in `status`
//! whether it is its turn, so that the order fixes only the number of dispatches: a solve that needs more iterations continues in the next round, and a step
//! that needs more rounds continues in the next submission.

use super::{GpuEngine, step::SHORT_SOLVE};
use crate::{Budget, gpu::Timeline};

/// Solves of a step between two points of its line searches: as counted, or as submitted.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Round {
    /// Conjugate gradient iterations up to the first contact pass.
    pub iterations: u32,
    /// Number of solves that continue after a contact pass.
    pub later_solves: u32,
    /// Conjugate gradient iterations of these later solves together.
    pub later_iterations: u32,
}

impl Round {
    /// Unpacks a word of the profile that `note_solve` writes, in `shaders/solve/count.wgsl`.
    fn from_word(word: u32) -> Self {
        Self { iterations: word & 0xffff, later_solves: word >> 16 & 0x3f, later_iterations: word >> 22 }
    }

    fn max(self, other: Self) -> Self {
        Self {
            iterations: self.iterations.max(other.iterations),
            later_solves: self.later_solves.max(other.later_solves),
            later_iterations: self.later_iterations.max(other.later_iterations),
        }
    }

    fn scaled(self, numerator: u32, denominator: u32) -> Self {
        let scaled = |count: u32| count.saturating_mul(numerator) / denominator;
        Self {
            iterations: scaled(self.iterations),
            later_solves: scaled(self.later_solves),
            later_iterations: scaled(self.later_iterations),
        }
    }

    /// Number of short solves to submit for the later solves, bounded whatever a checkpoint says.
    fn short_solves(self) -> u32 {
        self.later_solves.saturating_add(self.later_iterations.div_ceil(SHORT_SOLVE)).min(MOST_SHORT_SOLVES)
    }
}

/// Rounds that a step needed, one per point of its line searches.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Needs(pub Vec<Round>);

impl Needs {
    /// Unpacks the profile of a record.
    pub fn new(profile: [[u32; 4]; 4], searches: u32) -> Self {
        let words = profile.into_iter().flatten().map(Round::from_word);
        let beyond = std::iter::repeat(Round::default());
        Self(words.chain(beyond).take(searches as usize).collect())
    }

    /// Rounds of this step or nine tenths of those of earlier steps, whichever number is larger.
    pub fn or_nearly(&self, before: &Self) -> Self {
        let longest = self.0.len().max(before.0.len().saturating_mul(9) / 10);
        let at = |needs: &Self, ix: usize| needs.0.get(ix).copied().unwrap_or_default();
        Self((0..longest).map(|ix| at(self, ix).max(at(before, ix).scaled(9, 10))).collect())
    }

    fn iterations(&self) -> u32 {
        let counts = self.0.iter().flat_map(|round| [round.iterations, round.later_iterations]);
        counts.fold(0, u32::saturating_add)
    }
}

/// Assumed size of a round before any step has been counted; such a step gets two of these.
const FIRST: Round = Round { iterations: 60, later_solves: 2, later_iterations: 8 };
/// Largest number of line-search points of one linearisation, and of solves that continue after them.
const SEARCHES_OF_LINEARISATION: u32 = 12;
/// Largest number of safe steps in one submission.
const SAFE_STEPS_AT_ONCE: u32 = 2;
/// Largest numbers of rounds in one submission, of their iterations, and of short solves in a round. A step that needs more continues in another submission.
const MOST_ROUNDS: u32 = 64;
const MOST_ITERATIONS: u32 = 4096;
const MOST_SHORT_SOLVES: u32 = 128;
/// Smallest number of iterations in a round of a continued step.
const LEAST_ITERATIONS: u32 = 8;

impl GpuEngine {
    /// Number of dispatches with work to do in a step with these needs, as if they had been known in advance. A solve detects convergence one iteration late, and a
    /// solve that continues engages contacts in an iteration of its own.
    pub(super) fn useful_dispatches(&self, needs: &Needs, linearisations: u32) -> u32 {
        let Some(search) = self.searcher() else { return 0 };
        let (mut timeline, loads) = (Timeline::count(), self.device.params.load_count > 0);
        self.encode_first(&mut timeline, search, loads);
        (1..linearisations).for_each(|_| self.encode_next(&mut timeline, loads));
        for round in needs.0.iter().filter(|round| round.iterations + round.later_solves > 0) {
            self.solver().encode_loop(&mut timeline, round.iterations + 1);
            self.encode_pass(&mut timeline, search);
            for solve in 0..round.later_solves {
                let rest = u32::from(solve < round.later_iterations % round.later_solves);
                self.solver().encode_loop(&mut timeline, round.later_iterations / round.later_solves + rest + 2);
                self.encode_pass(&mut timeline, search);
            }
        }
        needs.0.iter().for_each(|_| self.encode_search(&mut timeline, search));
        self.encode_audit(&mut timeline, search, loads);
        self.encode_end(&mut timeline, loads);
        timeline.dispatches()
    }

    /// Largest number of safe steps in one submission. The counts of the submission before the last size all of them, so it is small at first.
    pub(super) fn safe_steps_at_once(&self) -> u32 {
        match self.searcher() {
            Some(_) if self.under_way.batches < 2 => 1,
            Some(_) => SAFE_STEPS_AT_ONCE,
            None => u32::MAX,
        }
    }

    /// Rounds to submit, from counts alone: slightly more than the last counted step needed, and a quarter more where a step cut short forces the steps behind it to
    /// be repeated. A continued step gets a small part of that, which doubles every other time.
    pub(super) fn rounds(&self) -> Vec<Round> {
        let known = self.under_way.counts.safe_until(self.known_batch());
        let needs = known.unwrap_or_else(|| Needs(vec![FIRST; 2]));
        let touching = self.touching().is_some();
        let most = self.options.solver.max_iterations;
        if let Some(again) = self.under_way.cut_short.checked_sub(1) {
            let iterations = (needs.iterations() / 16).clamp(LEAST_ITERATIONS, MOST_ITERATIONS).min(most);
            let round = Round { iterations, later_solves: if touching { 2 } else { 0 }, later_iterations: 0 };
            let rounds = 1u32 << (again / 2).min(MOST_ROUNDS.ilog2());
            return vec![round; rounds.min((MOST_ITERATIONS / iterations).max(1)) as usize];
        }
        // A solve detects convergence one iteration late.
        let plan = |round: &Round| {
            let known = round.iterations.min(MOST_ITERATIONS);
            let first = if self.waits() { known + 3 } else { known * 5 / 4 + 5 };
            let later_solves = if touching { round.short_solves() + 2 } else { 0 };
            Round { iterations: first.min(most.saturating_add(1)), later_solves, later_iterations: 0 }
        };
        let mut left = MOST_ITERATIONS;
        let mut rounds: Vec<Round> = needs.0.iter().take(MOST_ROUNDS as usize).map(plan).collect();
        for round in &mut rounds {
            round.iterations = round.iterations.min(left);
            left -= round.iterations;
        }
        if rounds.is_empty() { vec![plan(&FIRST)] } else { rounds }
    }

    /// Conjugate gradient iterations to submit for the first solve of a step without line search, from counts alone.
    pub(super) fn budget(&self) -> u32 {
        let most = self.options.solver.max_iterations;
        match (self.options.solver.budget, self.known_counts().0) {
            (Budget::Adaptive, Some(last)) => most.min(2 * last + 16),
            _ => most,
        }
    }

    /// Conjugate gradient iterations to submit for a solve that continues after contacts have changed, in a step without line search.
    pub(super) fn later_budget(&self) -> u32 {
        match (self.options.solver.budget, self.known_counts().1) {
            (Budget::Adaptive, Some(last)) => self.options.solver.max_iterations.min(2 * last + 8),
            _ => self.budget(),
        }
    }

    fn known_counts(&self) -> (Option<u32>, Option<u32>) {
        self.under_way.counts.until(self.known_batch())
    }

    /// The newest batch whose counts are certainly known: the one before the last, or the last where the host waits for each step.
    fn known_batch(&self) -> u64 {
        self.under_way.batches.saturating_sub(if self.waits() { 0 } else { 1 })
    }

    /// Whether the host waits for each step.
    pub(super) fn waits(&self) -> bool {
        self.host_tests_contacts() || self.options.adaptive.is_some()
    }

    /// Whether a step whose dispatches ran out may have more: up to the count with every solve at its iteration limit.
    pub(super) fn may_go_on(&self) -> bool {
        let linearisations = self.options.safe().map_or(1, |safe| safe.max_linearisations);
        let solves = u64::from(linearisations * (SEARCHES_OF_LINEARISATION + self.options.safe_passes()));
        let submissions_of_solve = self.options.solver.max_iterations.div_ceil(LEAST_ITERATIONS);
        u64::from(self.under_way.cut_short) <= solves * u64::from(submissions_of_solve.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(iterations: u32, later_solves: u32, later_iterations: u32) -> Round {
        Round { iterations, later_solves, later_iterations }
    }

    #[test]
    fn profiles_are_read_as_shaders_write_them() {
        let mut profile = [[0; 4]; 4];
        profile[0][0] = 113;
        profile[0][1] = 9 | 3 << 16 | 7 << 22;
        let needs = Needs::new(profile, 3);
        assert_eq!(needs.0, [round(113, 0, 0), round(9, 3, 7), round(0, 0, 0)]);
        assert_eq!(needs.iterations(), 129);
        // Line-search points beyond the last word of the profile have no solves of their own.
        assert_eq!(Needs::new(profile, 20).0.len(), 20);
    }

    #[test]
    fn what_was_needed_is_forgotten_slowly() {
        let before = Needs(vec![round(100, 4, 20), round(50, 0, 0)]);
        let now = Needs(vec![round(40, 6, 0)]);
        assert_eq!(now.or_nearly(&before).0, [round(90, 6, 18)]);
        assert_eq!(now.or_nearly(&Needs::default()), now);
        let longer = Needs(vec![round(1, 0, 0); 10]);
        assert_eq!(now.or_nearly(&longer).0.len(), 9);
    }

    #[test]
    fn numbers_out_of_a_file_are_bounded() {
        let wild = round(u32::MAX, u32::MAX, u32::MAX);
        assert_eq!(wild.short_solves(), MOST_SHORT_SOLVES);
        assert_eq!(Needs(vec![wild; 3]).iterations(), u32::MAX);
        assert_eq!(wild.scaled(9, 10).iterations, u32::MAX / 10);
    }
}
