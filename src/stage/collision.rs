//! The collision stage: contact between bodies. At the start of a step it finds the pairs of vertices and triangles and of edges that may come near each other, and gives
//! struts to those that would come too close; contact passes revise them; at the end of a step the guard shortens motion that would pass through a surface. Within a
//! solve, struts are part of the product with the matrix. Where bodies do not meet, the stage only has the struts of edges and triangles near colliders.
//!
//! Reads previous, anchor, velocities, solution, constraints, contacts, surface, rest, masters, search, status. Writes motion, tree, pairs, struts, states, links, residual,
//! diagonal, preconditioner, changes, weights; where the guard shortens motion, positions, velocities, published.

use super::{LaunchPlan, Timeline, audit, row_kernel};
use crate::{
    Error,
    gpu::{Buffers, Constants, Dispatch, Gpu},
};

/// Numbers of workgroups of kernels over pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PairLaunch {
    /// Kernels that search the trees.
    pub queries: u32,
    /// Kernels that take long for a pair.
    pub pairs: u32,
    /// Kernels over struts with partial sums.
    pub struts: u32,
    /// Dispatches that climb the trees.
    pub climbs: usize,
}

/// Number of sweeps over all edges in a round of the guard.
const SWEEPS: u32 = 4;
/// Smallest number of rounds of the guard in one submission.
const ROUNDS: u32 = 4;
/// Largest number of rounds of the guard.
const MOST_ROUNDS: u32 = 60;

#[derive(Debug)]
pub(crate) struct Collision {
    predict: Dispatch,
    /// The search for pairs, in scenes where bodies meet.
    search: Vec<Dispatch>,
    /// Lists of the pairs of each row, and the first struts.
    prepare: Vec<Dispatch>,
    /// Struts at the start of a linearisation.
    attach: Vec<Dispatch>,
    /// Struts after a solve, before it is known whether it resumes.
    revise: Vec<Dispatch>,
    /// Rows after struts have changed.
    join: Dispatch,
    tie_blocks: Option<Dispatch>,
    restore: Dispatch,
    weigh: Dispatch,
    recover: Dispatch,
    guard: Option<Guard>,
    settle: Dispatch,
}

/// Kernels of the guard.
#[derive(Debug)]
struct Guard {
    begin: Vec<Dispatch>,
    stop: Dispatch,
    /// The second search, after the first round: shorter ways bring pairs near each other that were not in common motion.
    search_again: Vec<Dispatch>,
    /// Two sweeps over all edges.
    even_out: Vec<Dispatch>,
    turn: Dispatch,
    end: Vec<Dispatch>,
}

impl Collision {
    /// Binds the stage. `tied`: whether any particles are tied, or may be later. `meets`: whether bodies meet; otherwise only edges and triangles near colliders get struts.
    pub fn new(
        gpu: &Gpu,
        buffers: &Buffers,
        launch: LaunchPlan,
        pairs: PairLaunch,
        tied: bool,
        meets: bool,
    ) -> Result<Self, Error> {
        let constants = launch.models.constants();
        let with = |name, more: &[(&'static str, u32)], workgroups| {
            let constants: Constants = [constants.as_slice(), more].concat();
            gpu.kernel_with(name, &constants)?.bind(gpu, buffers, workgroups)
        };
        let rows = |name, more: &[(&'static str, u32)]| with(name, more, launch.workgroups);
        let search = |guards: u32, apart: u32| -> Result<Vec<Dispatch>, Error> {
            let guards = [("GUARDS", guards), ("APART", apart)];
            let mut search = Vec::new();
            for climb in 0..pairs.climbs {
                let constants: Constants =
                    [constants.as_slice(), &guards, &[("LEAVES", u32::from(climb == 0))]].concat();
                let kernel = gpu.kernel_with("collision/refit", &constants)?;
                search.push(kernel.bind_chunk(gpu, buffers, Some(climb), pairs.queries)?);
            }
            search.push(with("collision/count", &guards, pairs.queries)?);
            search.push(rows("collision/sum", &[])?);
            search.push(with("collision/base", &guards[..1], 1)?);
            search.push(rows("collision/spread", &[])?);
            search.push(with("collision/find", &guards, pairs.queries)?);
            Ok(search)
        };
        let of_rows = [("OF_ROWS", 1)];
        let solved = [("SOLVED", 1)];
        let plain = |name, workgroups| with(name, &[], workgroups);
        Ok(Self {
            predict: row_kernel(gpu, buffers, launch, "collision/predict")?,
            search: if meets { search(0, 0)? } else { Vec::new() },
            prepare: vec![
                plain("collision/tally", pairs.pairs)?,
                rows("collision/sum", &of_rows)?,
                with("collision/base", &of_rows, 1)?,
                rows("collision/spread", &of_rows)?,
                plain("collision/scatter", pairs.pairs)?,
                plain("collision/rank", pairs.pairs)?,
                plain("collision/select", pairs.pairs)?,
            ],
            attach: vec![
                rows("collision/present", &[])?,
                plain("collision/attach", pairs.pairs)?,
                plain("collision/join", pairs.pairs)?,
            ],
            revise: vec![
                rows("collision/present", &solved)?,
                plain("collision/revise", pairs.struts)?,
                plain("collision/engage", pairs.struts)?,
            ],
            join: with("collision/join", &solved, pairs.pairs)?,
            tie_blocks: tied.then(|| rows("solve/tie_blocks", &solved)).transpose()?,
            restore: rows("collision/restore", &[])?,
            weigh: plain("collision/weigh", pairs.struts)?,
            recover: plain("collision/recover", pairs.struts)?,
            settle: plain("collision/settle", 1)?,
            guard: meets
                .then(|| -> Result<_, Error> {
                    Ok(Guard {
                        begin: std::iter::once(rows("collision/led", &[])?).chain(search(1, 0)?).collect(),
                        stop: plain("collision/stop", pairs.pairs)?,
                        search_again: search(1, 1)?,
                        even_out: vec![rows("collision/even", &[])?, rows("collision/even", &[("BACK", 1)])?],
                        turn: plain("collision/turn", 1)?,
                        end: {
                            let kernels = [rows("collision/audit", &[])?, rows("collision/truncate", &[])?];
                            let mut end: Vec<Dispatch> = kernels.into();
                            end.push(plain("collision/judge", 1)?);
                            end.extend(audit::weigh(gpu, buffers, launch)?);
                            end
                        },
                    })
                })
                .transpose()?,
        })
    }

    /// Encodes the search for pairs at the start of a step, and the first struts.
    pub fn encode_begin(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.predict);
        timeline.run_all(&self.search);
        timeline.run_all(&self.prepare);
    }

    /// Encodes struts of a linearisation, after its assembly.
    pub fn encode_attach(&self, timeline: &mut Timeline<'_>) {
        timeline.run_all(&self.attach);
    }

    /// Encodes a pass over all struts after a solve.
    pub fn encode_revise(&self, timeline: &mut Timeline<'_>) {
        timeline.run_all(&self.revise);
    }

    /// Encodes rows after a pass over all struts.
    pub fn encode_restore(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.join);
        self.tie_blocks.iter().for_each(|blocks| timeline.run(blocks));
        timeline.run(&self.restore);
    }

    /// Encodes the potential of struts at a point of a line search.
    pub fn encode_weigh(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.weigh);
    }

    /// Encodes the work of struts that have widened gaps, for the energy audit.
    pub fn encode_recover(&self, timeline: &mut Timeline<'_>) {
        timeline.run(&self.recover);
    }

    /// Encodes the guard at the end of a step, where bodies meet, and the work of struts. `cut_short`: how many submissions for this step have not sufficed.
    pub fn encode_guard(&self, timeline: &mut Timeline<'_>, cut_short: u32) {
        if let Some(guard) = &self.guard {
            timeline.run_all(&guard.begin);
            for round in 0..MOST_ROUNDS.min(ROUNDS << cut_short.min(4)) {
                timeline.run(&guard.stop);
                if round == 0 {
                    timeline.run_all(&guard.search_again);
                }
                for _ in 0..SWEEPS / 2 {
                    timeline.run_all(&guard.even_out);
                }
                timeline.run(&guard.turn);
            }
            timeline.run_all(&guard.end);
        }
        timeline.run(&self.settle);
    }
}
