// Decides about a line-search point, once in a round of a safe step, one workgroup. With r·d and d·Ad from the product along the search,
//   ΔΦ(α) = -α (r·d + d·Ad) + ½α² d·Ad + [E - E_m](x_f + αd) - [E - E_m](x_f)
// The point is accepted if ΔΦ falls by a share of the slope (Armijo); otherwise the search continues at the minimum of the interpolating parabola. At α = 1 the
// linearisation is good if the energy nearly equals that of its quadratic model; it then ends the step, once its solve has reached the tolerance of the step and no
// contact changes state. `newton_done` enables or disables the next assembly.
// Reads partials, weights. Writes status.
#import shared/params
#import shared/status
#import launch
#import solve/partials
#import solve/goal

@group(0) @binding(1) var<storage, read_write> status: Status;
@group(0) @binding(2) var<storage, read> partials: Partials;
@group(0) @binding(3) var<storage, read> weights: array<vec4<f32>>;

const ARMIJO: f32 = 1e-4;
const MOST_TRIALS: u32 = 8u;
const MOST_FAILURES: u32 = 2u;
// Energy change that is rounding, relative to the energy scale of the step.
const FLOOR: f32 = 2e-6;
// Smallest tolerance of energies beyond their models; below it positive rounding accumulates.
const ENERGY_FLOOR: f32 = 1e-5;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32) {
    const FOLD_STRIDE = WORKGROUP_SIZE / PARTIALS_PER_WORKGROUP;
    var sums = vec4(0.0);
    var products = vec4(0.0);
    // Every thread reads the same word before one thread writes it; the barriers of the sums lie between.
    let weighed = status.search.action == ACTION_SEARCH;
    for (var ix = local_ix % FOLD_STRIDE; ix < select(0u, params.measure_count, weighed); ix += FOLD_STRIDE) {
        sums += weights[ix];
    }
    for (var ix = local_ix % FOLD_STRIDE; ix < select(0u, params.partial_count * params.chunk_count, weighed); ix += FOLD_STRIDE) {
        products += vec4(partials.sums[ix], 0.0, 0.0);
    }
    let total = reduce(local_ix, sums);
    let product = reduce(local_ix, products);
    if local_ix == 0u {
        if weighed {
            decide(total, product.x, product.y);
        }
        status.cg.newton_done = select(1u, 0u, status.search.action == ACTION_LINEARISE);
    }
}

fn decide(weight: vec4<f32>, rd: f32, dad: f32) {
    var search = status.search;
    let cg = status.cg;
    let first = search.tried == 0u;
    if cg.linearisation == 1u && first {
        search.scale = search.kinetic + max(weight.w, 0.0);
        search.hard = select(0u, 1u, weight.x > params.energy_tolerance * search.scale);
    }
    let reached = abs(cg.gamma) <= tight_goal(cg) || (cg.loose == 0u && cg.outcome == OUTCOME_CONVERGED);
    let alpha = search.alpha;
    let slope = -(rd + dad);
    let change = alpha * slope + 0.5 * alpha * alpha * dad + weight.y;
    let falls = change <= min(ARMIJO * alpha * slope, 0.0) + FLOOR * search.scale;
    let good = first && falls && weight.x <= max(params.energy_tolerance, ENERGY_FLOOR) * search.scale;
    let gave_up = search.tried >= MOST_TRIALS;
    search.mode = MODE_SOLVING;
    search.searches += 1u;
    if good && !reached && cg.outcome == OUTCOME_CONVERGED {
        search.action = ACTION_TIGHTEN;
        search.passes = 0u;
        status.cg.loose = 0u;
        status.cg.done = 0u;
        status.cg.outcome = OUTCOME_LIMIT;
        status.cg.fresh = FRESH_SEARCH;
        status.cg.coarse = select(COARSE_ON, COARSE_AGAIN, cg.coarse == COARSE_OFF);
    } else if good && reached && search.flips == 0u {
        search.action = ACTION_END;
        search.outcome = OUTCOME_CONVERGED;
        search.elastic_change += weight.z;
    } else if falls || gave_up {
        search.failures = select(0u, search.failures + 1u, gave_up);
        search.elastic_change += weight.z;
        search.passes = 0u;
        search.outcome = select(select(OUTCOME_LIMIT, OUTCOME_ACTIVE_SET, search.flips > 0u), OUTCOME_LINE_SEARCH, gave_up);
        let over = search.failures >= MOST_FAILURES || cg.linearisation >= params.max_linearisations;
        search.action = select(ACTION_LINEARISE, ACTION_END, over);
    } else {
        search.action = ACTION_NONE;
        search.mode = MODE_SEARCHING;
        search.tried += 1u;
        let lowest = -0.5 * slope * alpha * alpha / (change - slope * alpha);
        search.alpha = clamp(select(0.1 * alpha, lowest, lowest > 0.0), 0.1 * alpha, 0.5 * alpha);
        // Where no point is lower, the start itself is evaluated and accepted.
        if search.tried >= MOST_TRIALS {
            search.alpha = 0.0;
        }
    }
    if search.action == ACTION_END {
        search.mode = MODE_FINISHED;
    }
    status.search = search;
}
