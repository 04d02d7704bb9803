// Elastic energies of all elements along a line search, one element per thread, as partial sums behind those of `search/weigh`, which has the formula. Forces
// without an energy are part of the matrix alone; their work on the way counts as a change of the energy.
// Reads elements, positions, normals, search, status. Writes weights.
#import shared/params
#import shared/status
#import launch
#import forces/material
#import search/search_row

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<uniform> element_materials: array<ElementMaterial, MAX_ELEMENT_MATERIALS>;
@group(0) @binding(3) var<storage, read> elements: array<Element>;
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> normals: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> search: array<SearchRow>;
@group(0) @binding(7) var<storage, read_write> weights: array<vec4<f32>>;

// A difference of energies below this part of them is rounding.
const ENERGY_ROUNDING: f32 = 4e-7;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // This kernel does not write status, so that an early return here never splits a workgroup before its barriers.
    if status.search.action != ACTION_SEARCH {
        return;
    }
    var sums = vec4(0.0);
    let range = rows_among(params.element_workgroups, group.x, local_ix, 0u, params.element_count);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        sums += element_weights(ix);
    }
    let total = reduce(local_ix, sums);
    if local_ix < PARTIALS_PER_WORKGROUP {
        let first = params.partial_count * params.chunk_count;
        weights[first + group.x * PARTIALS_PER_WORKGROUP + local_ix] = total;
    }
}

fn element_weights(ix: u32) -> vec4<f32> {
    let element = elements[ix];
    let material = material_of(element);
    let r = element.rows;
    // Velocities are 0, because viscous forces are part of the matrix alone.
    var state: ElementState;
    state.x = array(positions[r.x].xyz, positions[r.y].xyz, positions[r.z].xyz, positions[r.w].xyz);
    if material.needs_normals != 0u {
        state.normals = array(normals[r.x].xyz, normals[r.y].xyz, normals[r.z].xyz, normals[r.w].xyz);
    }
    if !has_energy(material.model) {
        return vec4(0.0, 0.0, -work_to(material, element, state, positions_at(r, HERE)), 0.0);
    }
    var models = vec3(0.0);
    for (var own = 0u; own < material.particle_count; own += 1u) {
        let row = element_row(material, element, state, own, RowWeights(1.0, 0.0, 0.0));
        // Positions are loaded again for each particle: registers would hold 36 words of them through the row.
        let rows = rows_seen_from(own, r);
        let before = seen_from(own, state.x);
        models += vec3(
            row_model(row, before, positions_at(rows, FEASIBLE), material.particle_count),
            row_model(row, before, positions_at(rows, HERE), material.particle_count),
            row_model(row, before, positions_at(rows, SOLVED), material.particle_count),
        );
    }
    let energy = element_energy(material, element, state);
    let energies = vec3(
        energy_at(material, element, state, positions_at(r, FEASIBLE)),
        energy_at(material, element, state, positions_at(r, HERE)),
        energy_at(material, element, state, positions_at(r, SOLVED)),
    );
    let rounding = ENERGY_ROUNDING * (abs(energies) + vec3(abs(energy)));
    let raw = energies - vec3(energy) - models;
    let beyond = raw - clamp(raw, -rounding, rounding);
    return vec4(max(beyond.z, 0.0), beyond.y - beyond.x, energies.y - energy, energy);
}

// Points of the line: x_f, x_f + α (x₁ - x_f), x₁.
const FEASIBLE: u32 = 0u;
const HERE: u32 = 1u;
const SOLVED: u32 = 2u;

fn position_at(row: u32, point: u32) -> vec3<f32> {
    let feasible = search[row].start_position.xyz;
    let solved = search[row].end_position.xyz;
    let here = feasible + status.search.alpha * (solved - feasible);
    return select(select(feasible, solved, point == SOLVED), here, point == HERE);
}

fn positions_at(rows: vec4<u32>, point: u32) -> array<vec3<f32>, 4> {
    return array(position_at(rows.x, point), position_at(rows.y, point), position_at(rows.z, point), position_at(rows.w, point));
}

// Work of forces without an energy on the way to other positions, by their mean.
fn work_to(material: ElementMaterial, element: Element, before: ElementState, to_x: array<vec3<f32>, 4>) -> f32 {
    var after = before;
    after.x = to_x;
    let weights = RowWeights(0.0, 0.0, 0.0);
    var work = 0.0;
    for (var own = 0u; own < material.particle_count; own += 1u) {
        let force = element_row(material, element, before, own, weights).force + element_row(material, element, after, own, weights).force;
        work += 0.5 * dot(force, seen_from(own, after.x)[0] - seen_from(own, before.x)[0]);
    }
    return work;
}

fn energy_at(material: ElementMaterial, element: Element, state: ElementState, x: array<vec3<f32>, 4>) -> f32 {
    var moved = state;
    moved.x = x;
    return element_energy(material, element, moved);
}

// Contribution of one particle to the quadratic model of the energy, with positions as it sees them: moved · (½ Σ K_ij (moved_i - moved_j) - f_i)
fn row_model(row: ElementRow, before: array<vec3<f32>, 4>, after: array<vec3<f32>, 4>, count: u32) -> f32 {
    let moved = after[0] - before[0];
    var stiff = row.blocks[0] * (moved - (after[1] - before[1]));
    if count > 2u {
        stiff += row.blocks[1] * (moved - (after[2] - before[2]));
    }
    if count > 3u {
        stiff += row.blocks[2] * (moved - (after[3] - before[3]));
    }
    return dot(moved, 0.5 * stiff - row.force);
}
