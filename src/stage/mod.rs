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

/// Most workgroups on a software driver, where each costs a thread switch and its barriers; few with many rows each are faster.
const SOFTWARE_WORKGROUPS: u32 = 16;
/// Most workgroups on hardware: 65 536 threads fill a large GPU, and 1024 partial sums are still quick to fold.
const HARDWARE_WORKGROUPS: u32 = 1024;

/// How kernels over rows are launched on this device, by a fixed rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Launch {
    /// Workgroups of every row kernel; threads loop over the rows that are left.
    pub workgroups: u32,
    /// The whole solve in one workgroup.
    pub single: bool,
}

impl Launch {
    pub fn choose(gpu: &Gpu, row_count: usize, options: &Options) -> Result<Self, Error> {
        let workgroup_size = constant("shared/workgroup", "WORKGROUP_SIZE")?;
        let single_capacity = constant("solve/single", "SINGLE_CAPACITY")? as usize;
        let most = match options.solver.variant {
            Variant::Many { workgroups } => workgroups,
            _ if gpu.is_software() => SOFTWARE_WORKGROUPS,
            _ => HARDWARE_WORKGROUPS,
        };
        let fits = row_count <= single_capacity;
        if options.solver.variant == Variant::Single && !fits {
            let message = format!("one workgroup solves at most {single_capacity} particles, not {row_count}");
            return Err(Error::scene("solver.variant", message));
        }
        Ok(Self {
            workgroups: (row_count as u32).div_ceil(workgroup_size).clamp(1, most.clamp(1, 65535)),
            single: fits && !matches!(options.solver.variant, Variant::Many { .. }),
        })
    }
}

/// A constant of the shaders.
fn constant(shader: &str, name: &str) -> Result<u32, Error> {
    let module = shader::parse(shader).map_err(Error::Gpu)?;
    shader::constant(&module, name).ok_or_else(|| Error::Gpu(format!("{shader} has no constant {name}")))
}

/// A kernel over rows, ready to run.
fn row_kernel(gpu: &Gpu, buffers: &Buffers, launch: Launch, name: &'static str) -> Result<Dispatch, Error> {
    gpu.kernel(name)?.bind(gpu, buffers, launch.workgroups)
}
