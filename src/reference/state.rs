//! State and parameters of the twins: the buffers of the GPU, in f64.

use super::{coarse::Coarse, collision::Struts};
use crate::{
    Air, Options, Outcome, Preconditioner, Rayleigh, SafeOptions,
    integrator::{Estimate, Scheme},
    topology::Topology,
};
use glam::{DMat3, DVec3};

/// Parameters of a step, as in `shaders/shared/params.wgsl`.
#[derive(Debug, Clone)]
pub struct Parameters {
    /// Gravity, m/s².
    pub gravity: DVec3,
    /// Wind and air resistance.
    pub air: Air,
    /// Time step h, s.
    pub time_step: f64,
    /// Coefficients of the first step.
    pub first: Scheme,
    /// Whether a step starts Newton's method at the last velocity, not at 0.
    pub predictor: bool,
    /// Whether forces are evaluated at the extrapolated stage.
    pub extrapolate: bool,
    /// Damping proportional to mass and stiffness.
    pub rayleigh: Rayleigh,
    /// Largest way of a particle in an explicit step, m.
    pub reach: f64,
    /// Largest displacement by rounding to f32 in a step, m.
    pub rounding: f64,
    /// (1 - θ) / θ of the θ-scheme, else 0.
    pub explicit_share: f64,
    /// (1 - θ) h of the θ-scheme, else 0; s.
    pub drift: f64,
    /// Weights of the error estimate of a step.
    pub estimate: Estimate,
    /// Tolerance of the linear solve, relative to its start.
    pub tolerance: f64,
    /// Largest number of iterations of the linear solve.
    pub max_iterations: u32,
    /// Tolerance of Newton's method. 0 without Newton's method: one linearisation has nothing to test.
    pub newton_tolerance: f64,
    /// Largest number of linearisations; 1 without Newton's method.
    pub max_linearisations: u32,
    /// Bounds of the safe step; `None` for other steps.
    pub safe: Option<SafeOptions>,
    /// Whether the transverse stiffness of compressed edges is omitted.
    pub clamp: bool,
    /// Part of the diagonal block that is inverted.
    pub preconditioner: Preconditioner,
    /// Whether the first solve of a step begins along the last step's velocity change.
    pub warm_start: bool,
}

impl Parameters {
    /// Parameters from the user's options.
    pub fn new(options: &Options, gravity: DVec3) -> Self {
        Self {
            gravity,
            air: Air::default(),
            time_step: options.time_step,
            first: options.integrator.scheme(options.time_step, None),
            predictor: options.has_predictor(),
            extrapolate: options.integrator.extrapolates(),
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
            warm_start: options.warm_start(false),
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

/// Bit of [`State::index`] that marks a negative b.
pub const NEGATIVE_BLOCK: u32 = 1 << 31;

/// State of the iteration to come: `FRESH_…` in `shaders/shared/status.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fresh {
    /// The iteration continues a search.
    Not,
    /// The iteration begins a search, with another constraint filter.
    Search,
    /// The iteration begins a solve.
    Solve,
    /// The iteration begins a solve along the last step's velocity change.
    Warm,
    /// The iteration begins a search after a warm start.
    Restart,
}

/// State of the conjugate gradients: `CgState` of `shaders/shared/status.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CgState {
    /// γ = rᵀQr, which tolerances test.
    pub gamma: f64,
    /// rᵀu, from which β follows. It differs from γ where a coarse level is part of u.
    pub product: f64,
    /// α of the last iteration.
    pub alpha: f64,
    /// γ at the start of this solve.
    pub reference: f64,
    /// γ at the start of the step's first solve.
    pub newton_reference: f64,
    /// Whether the solve goes on without the coarse level.
    pub coarse_off: bool,
    /// Number of finished iterations.
    pub iteration: u32,
    /// Whether the solve has ended.
    pub done: bool,
    /// How the solve has ended.
    pub outcome: Outcome,
    /// Whether Newton's method has converged.
    pub newton_done: bool,
    /// Number of solves begun in this step.
    pub linearisation: u32,
    /// Whether the next iteration begins a solve or a search.
    pub fresh: Fresh,
    /// β of the last iteration.
    pub beta: f64,
    /// Number of times the solve resumed after contacts had changed.
    pub resumed: u32,
    /// Smallest γ since the search began.
    pub best: f64,
    /// Whether a solve of the safe step ends at a loose tolerance relative to its start, not at the tolerance of the step.
    pub loose: bool,
    /// Whether a solve of the safe step goes on to a finer tolerance, because bodies slide past each other with friction.
    pub fine: bool,
    /// γ of the weight and of the momentum at the start of the step, to which the tolerance of a safe step is relative.
    pub weight: f64,
    /// γ below which only rounding is left of a safe step.
    pub floor: f64,
}

impl Default for CgState {
    fn default() -> Self {
        Self {
            gamma: 0.0,
            product: 0.0,
            alpha: 0.0,
            reference: 0.0,
            newton_reference: 0.0,
            coarse_off: false,
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
            fine: false,
            weight: 0.0,
            floor: 0.0,
        }
    }
}

/// One end of a line search: positions and velocities, by row.
#[derive(Debug, Clone)]
pub struct SearchPoint {
    /// Positions, m.
    pub positions: Vec<DVec3>,
    /// Velocities, m/s.
    pub velocities: Vec<DVec3>,
}

/// All vectors of a simulation, by row.
#[derive(Debug, Clone)]
pub struct State {
    /// Positions, m.
    pub positions: Vec<DVec3>,
    /// Velocities, m/s.
    pub velocities: Vec<DVec3>,
    /// Positions at the start of the step, m.
    pub previous_positions: Vec<DVec3>,
    /// Velocities at the start of the step, m/s.
    pub previous_velocities: Vec<DVec3>,
    /// Velocities at the start of the previous step, for adaptive steps, m/s.
    pub older_velocities: Vec<DVec3>,
    /// x̂ of the stage equation x = x̂ + γ h v, m.
    pub anchor_positions: Vec<DVec3>,
    /// v̂ of the stage equation M (v - v̂) = γ h f, m/s.
    pub anchor_velocities: Vec<DVec3>,
    /// Coefficients of the next step, or of the step under way.
    pub scheme: Scheme,
    /// Residual r. After a solve its constrained part is the constraint impulse, sign reversed.
    pub residual: Vec<DVec3>,
    /// Start of the line search of a safe step: the linearised state, with held components at their targets.
    pub search_start: SearchPoint,
    /// End of the line search of a safe step: the linear solution.
    pub search_end: SearchPoint,
    /// Velocity change of the last step, along which a warm start begins, m/s.
    pub guess: Vec<DVec3>,
    /// Coarse matrix of this linearisation, in scenes with aggregates.
    pub coarse: Coarse,
    /// Struts of this step, in scenes with contact between bodies.
    pub struts: Struts,
    /// Preconditioned residual u = Q r.
    pub u: Vec<DVec3>,
    /// Product w = A u.
    pub w: Vec<DVec3>,
    /// Solution Δv, m/s.
    pub solution: Vec<DVec3>,
    /// Search direction p.
    pub p: Vec<DVec3>,
    /// Image s = A p of the search direction.
    pub s: Vec<DVec3>,
    /// Diagonal block D of each row, as assembly leaves it.
    pub diagonal: Vec<DMat3>,
    /// Q = P (P D P)⁺ P of each row, as [`precondition`](super::solve::precondition) leaves it.
    pub preconditioner: Vec<DMat3>,
    /// Scalar part of each diagonal block, which differences do not contain: mass, air resistance, handles.
    pub scalar_diagonal: Vec<f64>,
    /// For each master, the sum of `scalar_diagonal` over the particles tied to it.
    pub tied_diagonal: Vec<f64>,
    /// Unit normal of the surface and area at each particle, at the start of the step.
    pub normals: Vec<(DVec3, f64)>,
    /// Phase of the wind, in turns.
    pub wind_phase: f64,
    /// Neighbour of each block, and the sign of its b in the top bit.
    pub index: Vec<u32>,
    /// Memory of each edge.
    pub history: Vec<[f64; 4]>,
    /// Blocks in the order of [`Pattern::incidences`](crate::topology::Pattern).
    pub values: Vec<Block>,
    /// Blocks B of elements, A_ij = -B_ij, in the order of [`ElementPattern::neighbours`](crate::topology::ElementPattern).
    pub full: Vec<DMat3>,
}

impl State {
    /// The state at the start of a simulation.
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
            search_start: SearchPoint { positions: zero.clone(), velocities: zero.clone() },
            search_end: SearchPoint { positions: zero.clone(), velocities: zero.clone() },
            guess: zero.clone(),
            coarse: Coarse::default(),
            struts: Struts::default(),
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

    /// Potential of all struts at α along the search, beyond that of their present states and less that at its start, J.
    pub fn struts_unmodelled(&self, alpha: f64) -> f64 {
        let (start, end) = (&self.search_start.positions, &self.search_end.positions);
        self.struts.unmodelled(&self.previous_positions, [start, end], self.scheme.stage_step, alpha)
    }
}
