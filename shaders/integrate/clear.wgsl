// Before forces are gathered for their own sake, one particle per thread: no residual.
// Writes residual.
#import shared/params
#import launch

@group(0) @binding(1) var<storage, read_write> residual: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        residual[row] = vec4(0.0);
    }
}
