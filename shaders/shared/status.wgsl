// State of the solver that outlives a dispatch. Same layout as `gpu::layout::Status`.
#import shared/scheme

struct CgState {
    // γ = rᵀQr, which tolerances test, and α of the last iteration.
    gamma: f32,
    alpha: f32,
    // γ at the start of this linear solve, and of the step's first solve: the references of the two tolerances.
    reference: f32,
    newton_reference: f32,
    // Finished iterations of this solve.
    iteration: u32,
    // 1 when the solve is finished; all its kernels then return early.
    done: u32,
    // OUTCOME_… below
    outcome: u32,
    // 1 when Newton has converged: later linearisations of the step do nothing.
    newton_done: u32,
    // Linear solves begun in this step.
    linearisation: u32,
    // FRESH_… below: initialisation of the next iteration.
    fresh: u32,
    // β of the last iteration.
    beta: f32,
    // Resumed solves of this linearisation, after contacts had changed.
    resumed: u32,
    // Smallest γ since conjugate gradients were restarted.
    best: f32,
    // In a safe step, 1 if the solve ends at a fraction of its initial residual instead of the step's tolerance.
    loose: u32,
    // In a safe step: γ of the weight and of the momentum at its start.
    weight: f32,
    // In a safe step: γ of the rounding error.
    floor: f32,
    // rᵀu of the last iteration, from which β follows. It differs from γ where a coarse level is part of u.
    product: f32,
    // COARSE_… below: whether u has a part of the coarse level.
    coarse: u32,
    // Some kernels bind the status as uniform: its size is a multiple of 16 bytes.
    padding_a: u32,
    padding_b: u32,
}

// State of a safe step. After `integrate/begin`, only `search/verdict` and `search/decide` write it, in this order in every
// round.
struct SearchState {
    // ACTION_… below: task of the following kernels in this round.
    action: u32,
    // MODE_… below
    mode: u32,
    // α of the next point of the line search, and the number of points before it.
    alpha: f32,
    tried: u32,
    // Kinetic energy and energy of handles at the start of the step, ½M(gh)² and rounding; with the elastic energy, J.
    kinetic: f32,
    scale: f32,
    // E(x) - E(x₀) at the last accepted point, J.
    elastic_change: f32,
    // 1 if the first linearisation of the last step was rejected.
    hard: u32,
    // Consecutive line searches without a lower energy.
    failures: u32,
    // Changed contacts of the last pass, and number of passes of this solve.
    flips: u32,
    passes: u32,
    // OUTCOME_… of the step.
    outcome: u32,
    // Points of all line searches of this step.
    searches: u32,
    // 1 in the round of a contact pass.
    revised: u32,
    padding_a: u32,
    padding_b: u32,
    // Solves of this step between two points of line searches, one word each (`solve/count`), from which the host predicts the
    // dispatches of the next step.
    profile: array<vec4<u32>, 4>,
}

struct Status {
    cg: CgState,
    // Finished steps, also the index of the next record in the ring.
    step: u32,
    // Iterations of the finished linear solves of this step.
    iterations: u32,
    // FAILED_… bits, sticky: once set, no step changes the saved state until the host clears them.
    failed: u32,
    // Largest number of iterations of one finished solve of this step.
    most_iterations: u32,
    // Phase of the wind after the finished steps, in turns.
    wind_phase: f32,
    // γ h of the current `scalar_values`.
    matrix_step: f32,
    // Largest number of iterations of one resumed solve.
    later_iterations: u32,
    // γ h of the current coarse matrix of the IMEX schemes; 0 when the host has changed constraints since.
    coarse_step: f32,
    // Scheme of the current or next step. It is part of the status because the first step after a start or restart has its own.
    scheme: Scheme,
    search: SearchState,
    // Rises of the energy in the last steps, newest first; nine of them count.
    rises: array<vec4<f32>, 3>,
    // Contact between bodies in this step: pairs, struts that push, shortened rows, and pairs that pins and colliders drive through each other, or in a step that fails for it, pairs that did not fit.
    met: vec4<u32>,
}

// Largest number of active-set passes of a solve: fewer for a loose solve, which only tests its linearisation.
fn most_passes(most: u32, loose: u32) -> u32 {
    return select(most, min(most, LOOSE_PASSES), loose != 0u);
}
const LOOSE_PASSES: u32 = 3u;

// No action.
const ACTION_NONE: u32 = 0u;
// Contacts have changed: the solve resumes.
const ACTION_RESUME: u32 = 1u;
// A point of the line search is evaluated.
const ACTION_SEARCH: u32 = 2u;
// The point is accepted, and the next linearisation begins there.
const ACTION_LINEARISE: u32 = 3u;
// The linearisation is accepted: its solve continues to the step's tolerance.
const ACTION_TIGHTEN: u32 = 4u;
// The point is accepted, and the step ends.
const ACTION_END: u32 = 5u;

const MODE_SOLVING: u32 = 0u;
const MODE_SEARCHING: u32 = 1u;
const MODE_FINISHED: u32 = 2u;

// No initialisation: an iteration precedes this one.
const FRESH_NOT: u32 = 0u;
// The solve resumes with another filter: conjugate gradients restart, tolerances keep their references.
const FRESH_SEARCH: u32 = 1u;
// A new solve begins.
const FRESH_SOLVE: u32 = 2u;
// Contacts have engaged: u is the Δv that brings them to their surfaces. The next iteration adds it with α = 1 and β = 0; the one
// after it restarts conjugate gradients.
const FRESH_ENGAGE: u32 = 3u;
// A new solve begins along u, the velocity change of the last step: `solve/warm`.
const FRESH_WARM: u32 = 4u;
// Conjugate gradients restart after a warm start; tolerances keep their references.
const FRESH_RESTART: u32 = 5u;

const COARSE_ON: u32 = 0u;
// The solve goes on without the coarse level: contacts have changed, or its inverse has lost its definiteness to rounding.
const COARSE_OFF: u32 = 1u;
// A solve that went on without the coarse level is tightened, with a coarse matrix of the present constraints.
const COARSE_AGAIN: u32 = 2u;
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
// The step was not finished within its submitted dispatches.
const FAILED_BUDGET: u32 = 32u;
// There are more pairs of surfaces than `pairs` holds.
const FAILED_PAIRS: u32 = 64u;
// A search for pairs was not finished.
const FAILED_LOST: u32 = 128u;
// A particle has more pairs than can be put in order.
const FAILED_CROWD: u32 = 256u;
