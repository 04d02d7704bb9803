// A correction of u = Q r, one group of tied particles per thread: u = T Q Tᵀ r, where T copies a master's value to
// its group. The solve depends only on sums of residuals over a group, which the master holds:
//   r_m += Σ r,   r = 0,   u = Q_m r_m
// Each row keeps its own u.w: the scalar part of its diagonal block.
// Reads ties, preconditioner, status. Writes residual, u.
#import shared/params
#import solve/corrects
#import launch
#import shared/symmetric
#import shared/ties

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> ties: array<u32>;
@group(0) @binding(3) var<storage, read> preconditioner: array<SymmetricBlock>;
@group(0) @binding(4) var<storage, read_write> residual: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> u: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if !corrects(status) {
        return;
    }
    let range = rows_of(group.x, local_ix, 0u, params.tie_count);
    for (var ix = range.first; ix < range.end; ix += range.stride) {
        let tied = tie_group(ix);
        var sum = residual[tied.master].xyz;
        for (var place = tied.first; place < tied.end; place += 1u) {
            let row = ties[place];
            sum += residual[row].xyz;
            residual[row] = vec4(0.0);
        }
        residual[tied.master] = vec4(sum, 0.0);
        let united = symmetric_times(preconditioner[tied.master], sum);
        u[tied.master] = vec4(united, u[tied.master].w);
        for (var place = tied.first; place < tied.end; place += 1u) {
            let row = ties[place];
            u[row] = vec4(united, u[row].w);
        }
    }
}
