// Sums over a workgroup in a fixed order: all values to 8, then 8 to 1. Two barriers and sixteen additions cost less than six
// barriers.
// Barriers must be reached by the whole workgroup: call these in uniform control flow only.
// The launch defines WORKGROUP_SIZE.

const REDUCTION_WIDTH: u32 = 8u;

var<workgroup> reduction_values: array<vec4<f32>, WORKGROUP_SIZE>;
var<workgroup> reduction_total: vec4<f32>;

fn workgroup_sum(local_ix: u32, value: vec4<f32>) -> vec4<f32> {
    reduction_values[local_ix] = value;
    workgroupBarrier();
    if local_ix < REDUCTION_WIDTH {
        var sum = vec4(0.0);
        for (var ix = local_ix; ix < WORKGROUP_SIZE; ix += REDUCTION_WIDTH) {
            sum += reduction_values[ix];
        }
        reduction_values[local_ix] = sum;
    }
    workgroupBarrier();
    if local_ix == 0u {
        var sum = vec4(0.0);
        for (var ix = 0u; ix < REDUCTION_WIDTH; ix += 1u) {
            sum += reduction_values[ix];
        }
        reduction_total = sum;
    }
    return workgroupUniformLoad(&reduction_total);
}

fn workgroup_max(local_ix: u32, value: f32) -> f32 {
    reduction_values[local_ix] = vec4(value);
    workgroupBarrier();
    if local_ix == 0u {
        var largest = value;
        for (var ix = 1u; ix < WORKGROUP_SIZE; ix += 1u) {
            largest = max(largest, reduction_values[ix].x);
        }
        reduction_total = vec4(largest);
    }
    return workgroupUniformLoad(&reduction_total).x;
}
