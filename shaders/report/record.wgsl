// Ends a step, one workgroup: folds what the other kernels left and writes the step's record into a ring.
// Reads checks, measures. Writes records, status.
#import shared/params
#import shared/status
#import launch
#import solve/count
#import report/record_layout

@group(0) @binding(1) var<storage, read_write> status: Status;
@group(0) @binding(2) var<storage, read> checks: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> measures: array<Measure>;
@group(0) @binding(4) var<storage, read_write> records: array<Record>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32) {
    var sums = vec4(0.0);
    var strain = 0.0;
    var runaway = 0.0;
    var error = 0.0;
    const FOLD_STRIDE = WORKGROUP_SIZE / PARTIALS_PER_WORKGROUP;
    for (var ix = local_ix % FOLD_STRIDE; ix < params.partial_count; ix += FOLD_STRIDE) {
        sums.w += checks[ix].x;
        runaway = max(runaway, checks[ix].y);
        error = max(error, checks[ix].z);
    }
    if (params.flags & FLAG_MEASURE) != 0u {
        for (var ix = local_ix % FOLD_STRIDE; ix < params.measure_count; ix += FOLD_STRIDE) {
            sums += vec4(measures[ix].energy.xyz, 0.0);
            strain = max(strain, measures[ix].largest.x);
        }
    }
    let total = reduce(local_ix, sums);
    let largest = reduce_max(local_ix, strain);
    let most_runaway = reduce_max(local_ix, runaway);
    let most_error = reduce_max(local_ix, error);
    if local_ix == 0u {
        let cg = status.cg;
        count_iterations();
        var failed = status.failed;
        if cg.outcome == OUTCOME_NON_FINITE {
            failed |= FAILED_SOLVE;
        }
        if total.w > 0.0 {
            failed |= FAILED_STATE;
        }
        if most_runaway > 0.0 {
            failed |= FAILED_RUNAWAY;
        }
        status.failed = failed;
        let residual = select(0.0, sqrt(abs(cg.gamma / cg.newton_reference)), cg.newton_reference > 0.0);
        records[status.step % params.record_count] = Record(
            status.step, status.iterations, cg.linearisation, cg.outcome, residual, failed,
            total.x, total.y, total.z, largest, cg.newton_done, status.most_iterations, most_error,
            status.later_iterations,
        );
        status.step += 1u;
        if failed == 0u {
            status.scheme = params.steady;
            status.wind_phase = fract(status.wind_phase + params.wind_turns);
        }
    }
}
