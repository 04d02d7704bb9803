// Ends a step, one workgroup: reduces the partial sums of other kernels and writes the step's record into a ring.
// Reads checks, measures. Writes records, status.
#import shared/params
#import shared/status
#import launch
#import shared/finite
#import solve/count
#import report/record_layout

@group(0) @binding(1) var<storage, read_write> status: Status;
@group(0) @binding(2) var<storage, read> checks: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> measures: array<Measure>;
@group(0) @binding(4) var<storage, read_write> records: array<Record>;
// Partial sums of an audited step: rise of the energy per row, and elastic energies of a step without line search
// (`search/look_back`).
@group(0) @binding(5) var<storage, read> row_sums: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> weights: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32) {
    var sums = vec4(0.0);
    var strain = 0.0;
    var runaway = 0.0;
    var error = 0.0;
    var rise = 0.0;
    let is_safe = (params.flags & FLAG_SAFE) != 0u;
    // Every thread reads these words before one of them writes them: the barriers of the sums lie between.
    let is_audited = (params.flags & FLAG_AUDITED) != 0u && status.search.mode == MODE_FINISHED && status.search.outcome != OUTCOME_NON_FINITE;
    const FOLD_STRIDE = WORKGROUP_SIZE / PARTIALS_PER_WORKGROUP;
    for (var ix = local_ix % FOLD_STRIDE; ix < params.partial_count; ix += FOLD_STRIDE) {
        sums.w += checks[ix].x;
        runaway = max(runaway, checks[ix].y);
        error = max(error, checks[ix].z);
        if is_audited {
            rise += row_sums[ix].x;
            runaway = max(runaway, row_sums[ix].y);
        }
    }
    var elastic = vec4(0.0);
    if is_audited && !is_safe {
        for (var ix = local_ix % FOLD_STRIDE; ix < params.measure_count; ix += FOLD_STRIDE) {
            elastic += weights[ix];
        }
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
    let all_rise = reduce(local_ix, vec4(rise, 0.0, 0.0, 0.0)).x;
    let looked_back = reduce(local_ix, elastic);
    if local_ix == 0u {
        let cg = status.cg;
        let search = status.search;
        // An unfinished step resumes its current solve.
        if !is_safe || search.mode == MODE_FINISHED {
            count_iterations();
        }
        var failed = status.failed;
        var outcome = cg.outcome;
        var energy_rise = 0.0;
        if is_audited && !is_safe && failed == 0u && outcome != OUTCOME_NON_FINITE {
            let scale = search.kinetic + max(looked_back.w + looked_back.z, 0.0);
            energy_rise = select(0.0, (all_rise - looked_back.z) / scale, scale > 0.0);
            failed |= select(FAILED_ENERGY, 0u, is_sound(energy_rise));
        }
        if is_safe && failed == 0u {
            outcome = search.outcome;
            energy_rise = select(0.0, (search.elastic_change + all_rise) / search.scale, search.scale > 0.0);
            if search.mode != MODE_FINISHED {
                failed |= FAILED_BUDGET;
            } else if outcome != OUTCOME_NON_FINITE {
                failed |= select(FAILED_ENERGY, 0u, is_sound(energy_rise));
                let settled = outcome == OUTCOME_CONVERGED || (params.flags & FLAG_LENIENT) != 0u;
                failed |= select(FAILED_OUTCOME, 0u, settled);
                // Energies are squares and may overflow where velocities do not.
                failed |= select(FAILED_STATE, 0u, is_finite(search.scale));
            }
        }
        if outcome == OUTCOME_NON_FINITE {
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
            status.step, status.iterations, cg.linearisation, outcome, residual, failed,
            total.x, total.y, total.z, largest, cg.newton_done, status.most_iterations, most_error,
            status.later_iterations, energy_rise, search.searches, search.profile, status.met,
        );
        status.step += 1u;
        if is_safe {
            status.cg.newton_done = 1u;
        }
        if failed == 0u {
            status.coarse_step = status.scheme.stage_step;
            status.scheme = params.steady;
            status.wind_phase = fract(status.wind_phase + params.wind_turns);
            status.rises[2] = vec4(status.rises[1].w, status.rises[2].xyz);
            status.rises[1] = vec4(status.rises[0].w, status.rises[1].xyz);
            status.rises[0] = vec4(energy_rise, status.rises[0].xyz);
        }
    }
}

// Whether the energy may rise by this much after the steps before it. NaN fails this test.
fn is_sound(rise: f32) -> bool {
    return rise <= 0.0 || most_rise_until(rise) <= params.most_rise;
}

// Largest sum of the rises of this step and up to nine steps before it, as many as are audited together.
fn most_rise_until(rise: f32) -> f32 {
    // x: sum so far, y: largest sum.
    let recent = with_rises(with_rises(vec2(rise), status.rises[0]), status.rises[1]);
    return select(rise, with_rise(recent, status.rises[2].x).y, params.audited_steps > 1u);
}

fn with_rises(sums: vec2<f32>, rises: vec4<f32>) -> vec2<f32> {
    return with_rise(with_rise(with_rise(with_rise(sums, rises.x), rises.y), rises.z), rises.w);
}

fn with_rise(sums: vec2<f32>, rise: f32) -> vec2<f32> {
    let sum = sums.x + rise;
    return vec2(sum, max(sums.y, sum));
}
