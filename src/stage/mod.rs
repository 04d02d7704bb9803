//! The stages of a step on the GPU. Each owns its kernels, bound once at set-up, and says what it reads and writes.

mod assembly;
mod integrate;
mod report;
mod solve;
mod timeline;

pub(crate) use assembly::{Assembly, Surroundings};
pub(crate) use integrate::Integrate;
pub(crate) use report::Report;
pub(crate) use solve::Solve;
pub(crate) use timeline::{Part, Timeline, Timer};

use crate::{
    Error, Options, Variant,
    gpu::{Buffers, Constants, Dispatch, Gpu, shader},
    topology::{MatrixLayout, Topology},
};

/// Workgroups on a software driver: enough for the cores of a usual machine, few enough for every thread to fold all sums.
const SOFTWARE_WORKGROUPS: u32 = 4;
/// Most turns of all loops of a thread together on a software driver. llvmpipe ends every loop of a thread after 65 535 turns in
/// all (LP_MAX_TGSI_LOOP_ITERATIONS), without a word: large scenes need more threads, long solves more than one dispatch.
/// Half of that: rows are not spread quite evenly, and what is folded counts too.
const SOFTWARE_TURNS: u64 = 1 << 15;
/// Turns of all loops for one element seen from one particle, at most: the model's own, and those around it.
const ELEMENT_TURNS: u64 = 48;
/// Most workgroups on hardware: 65 536 threads fill a large GPU, and 1024 partial sums are still quick to fold.
const HARDWARE_WORKGROUPS: u32 = 1024;

/// Of one dimension, on any device.
const MOST_WORKGROUPS: u64 = 65535;

/// How much there is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Load {
    pub rows: usize,
    /// Blocks of the matrix, empty slots included.
    pub slots: usize,
    /// Blocks of the longest row.
    pub widest: usize,
    pub chunks: usize,
    pub elements: usize,
    /// Elements, each seen from all its particles.
    pub incidences: usize,
    pub models: Models,
}

/// Which models a scene has, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Models {
    pub laws: u32,
    pub memories: u32,
    pub elements: u32,
    /// Forces without a matrix.
    pub forces_only: bool,
    /// The constant matrix of the IMEX schemes.
    pub scalar_matrix: bool,
}

impl Models {
    fn of(topology: &Topology) -> Self {
        let mut models = Self::default();
        for material in &topology.materials {
            models.laws |= 1 << material.law as u32;
            models.memories |= 1 << material.memory as u32;
        }
        for material in &topology.element_materials {
            models.elements |= 1 << material.model as u32;
        }
        models
    }

    /// For the kernels that leave out what a scene does not have.
    fn constants(self) -> Constants {
        vec![
            ("EDGE_LAWS", self.laws),
            ("EDGE_MEMORIES", self.memories),
            ("ELEMENT_MODELS", self.elements),
            ("FORCES_ONLY", self.forces_only.into()),
            ("SCALAR_MATRIX", self.scalar_matrix.into()),
        ]
    }
}

impl Load {
    pub fn of(topology: &Topology, matrix: &MatrixLayout) -> Self {
        Self {
            rows: topology.particle_count(),
            slots: matrix.slot_count(),
            widest: matrix.widest(),
            chunks: matrix.chunks.len(),
            elements: topology.elements.len(),
            incidences: topology.element_pattern.incidences.len(),
            models: Models::of(topology),
        }
    }

    /// Rows without a matrix.
    #[cfg(feature = "cli")]
    pub fn rows_only(rows: usize) -> Self {
        Self { rows, slots: 0, widest: 0, chunks: 1, elements: 0, incidences: 0, models: Models::default() }
    }
}

/// How kernels over rows are launched on this device, by a fixed rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LaunchPlan {
    /// Workgroups of every row kernel; threads loop over the rows that are left.
    pub workgroups: u32,
    /// Partial sums they leave.
    pub partials: u32,
    /// Workgroups of kernels over elements: they take longer over a row.
    pub element_workgroups: u32,
    /// Partial sums of the kernel that measures elements; 0 without any.
    pub element_partials: u32,
    /// Dispatches over the matrix, one per chunk.
    pub chunks: usize,
    pub models: Models,
    /// The whole solve in one workgroup: so many iterations in one dispatch.
    pub single: Option<u32>,
}

impl LaunchPlan {
    /// The same for forces without a matrix.
    pub fn forces_only(mut self) -> Self {
        self.models.forces_only = true;
        self
    }

    pub fn choose(gpu: &Gpu, load: &Load, options: &Options) -> Result<Self, Error> {
        let Load { rows: row_count, chunks, .. } = *load;
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
        let turns = load.slots as u64 + 2 * row_count as u64;
        let (least, most) = if software {
            let least = turns.div_ceil(SOFTWARE_TURNS * u64::from(workgroup_size));
            // Every thread folds the partial sums of all.
            (least, SOFTWARE_TURNS / (u64::from(workgroup_size) * chunks as u64))
        } else {
            (1, MOST_WORKGROUPS)
        };
        if software && (least > most || load.widest as u64 > SOFTWARE_TURNS) {
            return Err(Error::Limit {
                limit: "turns of a loop on a software driver",
                what: format!("a matrix of {} blocks, up to {} in a row,", load.slots, load.widest),
                needs: turns.div_ceil(most.max(1) * u64::from(workgroup_size)).max(load.widest as u64),
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

        let imex = options.integrator.is_imex();
        let single = fits && chunks == 1 && !imex && !matches!(options.solver.variant, Variant::Many { .. });
        let at_once = if software {
            // Some turns around the rows belong to every iteration.
            let each = turns / u64::from(workgroup_size) + 32;
            (SOFTWARE_TURNS / each).clamp(1, options.solver.max_iterations.into()) as u32
        } else {
            options.solver.max_iterations
        };
        let element_turns = ELEMENT_TURNS * load.incidences as u64;
        let least = if software { element_turns.div_ceil(SOFTWARE_TURNS * u64::from(workgroup_size)) } else { 1 };
        let element_workgroups = u64::from(workgroups).max(least);
        if element_workgroups > MOST_WORKGROUPS {
            return Err(Error::Limit {
                limit: "max_compute_workgroups_per_dimension",
                what: format!("{} elements", load.elements),
                needs: element_workgroups,
                gives: MOST_WORKGROUPS,
            });
        }
        let element_workgroups = element_workgroups as u32;
        // As the shaders have it; PARTIALS_PER_WORKGROUP is not a literal, which is all naga evaluates for us.
        let partials_each = if software { workgroup_size } else { 1 };
        Ok(Self {
            workgroups,
            partials: workgroups * partials_each,
            element_workgroups,
            element_partials: if load.elements == 0 { 0 } else { element_workgroups * partials_each },
            chunks,
            models: Models { scalar_matrix: imex, ..load.models },
            single: single.then_some(at_once),
        })
    }
}

/// A kernel over rows, ready to run.
fn row_kernel(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, name: &'static str) -> Result<Dispatch, Error> {
    gpu.kernel_with(name, &launch.models.constants())?.bind(gpu, buffers, launch.workgroups)
}

/// Forces and matrix of elements, one dispatch per chunk of the matrix, or their forces alone; none when there are no elements.
fn element_kernels(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan) -> Result<Vec<Dispatch>, Error> {
    if launch.element_partials == 0 {
        return Ok(Vec::new());
    }
    if launch.models.forces_only {
        let bind = |name| {
            let kernel = gpu.kernel_with(name, &launch.models.constants())?;
            kernel.bind(gpu, buffers, launch.element_workgroups)
        };
        return Ok(vec![bind("assembly/element_forces")?, bind("assembly/gather_forces")?]);
    }
    let kernel = gpu.kernel_with("assembly/elements", &launch.models.constants())?;
    let bind = |chunk| kernel.bind_chunk(gpu, buffers, Some(chunk), launch.element_workgroups);
    (0..launch.chunks).map(bind).collect()
}

/// A kernel over the matrix: one dispatch per chunk of it.
fn matrix_kernel(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, name: &'static str) -> Result<Vec<Dispatch>, Error> {
    let kernel = gpu.kernel_with(name, &launch.models.constants())?;
    (0..launch.chunks).map(|chunk| kernel.bind_chunk(gpu, buffers, Some(chunk), launch.workgroups)).collect()
}
