// Elastic energies of all elements along a line search, one element per thread, as partial sums behind those of `search/weigh`, which has the formula. Forces
// without an energy are part of the matrix alone; their work on the way counts as a change of the energy.
// Reads elements, positions, normals, search, status. Writes weights.
#import shared/params
#import shared/status
#import launch
#import forces/element
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
    let material = element_materials[min(element.material, MAX_ELEMENT_MATERIALS - 1u)];
    let alpha = status.search.alpha;
    // Velocities are 0, because viscous forces are part of the matrix alone.
    var state: ElementState;
    var feasible: array<vec3<f32>, 4>;
    var here: array<vec3<f32>, 4>;
    var solved: array<vec3<f32>, 4>;
    for (var j = 0u; j < 4u; j += 1u) {
        let row = element.rows[j];
        state.x[j] = positions[row].xyz;
        feasible[j] = search[row].start_position.xyz;
        solved[j] = search[row].end_position.xyz;
        here[j] = feasible[j] + alpha * (solved[j] - feasible[j]);
        if material.needs_normals != 0u {
            state.normals[j] = normals[row].xyz;
        }
    }
    if !has_energy(material.model) {
        return vec4(0.0, 0.0, -work_to(material, element, state, here), 0.0);
    }
    var models = vec3(0.0);
    for (var own = 0u; own < material.particle_count; own += 1u) {
        let answer = element_row(material, element, state, own);
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
fn work_to(material: ElementMaterial, element: Element, from_state: ElementState, to_x: array<vec3<f32>, 4>) -> f32 {
    var before = from_state;
    var after = from_state;
    after.x = to_x;
    var work = 0.0;
    for (var own = 0u; own < material.particle_count; own += 1u) {
        let force = element_row(material, element, before, own).force + element_row(material, element, after, own).force;
        work += 0.5 * dot(force, after.x[own] - before.x[own]);
    }
    return work;
}

fn energy_at(material: ElementMaterial, element: Element, state: ElementState, x: array<vec3<f32>, 4>) -> f32 {
    var moved = state;
    moved.x = x;
    return element_energy(material, element, moved);
}

// Contribution of one particle to the quadratic model of the energy: moved · (½ Σ K_ij (moved_i - moved_j) - f_i)
fn row_model(answer: ElementRow, from_x: array<vec3<f32>, 4>, to_x: array<vec3<f32>, 4>, own: u32, count: u32) -> f32 {
    var row = answer;
    var before = from_x;
    var after = to_x;
    let moved = after[own] - before[own];
    var stiff = vec3(0.0);
    for (var j = 0u; j < count; j += 1u) {
        if j != own {
            stiff += row.stiffness[j] * (moved - (after[j] - before[j]));
        }
    }
    return dot(moved, 0.5 * stiff - row.force);
}
