// Before the solve of a good linearisation goes on, one row per thread: u = Q r again, where the search has left its direction.
// Reads preconditioner, residual, status. Writes u.
#import shared/params
#import shared/status
#import launch
#import shared/symmetric

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> preconditioner: array<SymmetricBlock>;
@group(0) @binding(3) var<storage, read> residual: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> u: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if status.search.action != ACTION_TIGHTEN {
        return;
    }
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let q = preconditioner[row];
        u[row] = vec4(symmetric_times(q, residual[row].xyz), q.diagonal.w);
    }
}
