//! A safe step on the GPU: how many dispatches are submitted ahead for it, by what earlier steps needed, and in which order.
//!
//! A round is some solves, each followed by a pass over the contacts, one point of a line search, and the next linearisation. Every kernel looks up in the
//! status whether it is its turn, so that the order decides about the number of dispatches alone: a solve that needs more iterations goes on in the next
//! round, and a step that needs more rounds in the next submission.

use super::GpuEngine;
use crate::stage::{Part, Search, Timeline};

/// What is submitted for a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rounds {
    rounds: u32,
    /// Conjugate gradient iterations of each round, up to its first pass.
    pub iterations: u32,
    /// Passes after that, with a few iterations each.
    passes: u32,
}

/// What a step needed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Needs {
    pub iterations: u32,
    /// Parts of solves: contact passes divide them.
    pub solves: u32,
    /// Points along line searches.
    pub searches: u32,
}

/// A step of which nothing is known yet.
const FIRST: Needs = Needs { iterations: 120, solves: 3, searches: 2 };
/// After the first pass of a solve little is left to do: so many iterations before each of so many passes.
const LATER_ITERATIONS: u32 = 4;
const LATER_PASSES: u32 = 4;
/// Points of the search of one linearisation, and solves that go on after them, at most.
const SEARCHES_OF_LINEARISATION: u32 = 12;
/// Safe steps in one submission, at most.
const SAFE_STEPS_AT_ONCE: u32 = 2;
/// Rounds and iterations that are submitted at once, at most: a step that needs more goes on after them.
const MOST_ROUNDS: u32 = 64;
const MOST_ITERATIONS: u32 = 4096;

impl GpuEngine {
    /// A safe step, up to the last stage: the first linearisation, and rounds of whatever follows.
    pub(super) fn encode_safe(&self, timeline: &mut Timeline<'_>, search: &Search, loads: bool) {
        self.encode_first(timeline, search, loads);
        self.encode_rounds(timeline, search, loads);
        timeline.enter(Part::Integrate);
    }

    /// The first linearisation.
    fn encode_first(&self, timeline: &mut Timeline<'_>, search: &Search, loads: bool) {
        timeline.enter(Part::Assembly);
        self.encode_begin(timeline, loads);
        self.encode_linearisation(timeline, loads);
        search.encode_scale(timeline);
    }

    /// Rounds of a safe step that has begun, as many as are expected to be needed.
    pub(super) fn encode_rounds(&self, timeline: &mut Timeline<'_>, search: &Search, loads: bool) {
        let touching = self.touching().is_some();
        let Rounds { rounds, iterations, passes } = self.rounds();
        for _ in 0..rounds {
            timeline.enter(Part::Solve);
            for pass in 0..=passes {
                self.solve.encode_round(timeline, if pass == 0 { iterations } else { LATER_ITERATIONS });
                search.encode_pass(timeline, touching);
            }
            self.encode_search(timeline, search);
            self.encode_next(timeline, loads);
            search.encode_end(timeline, loads);
            timeline.may_split();
        }
    }

    /// One point of a line search.
    fn encode_search(&self, timeline: &mut Timeline<'_>, search: &Search) {
        let anchors = |timeline: &mut Timeline<'_>| self.with_ties(|ties| ties.encode_anchors(timeline));
        search.encode_search(timeline, self.touching().is_some(), anchors);
    }

    /// A linearisation after the first.
    fn encode_next(&self, timeline: &mut Timeline<'_>, loads: bool) {
        timeline.enter(Part::Assembly);
        self.integrate.encode_start(timeline, 1);
        self.encode_linearisation(timeline, loads);
    }

    /// Dispatches that had something to do in a step that needed this: as if it had been known.
    pub(super) fn useful_dispatches(&self, needs: Needs, linearisations: u32) -> u32 {
        let Some(search) = &self.search else { return 0 };
        let (mut timeline, loads) = (Timeline::count(), self.params.load_count > 0);
        self.encode_first(&mut timeline, search, loads);
        (1..linearisations).for_each(|_| self.encode_next(&mut timeline, loads));
        for solve in 0..needs.solves {
            let iterations = needs.iterations / needs.solves + u32::from(solve < needs.iterations % needs.solves);
            self.solve.encode_round(&mut timeline, iterations);
            search.encode_pass(&mut timeline, self.touching().is_some());
        }
        (0..needs.searches).for_each(|_| self.encode_search(&mut timeline, search));
        search.encode_end(&mut timeline, loads);
        self.encode_end(&mut timeline);
        timeline.dispatches()
    }

    /// Forces, matrix and preconditioner of a safe step.
    fn encode_linearisation(&self, timeline: &mut Timeline<'_>, loads: bool) {
        self.assembly.encode(timeline, loads);
        self.with_ties(|ties| ties.encode_blocks(timeline));
        self.touching().iter().for_each(|contact| contact.encode_keep(timeline));
        self.solve.encode_precondition(timeline);
    }

    /// Most safe steps in one submission, all of which are sized by what the submission before the last needed: few at first, when nothing is known.
    pub(super) fn safe_steps_at_once(&self) -> u32 {
        match self.search {
            Some(_) if self.batches < 2 => 1,
            Some(_) => SAFE_STEPS_AT_ONCE,
            None => u32::MAX,
        }
    }

    /// What to submit, by counts alone: a little more than the last known step needed, and half as much again where steps behind one that is cut short have to
    /// be made again. A step that goes on has a small part of that, which doubles every other time.
    pub(super) fn rounds(&self) -> Rounds {
        let needs = self.counts.safe_until(self.known_batch()).unwrap_or(FIRST);
        let share = |need: u32| match self.cut_short {
            0 if self.waits() => need.saturating_mul(9) / 8,
            0 => need.saturating_mul(3) / 2,
            again => (need.saturating_mul(3) / 20).saturating_mul(1 << ((again - 1) / 2).min(16)),
        };
        let spare = u32::from(!self.waits());
        let most = self.options.solver.max_iterations;
        let linearisations = self.options.safe().map_or(1, |safe| safe.max_linearisations);
        let rounds = (share(needs.searches) + spare).min(linearisations * SEARCHES_OF_LINEARISATION);
        let rounds = rounds.clamp(1, MOST_ROUNDS);
        // A solve notices that it is over one iteration later.
        let iterations = share(needs.iterations + needs.solves).min(MOST_ITERATIONS);
        let iterations = iterations.div_ceil(rounds).max(LATER_ITERATIONS) + 16 * spare;
        let passes = if self.touching().is_some() { LATER_PASSES } else { 0 };
        Rounds { rounds, iterations: iterations.min(most), passes }
    }

    /// Whether a step that was not over when its dispatches were may have more of them: as long as one with every solve at its limit would take.
    pub(super) fn may_go_on(&self) -> bool {
        let linearisations = self.options.safe().map_or(1, |safe| safe.max_linearisations);
        let solves = u64::from(linearisations * (SEARCHES_OF_LINEARISATION + self.options.safe_passes()));
        let rounds_of_solve = self.options.solver.max_iterations.div_ceil(self.rounds().iterations.max(1));
        u64::from(self.cut_short) <= solves * u64::from(rounds_of_solve)
    }
}
