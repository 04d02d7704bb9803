// Adds the elastic energy that the guard has changed to that of the step, one workgroup, after `search/weigh`.
// Reads weights, meeting. Writes status.
#import shared/params
#import shared/status
#import launch
#import collision/meeting

@group(0) @binding(1) var<storage, read_write> status: Status;
@group(0) @binding(2) var<storage, read> weights: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> meeting: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32) {
    const FOLD_STRIDE = WORKGROUP_SIZE / PARTIALS_PER_WORKGROUP;
    // Without shortened rows the weights are those of the last search.
    let shortened = meeting[MEETING_TRUNCATED] != 0u && meeting[MEETING_GUARDING] == 0u && meeting[MEETING_NEEDED] == 0u && meeting[MEETING_LOST] == 0u;
    let count = select(0u, params.measure_count - params.strut_partials, shortened);
    var sums = vec4(0.0);
    for (var ix = local_ix % FOLD_STRIDE; ix < count; ix += FOLD_STRIDE) {
        sums += weights[ix];
    }
    let total = reduce(local_ix, sums);
    if local_ix == 0u && count > 0u {
        // The search went from the shortened motion to the whole one.
        status.search.elastic_change -= total.z;
        status.search.action = ACTION_NONE;
    }
}
