//! The stages of a step on the GPU. Each owns its kernels, bound once at set-up, and says what it reads and writes.

mod assembly;
mod integrate;
mod report;
mod solve;
mod timeline;

pub(crate) use assembly::Assembly;
pub(crate) use integrate::Integrate;
pub(crate) use report::Report;
pub(crate) use solve::Solve;
pub(crate) use timeline::{Part, Timeline, Timer};

use crate::{
    Error, Options, Variant,
    gpu::{Buffers, Dispatch, Gpu, shader},
    topology::SlicedPattern,
};

/// Workgroups on a software driver: enough for the cores of a usual machine, few enough for every thread to fold all sums.
const SOFTWARE_WORKGROUPS: u32 = 4;
/// Most turns of all loops of a thread together on a software driver. llvmpipe ends every loop of a thread after 65 535 turns in
/// all (LP_MAX_TGSI_LOOP_ITERATIONS), without a word: large scenes need more threads, long solves more than one dispatch.
/// Half of that: rows are not spread quite evenly, and what is folded counts too.
const SOFTWARE_TURNS: u64 = 1 << 15;
/// Most workgroups on hardware: 65 536 threads fill a large GPU, and 1024 partial sums are still quick to fold.
const HARDWARE_WORKGROUPS: u32 = 1024;

/// How kernels over rows are launched on this device, by a fixed rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LaunchPlan {
    /// Workgroups of every row kernel; threads loop over the rows that are left.
    pub workgroups: u32,
    /// Partial sums they leave.
    pub partials: u32,
    /// Dispatches over the matrix, one per chunk.
    pub chunks: usize,
    /// The whole solve in one workgroup: so many iterations in one dispatch.
    pub single: Option<u32>,
}

impl LaunchPlan {
    pub fn choose(
        gpu: &Gpu,
        sliced: &SlicedPattern,
        row_count: usize,
        chunks: usize,
        options: &Options,
    ) -> Result<Self, Error> {
        let module = shader::parse("solve/single", gpu.launch()).map_err(Error::Gpu)?;
        let constant = |name| shader::constant(&module, name).ok_or_else(|| Error::Gpu(format!("no constant {name}")));
        let workgroup_size = constant("WORKGROUP_SIZE")?;
        let single_capacity = constant("SINGLE_CAPACITY")? as usize;
        let software = gpu.launch() == shader::Launch::Software;
        let fits = row_count <= single_capacity;
        if options.solver.variant == Variant::Single && !fits {
            let message = format!("one workgroup solves at most {single_capacity} particles, not {row_count}");
            return Err(Error::scene("solver.variant", message));
        }

        // Of one thread that did all rows by itself: a turn for each row and slot, and one around them.
        let turns = sliced.slot_count() as u64 + 2 * row_count as u64;
        let (least, most) = if software {
            let least = turns.div_ceil(SOFTWARE_TURNS * u64::from(workgroup_size));
            // Every thread folds the partial sums of all.
            (least, SOFTWARE_TURNS / (u64::from(workgroup_size) * chunks as u64))
        } else {
            (1, 65535)
        };
        if software && (least > most || sliced.widest() as u64 > SOFTWARE_TURNS) {
            return Err(Error::Limit {
                limit: "turns of a loop on a software driver",
                what: format!("a matrix of {} blocks, up to {} in a row,", sliced.slot_count(), sliced.widest()),
                needs: turns.div_ceil(most.max(1) * u64::from(workgroup_size)).max(sliced.widest() as u64),
                gives: SOFTWARE_TURNS,
            });
        }
        let wanted = match options.solver.variant {
            Variant::Many { workgroups } => workgroups,
            _ if software => SOFTWARE_WORKGROUPS,
            _ => HARDWARE_WORKGROUPS,
        };
        let useful = row_count.div_ceil(workgroup_size as usize).max(1) as u64;
        let workgroups = u64::from(wanted).min(useful).clamp(least.max(1), most) as u32;

        let single = fits && chunks == 1 && !matches!(options.solver.variant, Variant::Many { .. });
        let at_once = if software {
            // Some turns around the rows belong to every iteration.
            let each = turns / u64::from(workgroup_size) + 32;
            (SOFTWARE_TURNS / each).clamp(1, options.solver.max_iterations.into()) as u32
        } else {
            options.solver.max_iterations
        };
        Ok(Self {
            workgroups,
            // As the shaders have it; PARTIALS_PER_WORKGROUP is not a literal, which is all naga evaluates for us.
            partials: workgroups * if software { workgroup_size } else { 1 },
            chunks,
            single: single.then_some(at_once),
        })
    }
}

/// A kernel over rows, ready to run.
fn row_kernel(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, name: &'static str) -> Result<Dispatch, Error> {
    gpu.kernel(name)?.bind(gpu, buffers, launch.workgroups)
}

/// A kernel over the matrix: one dispatch per chunk of it.
fn matrix_kernel(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, name: &'static str) -> Result<Vec<Dispatch>, Error> {
    let kernel = gpu.kernel(name)?;
    (0..launch.chunks).map(|chunk| kernel.bind_chunk(gpu, buffers, Some(chunk), launch.workgroups)).collect()
}
