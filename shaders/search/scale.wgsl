// Folds the sums of `search/weight` into the energy scale of the step, one workgroup. The first assembly is done: `newton_done` disables others until
// `search/decide` requests one.
// Handles add ½ k |x̄ - x₀|² to the energy of the step.
// Reads row_sums, loads, positions. Writes status.
#import shared/params
#import shared/status
#import launch
#import shared/load

@group(0) @binding(1) var<storage, read_write> status: Status;
@group(0) @binding(2) var<storage, read> row_sums: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> loads: array<Load>;
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;

// γ over kinetic energy and ½M(gh)² below which only rounding is left.
const FLOOR: f32 = 1e-12;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32) {
    const FOLD_STRIDE = WORKGROUP_SIZE / PARTIALS_PER_WORKGROUP;
    var sums = vec4(0.0);
    var pulls = vec4(0.0);
    for (var ix = local_ix % FOLD_STRIDE; ix < params.partial_count; ix += FOLD_STRIDE) {
        sums += row_sums[ix];
    }
    for (var ix = local_ix % FOLD_STRIDE; ix < params.load_count; ix += FOLD_STRIDE) {
        let pull = loads[ix].goal.xyz - positions[loads[ix].row].xyz;
        pulls.x += 0.5 * loads[ix].force.w * dot(pull, pull);
    }
    let total = reduce(local_ix, sums);
    let pull = reduce(local_ix, pulls).x;
    // Largest displacement of a particle by rounding in a step, as a velocity.
    let still = params.rounding / params.time_step;
    // A step behind a failed one has not begun. If the failed step only ran out of dispatches, its rounds continue.
    if local_ix == 0u && status.failed == 0u {
        status.cg.weight = total.x;
        status.cg.floor = FLOOR * total.y + total.z;
        status.cg.newton_done = 1u;
        status.search.kinetic = total.y + 0.5 * total.w * still * still + pull;
    }
}
