// Before a further linearisation (Newton), one particle per thread: r = -M (v - v̂); `assembly/edges` adds γ h f.
// Reads velocities, anchor, status. Writes residual.
#import shared/params
#import shared/status
#import launch
#import integrate/previous

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> anchor: array<Previous>;
@group(0) @binding(4) var<storage, read_write> residual: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if status.cg.newton_done != 0u {
        return;
    }
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let velocity = velocities[row];
        residual[row] = vec4(velocity.w * (anchor[row].velocity.xyz - velocity.xyz), 0.0);
    }
}
