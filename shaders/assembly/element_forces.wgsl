// Forces of all elements without a matrix, one element per thread: the force on each of its particles, N, which `assembly/forces`
// sums. Each element is loaded once instead of once per particle.
// Reads elements, positions, velocities, normals. Writes element_forces.
#import shared/params
#import launch
#import forces/material
#import shared/forces_only

@group(0) @binding(1) var<uniform> element_materials: array<ElementMaterial, MAX_ELEMENT_MATERIALS>;
@group(0) @binding(2) var<storage, read> elements: array<Element>;
@group(0) @binding(3) var<storage, read> positions: array<vec3<f32>>;
@group(0) @binding(4) var<storage, read> velocities: array<vec4<f32>>;
// Surface normals; of length one if no element needs them.
@group(0) @binding(5) var<storage, read> normals: array<vec4<f32>>;
// Forces, four per element, N.
@group(0) @binding(6) var<storage, read_write> element_forces: array<vec3<f32>>;

fn force_on(material: ElementMaterial, element: Element, state: ElementState, own: u32) -> vec3<f32> {
    return element_row(material, element, state, own, RowWeights(0.0, 0.0, params.stiffness_damping)).force;
}

// Models of areas and volumes: one tension for all particles of an element, computed from few loads.
const CONSTRAINT_MODELS: u32 = (1u << MODEL_AREA) | (1u << MODEL_VOLUME);

fn velocities_of(rows: vec4<u32>) -> array<vec3<f32>, 4> {
    var v: array<vec3<f32>, 4>;
    if !UNDAMPED {
        v = array(velocities[rows.x].xyz, velocities[rows.y].xyz, velocities[rows.z].xyz, velocities[rows.w].xyz);
    }
    return v;
}

fn positions_of(rows: vec4<u32>) -> array<vec3<f32>, 4> {
    return array(positions[rows.x], positions[rows.y], positions[rows.z], positions[rows.w]);
}

fn constrained(ix: u32, model: u32, material_ix: u32) {
    let rows = elements[ix].rows;
    let rest = elements[ix].rest_a;
    let x = positions_of(rows);
    var constraint: ScalarConstraint;
    if has_model(MODEL_AREA) && model == MODEL_AREA {
        constraint = area_constraint(rest, x);
    } else {
        constraint = volume_constraint(rest, x);
    }
    let parameters = element_materials[material_ix].parameters_a;
    let forces = constraint_forces(parameters.x, parameters.y, constraint, velocities_of(rows));
    element_forces[4u * ix] = forces[0];
    element_forces[4u * ix + 1u] = forces[1];
    element_forces[4u * ix + 2u] = forces[2];
    if model == MODEL_VOLUME {
        element_forces[4u * ix + 3u] = forces[3];
    }
}

fn others(ix: u32) {
    let element = elements[ix];
    let material = material_of(element);
    let rows = element.rows;
    var state: ElementState;
    // Unused entries repeat the last.
    state.x = positions_of(rows);
    state.v = velocities_of(rows);
    if material.needs_normals != 0u {
        state.normals = array(normals[rows.x].xyz, normals[rows.y].xyz, normals[rows.z].xyz, normals[rows.w].xyz);
    }
    // Four calls with constant indices: compilers compute their common part once and index nothing at run time.
    element_forces[4u * ix] = force_on(material, element, state, 0u);
    element_forces[4u * ix + 1u] = force_on(material, element, state, 1u);
    if material.particle_count > 2u {
        element_forces[4u * ix + 2u] = force_on(material, element, state, 2u);
    }
    if material.particle_count > 3u {
        element_forces[4u * ix + 3u] = force_on(material, element, state, 3u);
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let range = rows_among(params.element_workgroups, group.x, local_ix, 0u, params.element_count);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let material_ix = material_ix_of(elements[ix].material);
        let model = model_of(material_ix);
        if WITHOUT_BLOCKS && ((CONSTRAINT_MODELS >> model) & 1u) != 0u {
            constrained(ix, model, material_ix);
        } else if !WITHOUT_BLOCKS || (ELEMENT_MODELS & ~CONSTRAINT_MODELS) != 0u {
            others(ix);
        }
    }
}
