// Energy and largest principal strain of all elements after a step, one element per thread, as partial sums behind those of `report/measure`.
// Reads elements, positions, normals. Writes measures.
#import shared/params
#import launch
#import forces/material
#import report/record_layout

@group(0) @binding(1) var<uniform> element_materials: array<ElementMaterial, MAX_ELEMENT_MATERIALS>;
@group(0) @binding(2) var<storage, read> elements: array<Element>;
@group(0) @binding(3) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> normals: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> measures: array<Measure>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    var energy = 0.0;
    var strain = 0.0;
    let range = rows_among(params.element_workgroups, group.x, local_ix, 0u, params.element_count);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let element = elements[ix];
        let material = material_of(element);
        let r = element.rows;
        var state: ElementState;
        state.x = array(positions[r.x].xyz, positions[r.y].xyz, positions[r.z].xyz, positions[r.w].xyz);
        if material.needs_normals != 0u {
            state.normals = array(normals[r.x].xyz, normals[r.y].xyz, normals[r.z].xyz, normals[r.w].xyz);
        }
        energy += element_energy(material, element, state);
        strain = max(strain, abs(element_strain(material, element, state.x)));
    }
    let total = reduce(local_ix, vec4(0.0, 0.0, energy, 0.0));
    let largest = reduce_max(local_ix, strain);
    if local_ix < PARTIALS_PER_WORKGROUP {
        let first = params.partial_count * params.chunk_count;
        measures[first + group.x * PARTIALS_PER_WORKGROUP + local_ix] = Measure(total, vec4(largest, 0.0, 0.0, 0.0));
    }
}
