//! Memory and traffic of a scene on a GPU, computed before anything is allocated, and without a GPU.

use super::plan::Plan;
use crate::{
    Error, Gpu, Options, Preconditioner, Scene,
    gpu::{BufferPlan, largest_binding, shader::Launch, traffic},
    topology::{Aggregates, Topology},
};
use std::collections::BTreeMap;

/// Memory and traffic of a scene: see [`Footprint::of`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Footprint {
    /// Number of particles.
    pub particles: usize,
    /// Number of edges: springs and couplings.
    pub edges: usize,
    /// Number of elements: all other forces among particles.
    pub elements: usize,
    /// Preconditioner of the solves, which the scene's size decides where the options say `Automatic`; `None` for explicit methods.
    pub preconditioner: Option<Preconditioner>,
    /// Number of unknowns of the coarse level; 0 without one.
    pub coarse_unknowns: usize,
    /// Whether the first solve of a step begins along the velocity change of the last step.
    pub warm_start: bool,
    /// Buffers by name and their bytes, largest first. Buffers of several chunks are added up.
    pub buffers: Vec<(&'static str, u64)>,
    /// Number of chunks of the matrix, each of which fits a binding.
    pub parts: usize,
    /// Bytes read and written by one iteration of the solver; by the forces of a step for explicit methods.
    pub iteration_bytes: u64,
    /// Bytes read and written by forces, matrix and the rest of a step, once per linearisation, besides iterations. An estimate.
    pub assembly_bytes: u64,
    /// Limits of an adapter and the use of each; the one nearest to its limit comes first.
    pub limits: Vec<LimitUse>,
    /// Names of buffers that are cut into chunks of the size of a binding.
    cut: Vec<&'static str>,
}

/// Use of one adapter limit by a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitUse {
    /// The limit, by wgpu's name.
    pub limit: &'static str,
    /// Name of the buffer that needs it.
    pub what: &'static str,
    /// Value that the scene needs.
    pub needs: u64,
    /// Value on every adapter that tenter runs on.
    pub portable: u64,
    /// Value on the adapter that was asked about.
    pub adapter: Option<u64>,
}

impl LimitUse {
    /// Needed share of the limit: that of the adapter, or the portable one.
    pub fn share(&self) -> f64 {
        self.needs as f64 / self.adapter.unwrap_or(self.portable).max(1) as f64
    }
}

/// Bytes that assembly moves per slot of the matrix: the slot, the state of both ends, the block.
const ASSEMBLY_SLOT_BYTES: u64 = 16 + 2 * 16 + 16 + 4;
/// Bytes per particle in all kernels of a step but the iterations of the solver.
const STEP_ROW_BYTES: u64 = 30 * 16;
/// Bytes per particle of an element: state, force, blocks.
const ELEMENT_CORNER_BYTES: u64 = 32 + 16 + 3 * 48;

impl Footprint {
    /// Computes the footprint of a scene on this GPU, or on any GPU with the portable limits.
    ///
    /// ```
    /// use tenter::{Body, Footprint, Material, Mesh, Options, Scene};
    /// # fn main() -> Result<(), tenter::Error> {
    /// let mut scene = Scene::new();
    /// scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 128, 128), Material::cotton()));
    /// let footprint = Footprint::of(&scene, &Options::default(), None)?;
    /// assert!(footprint.bytes() < 32 << 20 && footprint.limits[0].share() < 0.1);
    /// # Ok(()) }
    /// ```
    pub fn of(scene: &Scene, options: &Options, gpu: Option<&Gpu>) -> Result<Self, Error> {
        Self::of_topology(scene, &Topology::build(scene, options)?, options, gpu)
    }

    pub(crate) fn of_topology(
        scene: &Scene,
        topology: &Topology,
        options: &Options,
        gpu: Option<&Gpu>,
    ) -> Result<Self, Error> {
        let portable = wgpu::Limits::default();
        let adapter = gpu.map(Gpu::possible_limits);
        let largest_binding = largest_binding(adapter.as_ref().unwrap_or(&portable));
        let launch = gpu.map_or(Launch::Hardware, Gpu::launch);
        let Plan { matrix, buffers, launch, .. } = Plan::new(topology, scene, options, launch, largest_binding)?;
        let (rows, slots) = (topology.particle_count() as u64, matrix.compact.slot_count() as u64);
        let full = matrix.full.slot_count() as u64;
        let corners = topology.element_pattern.incidences.len() as u64;
        let assembly_bytes = slots * ASSEMBLY_SLOT_BYTES + rows * STEP_ROW_BYTES + corners * ELEMENT_CORNER_BYTES;
        let solved = !options.integrator.is_explicit();
        Ok(Self {
            particles: topology.particle_count(),
            edges: topology.edges.len(),
            elements: topology.elements.len(),
            preconditioner: options.preconditioner(topology.aggregates.is_some()),
            coarse_unknowns: topology.aggregates.as_ref().map_or(0, Aggregates::unknowns),
            warm_start: options.warm_start(launch.models.corrected),
            parts: matrix.chunks.len(),
            iteration_bytes: if solved {
                traffic::iteration_bytes(rows, slots, full, options.integrator.is_imex(), coarse_size(topology))
            } else {
                assembly_bytes
            },
            assembly_bytes,
            limits: limits(&buffers, &portable, adapter.as_ref()),
            cut: buffers.iter().filter(|buffer| buffer.chunk.is_some()).map(|buffer| buffer.name).collect(),
            buffers: by_name(&buffers),
        })
    }

    /// Estimates the footprint of a larger scene from those of two coarser copies; `of_scene` computes a quantity of the scene from those of the copies.
    #[cfg(feature = "cli")]
    pub(crate) fn estimated(
        [first, second]: [&Self; 2],
        gpu: Option<&Gpu>,
        of_scene: impl Fn(u64, u64) -> u64,
    ) -> Self {
        let portable = wgpu::Limits::default();
        let adapter = gpu.map(Gpu::possible_limits);
        let count = |read: fn(&Self) -> usize| of_scene(read(first) as u64, read(second) as u64) as usize;
        let bytes_of = |footprint: &Self, name: &str| {
            footprint.buffers.iter().find(|(known, _)| *known == name).map_or(0, |(_, bytes)| *bytes)
        };
        let mut buffers: Vec<(&'static str, u64)> =
            second.buffers.iter().map(|&(name, bytes)| (name, of_scene(bytes_of(first, name), bytes))).collect();
        buffers.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
        let largest = largest_binding(adapter.as_ref().unwrap_or(&portable));
        let whole: Vec<BufferPlan> = buffers
            .iter()
            .filter(|(name, _)| !second.cut.contains(name))
            .map(|&(name, bytes)| BufferPlan { bytes, ..BufferPlan::storage(name, 1, 1) })
            .collect();
        let parts =
            buffers.iter().filter(|(name, _)| second.cut.contains(name)).map(|(_, bytes)| bytes.div_ceil(largest));
        Self {
            particles: count(|footprint| footprint.particles),
            edges: count(|footprint| footprint.edges),
            elements: count(|footprint| footprint.elements),
            parts: parts.max().unwrap_or(1) as usize,
            iteration_bytes: of_scene(first.iteration_bytes, second.iteration_bytes),
            assembly_bytes: of_scene(first.assembly_bytes, second.assembly_bytes),
            limits: limits(&whole, &portable, adapter.as_ref()),
            buffers,
            // These depend on the size of the scene in other ways.
            preconditioner: None,
            coarse_unknowns: 0,
            ..second.clone()
        }
    }

    /// Size of all buffers together, bytes.
    pub fn bytes(&self) -> u64 {
        self.buffers.iter().map(|(_, bytes)| bytes).sum()
    }

    /// Bytes read and written by a step whose solves take `iterations` iterations in all.
    pub fn step_bytes(&self, iterations: u32) -> u64 {
        self.assembly_bytes + u64::from(iterations) * self.iteration_bytes
    }
}

/// Sizes of the coarse level of a scene that has one.
pub(super) fn coarse_size(topology: &Topology) -> Option<traffic::CoarseSize> {
    let aggregates = topology.aggregates.as_ref()?;
    Some(traffic::CoarseSize { unknowns: aggregates.unknowns() as u64, columns: aggregates.padded() as u64 })
}

fn by_name(plan: &[BufferPlan]) -> Vec<(&'static str, u64)> {
    let mut sums: BTreeMap<&'static str, u64> = BTreeMap::new();
    plan.iter().for_each(|buffer| *sums.entry(buffer.name).or_default() += buffer.bytes);
    let mut buffers: Vec<_> = sums.into_iter().collect();
    buffers.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    buffers
}

fn limits(plan: &[BufferPlan], portable: &wgpu::Limits, adapter: Option<&wgpu::Limits>) -> Vec<LimitUse> {
    type Read = fn(&wgpu::Limits) -> u64;
    // Uniform buffers have the same size for every scene, and fit every adapter.
    let kinds: [(&'static str, wgpu::BufferUsages, Read); 2] = [
        ("max_storage_buffer_binding_size", wgpu::BufferUsages::STORAGE, |limits| {
            limits.max_storage_buffer_binding_size
        }),
        ("max_buffer_size", wgpu::BufferUsages::empty(), |limits| limits.max_buffer_size),
    ];
    let mut limits = Vec::new();
    for (limit, usage, read) in kinds {
        let largest = plan.iter().filter(|buffer| buffer.usage.contains(usage)).max_by_key(|buffer| buffer.bytes);
        if let Some(BufferPlan { name, bytes, .. }) = largest {
            let (portable, adapter) = (read(portable), adapter.map(read));
            limits.push(LimitUse { limit, what: name, needs: *bytes, portable, adapter });
        }
    }
    limits.sort_by(|a, b| b.share().total_cmp(&a.share()));
    limits
}
