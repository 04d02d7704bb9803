//! The stages of a step on the GPU. Each stage owns its kernels, bound once at set-up, and documents the buffers it reads and writes.

mod assembly;
mod audit;
pub(crate) mod coarse;
mod collision;
mod contact;
mod corrections;
mod integrate;
mod report;
mod search;
mod skin;
mod solve;
mod ties;
mod turns;

pub(crate) use assembly::{Assembly, Surroundings};
pub(crate) use audit::Afterwards;
pub(crate) use collision::{Collision, PairLaunch, Response};
pub(crate) use contact::ContactStage;
pub(crate) use corrections::Coupled;
pub(crate) use integrate::{Integrate, Seen};
pub(crate) use report::Report;
pub(crate) use search::Search;
pub(crate) use skin::Skin;
pub(crate) use solve::Solve;
pub(crate) use ties::Ties;

use crate::{
    Error, Options, StageTimes, Variant,
    gpu::{Buffers, Constants, Dispatch, Gpu, Section, Timeline, shader},
    topology::{MatrixLayout, SLICE_ROWS, Topology},
};
use std::ops::Range;
use turns::Turns;

/// Loop turns reserved for the pairs of a row in scenes where bodies meet.
const STRUTS_AT_ROW: u64 = 128;
/// Number of workgroups on a software driver: enough for the cores of a usual machine, few enough for every thread to fold all partial sums.
const SOFTWARE_WORKGROUPS: u32 = 4;
/// Largest number of loop turns for one element seen from one particle: those of the element model, and those around it.
const ELEMENT_TURNS: u64 = 48;
/// Largest number of workgroups on hardware: 65 536 threads fill a large GPU, and 1024 partial sums are still quick to fold.
const HARDWARE_WORKGROUPS: u32 = 1024;

/// Rows for each workgroup of kernels over struts on a software driver.
const STRUT_ROWS: usize = 256;

/// Largest number of workgroups in one dimension on any device.
const MOST_WORKGROUPS: u64 = 65535;

/// Parts of a step that are timed separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepPart {
    Assembly,
    Solve,
    Integrate,
    Collision,
}

impl From<StepPart> for Section {
    fn from(part: StepPart) -> Self {
        part as Self
    }
}

impl StepPart {
    /// Number of parts.
    pub const COUNT: usize = 4;

    /// Converts the times of the parts of a step to [`StageTimes`].
    pub fn times([assembly, solve, integrate, collision]: [f64; Self::COUNT]) -> StageTimes {
        StageTimes { assembly, solve, integrate, collision }
    }
}

/// Sizes of a scene that launches depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProblemSize {
    pub rows: usize,
    /// Rows of each chunk of the matrix.
    pub chunks: Vec<Range<usize>>,
    /// Number of blocks in the longest row of each slice, compact and full.
    widths: Vec<u32>,
    /// Number of elements of each row; empty in scenes without elements.
    elements_at: Vec<u32>,
    /// Number of triangles of each row; empty where no normals are computed.
    triangles_at: Vec<u32>,
    pub elements: usize,
    pub models: Models,
}

/// Force models of a scene as bits, and other properties that specialise its pipelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Models {
    pub laws: u32,
    pub memories: u32,
    pub elements: u32,
    /// Whether some edge has a weight other than 1, a scalar other than 0, or a material other than the first.
    pub weights: bool,
    pub scalars: bool,
    pub materials: bool,
    /// Whether some element has a material other than the first.
    pub element_materials: bool,
    /// Whether assembly computes forces without a matrix.
    pub forces_only: bool,
    /// Whether forces are evaluated outside Newton's loop.
    pub standalone: bool,
    /// Whether the matrix is the constant one of the IMEX schemes.
    pub scalar_matrix: bool,
    /// Number of the explicit method.
    pub method: u32,
    /// Whether damping is proportional to stiffness.
    pub stiffness_damping: bool,
    /// Whether any edge or element is damped.
    pub damped: bool,
    /// Whether Jacobians are clamped.
    pub clamped: bool,
    /// Whether corrections, for ties, rigid bodies or a coarse level, follow u = Q r.
    pub corrected: bool,
    /// Functions of an aggregate of the coarse level; 0 without one.
    pub coarse_functions: u32,
    /// Whether bodies meet each other.
    pub collides: bool,
}

impl Models {
    fn of(topology: &Topology) -> Self {
        let mut models = Self::default();
        for material in &topology.materials {
            models.laws |= 1 << material.law as u32;
            models.memories |= 1 << material.memory as u32;
            models.damped |= material.damping != 0.0 || material.drag != 0.0 || material.scalar_time != 0.0;
        }
        for material in &topology.element_materials {
            models.elements |= 1 << material.model as u32;
        }
        let materials = &topology.element_materials;
        models.damped |=
            topology.elements.iter().any(|element| element.is_damped(&materials[element.material as usize]));
        for edge in &topology.edges {
            models.weights |= edge.weight != 1.0;
            models.scalars |= edge.scalar != 0.0;
            models.materials |= edge.material != 0;
        }
        models.element_materials = topology.elements.iter().any(|element| element.material != 0);
        models.coarse_functions = topology.aggregates.as_ref().map_or(0, |known| known.functions as u32);
        models.corrected = topology.has_corrections(0);
        models
    }

    /// Pipeline constants with which kernels omit the models that a scene does not have.
    pub fn constants(self) -> Constants {
        vec![
            ("EDGE_LAWS", self.laws),
            ("EDGE_MEMORIES", self.memories),
            ("EDGE_WEIGHTS", self.weights.into()),
            ("EDGE_SCALARS", self.scalars.into()),
            ("EDGE_MATERIALS", self.materials.into()),
            ("ELEMENT_MODELS", self.elements),
            ("ELEMENT_MATERIALS", self.element_materials.into()),
            ("CLAMPED", self.clamped.into()),
            ("FORCES_ONLY", self.forces_only.into()),
            ("UNDAMPED", (self.forces_only && !self.damped && !self.stiffness_damping).into()),
            ("STANDALONE", self.standalone.into()),
            ("WITHOUT_BLOCKS", (self.forces_only && !self.stiffness_damping).into()),
            ("FULL_BLOCKS", (self.elements != 0).into()),
            ("CORRECTED", self.corrected.into()),
            ("COARSE_FUNCTIONS", self.coarse_functions),
            ("CONSTANT_MATRIX", self.scalar_matrix.into()),
            ("METHOD", self.method),
        ]
    }
}

/// Values of shaders' `override`s for the force models of a scene, by name.
pub fn scene_constants(topology: &Topology) -> Constants {
    Models::of(topology).constants()
}

impl ProblemSize {
    pub fn of(topology: &Topology, matrix: &MatrixLayout) -> Self {
        let rows = topology.particle_count();
        let lengths = |offsets: &[u32]| offsets.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>();
        let [compact, full] = [&matrix.compact, &matrix.full].map(|sliced| lengths(&sliced.slice_offsets));
        let wide = |slice: usize| (compact[slice] + full.get(slice).unwrap_or(&0)) / SLICE_ROWS as u32;
        let rows_of = |slices: &Range<usize>| slices.start * SLICE_ROWS..(slices.end * SLICE_ROWS).min(rows);
        Self {
            rows,
            chunks: matrix.chunks.iter().map(rows_of).collect(),
            widths: (0..compact.len()).map(wide).collect(),
            elements_at: match topology.elements.is_empty() {
                true => Vec::new(),
                false => lengths(&topology.element_pattern.incidence_offsets),
            },
            triangles_at: topology.fans.as_ref().map_or_else(Vec::new, |fans| lengths(&fans.offsets)),
            elements: topology.elements.len(),
            models: Models::of(topology),
        }
    }

    /// Number of neighbours in the longest row.
    pub fn widest(&self) -> u32 {
        self.widths.iter().max().copied().unwrap_or(0)
    }

    /// Size of a problem with rows and no matrix.
    #[cfg(feature = "cli")]
    pub fn rows_only(rows: usize) -> Self {
        let (elements_at, triangles_at) = (Vec::new(), Vec::new());
        let (models, whole) = (Models::default(), 0..rows);
        Self { rows, chunks: Vec::from([whole]), widths: Vec::new(), elements_at, triangles_at, elements: 0, models }
    }

    /// Loop turns over rows, each with the larger of two counts: its blocks and one word per element, or its triangles. No kernel loops over both.
    fn row_turns(&self, threads: u32) -> Turns {
        let at = |values: &[u32], ix: usize| u64::from(values.get(ix).copied().unwrap_or(0));
        let struts = if self.models.collides { STRUTS_AT_ROW } else { 0 };
        let gathered = |row| at(&self.widths, row / SLICE_ROWS) + at(&self.elements_at, row) + struts;
        Turns::new(threads, self.rows, |row| gathered(row).max(at(&self.triangles_at, row)))
    }

    /// Loop turns over rows, each with its elements.
    fn element_row_turns(&self, threads: u32) -> Turns {
        let elements = |row| u64::from(self.elements_at.get(row).copied().unwrap_or(0));
        Turns::new(threads, self.rows, |row| ELEMENT_TURNS * elements(row))
    }
}

/// Numbers of workgroups on a software driver: large enough that no thread has too many loop turns, small enough for the sums that every thread folds.
struct SoftwareGroups {
    least: u64,
    most: u64,
    /// Smallest number of workgroups for kernels over elements.
    elements: u64,
    /// Loop turns of one thread when a single workgroup takes all rows.
    alone: u64,
}

impl SoftwareGroups {
    fn choose(size: &ProblemSize, threads: u32) -> Result<Self, Error> {
        let refuse = |what: String| {
            move |needs| Error::Limit { limit: "turns of a loop on a software driver", what, needs, gives: turns::MOST }
        };
        // `report/record` folds checks, measures of every chunk and measures of elements: one sum per thread of every workgroup.
        let sums = turns::MOST / u64::from(threads);
        let whole = 0..size.rows;
        let elements = if size.elements == 0 {
            0
        } else {
            let refuse = refuse(format!("{} elements, too many of them at one particle,", size.elements));
            let by_row = size.element_row_turns(threads);
            let by_row = by_row.groups(&size.chunks, 1, sums / 2, turns::MOST).map_err(refuse.clone())?;
            let by_element = Turns::new(threads, size.elements, |_| ELEMENT_TURNS);
            let all = 0..size.elements;
            by_element.groups(&[all], by_row, sums / 2, turns::MOST).map_err(refuse)?
        };
        let chunks = size.chunks.len() as u64;
        let also = if elements > 0 { chunks + 2 } else { chunks + 1 };
        let most = (sums.saturating_sub(elements) / (chunks + 1)).min(sums / also).max(1);
        let rows = size.row_turns(threads);
        let mut ranges = size.chunks.clone();
        ranges.push(whole.clone());
        // `solve/update` folds the partial sums before it loops over its rows, one turn each.
        let widest = size.widths.iter().chain(&size.triangles_at).max().copied().unwrap_or(0);
        let refuse =
            refuse(format!("a matrix of {} particles, up to {widest} neighbours or triangles at one,", size.rows));
        let mut least = rows.groups(&ranges, 1, most, turns::MOST).map_err(refuse.clone())?;
        let plain = Turns::new(threads, size.rows, |_| 0);
        let folding = |groups: u64| groups * chunks * u64::from(threads) + plain.most(&whole, groups);
        while folding(least) > turns::MOST && least < most {
            least = (least + least.div_ceil(4)).min(most);
        }
        let mut most = most;
        while folding(most) > turns::MOST && most > least {
            most -= most.div_ceil(8);
        }
        let most = most.max(least);
        if folding(most) > turns::MOST {
            return Err(refuse(folding(most)));
        }
        Ok(Self { least, most, elements, alone: rows.most(&whole, 1) + plain.most(&whole, 1) })
    }
}

/// The mapping of rows to threads and workgroups on this device, by a fixed rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LaunchPlan {
    /// Number of workgroups of every row kernel; threads loop over the remaining rows.
    pub workgroups: u32,
    /// Number of threads of a workgroup.
    pub threads: u32,
    /// Number of partial sums that row kernels write.
    pub partials: u32,
    /// Number of workgroups of kernels over elements, which take longer per row.
    pub element_workgroups: u32,
    /// Number of partial sums of the kernel that measures elements; 0 without elements.
    pub element_partials: u32,
    /// Number of workgroups of kernels over struts between bodies that write partial sums, and number of these sums; 0 where bodies do not meet.
    pub strut_workgroups: u32,
    pub strut_partials: u32,
    /// Number of dispatches over the matrix, one per chunk.
    pub chunks: usize,
    pub models: Models,
    /// Number of iterations in one dispatch, if one workgroup runs the whole solve.
    pub single: Option<u32>,
}

impl LaunchPlan {
    /// The launch plan for assembly of forces without a matrix.
    pub fn forces_only(mut self) -> Self {
        self.models.forces_only = true;
        self
    }

    /// The launch plan for forces outside Newton's loop.
    pub fn standalone(mut self) -> Self {
        self.models.standalone = true;
        self.forces_only()
    }

    /// The launch plan of steps with struts, for a scene where bodies do not meet.
    pub fn with_struts(mut self, device: shader::Launch, rows: usize) -> Self {
        let software = device == shader::Launch::Software;
        self.models.collides = true;
        self.single = None;
        self.strut_workgroups = strut_workgroups(self.workgroups, software, rows);
        self.strut_partials = self.strut_workgroups * if software { self.threads } else { 1 };
        self
    }

    pub fn choose(launch: shader::Launch, size: &ProblemSize, options: &Options) -> Result<Self, Error> {
        let (row_count, chunks) = (size.rows, size.chunks.len());
        let module = shader::parse("solve/single", launch).map_err(Error::Gpu)?;
        let constant = |name| shader::constant(&module, name).ok_or_else(|| Error::Gpu(format!("no constant {name}")));
        let workgroup_size = constant("WORKGROUP_SIZE")?;
        let single_capacity = constant("SINGLE_CAPACITY")? as usize;
        let software = launch == shader::Launch::Software;
        let fits = row_count <= single_capacity;
        if options.solver.variant == Variant::Single && !fits {
            let message = format!("one workgroup solves at most {single_capacity} particles, not {row_count}");
            return Err(Error::scene("solver.variant", message));
        }
        let groups = if software { Some(SoftwareGroups::choose(size, workgroup_size)?) } else { None };
        let (least, most) = groups.as_ref().map_or((1, MOST_WORKGROUPS), |groups| (groups.least, groups.most));
        let wanted = match options.solver.variant {
            Variant::Many { workgroups } => workgroups,
            _ if software => SOFTWARE_WORKGROUPS,
            _ => HARDWARE_WORKGROUPS,
        };
        let useful = row_count.div_ceil(workgroup_size as usize).max(1) as u64;
        let workgroups = u64::from(wanted).min(useful).clamp(least, most) as u32;

        let imex = options.integrator.is_imex();
        let single = fits
            && chunks == 1
            && !imex
            && !size.models.corrected
            && !size.models.collides
            && !matches!(options.solver.variant, Variant::Many { .. });
        // Every iteration has up to 32 loop turns besides those over the rows.
        let at_once = groups.as_ref().map_or(u64::MAX, |groups| turns::MOST / (groups.alone + 32));
        // A system with too many loop turns in one iteration goes to several workgroups.
        let single = single && at_once > 0;
        let at_once = at_once.clamp(1, options.solver.max_iterations.into()) as u32;
        let element_workgroups = u64::from(workgroups).max(groups.map_or(1, |groups| groups.elements));
        let element_workgroups = element_workgroups as u32;
        // The shaders define PARTIALS_PER_WORKGROUP the same way; it is not a literal, and naga evaluates literals alone.
        let partials_each = if software { workgroup_size } else { 1 };
        let strut_workgroups = if size.models.collides { strut_workgroups(workgroups, software, row_count) } else { 0 };
        Ok(Self {
            workgroups,
            threads: workgroup_size,
            partials: workgroups * partials_each,
            element_workgroups,
            element_partials: if size.elements == 0 { 0 } else { element_workgroups * partials_each },
            strut_workgroups,
            strut_partials: strut_workgroups * partials_each,
            chunks,
            models: Models {
                scalar_matrix: imex,
                method: options.integrator.method(),
                stiffness_damping: options.rayleigh.stiffness != 0.0,
                clamped: options.clamp,
                ..size.models
            },
            single: single.then_some(at_once),
        })
    }
}

/// Number of workgroups of kernels over struts.
fn strut_workgroups(workgroups: u32, software: bool, rows: usize) -> u32 {
    if software { workgroups.max(rows.div_ceil(STRUT_ROWS) as u32) } else { workgroups }
}

/// Binds a kernel over rows.
fn row_kernel(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, name: &'static str) -> Result<Dispatch, Error> {
    gpu.kernel_with(name, &launch.models.constants())?.bind(gpu, buffers, launch.workgroups)
}

/// Binds the kernels of edges and elements, one dispatch per chunk of the matrix. Without a matrix the forces of elements come first, in one dispatch.
fn inner_forces(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan) -> Result<Vec<Dispatch>, Error> {
    let has_elements = launch.element_partials > 0;
    let element_kernel = |name, chunk| {
        let kernel = gpu.kernel_with(name, &launch.models.constants())?;
        kernel.bind_chunk(gpu, buffers, chunk, launch.element_workgroups)
    };
    if launch.models.forces_only {
        let elements = has_elements.then(|| element_kernel("assembly/element_forces", None)).transpose()?;
        return Ok(elements.into_iter().chain(matrix_kernel(gpu, buffers, launch, "assembly/forces")?).collect());
    }
    let mut dispatches = matrix_kernel(gpu, buffers, launch, "assembly/edges")?;
    for chunk in (0..launch.chunks).filter(|_| has_elements) {
        dispatches.push(element_kernel("assembly/elements", Some(chunk))?);
    }
    Ok(dispatches)
}

/// Binds a kernel over the matrix, one dispatch per chunk.
fn matrix_kernel(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, name: &'static str) -> Result<Vec<Dispatch>, Error> {
    let kernel = gpu.kernel_with(name, &launch.models.constants())?;
    (0..launch.chunks).map(|chunk| kernel.bind_chunk(gpu, buffers, Some(chunk), launch.workgroups)).collect()
}
