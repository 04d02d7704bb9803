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
    let alpha = status.search.alpha;
    let r = element.rows;
    // Velocities are 0, because viscous forces are part of the matrix alone.
    var state: ElementState;
    state.x = array(positions[r.x].xyz, positions[r.y].xyz, positions[r.z].xyz, positions[r.w].xyz);
    if material.needs_normals != 0u {
        state.normals = array(normals[r.x].xyz, normals[r.y].xyz, normals[r.z].xyz, normals[r.w].xyz);
    }
    let feasible = array(
        search[r.x].start_position.xyz,
        search[r.y].start_position.xyz,
        search[r.z].start_position.xyz,
        search[r.w].start_position.xyz,
    );
    let solved = array(
        search[r.x].end_position.xyz,
        search[r.y].end_position.xyz,
        search[r.z].end_position.xyz,
        search[r.w].end_position.xyz,
    );
    let here = array(
        feasible[0] + alpha * (solved[0] - feasible[0]),
        feasible[1] + alpha * (solved[1] - feasible[1]),
        feasible[2] + alpha * (solved[2] - feasible[2]),
        feasible[3] + alpha * (solved[3] - feasible[3]),
    );
    if !has_energy(material.model) {
        return vec4(0.0, 0.0, -work_to(material, element, state, here), 0.0);
    }
    var models = vec3(0.0);
    for (var own = 0u; own < material.particle_count; own += 1u) {
        let answer = element_row(material, element, state, own, RowWeights(1.0, 0.0, 0.0));
        models += vec3(
            row_model(answer, state.x, feasible, own, material.particle_count),
            row_model(answer, state.x, here, own, material.particle_count),
            row_model(answer, state.x, solved, own, material.particle_count),
        );
    }
    let energy = element_energy(material, element, state);
    let energies = vec3(
        energy_at(material, element, state, feasible),
        energy_at(material, element, state, here),
        energy_at(material, element, state, solved),
    );
    let rounding = ENERGY_ROUNDING * (abs(energies) + vec3(abs(energy)));
    let raw = energies - vec3(energy) - models;
    let beyond = raw - clamp(raw, -rounding, rounding);
    return vec4(max(beyond.z, 0.0), beyond.y - beyond.x, energies.y - energy, energy);
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

// Contribution of one particle to the quadratic model of the energy: moved · (½ Σ K_ij (moved_i - moved_j) - f_i)
fn row_model(row: ElementRow, from_x: array<vec3<f32>, 4>, to_x: array<vec3<f32>, 4>, own: u32, count: u32) -> f32 {
    let before = seen_from(own, from_x);
    let after = seen_from(own, to_x);
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
