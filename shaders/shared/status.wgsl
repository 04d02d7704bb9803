// The solver's state that outlives a dispatch. Same layout as `gpu::layout::Status`.
#import shared/scheme

struct CgState {
    // γ = rᵀQr and α of the last iteration.
    gamma: f32,
    alpha: f32,
    // γ at the start of this linear solve, and of the step's first: what the two tolerances are relative to.
    reference: f32,
    newton_reference: f32,
    // Finished iterations of this solve.
    iteration: u32,
    // 1 as soon as nothing is left to do; every kernel of the solve then leaves early.
    done: u32,
    // OUTCOME_… below
    outcome: u32,
    // 1 when Newton has converged: later linearisations of the step do nothing.
    newton_done: u32,
    // Linear solves begun in this step.
    linearisation: u32,
    // FRESH_… below: what the next iteration begins.
    fresh: u32,
    // β of the last iteration.
    beta: f32,
    // Solves of this step and linearisation that went on after contacts had changed.
    resumed: u32,
    // Smallest γ since the search began.
    best: f32,
    // In the safe step, 1: the solve ends at a part of where it began, not at the step's tolerance.
    loose: u32,
    // In the safe step: γ of the weight and of the momentum at its start.
    weight: f32,
    // In the safe step: γ below which nothing but rounding is left. Some kernels bind the status as uniform: a multiple of 16 bytes.
    floor: f32,
}

// Where a safe step is. `search/verdict` and `search/decide` alone write it once the step has begun, one after the other in every round.
struct SearchState {
    // ACTION_… below: what the kernels behind them do in this round.
    action: u32,
    // MODE_… below
    mode: u32,
    // α of the point that is weighed next, and points weighed before it.
    alpha: f32,
    tried: u32,
    // Kinetic energy and that of handles at the start of the step, ½M(gh)² and what rounding amounts to; with the elastic energy, J.
    kinetic: f32,
    scale: f32,
    // E(x) - E(x₀) at the point that was taken last, J.
    elastic_change: f32,
    // 1: the first linearisation of the last step was not good.
    hard: u32,
    // Searches in a row that found nothing lower.
    failures: u32,
    // Contacts that changed in the last pass, and passes of this solve.
    flips: u32,
    passes: u32,
    // OUTCOME_… of the step.
    outcome: u32,
    // Points along searches of this step.
    searches: u32,
    padding_a: u32,
    padding_b: u32,
    padding_c: u32,
    // Solves of this step between two points of searches, one word each (`solve/count`): how many dispatches the next step may need.
    profile: array<vec4<u32>, 4>,
}

struct Status {
    cg: CgState,
    // Finished steps: also the place of the next record in the ring.
    step: u32,
    // Iterations of the finished linear solves of this step.
    iterations: u32,
    // FAILED_… bits, sticky: once set, no step touches the saved state until the host clears it.
    failed: u32,
    // Most iterations of one finished solve of this step.
    most_iterations: u32,
    // Where in its swing the wind is, in turns, after the finished steps.
    wind_phase: f32,
    // γ h that `scalar_values` were computed for.
    matrix_step: f32,
    // Most iterations of one solve that went on after contacts had changed.
    later_iterations: u32,
    padding_2: u32,
    // Of the next step, or of the one under way. In here because a step of its own kind may begin or follow a restart.
    scheme: Scheme,
    search: SearchState,
    // Rises of the energy in the last steps, newest first, of which nine count.
    rises: array<vec4<f32>, 3>,
}

// Active-set passes of a solve, at most: few of one that goes no further than to see whether its linearisation is good.
fn most_passes(most: u32, loose: u32) -> u32 {
    return select(most, min(most, LOOSE_PASSES), loose != 0u);
}
const LOOSE_PASSES: u32 = 3u;

// Nothing is to be done.
const ACTION_NONE: u32 = 0u;
// Contacts have changed: the solve goes on.
const ACTION_RESUME: u32 = 1u;
// A point along the search is weighed.
const ACTION_SEARCH: u32 = 2u;
// The point is taken, and the next linearisation begins there.
const ACTION_LINEARISE: u32 = 3u;
// The linearisation is good: its solve goes on to the step's tolerance.
const ACTION_TIGHTEN: u32 = 4u;
// The point is taken, and the step ends.
const ACTION_END: u32 = 5u;

const MODE_SOLVING: u32 = 0u;
const MODE_SEARCHING: u32 = 1u;
const MODE_FINISHED: u32 = 2u;

// Nothing: there was an iteration before it.
const FRESH_NOT: u32 = 0u;
// The solve goes on from where it is, with another filter: the search begins anew, tolerances stay relative to the start.
const FRESH_SEARCH: u32 = 1u;
// A new solve.
const FRESH_SOLVE: u32 = 2u;
// Contacts have engaged: u is the Δv that brings them to their surfaces. The next iteration adds it as it is, α = 1 and β = 0; the one after it begins the
// search anew.
const FRESH_ENGAGE: u32 = 3u;

const OUTCOME_LIMIT: u32 = 0u;
const OUTCOME_CONVERGED: u32 = 1u;
const OUTCOME_INDEFINITE: u32 = 2u;
const OUTCOME_NON_FINITE: u32 = 3u;
const OUTCOME_ACTIVE_SET: u32 = 4u;
const OUTCOME_LINE_SEARCH: u32 = 5u;

const FAILED_SOLVE: u32 = 1u;
const FAILED_STATE: u32 = 2u;
const FAILED_RUNAWAY: u32 = 4u;
const FAILED_ENERGY: u32 = 8u;
const FAILED_OUTCOME: u32 = 16u;
// The step was not over when its dispatches were.
const FAILED_BUDGET: u32 = 32u;
