//! Buffers of the GPU from a topology: their sizes, and their contents at the start.

use crate::{
    Error, Integrator, Options,
    gpu::{BufferPlan, Buffers, Gpu, layout},
    integrator::{Kind, RungeKuttaStage, Scheme},
    stage::LaunchPlan,
    topology::{
        self, Aggregates, MAX_ELEMENT_MATERIALS, MAX_MATERIALS, MOST_RIGID_CONTACTS, MatrixLayout, SLICE_ROWS,
        SlicedPattern, Topology,
        aggregates::{self, PANEL_ROWS},
    },
};
use glam::{DMat3, DVec3};

/// Number of records kept on the GPU: the number of steps that a host may encode before it reads any.
pub const RECORD_COUNT: usize = 64;

const VEC4: usize = 16;

/// Plans every buffer of a simulation, by the names of the shaders.
pub fn plan(
    topology: &Topology,
    matrix: &MatrixLayout,
    launch: LaunchPlan,
    options: &Options,
    touches: bool,
    rigids: usize,
) -> Vec<BufferPlan> {
    let integrator = options.integrator;
    let rows = topology.particle_count();
    let pattern_words = 2 * matrix.compact.slice_offsets.len() + matrix.slot_count();
    let incidence_words = rows + 1 + 4 * topology.element_pattern.incidences.len();
    let fan_words = topology.fans.as_ref().map_or(1, |fans| fans.offsets.len() + 2 * fans.corners.len());
    let partials = launch.partials as usize;
    let measures = partials * matrix.chunks.len() + (launch.element_partials + launch.strut_partials) as usize;
    let coarse_sums = topology.aggregates.as_ref().map_or(0, |known| known.count + 1);
    let partials_bytes =
        layout::PARTIALS_HEADER as usize + 8 * (partials * (matrix.chunks.len() + 1) + rigids + coarse_sums);
    let warm = options.warm_start(launch.models.corrected);
    // Every particle may have a contact, including particles of released pins.
    let constraints = topology.constraints.len() + if touches { rows } else { 0 };
    // The second half of `previous` holds the memory of explicit methods and the velocity change of warm starts; `integrate/tie_states` copies it for every method.
    let previous = if integrator.is_explicit() || warm || !topology.ties.is_empty() { 2 * rows } else { rows };
    // Explicit methods have no linear system.
    let solved_rows = if integrator.is_explicit() { 0 } else { rows };
    let mut plan = vec![
        BufferPlan::uniform("params", size_of::<layout::Params>()),
        BufferPlan::uniform("materials", MAX_MATERIALS * size_of::<layout::EdgeMaterial>()),
        BufferPlan::uniform("element_materials", MAX_ELEMENT_MATERIALS * size_of::<layout::ElementMaterial>()),
        BufferPlan::storage("elements", topology.elements.len(), size_of::<layout::Element>()),
        BufferPlan::storage("incidences", incidence_words, 4),
        BufferPlan::storage(
            "element_forces",
            if integrator.gathers_forces() { 4 * topology.elements.len() } else { 0 },
            VEC4,
        ),
        BufferPlan::storage("fans", 1, 4 * fan_words),
        BufferPlan::storage("normals", if topology.fans.is_some() { rows } else { 0 }, VEC4),
        BufferPlan::storage("loads", topology.load_capacity(), size_of::<layout::Load>()),
        BufferPlan::storage("status", 1, size_of::<layout::Status>()).as_uniform(),
        BufferPlan::storage("positions", rows, VEC4),
        BufferPlan::storage("velocities", rows, VEC4),
        BufferPlan::storage("published", rows, VEC4).as_vertices(),
        BufferPlan::storage("previous", previous, size_of::<layout::Previous>()),
        BufferPlan::storage("anchor", rows, size_of::<layout::Previous>()),
        BufferPlan::storage("order", rows, 4),
        BufferPlan::storage("constraint_ix", 2 * rows, 4),
        BufferPlan::storage("constraints", constraints, size_of::<layout::Constraint>()),
        BufferPlan::storage("contacts", if touches { constraints } else { 0 }, size_of::<layout::Contact>()),
        BufferPlan::storage("impulses", if touches { constraints } else { 0 }, VEC4),
        BufferPlan::storage("rigids", rigids, size_of::<layout::Rigid>()),
        BufferPlan::storage("rigid_contacts", rigids * MOST_RIGID_CONTACTS, size_of::<layout::RigidContact>()),
        BufferPlan::storage("pattern", pattern_words, 4),
        BufferPlan::storage("diagonal", solved_rows, size_of::<layout::SymmetricBlock>()),
        BufferPlan::storage("preconditioner", solved_rows, size_of::<layout::SymmetricBlock>()),
        BufferPlan::storage("residual", rows, VEC4),
        BufferPlan::storage("u", rows, VEC4),
        // The product w = A u follows the solution x: `shaders/solve/product.wgsl`.
        BufferPlan::storage("solution", 2 * rows, VEC4),
        BufferPlan::storage("direction", solved_rows, size_of::<layout::Direction>()),
        BufferPlan::storage("partials", 1, partials_bytes),
        BufferPlan::storage("checks", partials, VEC4),
        BufferPlan::storage("measures", measures, size_of::<layout::Measure>()),
        BufferPlan::storage("records", RECORD_COUNT, size_of::<layout::Record>()),
        BufferPlan::storage("row_sums", if options.audited().is_some() { partials } else { 0 }, VEC4),
        BufferPlan::storage("weights", if options.audited().is_some() { measures } else { 0 }, VEC4),
    ];
    if options.audited().is_some() {
        plan.push(BufferPlan::storage("search", rows, size_of::<layout::SearchRow>()));
    }
    if options.audited().is_some() || launch.models.collides {
        plan.push(BufferPlan::storage("changes", partials + launch.strut_partials as usize, VEC4));
    }
    if !topology.ties.is_empty() {
        plan.push(BufferPlan::storage("ties", tie_words(topology), 4));
    }
    if let Some(aggregates) = &topology.aggregates {
        plan.extend(coarse_plan(aggregates));
    }
    for stage in 0..stages_of(options.integrator).len() {
        plan.push(BufferPlan::uniform("stage", size_of::<layout::RungeKuttaStage>()).of_chunk(stage));
    }
    if !integrator.is_imex() {
        // No kernel binds this buffer, but checkpoints of all schemes contain it.
        plan.push(BufferPlan::storage("scalar_values", 1, 4));
    }
    if !topology.has_memory() {
        plan.push(BufferPlan::storage("history", 1, VEC4));
    }
    for (ix, slices) in matrix.chunks.iter().enumerate() {
        let slots = matrix.compact.slots(slices).len();
        if topology.has_memory() {
            plan.push(BufferPlan::storage("history", slots, VEC4).of_chunk(ix));
        }
        plan.push(BufferPlan::uniform("chunk", size_of::<layout::Chunk>()).of_chunk(ix));
        plan.push(BufferPlan::storage("slots", slots, size_of::<layout::EdgeSlot>()).of_chunk(ix));
        if integrator.is_imex() {
            plan.push(BufferPlan::storage("couplings", slots, 8).of_chunk(ix));
            plan.push(BufferPlan::storage("scalar_values", slots, 4).of_chunk(ix));
        }
        let values = if integrator.is_imex() || integrator.is_explicit() { 0 } else { matrix.values(slices) };
        plan.push(BufferPlan::storage("values", values, VEC4).of_chunk(ix));
    }
    plan
}

/// Adds the buffers that save the state before a step that may be rejected.
pub fn plan_saved(plan: &mut Vec<BufferPlan>, options: &Options, touches: bool) {
    if options.adaptive.is_some() || (options.safe().is_some() && touches) {
        for (name, copy) in SAVED {
            let copies: Vec<_> = plan.iter().filter(|buffer| buffer.name == name).cloned().collect();
            plan.extend(copies.into_iter().map(|buffer| BufferPlan { name: copy, ..buffer }));
        }
    }
}

/// Plans the buffers of the coarse level.
fn coarse_plan(aggregates: &Aggregates) -> Vec<BufferPlan> {
    let padded = aggregates.padded();
    let mut plan = vec![
        BufferPlan::storage("coarse_rows", aggregates.of_row.len(), size_of::<layout::CoarseRow>()),
        BufferPlan::storage("coarse_lists", coarse_lists(aggregates).len(), 4),
        BufferPlan::storage("coarse_matrix", padded * padded, 4),
        BufferPlan::storage("coarse_panel", 2 * PANEL_ROWS * padded, 4),
        BufferPlan::storage("coarse_right", padded, 4),
    ];
    let panels = 0..aggregates.bands().len();
    plan.extend(panels.map(|panel| BufferPlan::uniform("panel", size_of::<layout::Panel>()).of_chunk(panel)));
    plan
}

/// Words of `coarse_lists`: where the rows of each aggregate begin, those without one, and their end; the pairs of aggregates, each with its range of rows; the rows.
fn coarse_lists(aggregates: &Aggregates) -> Vec<u32> {
    let pairs = aggregates.pair_offsets.len() - 1;
    let members = (aggregates.count + 2 + 4 * pairs) as u32;
    let outside = members + aggregates.members.len() as u32;
    let mut words: Vec<u32> = aggregates.offsets.iter().map(|offset| members + offset).collect();
    let rest: Vec<u32> = aggregates.outside().collect();
    let border = outside + rest.len() as u32;
    words.push(border);
    for a in 0..aggregates.count {
        for b in 0..=a {
            let (ix, own) = (aggregates::pair_ix(a, b), &aggregates.offsets[a..]);
            let range = if a == b {
                [members + own[0], members + own[1]]
            } else {
                [border + aggregates.pair_offsets[ix], border + aggregates.pair_offsets[ix + 1]]
            };
            words.extend([a as u32, b as u32]);
            words.extend(range);
        }
    }
    words.extend(&aggregates.members);
    words.extend(rest);
    words.extend(&aggregates.border);
    words
}

/// Writes the aggregates of the coarse level.
pub fn aggregates(aggregates: &Aggregates, gpu: &Gpu, buffers: &Buffers) -> Result<(), Error> {
    let row = |(local, &aggregate): (&DVec3, &u32)| layout::CoarseRow { local: local.as_vec3().to_array(), aggregate };
    let rows: Vec<_> = aggregates.local.iter().zip(&aggregates.of_row).map(row).collect();
    buffers.write(gpu, "coarse_rows", 0, &rows)?;
    buffers.write(gpu, "coarse_lists", 0, &coarse_lists(aggregates))?;
    for (ix, band) in aggregates.bands().into_iter().enumerate() {
        let panel = layout::Panel { first: (ix * PANEL_ROWS / 4) as u32, band: band as u32 / 4, ..Default::default() };
        buffers.write_chunk(gpu, "panel", ix, &[panel])?;
    }
    Ok(())
}

/// Words of the largest set of groups: with all ties closed, or with the closed ties that make the most groups.
fn tie_words(topology: &Topology) -> usize {
    let mut rows: Vec<u32> = topology.ties.iter().flat_map(|pair| pair.rows).collect();
    rows.sort_unstable();
    rows.dedup();
    rows.len() + rows.len() / 2 + 1
}

/// Buffers that a step changes and later steps read, each with the buffer that saves it in case the step is rejected.
pub const SAVED: [(&str, &str); 9] = [
    ("status", "saved_status"),
    ("positions", "saved_positions"),
    ("velocities", "saved_velocities"),
    ("published", "saved_published"),
    // The state before the last step, for estimates over two steps.
    ("previous", "older"),
    ("direction", "saved_direction"),
    ("history", "saved_history"),
    // Matrix of the IMEX schemes: the status tells its step.
    ("scalar_values", "saved_scalar_values"),
    // Rows whose motion was shortened in the last step, in scenes where bodies meet.
    ("fractions", "saved_fractions"),
];

/// Stages of a Runge–Kutta method; empty for other methods.
fn stages_of(integrator: Integrator) -> Vec<RungeKuttaStage> {
    match integrator.kind() {
        Kind::RungeKutta(stages) => stages,
        _ => Vec::new(),
    }
}

/// Writes the coefficients of each stage of a Runge–Kutta method.
pub fn stages(integrator: Integrator, gpu: &Gpu, buffers: &Buffers) -> Result<(), Error> {
    for (ix, stage) in stages_of(integrator).iter().enumerate() {
        let stage = layout::RungeKuttaStage {
            weight: stage.weight as f32,
            next: stage.next as f32,
            first: stage.first.into(),
            last: stage.last.into(),
        };
        buffers.write_chunk(gpu, "stage", ix, &[stage])?;
    }
    Ok(())
}

/// Writes the constant couplings of the IMEX schemes. Empty slots have zeros.
pub fn couplings(topology: &Topology, matrix: &MatrixLayout, gpu: &Gpu, buffers: &Buffers) -> Result<(), Error> {
    let of_edge = topology.constant_couplings();
    let of_block = |block: &Option<u32>| match block {
        Some(place) => {
            let edge = topology.pattern.incidences[*place as usize].edge;
            of_edge[edge as usize].map(|value| value as f32)
        }
        None => [0.0; 2],
    };
    for (ix, slices) in matrix.chunks.iter().enumerate() {
        let couplings: Vec<[f32; 2]> =
            matrix.compact.block[matrix.compact.slots(slices)].iter().map(of_block).collect();
        buffers.write_chunk(gpu, "couplings", ix, &couplings)?;
    }
    Ok(())
}

/// Converts the coefficients of a step to their layout on the GPU.
pub fn scheme(scheme: &Scheme) -> layout::Scheme {
    layout::Scheme {
        stage_step: scheme.stage_step as f32,
        lead: scheme.lead as f32,
        history: scheme.history as f32,
        previous_step: scheme.previous_step as f32,
        stage_time: scheme.stage_time as f32,
        ..Default::default()
    }
}

/// Converts a point load to its layout on the GPU.
pub fn load(load: &topology::PointLoad) -> layout::Load {
    layout::Load {
        force: vec4(load.force, load.stiffness as f32),
        goal: vec4(load.target, load.damping as f32),
        row: load.row,
        ..Default::default()
    }
}

/// Lays out the matrix in chunks that fit a binding of `largest_binding` bytes.
pub fn matrix(topology: &Topology, largest_binding: u64) -> MatrixLayout {
    MatrixLayout::build(topology, (largest_binding / VEC4 as u64) as usize)
}

/// Writes the buffers that never change.
pub fn structure(
    topology: &Topology,
    matrix: &MatrixLayout,
    launch: LaunchPlan,
    gpu: &Gpu,
    buffers: &Buffers,
) -> Result<(), Error> {
    buffers.write(gpu, "order", 0, &topology.order)?;

    // The order of particles follows the constraints of the rows, for a kernel without a free binding.
    buffers.write(gpu, "constraint_ix", topology.particle_count(), &topology.order)?;
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

    let sliced = &matrix.compact;
    let mut pattern = sliced.slice_offsets.clone();
    let mut slots = Vec::with_capacity(sliced.slot_count());
    for (slot, block) in sliced.block.iter().enumerate() {
        let Some(incidence) = block.map(|block| topology.pattern.incidences[block as usize]) else {
            // An empty slot names its own row, which contributes nothing.
            pattern.push(own_row(topology, sliced, slot));
            slots.push(layout::EdgeSlot { rest_length: 1.0, ..Default::default() });
            continue;
        };
        let edge = &topology.edges[incidence.edge as usize];
        pattern.push(incidence.neighbour);
        slots.push(layout::EdgeSlot {
            rest_length: edge.rest_length as f32,
            weight: edge.weight as f32,
            material: edge.material | if edge.structural { layout::STRUCTURAL_EDGE } else { 0 },
            scalar: edge.scalar as f32,
        });
    }
    pattern.extend(&matrix.full.slice_offsets);
    let neighbours = &topology.element_pattern.neighbours;
    pattern.extend(matrix.full.block.iter().enumerate().map(|(slot, block)| {
        block.map_or_else(|| own_row(topology, &matrix.full, slot), |block| neighbours[block as usize])
    }));
    buffers.write(gpu, "pattern", 0, &pattern)?;
    elements(topology, matrix, gpu, buffers)?;
    if let Some(fans) = &topology.fans {
        buffers.write(gpu, "fans", 0, &[fans.offsets.as_slice(), fans.corners.as_flattened()].concat())?;
    }
    for (ix, slices) in matrix.chunks.iter().enumerate() {
        let range = sliced.slots(slices);
        let full = matrix.full.slots(slices);
        let chunk = layout::Chunk {
            first_row: (slices.start * SLICE_ROWS) as u32,
            end_row: (slices.end * SLICE_ROWS).min(topology.particle_count()) as u32,
            first_slot: range.start as u32,
            first_partial: ix as u32 * launch.partials,
            first_full: full.start as u32,
            full_base: range.len() as u32,
            full_count: full.len() as u32,
            padding: 0,
        };
        buffers.write_chunk(gpu, "chunk", ix, &[chunk])?;
        buffers.write_chunk(gpu, "slots", ix, &slots[range])?;
    }
    Ok(())
}

/// The index in an empty slot: its own row, which contributes nothing.
fn own_row(topology: &Topology, sliced: &SlicedPattern, slot: usize) -> u32 {
    sliced.row_of(slot).min(topology.particle_count() - 1) as u32
}

/// Writes elements, their materials, and the elements of each row.
fn elements(topology: &Topology, matrix: &MatrixLayout, gpu: &Gpu, buffers: &Buffers) -> Result<(), Error> {
    let four = |values: &[f64]| std::array::from_fn(|ix| values[ix] as f32);
    let material = |material: &topology::ElementMaterial| layout::ElementMaterial {
        model: material.model as u32,
        particle_count: material.model.particle_count() as u32,
        needs_normals: material.model.needs_normals().into(),
        padding: 0,
        parameters_a: four(&material.parameters[..4]),
        parameters_b: four(&material.parameters[4..]),
    };
    let element = |element: &topology::Element| layout::Element {
        rows: element.particles,
        rest_a: four(&element.rest[..4]),
        rest_b: four(&element.rest[4..8]),
        rest_c: std::array::from_fn(|ix| element.rest[8 + ix] as f32),
        material: element.material,
    };
    buffers.write(gpu, "element_materials", 0, &topology.element_materials.iter().map(material).collect::<Vec<_>>())?;
    buffers.write(gpu, "elements", 0, &topology.elements.iter().map(element).collect::<Vec<_>>())?;

    let pattern = &topology.element_pattern;
    let mut slot_of = vec![layout::NO_SLOT; pattern.neighbours.len()];
    for (slot, block) in matrix.full.block.iter().enumerate() {
        if let Some(block) = block {
            slot_of[*block as usize] = slot as u32;
        }
    }
    let mut words = pattern.incidence_offsets.clone();
    let mut reached = vec![false; pattern.neighbours.len()];
    for incidence in &pattern.incidences {
        // The two bits above the largest index say which of the four particles it is.
        words.push(incidence.element | incidence.own << 30);
        words.extend(incidence.blocks.map(|block| {
            let Some(block) = block else { return layout::NO_SLOT };
            let again = std::mem::replace(&mut reached[block as usize], true);
            slot_of[block as usize] | if again { 0 } else { layout::FIRST_IN_SLOT }
        }));
    }
    buffers.write(gpu, "incidences", 0, &words)
}

/// Writes positions by row, and in the user's order for the host to draw.
pub fn positions(topology: &Topology, positions: &[DVec3], gpu: &Gpu, buffers: &Buffers) -> Result<(), Error> {
    let by_row: Vec<[f32; 4]> = positions.iter().map(|p| vec4(*p, 0.0)).collect();
    let published: Vec<[f32; 4]> = topology.row_of.iter().map(|&row| vec4(positions[row as usize], 1.0)).collect();
    buffers.write(gpu, "positions", 0, &by_row)?;
    buffers.write(gpu, "published", 0, &published)
}

/// Writes velocities by row, each with its mass.
pub fn velocities(topology: &Topology, velocities: &[DVec3], gpu: &Gpu, buffers: &Buffers) -> Result<(), Error> {
    let with_mass = |(v, &mass): (&DVec3, &f64)| vec4(*v, mass as f32);
    let data: Vec<[f32; 4]> = velocities.iter().zip(&topology.masses).map(with_mass).collect();
    buffers.write(gpu, "velocities", 0, &data)
}

/// Writes the state before the first step, so that its velocity has not changed.
pub fn previous(topology: &Topology, gpu: &Gpu, buffers: &Buffers) -> Result<(), Error> {
    let rows = topology.positions.iter().zip(&topology.velocities).zip(&topology.masses);
    let data: Vec<_> = rows
        .map(|((x, v), &mass)| layout::Previous { position: vec4(*x, 0.0), velocity: vec4(*v, mass as f32) })
        .collect();
    buffers.write(gpu, "previous", 0, &data)
}

/// Converts a constraint to its layout on the GPU.
pub fn constraint(constraint: &topology::Constraint) -> layout::Constraint {
    let mut free = symmetric(&constraint.free);
    let [x, y, z] = constraint.forget.as_vec3().to_array();
    (free.diagonal[3], free.off_diagonal[3]) = (y, z);
    layout::Constraint { target_position: vec4(constraint.target, x), free }
}

/// Converts a rigid body to its layout on the GPU; its constraints follow the pins.
pub fn rigid(rigid: &topology::Rigid, pins: usize, first_contact: usize) -> layout::Rigid {
    let six = |v: &topology::Six| v.map(|value| value as f32);
    layout::Rigid {
        own: rigid.own.map(|row| six(&row)),
        residual: six(&rigid.residual),
        guess: six(&rigid.guess),
        first_constraint: (pins + rigid.constraints.start) as u32,
        constraint_count: rigid.constraints.len() as u32,
        first_contact: first_contact as u32,
        contact_count: rigid.contacts.len() as u32,
        ..Default::default()
    }
}

/// Converts a contact of a rigid body with the world to its layout on the GPU.
pub fn rigid_contact(contact: &topology::RigidContact) -> layout::RigidContact {
    layout::RigidContact {
        arm: vec4(contact.arm, contact.coefficient as f32),
        normal: vec4(contact.normal, contact.stiffness as f32),
        wanted: vec4(contact.wanted, 0.0),
        state: contact.state as u32,
        ..Default::default()
    }
}

/// Converts a contact to its layout on the GPU.
pub fn contact(constraint: &topology::Constraint, contact: &topology::Contact) -> layout::Contact {
    let normal = |ix: usize| vec4(contact.normals[ix], contact.coefficients[ix] as f32);
    let bit = |(ix, &holds): (usize, &bool)| u32::from(holds) << ix;
    layout::Contact {
        normals: std::array::from_fn(normal),
        surface_velocity: vec4(contact.surface_velocity, 0.0),
        wanted: vec4(contact.wanted.into(), 0.0),
        led: vec4(contact.led, 0.0),
        friction: vec4(contact.friction, 0.0),
        arm: vec4(contact.arm, 0.0),
        row: constraint.row,
        state: contact.state as u32,
        holding: contact.holding.iter().enumerate().map(bit).sum(),
        body: contact.body.unwrap_or(layout::NO_BODY),
        ..Default::default()
    }
}

fn symmetric(a: &DMat3) -> layout::SymmetricBlock {
    layout::SymmetricBlock {
        diagonal: vec4(DVec3::new(a.x_axis.x, a.y_axis.y, a.z_axis.z), 0.0),
        off_diagonal: vec4(DVec3::new(a.z_axis.y, a.z_axis.x, a.y_axis.x), 0.0),
    }
}

/// A vector with a fourth component.
pub fn vec4(v: DVec3, w: f32) -> [f32; 4] {
    [v.x as f32, v.y as f32, v.z as f32, w]
}
