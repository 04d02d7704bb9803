// First half of the coarse level, a correction of u = Q r, one workgroup per aggregate:
//   c = Zᵀ P r,   and the partial sum of r·Q r, which tolerances test
// One more workgroup sums r·Q r of the rows without an aggregate.
// Reads status, constraint_ix, constraints, residual, u, coarse_rows, coarse_lists. Writes coarse_right, partials.
#import shared/params
#import solve/corrects
#import solve/partials
#import launch
#import shared/reduction
#import shared/symmetric
#import shared/constraint
#import coarse/aggregates

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(3) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(4) var<storage, read> residual: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> coarse_rows: array<CoarseRow>;
@group(0) @binding(6) var<storage, read> coarse_lists: array<u32>;
@group(0) @binding(7) var<storage, read> u: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> coarse_right: array<f32>;
@group(0) @binding(9) var<storage, read_write> partials: Partials;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // This kernel does not write status, so that an early return here never splits a workgroup before its barriers.
    if !corrects(status) {
        return;
    }
    var sums_0 = vec3(0.0);
    var gamma = 0.0;
    var sums_1 = vec3(0.0);
    var sums_2 = vec3(0.0);
    var sums_3 = vec3(0.0);
    let end = coarse_lists[group.x + 1u];
    for (var place = coarse_lists[group.x] + local_ix; place < end; place += WORKGROUP_SIZE) {
        let row = coarse_lists[place];
        var r = residual[row].xyz;
        gamma += dot(r, u[row].xyz);
        if constraint_ix[row] != UNCONSTRAINED {
            r = symmetric_times(constraints[constraint_ix[row]].free, r);
        }
        let own = coarse_rows[row].local;
        sums_0 += r;
        sums_1 += own.x * r;
        sums_2 += own.y * r;
        sums_3 += own.z * r;
    }
    let total = workgroup_sum(local_ix, vec4(sums_0, gamma));
    if local_ix == 0u {
        let first = params.partial_count * (params.chunk_count + 1u) + params.rigid_count;
        partials.sums[first + group.x] = vec2(total.w, 0.0);
    }
    if group.x == params.coarse_count {
        return;
    }
    store(local_ix, group.x, 0u, total.xyz);
    store(local_ix, group.x, 1u, workgroup_sum(local_ix, vec4(sums_1, 0.0)).xyz);
    store(local_ix, group.x, 2u, workgroup_sum(local_ix, vec4(sums_2, 0.0)).xyz);
    if COARSE_FUNCTIONS == 4u {
        store(local_ix, group.x, 3u, workgroup_sum(local_ix, vec4(sums_3, 0.0)).xyz);
    }
}

fn store(local_ix: u32, aggregate: u32, function: u32, total: vec3<f32>) {
    let first = 3u * (aggregate * COARSE_FUNCTIONS + function);
    if local_ix == 0u {
        coarse_right[first] = total.x;
        coarse_right[first + 1u] = total.y;
        coarse_right[first + 2u] = total.z;
    }
}
