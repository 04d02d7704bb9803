//! What the twins work on: the buffers of the GPU, in f64.

use crate::{
    Air, Options, Outcome, Preconditioner, Rayleigh, SafeOptions,
    integrator::{Estimate, Scheme},
    topology::Topology,
};
use glam::{DMat3, DVec3};

/// `shaders/shared/params.wgsl`
#[derive(Debug, Clone)]
pub struct Parameters {
    /// m/s²
    pub gravity: DVec3,
    /// Wind and resistance.
    pub air: Air,
    /// h, s
    pub time_step: f64,
    /// The numbers of the first step.
    pub first: Scheme,
    /// The first guess of a velocity is the last one, not 0.
    pub predictor: bool,
    /// Forces are evaluated at the guessed stage.
    pub predict: bool,
    /// Damping in proportion to mass and stiffness.
    pub rayleigh: Rayleigh,
    /// How far a particle may go in an explicit step, m.
    pub reach: f64,
    /// How far rounding to f32 may move a particle in a step, m.
    pub rounding: f64,
    /// (1 - θ) / θ of the θ-scheme, else 0.
    pub explicit_share: f64,
    /// (1 - θ) h of the θ-scheme, else 0; s.
    pub drift: f64,
    /// Weights of the error of a step.
    pub estimate: Estimate,
    /// Of the linear solve.
    pub tolerance: f64,
    /// Of the linear solve.
    pub max_iterations: u32,
    /// 0 when Newton is off: then there is one linearisation and nothing to test.
    pub newton_tolerance: f64,
    /// 1 when Newton is off.
    pub max_linearisations: u32,
    /// Bounds of the safe step, where the step is safe.
    pub safe: Option<SafeOptions>,
    /// Leave out the transverse stiffness of compressed edges.
    pub clamp: bool,
    /// Which diagonal is inverted.
    pub preconditioner: Preconditioner,
}

impl Parameters {
    /// From the user's options.
    pub fn new(options: &Options, gravity: DVec3) -> Self {
        Self {
            gravity,
            air: Air::default(),
            time_step: options.time_step,
            first: options.integrator.scheme(options.time_step, None),
            predictor: options.predicts(),
            predict: options.integrator.predicts(),
            rayleigh: options.rayleigh,
            reach: f64::INFINITY,
            rounding: 0.0,
            explicit_share: options.integrator.explicit_share(),
            drift: options.integrator.drift(options.time_step),
            estimate: options.integrator.estimate(options.time_step, None),
            tolerance: options.solver.tolerance,
            max_iterations: options.solver.max_iterations,
            newton_tolerance: options.newton().map_or(0.0, |newton| newton.tolerance),
            safe: options.safe().cloned(),
            max_linearisations: options.linearisations(),
            clamp: options.clamp,
            preconditioner: options.solver.preconditioner,
        }
    }
}

/// An off-diagonal block, -(a I ± axis axisᵀ) with axis = √|b| n; the sign of b is in the index.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Block {
    /// √|b| n
    pub axis: DVec3,
    /// a
    pub a: f64,
}

/// In [`State::index`]: the sign of b.
pub const NEGATIVE_BLOCK: u32 = 1 << 31;

/// What the next iteration begins: `FRESH_…` in `shaders/shared/status.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fresh {
    /// Nothing.
    Not,
    /// A search, with another filter.
    Search,
    /// A solve.
    Solve,
}

/// `CgState` of `shaders/shared/status.wgsl`
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CgState {
    /// γ = rᵀQr
    pub gamma: f64,
    /// α of the last iteration.
    pub alpha: f64,
    /// γ at the start of this solve.
    pub reference: f64,
    /// γ at the start of the step's first solve.
    pub newton_reference: f64,
    /// Finished iterations.
    pub iteration: u32,
    /// Nothing is left to do.
    pub done: bool,
    /// Why.
    pub outcome: Outcome,
    /// Newton has converged.
    pub newton_done: bool,
    /// Solves begun in this step.
    pub linearisation: u32,
    /// What the next iteration begins.
    pub fresh: Fresh,
    /// β of the last iteration.
    pub beta: f64,
    /// Solves that went on after contacts had changed.
    pub resumed: u32,
    /// Smallest γ since the search began.
    pub best: f64,
    /// In the safe step: the solve ends at a tenth of where it began, not at the step's tolerance.
    pub loose: bool,
    /// γ of the weight and of the momentum at the start of the step: what a safe step is accurate relative to.
    pub weight: f64,
    /// γ below which nothing but rounding is left of a safe step.
    pub floor: f64,
}

impl Default for CgState {
    fn default() -> Self {
        Self {
            gamma: 0.0,
            alpha: 0.0,
            reference: 0.0,
            newton_reference: 0.0,
            iteration: 0,
            done: false,
            outcome: Outcome::IterationLimit,
            newton_done: false,
            linearisation: 0,
            fresh: Fresh::Solve,
            beta: 0.0,
            resumed: 0,
            best: 0.0,
            loose: false,
            weight: 0.0,
            floor: 0.0,
        }
    }
}

/// Positions and velocities of a stage, by row.
#[derive(Debug, Clone)]
pub struct Place {
    /// m
    pub positions: Vec<DVec3>,
    /// m/s
    pub velocities: Vec<DVec3>,
}

/// Every vector of a simulation, by row.
#[derive(Debug, Clone)]
pub struct State {
    /// m
    pub positions: Vec<DVec3>,
    /// m/s
    pub velocities: Vec<DVec3>,
    /// At the start of the step.
    pub previous_positions: Vec<DVec3>,
    /// At the start of the step.
    pub previous_velocities: Vec<DVec3>,
    /// At the start of the step before, where steps are adaptive.
    pub older_velocities: Vec<DVec3>,
    /// x̂
    pub anchor_positions: Vec<DVec3>,
    /// v̂
    pub anchor_velocities: Vec<DVec3>,
    /// Of the next step, or of the one under way.
    pub scheme: Scheme,
    /// r. After a solve its constrained part is the constraint impulse, sign reversed.
    pub residual: Vec<DVec3>,
    /// Where the line search of a safe step begins: the linearised state, with held components at their targets.
    pub search_start: Place,
    /// Where it ends: the linear solution.
    pub search_end: Place,
    /// Q r
    pub u: Vec<DVec3>,
    /// A u
    pub w: Vec<DVec3>,
    /// Δv
    pub solution: Vec<DVec3>,
    /// Search direction.
    pub p: Vec<DVec3>,
    /// A p
    pub s: Vec<DVec3>,
    /// Diagonal block D of each row, as assembly leaves it.
    pub diagonal: Vec<DMat3>,
    /// Q = P (P D P)⁺ P of each row, as [`precondition`](super::solve::precondition) leaves it.
    pub preconditioner: Vec<DMat3>,
    /// Scalar part of each diagonal block, which no difference has: mass, air resistance, handles.
    pub scalar_diagonal: Vec<f64>,
    /// Of masters: the sum of `scalar_diagonal` over the particles tied to them.
    pub tied_diagonal: Vec<f64>,
    /// Unit normal of the surface and area at each particle, at the start of the step.
    pub normals: Vec<(DVec3, f64)>,
    /// Where in its swing the wind is, in turns.
    pub wind_phase: f64,
    /// Neighbour of each block, and the sign of its b in the top bit.
    pub index: Vec<u32>,
    /// What each edge remembers.
    pub history: Vec<[f64; 4]>,
    /// Blocks in the order of [`Pattern::incidences`](crate::topology::Pattern).
    pub values: Vec<Block>,
    /// Blocks B of elements, A_ij = -B_ij, in the order of [`ElementPattern::neighbours`](crate::topology::ElementPattern).
    pub full: Vec<DMat3>,
}

impl State {
    /// The start of a simulation.
    pub fn new(topology: &Topology, parameters: &Parameters) -> Self {
        let zero = vec![DVec3::ZERO; topology.particle_count()];
        Self {
            positions: topology.positions.clone(),
            velocities: topology.velocities.clone(),
            previous_positions: topology.positions.clone(),
            previous_velocities: topology.velocities.clone(),
            older_velocities: topology.velocities.clone(),
            anchor_positions: topology.positions.clone(),
            anchor_velocities: topology.velocities.clone(),
            scheme: parameters.first,
            residual: zero.clone(),
            search_start: Place { positions: zero.clone(), velocities: zero.clone() },
            search_end: Place { positions: zero.clone(), velocities: zero.clone() },
            u: zero.clone(),
            w: zero.clone(),
            solution: zero.clone(),
            p: zero.clone(),
            s: zero,
            diagonal: vec![DMat3::ZERO; topology.particle_count()],
            preconditioner: vec![DMat3::ZERO; topology.particle_count()],
            scalar_diagonal: topology.masses.clone(),
            tied_diagonal: vec![0.0; topology.particle_count()],
            normals: vec![(DVec3::ZERO, 0.0); topology.particle_count()],
            wind_phase: 0.0,
            index: topology.pattern.incidences.iter().map(|incidence| incidence.neighbour).collect(),
            history: vec![[0.0; 4]; topology.edges.len()],
            values: vec![Block::default(); topology.pattern.incidences.len()],
            full: vec![DMat3::ZERO; topology.element_pattern.neighbours.len()],
        }
    }
}
