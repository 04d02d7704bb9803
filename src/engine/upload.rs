//! From a topology to the GPU's buffers: their sizes, and what they hold at the start.

use crate::{
    Error,
    gpu::{BufferPlan, Buffers, Gpu, layout},
    stage::LaunchPlan,
    topology::{self, MAX_MATERIALS, SLICE_ROWS, SlicedPattern, Topology},
};
use glam::{DMat3, DVec3};
use std::ops::Range;

/// Records kept on the GPU: as many steps as a host may encode before it reads any.
pub const RECORD_COUNT: usize = 64;

const VEC4: usize = 16;

/// Every buffer of a simulation. Their names are the shaders' names.
pub fn plan(
    topology: &Topology,
    sliced: &SlicedPattern,
    chunks: &[Range<usize>],
    launch: LaunchPlan,
) -> Vec<BufferPlan> {
    let rows = topology.particle_count();
    let slots = sliced.slot_count();
    let partials = launch.partials as usize;
    let partials_bytes = layout::PARTIALS_HEADER as usize + 8 * partials * chunks.len();
    let mut plan = vec![
        BufferPlan::uniform("params", size_of::<layout::Params>()),
        BufferPlan::uniform("materials", MAX_MATERIALS * size_of::<layout::EdgeMaterial>()),
        BufferPlan::storage("status", 1, size_of::<layout::Status>()).as_uniform(),
        BufferPlan::storage("positions", rows, VEC4),
        BufferPlan::storage("velocities", rows, VEC4),
        BufferPlan::storage("published", rows, VEC4).as_vertices(),
        BufferPlan::storage("previous", rows, size_of::<layout::Previous>()),
        BufferPlan::storage("order", rows, 4),
        BufferPlan::storage("constraint_ix", rows, 4),
        BufferPlan::storage("constraints", topology.constraints.len(), size_of::<layout::Constraint>()),
        BufferPlan::storage("pattern", sliced.slice_offsets.len() + slots, 4),
        BufferPlan::storage("preconditioner", rows, size_of::<layout::SymmetricBlock>()),
        BufferPlan::storage("residual", rows, VEC4),
        BufferPlan::storage("u", rows, VEC4),
        BufferPlan::storage("w", rows, VEC4),
        BufferPlan::storage("solution", rows, VEC4),
        BufferPlan::storage("direction", rows, size_of::<layout::Direction>()),
        BufferPlan::storage("partials", 1, partials_bytes),
        BufferPlan::storage("checks", partials, VEC4),
        BufferPlan::storage("measures", partials * chunks.len(), size_of::<layout::Measure>()),
        BufferPlan::storage("records", RECORD_COUNT, size_of::<layout::Record>()),
    ];
    if !topology.has_memory() {
        plan.push(BufferPlan::storage("history", 1, VEC4));
    }
    for (ix, slices) in chunks.iter().enumerate() {
        let slots = sliced.slots(slices).len();
        if topology.has_memory() {
            plan.push(BufferPlan::storage("history", slots, VEC4).of_chunk(ix));
        }
        plan.push(BufferPlan::uniform("chunk", size_of::<layout::Chunk>()).of_chunk(ix));
        plan.push(BufferPlan::storage("slots", slots, size_of::<layout::EdgeSlot>()).of_chunk(ix));
        plan.push(BufferPlan::storage("values", slots, VEC4).of_chunk(ix));
    }
    plan
}

/// Cuts the matrix so that each part fits into one binding of so many bytes.
pub fn chunks(sliced: &SlicedPattern, largest_binding: u64) -> Vec<Range<usize>> {
    sliced.chunks((largest_binding / VEC4 as u64) as usize)
}

/// Fills what never changes.
pub fn structure(
    topology: &Topology,
    sliced: &SlicedPattern,
    chunks: &[Range<usize>],
    launch: LaunchPlan,
    gpu: &Gpu,
    buffers: &Buffers,
) -> Result<(), Error> {
    buffers.write(gpu, "order", 0, &topology.order)?;

    let mut constraint_ix = vec![layout::UNCONSTRAINED; topology.particle_count()];
    for (ix, constraint) in topology.constraints.iter().enumerate() {
        constraint_ix[constraint.row as usize] = ix as u32;
    }
    buffers.write(gpu, "constraint_ix", 0, &constraint_ix)?;

    let material = |material: &topology::EdgeMaterial| layout::EdgeMaterial {
        law: material.law as u32,
        memory: material.memory as u32,
        damping: material.damping as f32,
        drag: material.drag as f32,
        law_parameters: material.law_parameters.map(|value| value as f32),
        jacobian_parameters: {
            let [x, y] = material.left_out;
            [x, y, 0.0, material.scalar_time].map(|value| value as f32)
        },
        memory_parameters: material.memory_parameters.map(|half| half.map(|value| value as f32)),
    };
    buffers.write(gpu, "materials", 0, &topology.materials.iter().map(material).collect::<Vec<_>>())?;

    let mut pattern = sliced.slice_offsets.clone();
    let mut slots = Vec::with_capacity(sliced.slot_count());
    for (slot, block) in sliced.block.iter().enumerate() {
        let Some(incidence) = block.map(|block| topology.pattern.incidences[block as usize]) else {
            // Empty: names its own row, which the kernels take for nothing.
            pattern.push(sliced.row_of(slot).min(topology.particle_count() - 1) as u32);
            slots.push(layout::EdgeSlot { rest_length: 1.0, ..Default::default() });
            continue;
        };
        let edge = &topology.edges[incidence.edge as usize];
        pattern.push(incidence.neighbour);
        slots.push(layout::EdgeSlot {
            rest_length: edge.rest_length as f32,
            weight: edge.weight as f32,
            material: edge.material,
            scalar: edge.scalar as f32,
        });
    }
    buffers.write(gpu, "pattern", 0, &pattern)?;
    for (ix, slices) in chunks.iter().enumerate() {
        let range = sliced.slots(slices);
        let chunk = layout::Chunk {
            first_row: (slices.start * SLICE_ROWS) as u32,
            end_row: (slices.end * SLICE_ROWS).min(topology.particle_count()) as u32,
            first_slot: range.start as u32,
            first_partial: ix as u32 * launch.partials,
        };
        buffers.write_chunk(gpu, "chunk", ix, &[chunk])?;
        buffers.write_chunk(gpu, "slots", ix, &slots[range])?;
    }
    Ok(())
}

/// Positions by row, and the same in the user's order for the host to draw.
pub fn positions(topology: &Topology, positions: &[DVec3], gpu: &Gpu, buffers: &Buffers) -> Result<(), Error> {
    let by_row: Vec<[f32; 4]> = positions.iter().map(|p| vec4(*p, 0.0)).collect();
    let published: Vec<[f32; 4]> = topology.row_of.iter().map(|&row| vec4(positions[row as usize], 1.0)).collect();
    buffers.write(gpu, "positions", 0, &by_row)?;
    buffers.write(gpu, "published", 0, &published)
}

/// Velocities by row, each with its mass.
pub fn velocities(topology: &Topology, velocities: &[DVec3], gpu: &Gpu, buffers: &Buffers) -> Result<(), Error> {
    let with_mass = |(v, &mass): (&DVec3, &f64)| vec4(*v, mass as f32);
    let data: Vec<[f32; 4]> = velocities.iter().zip(&topology.masses).map(with_mass).collect();
    buffers.write(gpu, "velocities", 0, &data)
}

/// A constraint as the GPU has it.
pub fn constraint(constraint: &topology::Constraint) -> layout::Constraint {
    layout::Constraint { target_position: vec4(constraint.target, 0.0), free: symmetric(&constraint.free) }
}

fn symmetric(a: &DMat3) -> layout::SymmetricBlock {
    layout::SymmetricBlock {
        diagonal: vec4(DVec3::new(a.x_axis.x, a.y_axis.y, a.z_axis.z), 0.0),
        off_diagonal: vec4(DVec3::new(a.z_axis.y, a.z_axis.x, a.y_axis.x), 0.0),
    }
}

fn vec4(v: DVec3, w: f32) -> [f32; 4] {
    [v.x as f32, v.y as f32, v.z as f32, w]
}
