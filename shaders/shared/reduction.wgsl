// Sum over a workgroup in a fixed order: 64 values, then 8, then 1. Two barriers instead of six: on software drivers a
// barrier costs more than the adds it saves, on a GPU sixteen adds cost less than a microsecond.
//
// Barriers must be reached by the whole workgroup: call these in uniform control flow only.
#import shared/workgroup

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
