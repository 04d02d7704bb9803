//! The line search of the safe step, twins of `shaders/search/`.
//!
//! A linearisation about x_l ends at x₁. The search runs from the feasible start x_f, which is x_l with held components where they are at x₁, along
//! d = x₁ − x_f, on the incremental potential Φ. All of Φ but the elastic energy is quadratic while damping coefficients, friction and the active set
//! are frozen, so that with the elastic energy's own quadratic model E_m about x_l
//!   ΔΦ(α) = −α (r·d + d·Ad) + ½α² d·Ad + (E − E_m)(x_f + αd) − (E − E_m)(x_f)
//! where r is the residual that the solve left, and velocities stand for positions over γh. S = (E − E_m)(x₁) says how good the linearisation was.

use super::{
    Parameters, State,
    assembly::gather,
    forces::{
        edge::edge_response,
        element::{ElementState, element_energy, element_row},
        law::{edge_energy, edge_work},
    },
};
use crate::parallel::*;
use crate::topology::{Constraint, Edge, Element, Topology};
use glam::DVec3;

/// Number of terms summed in sequence; a fixed number makes sums independent of the number of threads.
const CHUNK: usize = 512;

/// Elastic energies of a line-search point, summed over all edges and elements, J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Weights {
    /// S: elastic energy at the end of the linearisation beyond its quadratic model. Edges and elements below their model count as 0.
    pub beyond: f64,
    /// (E − E_m)(x_f + αd) − (E − E_m)(x_f)
    pub unmodelled: f64,
    /// E(x_f + αd) − E(x_l), less the work of forces without an energy
    pub change: f64,
    /// E(x_l)
    pub elastic: f64,
}

impl std::ops::Add for Weights {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            beyond: self.beyond + other.beyond,
            unmodelled: self.unmodelled + other.unmodelled,
            change: self.change + other.change,
            elastic: self.elastic + other.elastic,
        }
    }
}

/// Sets start and end of the line search after a solve; u = d as velocities, for the product A d.
pub fn aim(constraints: &[Constraint], first: bool, state: &mut State) {
    let h = state.scheme.stage_step;
    // The first linearisation is about x₀, which the stage reaches at this share of the predicted velocity.
    let still = if first { 1.0 - state.scheme.lead / h } else { 1.0 };
    let State { search_start, search_end, positions, velocities, solution, anchor_positions, u, .. } = state;
    (
        (&mut search_start.positions, &mut search_start.velocities),
        (&mut search_end.positions, &mut search_end.velocities),
        (&*positions, &*velocities),
        (&*solution, &*anchor_positions),
        u,
    )
        .into_par_iter()
        .with_min_len(1024)
        .for_each(|((x_f, v_f), (x_1, v_1), (x, v), (dv, anchor), u)| {
            *v_1 = *v + *dv;
            *x_1 = *anchor + h * *v_1;
            *x_f = *x;
            *v_f = still * *v;
            *u = *v_1 - *v_f;
        });
    for constraint in constraints {
        let row = constraint.row as usize;
        let free = |moved: DVec3| constraint.free * moved;
        let moved = state.search_end.positions[row] - state.search_start.positions[row];
        state.search_start.positions[row] += moved - free(moved);
        // A released contact has changed x̂; the velocity is the one that leads from there to x_f.
        let start = (state.search_start.positions[row] - state.anchor_positions[row]) / h;
        state.search_start.velocities[row] = start;
        state.u[row] = state.search_end.velocities[row] - start;
    }
}

/// Elastic energies of the line-search point at α.
pub fn weigh(topology: &Topology, parameters: &Parameters, state: &State, alpha: f64) -> Weights {
    let edges = sum(&topology.edges, |ix, edge| edge_weights(topology, parameters, state, alpha, ix, edge));
    let elements = sum(&topology.elements, |_, element| element_weights(topology, parameters, state, alpha, element));
    edges + elements
}

/// Elastic energy at the start of a step, and its rise since, J.
pub struct LookBack {
    /// E(x₀)
    pub start: f64,
    /// E(x₁) − E(x₀), less the work of forces without an energy
    pub change: f64,
}

/// Elastic energies of a step without line search, linearised about its end. Twin of `shaders/search/look_back.wgsl`.
pub fn look_back(topology: &Topology, parameters: &Parameters, state: &mut State) -> LookBack {
    state.search_start.positions.clone_from(&state.previous_positions);
    state.search_end.positions.clone_from(&state.previous_positions);
    let weights = weigh(topology, parameters, state, 0.0);
    LookBack { start: weights.elastic + weights.change, change: -weights.change }
}

fn sum<T: Sync>(items: &[T], weigh: impl Fn(usize, &T) -> Weights + Sync) -> Weights {
    let chunks: Vec<Weights> = items
        .par_chunks(CHUNK)
        .enumerate()
        .map(|(chunk, items)| {
            let weights = items.iter().enumerate().map(|(ix, item)| weigh(chunk * CHUNK + ix, item));
            weights.fold(Weights::default(), |sum, weights| sum + weights)
        })
        .collect();
    chunks.into_iter().fold(Weights::default(), |sum, weights| sum + weights)
}

/// Energies at x_l, x_f, x_f + αd and x₁; and, for the last three, the change that the quadratic model predicts from x_l.
struct Along {
    start: f64,
    feasible: [f64; 2],
    here: [f64; 2],
    end: [f64; 2],
}

impl Along {
    fn weights(&self) -> Weights {
        let beyond = |[energy, model]: [f64; 2]| energy - self.start - model;
        Weights {
            beyond: beyond(self.end).max(0.0),
            unmodelled: beyond(self.here) - beyond(self.feasible),
            change: self.here[0] - self.start,
            elastic: self.start,
        }
    }
}

fn edge_weights(
    topology: &Topology,
    parameters: &Parameters,
    state: &State,
    alpha: f64,
    ix: usize,
    edge: &Edge,
) -> Weights {
    let material = &topology.materials[edge.material as usize];
    let history = &state.history[ix];
    let between = |positions: &[DVec3]| positions[edge.ends[0] as usize] - positions[edge.ends[1] as usize];
    let offset = between(&state.positions);
    let (feasible, end) = (between(&state.search_start.positions), between(&state.search_end.positions));
    let response = edge_response(material, edge, history, offset, DVec3::ZERO, parameters.time_step, parameters.clamp);
    let start = edge_energy(material, edge, history, offset.length(), parameters.time_step);
    let at = |at: DVec3| {
        let lengths = [offset.length(), at.length()];
        let work = edge_work(material, edge, history, lengths, parameters.time_step);
        let moved = at - offset;
        let along = response.direction.dot(moved);
        let curvature = response.transverse * moved.length_squared() + response.axial_excess * along * along;
        [start + work, 0.5 * curvature - response.force.dot(moved)]
    };
    let here = feasible + alpha * (end - feasible);
    Along { start, feasible: at(feasible), here: at(here), end: at(end) }.weights()
}

fn element_weights(
    topology: &Topology,
    parameters: &Parameters,
    state: &State,
    alpha: f64,
    element: &Element,
) -> Weights {
    let material = &topology.element_materials[element.material as usize];
    let still =
        ElementState { v: [DVec3::ZERO; 4], ..gather(&state.positions, &state.velocities, &state.normals, element) };
    let count = material.model.particle_count();
    let rows_at = |state: &ElementState| -> [_; 4] {
        std::array::from_fn(|own| element_row(material, element, state, own.min(count - 1), parameters.clamp))
    };
    let rows = rows_at(&still);
    let place = |positions: &[DVec3]| element.particles.map(|row| positions[row as usize]);
    let (feasible, end) = (place(&state.search_start.positions), place(&state.search_end.positions));
    let here: [DVec3; 4] = std::array::from_fn(|j| feasible[j] + alpha * (end[j] - feasible[j]));
    if !material.model.has_energy() {
        // A force without an energy counts by its work on the way.
        let after = rows_at(&ElementState { x: here, ..still });
        let work = |own: usize| 0.5 * (rows[own].force + after[own].force).dot(here[own] - still.x[own]);
        return Weights { change: -(0..count).map(work).sum::<f64>(), ..Weights::default() };
    }
    let at = |x: [DVec3; 4]| {
        let moved: [DVec3; 4] = std::array::from_fn(|j| x[j] - still.x[j]);
        let mut model = 0.0;
        for own in 0..count {
            let others = (0..count).filter(|&j| j != own);
            let stiff: DVec3 = others.map(|j| rows[own].stiffness[j] * (moved[own] - moved[j])).sum();
            model += moved[own].dot(0.5 * stiff - rows[own].force);
        }
        [element_energy(material, element, &ElementState { x, ..still }), model]
    };
    let start = element_energy(material, element, &still);
    Along { start, feasible: at(feasible), here: at(here), end: at(end) }.weights()
}

/// Quantities of a linearisation that decide about a line-search point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// α
    pub alpha: f64,
    /// r·d and d·A d, J.
    pub products: (f64, f64),
    /// Energies along the search.
    pub weights: Weights,
    /// Kinetic and elastic energy at the start of the step, and ½M(gh)², J.
    pub scale: f64,
    /// Whether the solve reached the tolerance of the step.
    pub tight: bool,
    /// Whether no contact changed state in the last pass.
    pub settled: bool,
    /// Number of points tried before this one.
    pub tried: u32,
}

/// Decision about a line-search point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Decision {
    /// The linearisation ends the step.
    Accept,
    /// The linearisation is good: its solve continues to the tolerance of the step.
    Tighten,
    /// The next linearisation begins at α.
    Linearise,
    /// The line search continues at this smaller α.
    Shorten(f64),
    /// No point along the search has a lower Φ.
    Fail,
}

/// Share of the slope by which Φ has to fall (Armijo).
const ARMIJO: f64 = 1e-4;
/// Largest number of points tried along a search.
pub const MOST_TRIALS: u32 = 8;

/// Decides about a line-search point. `floor` is the energy change that is rounding, J.
pub fn decide(trial: &Trial, energy_tolerance: f64, floor: f64) -> Decision {
    let (rd, dad) = trial.products;
    let (alpha, slope) = (trial.alpha, -(rd + dad));
    let change = alpha * slope + 0.5 * alpha * alpha * dad + trial.weights.unmodelled;
    let falls = change <= (ARMIJO * alpha * slope).min(0.0) + floor;
    let good = trial.tried == 0 && trial.weights.beyond <= (energy_tolerance * trial.scale).max(floor);
    if good && falls && !trial.tight {
        return Decision::Tighten;
    }
    if good && falls && trial.settled {
        return Decision::Accept;
    }
    if falls {
        return Decision::Linearise;
    }
    if trial.tried + 1 >= MOST_TRIALS {
        return Decision::Fail;
    }
    // The minimum of the parabola through both points, with the slope at the start.
    let lowest = -0.5 * slope * alpha * alpha / (change - slope * alpha);
    Decision::Shorten(if lowest.is_finite() { lowest.clamp(0.1 * alpha, 0.5 * alpha) } else { 0.1 * alpha })
}

/// Moves the state to α along the search.
pub fn take(state: &mut State, alpha: f64) {
    let State { search_start, search_end, positions, velocities, .. } = state;
    for (to, from, end) in [
        (positions, &search_start.positions, &search_end.positions),
        (velocities, &search_start.velocities, &search_end.velocities),
    ] {
        (to, from, end)
            .into_par_iter()
            .with_min_len(1024)
            .for_each(|(to, from, end)| *to = *from + alpha * (*end - *from));
    }
}
