//! The collision stage: contact between bodies. At the start of a step it finds the pairs of vertices and triangles and of edges that may come near each other, and gives
//! struts to those that would come too close; contact passes revise them; at the end of a step the guard shortens motion that would pass through a surface. Within a
//! solve, struts are part of the product with the matrix. Where bodies do not meet, the stage only has the struts of edges and triangles near colliders. Explicit methods find
//! pairs and impulses after the step.
//!
//! Reads previous, anchor, velocities, solution, constraints, contacts, surface, rest, masters, search, status. Writes motion, tree, pairs, struts, states, links, residual,
//! diagonal, preconditioner, changes, weights; after explicit steps, and where the guard shortens motion, positions, velocities, previous, published.

use super::{LaunchPlan, Timeline, audit};
use crate::{
    Error, Integrator, Options,
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
    /// Parts of the trees, each searched by a dispatch of its own.
    pub parts: usize,
}

/// Number of sweeps over all struts after an explicit step.
const IMPULSE_SWEEPS: u32 = 12;
/// Number of sweeps over all edges in a round of the guard.
const SWEEPS: u32 = 4;
/// Smallest number of rounds of the guard in one submission.
const ROUNDS: u32 = 4;
/// Largest number of rounds of the guard.
const MOST_ROUNDS: u32 = 60;

/// How bodies that meet respond to each other in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Response {
    /// Struts in the linear system, revised until they settle; part of the line search and the energy audit.
    Safe,
    /// Struts in the linear system, revised a fixed number of times. `audited`: whether the step is audited afterwards; `beyond_stage`: whether forces are evaluated once
    /// more at the stage, outside its solve.
    Fixed { audited: bool, beyond_stage: bool },
    /// Impulses after the step.
    Explicit,
}

impl Response {
    pub fn of(options: &Options) -> Self {
        match options.safe() {
            Some(_) => Self::Safe,
            None if options.integrator.is_explicit() => Self::Explicit,
            None => Self::Fixed {
                audited: options.audited().is_some(),
                beyond_stage: options.integrator == Integrator::ImexMidpoint,
            },
        }
    }
}

#[derive(Debug)]
pub(crate) struct Collision {
    /// Pairs of the step, lists of the pairs of each row, and the first struts.
    begin: Vec<Dispatch>,
    /// Struts in the linear system, for implicit methods.
    struts: Option<Struts>,
    /// Impulses after the step, for explicit methods.
    impulses: Option<Impulses>,
    /// The number of struts that push at the end of a step without line search.
    active: Option<Dispatch>,
    /// The guard, in scenes where bodies meet.
    guard: Option<Guard>,
    /// Adds what struts have changed to the energy of a safe step.
    settle: Option<Dispatch>,
}

/// Kernels of struts in the linear system.
#[derive(Debug)]
struct Struts {
    /// Struts at the start of a linearisation.
    attach: Vec<Dispatch>,
    /// Struts after a solve, before it is known whether it resumes.
    revise: Vec<Dispatch>,
    /// Rows after struts have changed.
    join: Dispatch,
    tie_blocks: Option<Dispatch>,
    restore: Dispatch,
    /// Struts where forces are evaluated once more at the stage; empty for methods that do not.
    repeat: Vec<Dispatch>,
    /// The potential along a line search.
    weigh: Option<Dispatch>,
    /// The work of struts that widen gaps, where steps are audited.
    recover: Option<Dispatch>,
}

/// Kernels of impulses after an explicit step.
#[derive(Debug)]
struct Impulses {
    /// Counts the struts of each row, and with the next two tells struts the part of the mass that they see.
    count: Dispatch,
    share_out: Option<Dispatch>,
    give: Dispatch,
    strike: Dispatch,
    receive: Dispatch,
    finish: Dispatch,
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

/// Binds the kernels of the stage.
struct Binder<'a> {
    gpu: &'a Gpu,
    buffers: &'a Buffers,
    launch: LaunchPlan,
    pairs: PairLaunch,
    response: Response,
}

impl Binder<'_> {
    /// Binds a kernel with further constants to a number of workgroups.
    fn with(&self, name: &'static str, more: &[(&'static str, u32)], workgroups: u32) -> Result<Dispatch, Error> {
        let fixed = [("FIXED_PASSES", u32::from(self.response != Response::Safe))];
        let constants: Constants = [self.launch.models.constants().as_slice(), &fixed, more].concat();
        self.gpu.kernel_with(name, &constants)?.bind(self.gpu, self.buffers, workgroups)
    }

    fn rows(&self, name: &'static str, more: &[(&'static str, u32)]) -> Result<Dispatch, Error> {
        self.with(name, more, self.launch.workgroups)
    }

    fn pairs(&self, name: &'static str, more: &[(&'static str, u32)]) -> Result<Dispatch, Error> {
        self.with(name, more, self.pairs.pairs)
    }

    fn struts(&self, name: &'static str) -> Result<Dispatch, Error> {
        self.with(name, &[], self.pairs.struts)
    }

    /// Binds a search for pairs. `guards`: for the guard; `apart`: where particles may move any part of their way.
    fn search(&self, guards: u32, apart: u32) -> Result<Vec<Dispatch>, Error> {
        let guards = [("GUARDS", guards), ("APART", apart)];
        let mut search = Vec::new();
        for climb in 0..self.pairs.climbs {
            let leaves = [("LEAVES", u32::from(climb == 0))];
            let constants: Constants = [self.launch.models.constants().as_slice(), &guards, &leaves].concat();
            let kernel = self.gpu.kernel_with("collision/refit", &constants)?;
            search.push(kernel.bind_chunk(self.gpu, self.buffers, Some(climb), self.pairs.queries)?);
        }
        search.extend(self.parts("collision/count", &guards)?);
        search.push(self.rows("collision/sum", &[])?);
        search.push(self.with("collision/base", &guards[..1], 1)?);
        search.push(self.rows("collision/spread", &[])?);
        search.extend(self.parts("collision/find", &guards)?);
        Ok(search)
    }

    /// Binds a kernel to every part of the trees.
    fn parts(&self, name: &'static str, more: &[(&'static str, u32)]) -> Result<Vec<Dispatch>, Error> {
        let constants: Constants = [self.launch.models.constants().as_slice(), more].concat();
        let kernel = self.gpu.kernel_with(name, &constants)?;
        let bind = |part| kernel.bind_chunk(self.gpu, self.buffers, Some(part), self.pairs.queries);
        (0..self.pairs.parts).map(bind).collect()
    }

    /// Binds the search at the start of a step, or after an explicit one, with the first struts; where bodies do not meet, without the search.
    fn begin(&self, meets: bool) -> Result<Vec<Dispatch>, Error> {
        let moved = self.response == Response::Explicit;
        let of_rows = [("OF_ROWS", 1)];
        let mut begin = vec![self.rows(if moved { "collision/follow" } else { "collision/predict" }, &[])?];
        if meets {
            begin.extend(self.search(0, 0)?);
        }
        begin.extend([
            self.pairs("collision/tally", &[])?,
            self.rows("collision/sum", &of_rows)?,
            self.with("collision/base", &of_rows, 1)?,
            self.rows("collision/spread", &of_rows)?,
            self.pairs("collision/scatter", &[])?,
            self.pairs("collision/rank", &[])?,
            self.pairs("collision/select", &[("MOVED", moved.into())])?,
        ]);
        Ok(begin)
    }

    fn bind_struts(&self, tied: bool) -> Result<Struts, Error> {
        let solved = [("SOLVED", 1)];
        let attach = |standalone: u32| -> Result<Vec<Dispatch>, Error> {
            let standalone = [("STANDALONE", standalone)];
            Ok(vec![
                self.rows("collision/present", &standalone)?,
                self.pairs("collision/attach", &standalone)?,
                self.pairs("collision/join", &standalone)?,
            ])
        };
        let (safe, audited) = match self.response {
            Response::Fixed { audited, .. } => (false, audited),
            _ => (true, true),
        };
        let beyond_stage = matches!(self.response, Response::Fixed { beyond_stage: true, .. });
        Ok(Struts {
            attach: attach(0)?,
            revise: vec![
                self.rows("collision/present", &solved)?,
                self.struts("collision/revise")?,
                self.struts("collision/engage")?,
            ],
            join: self.pairs("collision/join", &solved)?,
            tie_blocks: tied.then(|| self.rows("solve/tie_blocks", &solved)).transpose()?,
            restore: self.rows("collision/restore", &[])?,
            repeat: if beyond_stage { attach(1)? } else { Vec::new() },
            weigh: safe.then(|| self.struts("collision/weigh")).transpose()?,
            recover: audited.then(|| self.struts("collision/recover")).transpose()?,
        })
    }

    fn bind_impulses(&self, tied: bool) -> Result<Impulses, Error> {
        Ok(Impulses {
            count: self.pairs("collision/receive", &[("FIRST", 1)])?,
            share_out: tied.then(|| self.rows("collision/share_out", &[])).transpose()?,
            give: self.rows("collision/give", &[])?,
            strike: self.pairs("collision/strike", &[])?,
            receive: self.pairs("collision/receive", &[])?,
            finish: self.rows("collision/finish", &[])?,
        })
    }

    fn bind_guard(&self) -> Result<Guard, Error> {
        let audits = self.response == Response::Safe;
        let mut end = Vec::new();
        if audits {
            end.push(self.rows("collision/audit", &[])?);
        }
        if self.response == Response::Explicit {
            end.push(self.rows("collision/brake", &[])?);
        }
        end.push(self.rows("collision/truncate", &[])?);
        end.push(self.with("collision/judge", &[], 1)?);
        if audits {
            end.extend(audit::weigh(self.gpu, self.buffers, self.launch)?);
        }
        Ok(Guard {
            begin: std::iter::once(self.rows("collision/led", &[])?).chain(self.search(1, 0)?).collect(),
            stop: self.pairs("collision/stop", &[])?,
            search_again: self.search(1, 1)?,
            even_out: vec![self.rows("collision/even", &[])?, self.rows("collision/even", &[("BACK", 1)])?],
            turn: self.with("collision/turn", &[], 1)?,
            end,
        })
    }
}

impl Collision {
    /// Binds the stage. `tied`: whether any particles are tied, or may be later. `meets`: whether bodies meet; otherwise only edges and triangles near colliders get struts.
    pub fn new(
        gpu: &Gpu,
        buffers: &Buffers,
        launch: LaunchPlan,
        pairs: PairLaunch,
        response: Response,
        tied: bool,
        meets: bool,
    ) -> Result<Self, Error> {
        let binder = Binder { gpu, buffers, launch, pairs, response };
        let explicit = response == Response::Explicit;
        Ok(Self {
            begin: binder.begin(meets)?,
            struts: (!explicit).then(|| binder.bind_struts(tied)).transpose()?,
            impulses: explicit.then(|| binder.bind_impulses(tied)).transpose()?,
            active: (response != Response::Safe).then(|| binder.pairs("collision/active", &[])).transpose()?,
            guard: meets.then(|| binder.bind_guard()).transpose()?,
            settle: (response == Response::Safe).then(|| binder.with("collision/settle", &[], 1)).transpose()?,
        })
    }

    /// Encodes the search for pairs at the start of a step, and the first struts.
    pub fn encode_begin(&self, timeline: &mut Timeline<'_>) {
        timeline.run_all(&self.begin);
    }

    /// Encodes struts of a linearisation, after its assembly.
    pub fn encode_attach(&self, timeline: &mut Timeline<'_>) {
        self.struts.iter().for_each(|struts| timeline.run_all(&struts.attach));
    }

    /// Encodes struts where forces are evaluated once more at the stage, outside its solve.
    pub fn encode_repeat(&self, timeline: &mut Timeline<'_>) {
        self.struts.iter().for_each(|struts| timeline.run_all(&struts.repeat));
    }

    /// Encodes a pass over all struts after a solve.
    pub fn encode_revise(&self, timeline: &mut Timeline<'_>) {
        self.struts.iter().for_each(|struts| timeline.run_all(&struts.revise));
    }

    /// Encodes rows after a pass over all struts.
    pub fn encode_restore(&self, timeline: &mut Timeline<'_>) {
        let Some(struts) = &self.struts else { return };
        timeline.run(&struts.join);
        struts.tie_blocks.iter().for_each(|blocks| timeline.run(blocks));
        timeline.run(&struts.restore);
    }

    /// Encodes the potential of struts at a point of a line search.
    pub fn encode_weigh(&self, timeline: &mut Timeline<'_>) {
        self.struts.iter().flat_map(|struts| &struts.weigh).for_each(|weigh| timeline.run(weigh));
    }

    /// Encodes the work of struts that have widened gaps, for the energy audit.
    pub fn encode_recover(&self, timeline: &mut Timeline<'_>) {
        self.struts.iter().flat_map(|struts| &struts.recover).for_each(|recover| timeline.run(recover));
    }

    /// Encodes the number of struts that push, after the last pass of a step without line search.
    pub fn encode_active(&self, timeline: &mut Timeline<'_>) {
        self.active.iter().for_each(|active| timeline.run(active));
    }

    /// Encodes impulses after an explicit step. `tied`: whether any particles are tied now.
    pub fn encode_impulses(&self, timeline: &mut Timeline<'_>, tied: bool) {
        let Some(impulses) = &self.impulses else { return };
        self.encode_begin(timeline);
        let share_out = impulses.share_out.as_ref().filter(|_| tied);
        let give = |timeline: &mut Timeline<'_>| {
            share_out.iter().for_each(|share_out| timeline.run(share_out));
            timeline.run(&impulses.give);
        };
        timeline.run(&impulses.count);
        give(timeline);
        for _ in 0..IMPULSE_SWEEPS {
            timeline.run(&impulses.strike);
            timeline.run(&impulses.receive);
            give(timeline);
        }
        timeline.run(&impulses.finish);
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
        self.settle.iter().for_each(|settle| timeline.run(settle));
    }
}
