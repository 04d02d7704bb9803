// A correction of u = Q r after `solve/rigid`, one group of tied particles per thread: copies the master's u, which a rigid body may have changed, to its group.
// Each row keeps its own u.w: the scalar part of its diagonal block.
// Reads ties, status. Writes u.
#import shared/params
#import solve/corrects
#import launch
#import shared/ties

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> ties: array<u32>;
@group(0) @binding(3) var<storage, read_write> u: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if !corrects(status) {
        return;
    }
    let range = rows_of(group.x, local_ix, 0u, params.tie_count);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let tied = tie_group(ix);
        for (var place = tied.first; place < tied.end; place += 1u) {
            let row = ties[place];
            u[row] = vec4(u[tied.master].xyz, u[row].w);
        }
    }
}
