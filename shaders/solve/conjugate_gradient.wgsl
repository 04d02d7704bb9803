// Scalars of a conjugate gradient iteration, after Chronopoulos and Gear: from ρ = rᵀu and δ = uᵀAu to
//   β = ρ/ρ₀,   α = ρ / (δ - β ρ/α₀)
// A warm start takes the point of least energy along the velocity change of the last step, α = ρ/δ, if it saves more energy than an iteration from 0 would.
// Where a coarse level makes rᵀu or the curvature negative, the solve goes on without it.
// Tolerances test γ = rᵀQr, which equals ρ unless a coarse level is part of u; the decision whether the solve continues. Every workgroup computes the same scalars from the same words, so that all agree without communication.
// γ is tested before δ: when all rows are pinned both are 0, which counts as converged, not as indefinite. A negative γ means that the preconditioner, and so the
// matrix, is indefinite, unless it is rounding of the filtered impulses (ROUNDING).
#import solve/goal
#import shared/params
#import shared/status
#import shared/finite

// A γ below this, relative to the start, may be negative by rounding.
const ROUNDING: f32 = 1e-9;

// Rounding limits the accuracy, and the recursive residual does not show it; beyond that limit conjugate gradients diverge. They have lost accuracy when γ fell to
// ASTRAY_BELOW of the start once and then grew by ASTRAY_GROWTH.
const ASTRAY_BELOW: f32 = 1e-6;
const ASTRAY_GROWTH: f32 = 1e6;

// Energy that a warm start must save, relative to γ at 0.
const LEAST_GAIN: f32 = 0.3;

// Sums over all rows.
struct Sums {
    gamma: f32,
    // ρ = rᵀu
    product: f32,
    delta: f32,
    // Whether a coarse level is part of u.
    coarse: bool,
}

struct Advance {
    next: CgState,
    beta: f32,
}

// Squared residual at which a loose solve of the safe step ends, relative to its start. A loose solve tests its linearisation.
const LOOSE_SQUARED: f32 = 0.0025;
// The tolerance of a safe step is relative to its first residual or to WEIGHT_SHARE times weight and momentum, whichever is less, all squared, but never to less
// than LEAST_REFERENCE of the first residual.
const WEIGHT_SHARE: f32 = 9.0;
const LEAST_REFERENCE: f32 = 1e-4;

fn safe() -> bool {
    return (params.flags & FLAG_SAFE) != 0u;
}

// The γ at which a solve ends: relative to its own start or, in the safe step, to the reference of the step.
fn goal_of(cg: CgState) -> f32 {
    if !safe() {
        return params.tolerance_squared * cg.reference;
    }
    let tight = tight_goal(cg);
    return select(tight, max(tight, LOOSE_SQUARED * cg.reference), cg.loose != 0u);
}

fn advance(previous: CgState, sums: Sums) -> Advance {
    let gamma = sums.gamma;
    let product = sums.product;
    let delta = sums.delta;
    var next = previous;
    if !is_finite(gamma) || !is_finite(product) || !is_finite(delta) {
        next.done = 1u;
        next.outcome = OUTCOME_NON_FINITE;
        // Later linearisations must not hide a failure.
        next.newton_done = 1u;
        return Advance(next, 0.0);
    }
    if previous.fresh == FRESH_ENGAGE {
        next.alpha = 1.0;
        next.beta = 0.0;
        next.fresh = FRESH_SEARCH;
        return Advance(next, 0.0);
    }
    let warm = previous.fresh == FRESH_WARM;
    next.gamma = gamma;
    next.product = product;
    next.best = select(min(previous.best, abs(gamma)), abs(gamma), previous.fresh != FRESH_NOT);
    next.fresh = select(FRESH_NOT, FRESH_RESTART, warm);
    if previous.fresh == FRESH_SEARCH {
        // A solve resumed from no free components at all takes its reference from here.
        next.reference = max(previous.reference, gamma);
    } else if warm || previous.fresh == FRESH_SOLVE {
        next.reference = gamma;
        if previous.linearisation == 1u {
            next.newton_reference = gamma;
            if safe() {
                next.newton_reference = max(min(gamma, WEIGHT_SHARE * previous.weight), LEAST_REFERENCE * gamma);
            }
        } else if !safe() && abs(gamma) <= params.newton_tolerance_squared * previous.newton_reference {
            next.newton_done = 1u;
        }
    }
    let goal = max(goal_of(next), select(0.0, ROUNDING * next.reference, gamma < 0.0 || (product < 0.0 && !warm)));
    // A warm start is followed by an iteration at least: a solution that is only repeated from step to step would keep its error.
    let repeated = previous.fresh == FRESH_RESTART && abs(gamma) > LEAST_FALL * next.reference;
    if (next.newton_done != 0u && !safe()) || (abs(gamma) <= goal && !repeated) {
        next.done = 1u;
        next.outcome = OUTCOME_CONVERGED;
        return Advance(next, 0.0);
    }
    if next.best < ASTRAY_BELOW * next.reference && abs(gamma) > ASTRAY_GROWTH * next.best {
        next.done = 1u;
        next.outcome = OUTCOME_LIMIT;
        return Advance(next, 0.0);
    }
    if warm {
        let alpha = product / delta;
        next.alpha = select(0.0, alpha, is_finite(alpha) && alpha * product > LEAST_GAIN * gamma);
        next.beta = 0.0;
        next.iteration = previous.iteration + 1u;
        return Advance(next, 0.0);
    }
    var beta = 0.0;
    var curvature = delta;
    if previous.fresh == FRESH_NOT {
        beta = product / previous.product;
        curvature = delta - beta * product / previous.alpha;
    }
    next.alpha = product / curvature;
    if product < 0.0 || curvature <= 0.0 || !is_finite(next.alpha) {
        if sums.coarse {
            // Rounding may cost the inverse of the coarse matrix its definiteness: the search restarts without it, by an iteration that changes nothing.
            next.coarse = COARSE_OFF;
            next.fresh = FRESH_RESTART;
            next.alpha = 0.0;
            next.beta = 0.0;
            next.iteration = previous.iteration + 1u;
            return Advance(next, 0.0);
        }
        next.done = 1u;
        next.outcome = OUTCOME_INDEFINITE;
        return Advance(next, 0.0);
    }
    if safe() && previous.iteration >= params.max_iterations {
        next.done = 1u;
        next.outcome = OUTCOME_LIMIT;
        return Advance(next, 0.0);
    }
    next.beta = beta;
    next.iteration = previous.iteration + 1u;
    return Advance(next, beta);
}
