// Second half of the coarse level, a correction of u = Q r, one workgroup per aggregate:
//   u += P Z (E⁻¹ - F⁻¹) c
// `coarse_matrix` holds F⁻¹ - E⁻¹, see `coarse/overlap`.
// Reads status, constraint_ix, constraints, coarse_rows, coarse_lists, coarse_right, coarse_matrix. Writes u.
#import shared/params
#import solve/corrects
#import launch
#import shared/reduction
#import shared/symmetric
#import shared/constraint
#import coarse/aggregates

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(3) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(4) var<storage, read> coarse_rows: array<CoarseRow>;
@group(0) @binding(5) var<storage, read> coarse_lists: array<u32>;
@group(0) @binding(6) var<storage, read> coarse_right: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read> coarse_matrix: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> u: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // This kernel does not write status, so that an early return here never splits a workgroup before its barriers.
    if !corrects(status) || status.cg.coarse == COARSE_OFF {
        return;
    }
    let constant = coefficient(local_ix, group.x, 0u);
    let along_x = coefficient(local_ix, group.x, 1u);
    let along_y = coefficient(local_ix, group.x, 2u);
    var along_z = vec3(0.0);
    if COARSE_FUNCTIONS == 4u {
        along_z = coefficient(local_ix, group.x, 3u);
    }
    let end = coarse_lists[group.x + 1u];
    for (var place = coarse_lists[group.x] + local_ix; place < end; place += WORKGROUP_SIZE) {
        let row = coarse_lists[place];
        let own = coarse_rows[row].local;
        var motion = constant + own.x * along_x + own.y * along_y + own.z * along_z;
        if constraint_ix[row] != UNCONSTRAINED {
            motion = symmetric_times(constraints[constraint_ix[row]].free, motion);
        }
        u[row] += vec4(motion, 0.0);
    }
}

// The coefficient of a function, three rows of (E⁻¹ - F⁻¹) c.
fn coefficient(local_ix: u32, aggregate: u32, function: u32) -> vec3<f32> {
    let stride = params.coarse_stride;
    let first = 3u * (aggregate * COARSE_FUNCTIONS + function) * stride;
    var sums = vec4(0.0);
    for (var ix = local_ix; ix < stride; ix += WORKGROUP_SIZE) {
        let right = coarse_right[ix];
        sums -= vec4(
            dot(coarse_matrix[first + ix], right),
            dot(coarse_matrix[first + stride + ix], right),
            dot(coarse_matrix[first + 2u * stride + ix], right),
            0.0,
        );
    }
    return workgroup_sum(local_ix, sums).xyz;
}
