// Adds to the energy of the step what contact between bodies has changed, one workgroup: the elastic energy that the guard has changed, after `search/weigh`, less the work
// of struts that have widened gaps.
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
    // Every thread reads these words before one of them writes the status: the barriers of the sum lie between.
    let ended = status.search.mode == MODE_FINISHED && meeting[MEETING_GUARDING] == 0u && meeting[MEETING_NEEDED] == 0u && meeting[MEETING_LOST] == 0u;
    // Without shortened rows the weights of edges and elements are those of the last search.
    let of_struts = params.measure_count - params.strut_partials;
    let first = select(of_struts, 0u, meeting[MEETING_TRUNCATED] != 0u);
    var sums = vec4(0.0);
    for (var ix = first + local_ix % FOLD_STRIDE; ix < select(first, params.measure_count, ended); ix += FOLD_STRIDE) {
        sums += weights[ix];
    }
    let total = reduce(local_ix, sums);
    if local_ix == 0u && ended {
        // The search of the guard went from the shortened motion to the whole one.
        status.search.elastic_change -= total.z;
        status.search.action = ACTION_NONE;
    }
}
