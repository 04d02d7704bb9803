//! The coarse stage: assembles the coarse matrix E = ZᵀPAPZ, inverts it in place, panel after panel, and takes what it overlaps with block Jacobi from it, with each
//! linearisation. In safe steps a solve goes on without the coarse level once a contact has changed its state, until it is tightened, which builds the matrix again; in
//! other steps every contact pass builds it again. Within a solve, the coarse level is one of the [corrections](super::corrections).
//!
//! Reads values, pattern, diagonal, constraints, coarse_rows, coarse_lists, status. Writes coarse_matrix, coarse_panel.

use super::{LaunchPlan, Timeline, turns};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu},
    topology::{Aggregates, aggregates::pair_ix},
};

/// Most loop turns for each row of an aggregate besides its neighbours.
const ROW_TURNS: u64 = 3;

/// Dispatches that build the coarse matrix.
#[derive(Debug)]
pub(super) struct Coarse {
    /// After a linearisation.
    build: Vec<Dispatch>,
    /// After a contact pass.
    rebuild: Vec<Dispatch>,
}

impl Coarse {
    pub fn new(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, aggregates: &Aggregates) -> Result<Self, Error> {
        Ok(Self {
            build: build(gpu, buffers, launch, aggregates, false)?,
            rebuild: build(gpu, buffers, launch, aggregates, true)?,
        })
    }

    /// Encodes the coarse matrix of a linearisation.
    pub fn encode(&self, timeline: &mut Timeline<'_>) {
        timeline.run_all(&self.build);
    }

    /// Encodes the coarse matrix after a contact pass.
    pub fn encode_again(&self, timeline: &mut Timeline<'_>) {
        timeline.run_all(&self.rebuild);
    }
}

fn build(
    gpu: &Gpu,
    buffers: &Buffers,
    launch: LaunchPlan,
    aggregates: &Aggregates,
    after_pass: bool,
) -> Result<Vec<Dispatch>, Error> {
    let mut constants = launch.models.constants();
    constants.push(("AFTER_PASS", after_pass.into()));
    let name = if launch.models.scalar_matrix { "coarse/galerkin_scalars" } else { "coarse/galerkin" };
    let galerkin = gpu.kernel_with(name, &constants)?;
    let pairs = pair_ix(aggregates.count, 0) as u32;
    let mut dispatches = Vec::new();
    for chunk in 0..launch.chunks {
        dispatches.push(galerkin.bind_chunk(gpu, buffers, Some(chunk), pairs)?);
    }
    if aggregates.functions == 4 {
        // The sums of all four functions would not fit a thread's registers.
        let fourth = gpu.kernel_with(name, &[constants.as_slice(), &[("FOURTH_FUNCTION", 1)]].concat())?;
        for chunk in 0..launch.chunks {
            dispatches.push(fourth.bind_chunk(gpu, buffers, Some(chunk), aggregates.count as u32)?);
        }
    }
    let (pivot, eliminate) =
        (gpu.kernel_with("coarse/pivot", &constants)?, gpu.kernel_with("coarse/eliminate", &constants)?);
    for (panel, rows) in aggregates.bands().into_iter().enumerate() {
        // Four columns per thread, and blocks of 4×4 words of the lower half.
        let band = rows as u32 / 4;
        dispatches.push(pivot.bind_chunk(gpu, buffers, Some(panel), band.div_ceil(launch.threads))?);
        let blocks = band * (band + 1) / 2;
        dispatches.push(eliminate.bind_chunk(gpu, buffers, Some(panel), blocks.div_ceil(launch.threads))?);
    }
    dispatches.push(gpu.kernel_with("coarse/overlap", &constants)?.bind(gpu, buffers, aggregates.count as u32)?);
    Ok(dispatches)
}

/// Refuses aggregates over which one thread of a software driver would loop too often.
pub(crate) fn check(aggregates: &Aggregates, widest: u32, threads: u32) -> Result<(), Error> {
    let largest = (0..aggregates.count).map(|ix| aggregates.members_of(ix).len() as u64).max().unwrap_or(0);
    let each = aggregates.functions as u64 * (u64::from(widest) + ROW_TURNS);
    let needs = largest.div_ceil(u64::from(threads)) * each;
    if needs > turns::MOST {
        let what =
            format!("a coarse level with {largest} particles in an aggregate, up to {widest} neighbours at one,");
        return Err(Error::Limit { limit: "turns of a loop on a software driver", what, needs, gives: turns::MOST });
    }
    Ok(())
}
