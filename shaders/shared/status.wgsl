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
    // Some kernels bind the status as uniform: a multiple of 16 bytes.
    padding_a: u32,
    padding_b: u32,
    padding_c: u32,
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
}

// Nothing: there was an iteration before it.
const FRESH_NOT: u32 = 0u;
// The solve goes on from where it is, with another filter: the search begins anew, tolerances stay relative to the start.
const FRESH_SEARCH: u32 = 1u;
// A new solve.
const FRESH_SOLVE: u32 = 2u;

const OUTCOME_LIMIT: u32 = 0u;
const OUTCOME_CONVERGED: u32 = 1u;
const OUTCOME_INDEFINITE: u32 = 2u;
const OUTCOME_NON_FINITE: u32 = 3u;

const FAILED_SOLVE: u32 = 1u;
const FAILED_STATE: u32 = 2u;
const FAILED_RUNAWAY: u32 = 4u;
