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
};

/// Workgroups on a software driver: enough for the cores of a usual machine, few enough for every thread to fold all sums.
const SOFTWARE_WORKGROUPS: u32 = 4;
/// Most turns of all loops of a thread together on a software driver. llvmpipe ends every loop of a thread after 65 535 turns in
/// all (LP_MAX_TGSI_LOOP_ITERATIONS), without a word: large scenes need more threads, long solves more than one dispatch.
const SOFTWARE_TURNS: u64 = 1 << 15;
/// Most workgroups on hardware: 65 536 threads fill a large GPU, and 1024 partial sums are still quick to fold.
const HARDWARE_WORKGROUPS: u32 = 1024;

/// How kernels over rows are launched on this device, by a fixed rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Launch {
    /// Workgroups of every row kernel; threads loop over the rows that are left.
    pub workgroups: u32,
    /// Partial sums they leave.
    pub partials: u32,
    /// Dispatches over the matrix, one per chunk.
    pub chunks: usize,
    /// The whole solve in one workgroup: so many iterations in one dispatch.
    pub single: Option<u32>,
}

impl Launch {
    pub fn choose(
        gpu: &Gpu,
        row_count: usize,
        slot_count: usize,
        chunks: usize,
        options: &Options,
    ) -> Result<Self, Error> {
        let workgroup_size = constant(gpu, "WORKGROUP_SIZE")?;
        let single_capacity = constant(gpu, "SINGLE_CAPACITY")? as usize;
        let software = gpu.launch() == shader::Launch::Software;
        // Of one thread that did all rows by itself: a turn for each row and slot, and a few around them.
        let turns = slot_count as u64 + 2 * row_count as u64;
        let fits = row_count <= single_capacity;
        if options.solver.variant == Variant::Single && !fits {
            let message = format!("one workgroup solves at most {single_capacity} particles, not {row_count}");
            return Err(Error::scene("solver.variant", message));
        }
        let workgroups = workgroups(gpu, row_count, turns, options.solver.variant)?;
        let single = fits && chunks == 1 && !matches!(options.solver.variant, Variant::Many { .. });
        let at_once = (SOFTWARE_TURNS * u64::from(workgroup_size) / turns.max(1))
            .min(options.solver.max_iterations.into()) as u32;
        Ok(Self {
            workgroups,
            // As the shaders have it; PARTIALS_PER_WORKGROUP is not a literal, which is all naga evaluates for us.
            partials: workgroups * if software { workgroup_size } else { 1 },
            chunks,
            single: single.then_some(if software { at_once.max(1) } else { options.solver.max_iterations }),
        })
    }
}

/// Workgroups of a kernel over rows, by a fixed rule. One thread that did all rows by itself would take so many turns.
pub(crate) fn workgroups(gpu: &Gpu, row_count: usize, turns: u64, variant: Variant) -> Result<u32, Error> {
    let workgroup_size = constant(gpu, "WORKGROUP_SIZE")?;
    let software = gpu.launch() == shader::Launch::Software;
    let enough = turns.div_ceil(SOFTWARE_TURNS * u64::from(workgroup_size)) as u32;
    let most = match variant {
        Variant::Many { workgroups } if software => workgroups.max(enough),
        Variant::Many { workgroups } => workgroups,
        _ if software => SOFTWARE_WORKGROUPS.max(enough),
        _ => HARDWARE_WORKGROUPS,
    };
    Ok((row_count as u32).div_ceil(workgroup_size).clamp(1, most.clamp(1, 65535)))
}

/// A constant of the shaders, as this device has it.
fn constant(gpu: &Gpu, name: &str) -> Result<u32, Error> {
    let module = shader::parse("solve/single", gpu.launch()).map_err(Error::Gpu)?;
    shader::constant(&module, name).ok_or_else(|| Error::Gpu(format!("no constant {name}")))
}

/// A kernel over rows, ready to run.
fn row_kernel(gpu: &Gpu, buffers: &Buffers, launch: Launch, name: &'static str) -> Result<Dispatch, Error> {
    gpu.kernel(name)?.bind(gpu, buffers, launch.workgroups)
}

/// A kernel over the matrix: one dispatch per chunk of it.
fn matrix_kernel(gpu: &Gpu, buffers: &Buffers, launch: Launch, name: &'static str) -> Result<Vec<Dispatch>, Error> {
    let kernel = gpu.kernel(name)?;
    (0..launch.chunks).map(|chunk| kernel.bind_chunk(gpu, buffers, Some(chunk), launch.workgroups)).collect()
}
