// Adds up what `assembly/element_forces` left, one row per thread: r += γh Σ f.
// Reads incidences, element_forces, status. Writes residual.
#import shared/params
#import shared/status
#import launch
#import shared/incidence
#import shared/forces_only

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> incidences: array<u32>;
@group(0) @binding(3) var<storage, read> element_forces: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> residual: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if status.cg.newton_done != 0u && !STANDALONE {
        return;
    }
    let rows = rows_among(params.element_workgroups, group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        var force = vec3(0.0);
        let end = incidences[row + 1u];
        for (var ix = incidences[row]; ix < end; ix += 1u) {
            let word = incidences[params.particle_count + 1u + 4u * ix];
            force += element_forces[4u * (word & ELEMENT_MASK) + (word >> OWN_SHIFT)].xyz;
        }
        residual[row] += vec4(status.scheme.stage_step * force, 0.0);
    }
}
