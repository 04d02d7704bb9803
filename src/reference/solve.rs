//! Preconditioned conjugate gradients after Chronopoulos and Gear, twins of `shaders/solve/`.

use super::{CgState, Corrections, Fresh, NEGATIVE_BLOCK, Parameters, State};
use crate::parallel::*;
use crate::{
    Outcome, Preconditioner,
    topology::{Constraint, Topology},
};
use glam::{DMat3, DVec3};

/// Number of rows summed in sequence; a fixed number makes sums independent of the number of threads.
const CHUNK_ROWS: usize = 512;

/// A γ below this, relative to the start, may be negative by rounding.
const ROUNDING: f64 = 1e-9;

/// Conjugate gradients have lost accuracy when γ fell to this once, relative to the start, and then grew by `ASTRAY_GROWTH`.
const ASTRAY_BELOW: f64 = 1e-6;
const ASTRAY_GROWTH: f64 = 1e6;

/// The tolerance of a safe step is relative to its first residual or to this multiple of weight and momentum, whichever is less, all squared, so that forces which a
/// contact is about to balance do not loosen it; but never to less than `LEAST_REFERENCE` times the first residual.
const WEIGHT_SHARE: f64 = 9.0;
/// Share of the squared momentum in the reference of a safe step: half of the momentum, so that a fast scene does not ignore its weight.
const MOMENTUM_SHARE: f64 = 0.25;
const LEAST_REFERENCE: f64 = 1e-4;
/// γ over kinetic energy and ½M(gh)² below which only rounding is left.
const FLOOR: f64 = 1e-14;
/// Smallest γ that a solve of the safe step aims at, relative to its start; below it only rounding is left.
const LEAST_FALL: f64 = 1e-26;
/// Residual at which a loose solve of the safe step ends, relative to its start.
const LOOSE: f64 = 0.05;
/// Tolerance of a solve with bodies that slide past each other with friction, relative to that of the step. Struts are stiffer along their normals than friction is across,
/// so that γ weighs what is left across little: at the tolerance of the step it would be as much as a tenth of the friction.
const FINE: f64 = 0.1;
/// Energy that a warm start must save, relative to γ at 0: about what one iteration from there saves.
const LEAST_GAIN: f64 = 0.3;

/// Begins a solve: the preconditioner Q = P (P D P)⁺ P from the diagonal blocks D, u = Q r, x = 0, p = s = 0.
pub fn precondition(
    topology: &Topology,
    constraints: &[Constraint],
    parameters: &Parameters,
    state: &mut State,
    cg: &mut CgState,
) {
    invert(constraints, parameters, state);
    for vector in [&mut state.solution, &mut state.p, &mut state.s] {
        vector.fill(DVec3::ZERO);
    }
    let (weight, floor) = match parameters.safe {
        Some(_) if cg.linearisation == 0 => {
            (weight(topology, parameters, state), FLOOR * super::audit::kinetic(topology, parameters, state))
        }
        _ => (cg.weight, cg.floor),
    };
    *cg = CgState {
        weight,
        floor,
        newton_reference: cg.newton_reference,
        newton_done: cg.newton_done,
        linearisation: cg.linearisation + 1,
        ..CgState::default()
    };
}

/// Computes Q of all rows from their diagonal blocks, and u = Q r.
pub fn invert(constraints: &[Constraint], parameters: &Parameters, state: &mut State) {
    let mut constrained = vec![false; state.diagonal.len()];
    for constraint in constraints {
        let row = constraint.row as usize;
        state.preconditioner[row] = filtered_inverse(parameters, state.diagonal[row], constraint.free);
        constrained[row] = true;
    }
    (&mut state.preconditioner, &mut state.u, &state.diagonal, &state.residual, &constrained)
        .into_par_iter()
        .with_min_len(256)
        .for_each(|(q, u, d, r, &constrained)| {
            if !constrained {
                *q = inverse_of(parameters, d);
            }
            *u = *q * *r;
        });
}

/// γ of the weight and of the momentum at the start of the step, summed over rows.
fn weight(topology: &Topology, parameters: &Parameters, state: &State) -> f64 {
    let fall = state.scheme.stage_step * parameters.gravity;
    let rows = state.preconditioner.iter().zip(&state.previous_velocities).zip(&topology.masses);
    rows.map(|((q, v), mass)| mass * mass * ((*q * fall).dot(fall) + MOMENTUM_SHARE * (*q * *v).dot(*v))).sum()
}

fn inverse_of(parameters: &Parameters, d: &DMat3) -> DMat3 {
    match parameters.preconditioner {
        Preconditioner::Jacobi => {
            DMat3::from_diagonal(DVec3::new(1.0 / d.x_axis.x, 1.0 / d.y_axis.y, 1.0 / d.z_axis.z))
        }
        _ => d.inverse(),
    }
}

/// The preconditioner of one row, filtered by its constraint: Q = P (P D P)⁺ P.
pub fn filtered_inverse(parameters: &Parameters, d: DMat3, p: DMat3) -> DMat3 {
    let tau = (d.x_axis.x + d.y_axis.y + d.z_axis.z) / 3.0;
    let inner = p * d * p + (DMat3::IDENTITY - p) * tau;
    p * inverse_of(parameters, &inner) * p
}

/// One row of A u, from differences.
pub fn matrix_row(topology: &Topology, state: &State, u: &[DVec3], row: usize) -> DVec3 {
    let range = topology.pattern.range(row);
    let own = u[row];
    let mut sum = state.scalar_diagonal[row] * own;
    for (index, block) in state.index[range.clone()].iter().zip(&state.values[range]) {
        let difference = own - u[(index & !NEGATIVE_BLOCK) as usize];
        let along = block.axis.dot(difference);
        sum += block.a * difference + if index & NEGATIVE_BLOCK == 0 { along } else { -along } * block.axis;
    }
    let range = topology.element_pattern.range(row);
    for (&neighbour, block) in topology.element_pattern.neighbours[range.clone()].iter().zip(&state.full[range]) {
        sum += *block * (own - u[neighbour as usize]);
    }
    if state.struts.is_empty() { sum } else { sum + state.struts.row(u, row) }
}

/// First half of an iteration: w = A u. Returns γ = r·u and δ = u·w.
pub fn spmv(topology: &Topology, state: &mut State) -> (f64, f64) {
    let mut w = std::mem::take(&mut state.w);
    let partials: Vec<(f64, f64)> = w
        .par_chunks_mut(CHUNK_ROWS)
        .enumerate()
        .map(|(chunk, rows)| {
            let mut sums = (0.0, 0.0);
            for (ix, w) in rows.iter_mut().enumerate() {
                let row = chunk * CHUNK_ROWS + ix;
                *w = matrix_row(topology, state, &state.u, row);
                sums.0 += state.residual[row].dot(state.u[row]);
                sums.1 += w.dot(state.u[row]);
            }
            sums
        })
        .collect();
    state.w = w;
    partials.iter().fold((0.0, 0.0), |total, part| (total.0 + part.0, total.1 + part.1))
}

/// Sums over all rows from which the scalars of an iteration follow.
#[derive(Debug, Clone, Copy)]
pub struct Sums {
    /// γ = rᵀQr, which tolerances test.
    pub gamma: f64,
    /// rᵀu
    pub product: f64,
    /// δ = uᵀAu
    pub delta: f64,
    /// Whether a coarse level is part of u.
    pub coarse: bool,
}

/// Advances the scalars of an iteration. Returns the state after it, and β.
pub fn advance(parameters: &Parameters, previous: CgState, sums: Sums) -> (CgState, f64) {
    let Sums { gamma, product, delta, coarse } = sums;
    let ended = |next: CgState, outcome| (CgState { done: true, outcome, ..next }, 0.0);
    let mut next = previous;
    if !gamma.is_finite() || !product.is_finite() || !delta.is_finite() {
        next.newton_done = true;
        return ended(next, Outcome::NonFinite);
    }
    let warm = previous.fresh == Fresh::Warm;
    (next.gamma, next.product) = (gamma, product);
    next.best = if previous.fresh == Fresh::Not { previous.best.min(gamma.abs()) } else { gamma.abs() };
    next.fresh = if warm { Fresh::Restart } else { Fresh::Not };
    if previous.fresh == Fresh::Search {
        // A solve resumed from no free components at all takes its reference from here.
        next.reference = previous.reference.max(gamma);
    } else if warm || previous.fresh == Fresh::Solve {
        next.reference = gamma;
        if previous.linearisation == 1 {
            next.newton_reference = match parameters.safe {
                Some(_) => gamma.min(WEIGHT_SHARE * previous.weight).max(LEAST_REFERENCE * gamma),
                None => gamma,
            };
        } else if gamma.abs() <= parameters.newton_tolerance.powi(2) * previous.newton_reference {
            next.newton_done = true;
        }
    }
    let goal = goal(parameters, &next);
    let goal = if gamma < 0.0 || product < 0.0 { goal.max(ROUNDING * next.reference) } else { goal };
    // A warm start is followed by an iteration at least: a solution that is only repeated from step to step would keep its error.
    let repeated = previous.fresh == Fresh::Restart && gamma.abs() > LEAST_FALL * next.reference;
    if next.newton_done || (gamma.abs() <= goal && !repeated) {
        return ended(next, Outcome::Converged);
    }
    if next.best < ASTRAY_BELOW * next.reference && gamma.abs() > ASTRAY_GROWTH * next.best {
        return ended(next, Outcome::IterationLimit);
    }
    if warm {
        // The point of least energy along the guess, if it saves more than steepest descent would.
        let alpha = product / delta;
        next.alpha = if alpha.is_finite() && alpha * product > LEAST_GAIN * gamma { alpha } else { 0.0 };
        next.beta = 0.0;
        next.iteration += 1;
        return (next, 0.0);
    }
    let (mut beta, mut curvature) = (0.0, delta);
    if previous.fresh == Fresh::Not {
        beta = product / previous.product;
        curvature = delta - beta * product / previous.alpha;
    }
    next.alpha = product / curvature;
    if product < 0.0 || curvature <= 0.0 || !next.alpha.is_finite() {
        if coarse {
            // The search restarts without the coarse level, by an iteration that changes nothing.
            (next.coarse_off, next.fresh) = (true, Fresh::Restart);
            (next.alpha, next.beta) = (0.0, 0.0);
            next.iteration += 1;
            return (next, 0.0);
        }
        return ended(next, Outcome::Indefinite);
    }
    next.beta = beta;
    next.iteration += 1;
    (next, beta)
}

/// The γ at which a solve ends: relative to its own start or, in the safe step, to the reference of the step.
pub fn goal(parameters: &Parameters, cg: &CgState) -> f64 {
    let Some(safe) = &parameters.safe else { return parameters.tolerance.powi(2) * cg.reference };
    let within =
        |tolerance: f64| (tolerance.powi(2) * cg.newton_reference).max(cg.floor).max(LEAST_FALL * cg.reference);
    match (cg.loose, cg.fine) {
        (true, _) => within(safe.tolerance).max(LOOSE.powi(2) * cg.reference),
        (false, true) => within(FINE * safe.tolerance),
        (false, false) => within(safe.tolerance),
    }
}

/// Second half of an iteration: p = u + β p, s = w + β s, x += α p, r -= α s, u = Q r.
pub fn update(state: &mut State, alpha: f64, beta: f64) {
    let State { p, s, solution, residual, u, w, preconditioner, .. } = state;
    (p, s, solution, residual, u, w, preconditioner).into_par_iter().with_min_len(256).for_each(
        |(p, s, x, r, u, w, q)| {
            *p = *u + beta * *p;
            *s = *w + beta * *s;
            *x += alpha * *p;
            *r -= alpha * *s;
            *u = *q * *r;
        },
    );
}

/// Begins the first solve of a step along the last step's velocity change: u = P guess, in place of Q r. Only scenes without corrections have a warm start.
pub fn warm(constraints: &[Constraint], state: &mut State, cg: &mut CgState) {
    let State { u, guess, residual, .. } = state;
    cg.gamma = residual.iter().zip(&*u).map(|(r, u)| r.dot(*u)).sum();
    for constraint in constraints {
        let guess = &mut guess[constraint.row as usize];
        *guess = constraint.free * *guess;
    }
    std::mem::swap(u, guess);
    cg.fresh = Fresh::Warm;
}

/// Runs a whole solve after [`precondition`], or resumes one.
pub fn conjugate_gradient(
    topology: &Topology,
    parameters: &Parameters,
    corrections: &mut Corrections<'_>,
    state: &mut State,
    cg: &mut CgState,
) {
    corrections.act(state, cg);
    while !cg.done && cg.iteration < parameters.max_iterations {
        let (gamma, delta) = spmv(topology, state);
        let (own_gamma, own_delta) = corrections.sums();
        let product = gamma + own_gamma;
        let gamma = if cg.fresh == Fresh::Warm { cg.gamma } else { product - state.coarse.share };
        let coarse = topology.aggregates.is_some() && !cg.coarse_off;
        let (next, beta) = advance(parameters, *cg, Sums { gamma, product, delta: delta + own_delta, coarse });
        *cg = next;
        if !next.done {
            update(state, next.alpha, beta);
            corrections.act(state, cg);
        }
    }
}
