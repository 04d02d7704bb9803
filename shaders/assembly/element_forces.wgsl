// Forces of all elements without a matrix, one element per thread: on each of its particles, N, for `assembly/gather_forces` to add up.
// Where nothing but forces is wanted this loads each element once, not once per particle.
// Reads elements, positions, velocities, normals. Writes element_forces.
#import shared/params
#import launch
#import forces/element
#import shared/forces_only

@group(0) @binding(1) var<uniform> element_materials: array<ElementMaterial, MAX_ELEMENT_MATERIALS>;
@group(0) @binding(2) var<storage, read> elements: array<Element>;
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> velocities: array<vec4<f32>>;
// Of one element where nothing needs them.
@group(0) @binding(5) var<storage, read> normals: array<vec4<f32>>;
// Four of each element.
@group(0) @binding(6) var<storage, read_write> element_forces: array<vec4<f32>>;

fn force_on(material: ElementMaterial, element: Element, state: ElementState, own: u32) -> vec4<f32> {
    var row = element_row(material, element, state, own);
    var force = row.force;
    if !WITHOUT_BLOCKS {
        var v = state.v;
        let mine = v[own];
        for (var j = 0u; j < material.particle_count; j += 1u) {
            if j != own {
                force -= params.stiffness_damping * (row.stiffness[j] * (mine - v[j]));
            }
        }
    }
    return vec4(force, 0.0);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let range = rows_among(params.element_workgroups, group.x, local_ix, 0u, params.element_count);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let element = elements[ix];
        let material = element_materials[min(element.material, MAX_ELEMENT_MATERIALS - 1u)];
        var state: ElementState;
        // Written out, as nothing of four that a loop goes through; the rest repeat the last.
        let rows = element.rows;
        state.x = array(positions[rows.x].xyz, positions[rows.y].xyz, positions[rows.z].xyz, positions[rows.w].xyz);
        if !UNDAMPED {
            state.v = array(velocities[rows.x].xyz, velocities[rows.y].xyz, velocities[rows.z].xyz, velocities[rows.w].xyz);
        }
        if material.needs_normals != 0u {
            state.normals = array(normals[rows.x].xyz, normals[rows.y].xyz, normals[rows.z].xyz, normals[rows.w].xyz);
        }
        // One by one: what the four have in common is then computed once, and nothing is indexed at run time.
        element_forces[4u * ix] = force_on(material, element, state, 0u);
        element_forces[4u * ix + 1u] = force_on(material, element, state, 1u);
        if material.particle_count > 2u {
            element_forces[4u * ix + 2u] = force_on(material, element, state, 2u);
        }
        if material.particle_count > 3u {
            element_forces[4u * ix + 3u] = force_on(material, element, state, 3u);
        }
    }
}
