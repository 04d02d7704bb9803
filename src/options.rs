//! How to simulate: everything that is not the scene itself.

use crate::Integrator;
use std::time::Duration;

/// Options of a [`Simulation`](crate::Simulation).
///
/// Every option struct has defaults. Build it by functional update, `..Default::default()`, as here: fields may be added in any release.
///
/// ```
/// use tenter::{Options, SolverOptions};
/// let options = Options { time_step: 0.005, solver: SolverOptions { tolerance: 1e-6, ..Default::default() }, ..Default::default() };
/// assert!(options.clamp);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Step h, s. Default: 0.01.
    pub time_step: f64,
    /// Time integration scheme. Default: implicit Euler.
    pub integrator: Integrator,
    /// Let the step follow the motion, from `time_step` at the start. Default: off.
    pub adaptive: Option<Adaptive>,
    /// Damping in proportion to mass and stiffness. Default: none.
    pub rayleigh: Rayleigh,
    /// Options of the linear solve.
    pub solver: SolverOptions,
    /// How the nonlinear equation of an implicit step is solved. Default: safe.
    pub nonlinear: Nonlinear,
    /// Largest number of active-set passes of one linear solve: a pass releases contacts that pull, lets those slide that exceed the friction
    /// cone, and engages those that penetrate. The safe step ends its passes as soon as no contact changes, and may make 8 at least; the other
    /// methods make all of them, and release nothing in the last. Default: 2.
    pub contact_passes: u32,
    /// Leave out the transverse stiffness of compressed edges, which makes the matrix indefinite. It acts on the Jacobian only;
    /// forces stay exact. Default: on.
    pub clamp: bool,
    /// Compute energies and strain in every step: one more dispatch. Default: off.
    pub measure: bool,
    /// Time the stages: on the GPU if the device has timestamps, on the CPU backend by the clock of the host. Default: off.
    pub timing: bool,
    /// How particles are numbered inside the solver. Results come in the user's order either way.
    pub ordering: Ordering,
    /// Largest number of steps of one call of [`advance`](crate::Simulation::advance); time beyond them is dropped. Default: 8.
    pub max_substeps: u32,
    /// How long to wait for the GPU before giving up. Default: 120 s.
    pub timeout: Duration,
}

/// Active-set passes that a solve of the safe step may make at least.
const SAFE_PASSES: u32 = 8;

impl Options {
    /// Whether a scene of `particles` gets a coarse level. `solid`: whether it has tetrahedra; `touches`: whether it has colliders or contact between bodies.
    pub(crate) fn two_level(&self, particles: usize, solid: bool, touches: bool) -> bool {
        match self.solver.preconditioner {
            _ if self.integrator.is_explicit() => false,
            Preconditioner::TwoLevel => true,
            Preconditioner::Automatic => {
                !self.has_fixed_work()
                    && !self.integrator.is_imex()
                    && !touches
                    && particles >= COARSE_FROM[usize::from(solid)]
            }
            _ => false,
        }
    }

    /// Preconditioner of a scene with or without a coarse level, never `Automatic`; none with an explicit integrator.
    pub(crate) fn preconditioner(&self, has_coarse_level: bool) -> Option<Preconditioner> {
        match self.solver.preconditioner {
            _ if self.integrator.is_explicit() => None,
            _ if has_coarse_level => Some(Preconditioner::TwoLevel),
            Preconditioner::Jacobi => Some(Preconditioner::Jacobi),
            _ => Some(Preconditioner::BlockJacobi),
        }
    }

    /// Whether the first solve of a step begins along the last step's velocity change. `corrected`: whether corrections follow u = Q r,
    /// see `Topology::has_corrections`. The velocity changes of rigid bodies are not known; ties that have just closed unite particles with changes of their own; with a coarse level, solves from 0 take
    /// fewer iterations to the same error.
    pub(crate) fn warm_start(&self, corrected: bool) -> bool {
        self.solver.warm_start
            && !corrected
            && !self.has_fixed_work()
            && !self.integrator.is_explicit()
            // Its predictor extrapolates the change already.
            && !self.integrator.extrapolates()
    }

    /// Whether every solve makes all of its iterations.
    fn has_fixed_work(&self) -> bool {
        self.solver.tolerance == 0.0 && matches!(self.nonlinear, Nonlinear::OneLinearisation)
    }

    /// Whether solves begin at the predicted velocity.
    pub(crate) fn has_predictor(&self) -> bool {
        self.solver.predictor || !self.integrator.starts_anywhere()
    }

    /// Largest number of linear solves of a step that is not safe.
    pub(crate) fn linearisations(&self) -> u32 {
        self.newton().map_or(1, |newton| newton.max_linearisations.max(1))
    }

    /// Options of Newton's method, where that is asked for.
    pub(crate) fn newton(&self) -> Option<&NewtonOptions> {
        match &self.nonlinear {
            Nonlinear::Newton(newton) => Some(newton),
            _ => None,
        }
    }

    /// Largest number of active-set passes of a solve of the safe step.
    pub(crate) fn safe_passes(&self) -> u32 {
        self.contact_passes.max(SAFE_PASSES)
    }

    /// Options of the safe step, where steps are audited and made again if they fail: safe steps, and those of the IMEX schemes where safe ones are asked for.
    pub(crate) fn audited(&self) -> Option<&SafeOptions> {
        match &self.nonlinear {
            Nonlinear::Safe(safe) if !self.integrator.is_explicit() => Some(safe),
            _ => None,
        }
    }

    /// Options of the safe step, where that is asked for and the integrator has a matrix that follows the state.
    pub(crate) fn safe(&self) -> Option<&SafeOptions> {
        self.audited().filter(|_| !self.integrator.is_imex())
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            time_step: 0.01,
            integrator: Integrator::default(),
            adaptive: None,
            rayleigh: Rayleigh::default(),
            solver: SolverOptions::default(),
            nonlinear: Nonlinear::default(),
            contact_passes: 2,
            clamp: true,
            measure: false,
            timing: false,
            ordering: Ordering::default(),
            max_substeps: 8,
            timeout: Duration::from_secs(120),
        }
    }
}

/// Steps whose length follows the motion.
///
/// The host decides: every step is waited for, its record says how good it was, and one that is off too far is taken back, with
/// everything it changed, and repeated shorter. So a GPU has nothing to do in between, and there are no many steps at once. Steps
/// in the host's encoder are refused. Use [`advance_to`](crate::Simulation::advance_to) to arrive at given times.
///
/// Fields may be added in any release: build it as `Adaptive { tolerance: 1e-5, ..Default::default() }`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adaptive {
    /// Shortest step, s, which is accepted however far it is off; only what has to land on a given time may be shorter. Default: 1e-5.
    pub smallest: f64,
    /// Longest step, s. Default: 1/30.
    pub largest: f64,
    /// How far one step may put a particle off, m, by the method's own estimate: see
    /// [`Integrator::estimate`]. It sees the error of the method, not that of a solve that stops early or of forces that are linearised
    /// once: take a tight [`SolverOptions::tolerance`] with a tight one here. Default: 1e-4.
    pub tolerance: f64,
    /// Criterion for the length of a step. Default: the estimate of the error.
    pub control: Control,
}

impl Default for Adaptive {
    fn default() -> Self {
        Self { smallest: 1e-5, largest: 1.0 / 30.0, tolerance: 1e-4, control: Control::default() }
    }
}

/// Criterion for the length of an adaptive step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Control {
    /// The error of the step, which goes with a power of its length.
    #[default]
    ErrorEstimate,
    /// The iterations of its solves (Etzmuß 3.4.3, but for a slip there: too many *shorten* the next step). No step is repeated unless it
    /// failed. Not for explicit integrators, which have none.
    Iterations {
        /// With fewer than this the next step is a quarter longer.
        few: u32,
        /// With more than this, or a solve that ran out of them, the next step is half as long.
        many: u32,
    },
}

/// Damping of a whole scene, f = -α M v - β K v, alike in every integrator: a mode of angular frequency ω is damped by
/// ζ = α / 2ω + β ω / 2.
///
/// K is the stiffness of the Jacobian, of springs and of elements, as [`Options::clamp`] has it, so that damping never feeds energy in
/// while that is on. Handles and forces from outside have none of it. The stiffness part keeps linear momentum, and angular momentum
/// as far as there is no tension; the mass part slows everything that moves.
///
/// Fields may be added in any release: build it as `Rayleigh { stiffness: 1e-3, ..Default::default() }`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rayleigh {
    /// α, 1/s.
    pub mass: f64,
    /// β, s.
    pub stiffness: f64,
}

/// Options of the preconditioned conjugate gradient.
///
/// Fields may be added in any release: build it as `SolverOptions { tolerance: 1e-6, ..Default::default() }`.
#[derive(Debug, Clone, PartialEq)]
pub struct SolverOptions {
    /// Stop when √(rᵀQr) has fallen by this factor, Q being the preconditioner. 0 runs all iterations. Default: 1e-4.
    pub tolerance: f64,
    /// Largest number of iterations of one solve. Default: 200.
    pub max_iterations: u32,
    /// Approximate inverse of the matrix that each iteration applies. Default: 3×3 blocks, and a coarse level in large scenes.
    pub preconditioner: Preconditioner,
    /// Begin the first solve of a step along the velocity change of the last step. It costs one matrix product a step, and saves iterations where the motion goes on as
    /// before. Scenes with a coarse level, ties or rigid bodies, SBDF2, and solves of a fixed number of iterations (`tolerance` 0 in steps of one linearisation) begin at 0
    /// all the same. Default: on.
    pub warm_start: bool,
    /// How many iterations are submitted to the GPU, which cannot ask for more. Default: adaptive.
    pub budget: Budget,
    /// How the solve is spread over workgroups. Default: by device type and size.
    pub variant: Variant,
    /// Begin at the velocity of the last step (Etzmuß 3.25, 3.32), or, to see what that is worth, at 0. Multi-step methods and the
    /// θ-scheme always do. Default: on.
    pub predictor: bool,
}

impl Default for SolverOptions {
    fn default() -> Self {
        Self {
            tolerance: 1e-4,
            max_iterations: 200,
            preconditioner: Preconditioner::default(),
            warm_start: true,
            budget: Budget::default(),
            variant: Variant::default(),
            predictor: true,
        }
    }
}

/// Approximate inverse of the matrix that the conjugate gradient applies in each iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Preconditioner {
    /// `TwoLevel` from 2 048 particles on, or from 32 768 in a scene with tetrahedra, if it has no colliders and no contact between bodies and no particle has more than 256
    /// neighbours; `BlockJacobi` otherwise. Solves of a fixed number of iterations (`tolerance` 0 in steps of one linearisation) and the IMEX schemes take `BlockJacobi`.
    #[default]
    Automatic,
    /// The inverse of each particle's 3×3 diagonal block.
    BlockJacobi,
    /// The inverse of the scalar diagonal.
    Jacobi,
    /// `BlockJacobi` and, added to it, the exact solution for motions that are linear in rest coordinates on each of 16 to 256 patches of the scene. The number of
    /// iterations then hardly grows with the resolution.
    TwoLevel,
}

impl Preconditioner {
    /// Every preconditioner.
    pub const ALL: [Preconditioner; 4] =
        [Preconditioner::Automatic, Preconditioner::BlockJacobi, Preconditioner::Jacobi, Preconditioner::TwoLevel];

    /// Name of the preconditioner in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Preconditioner::Automatic => "automatic",
            Preconditioner::BlockJacobi => "block-jacobi",
            Preconditioner::Jacobi => "jacobi",
            Preconditioner::TwoLevel => "two-level",
        }
    }
}

/// Number of particles from which `Preconditioner::Automatic` takes a coarse level: in scenes without tetrahedra, and with. Solids have few particles across, so that block
/// Jacobi needs few iterations. Never where something touches: cloth on a collider makes many linearisations, each with a coarse matrix, and whether larger cloth gains by it has
/// not been measured; what keeps bodies apart is no part of the coarse matrix.
const COARSE_FROM: [usize; 2] = [2048, 32768];

/// How many iterations to submit when it is not known how many will be needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Budget {
    /// Twice what the longest solve of the step before the last took, and 16. A solve that needs more is cut short and says so; the
    /// one after the next has more.
    /// The rule depends on nothing but counts, so that bits repeat.
    #[default]
    Adaptive,
    /// Always `max_iterations`: those not needed leave at once, but are launched. Safe steps, which go on where a budget ends, are adaptive all the same.
    Full,
}

/// How the solve is spread over workgroups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Variant {
    /// `Single` up to 512 particles, `Many` above; the number of workgroups follows the device type.
    #[default]
    Automatic,
    /// One workgroup, one dispatch for the whole solve (a few on software drivers). At most 512 particles.
    Single,
    /// Two dispatches an iteration, over at most this many workgroups.
    Many {
        /// Largest number of workgroups, from 1 to 65535.
        workgroups: u32,
    },
}

/// How the nonlinear equation of an implicit step is solved.
///
/// The stage of an implicit step is a minimum of the incremental potential Φ(v) = ½‖v − v̂‖²_M + E(x̂ + γhv), to which damping adds a quadratic
/// form. The three methods differ in how far they go for it. Explicit integrators solve nothing and ignore it. The IMEX
/// schemes have a constant matrix: of [`Safe`](Nonlinear::Safe) they have the energy audit and the shorter steps.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Nonlinear {
    /// Inexact Newton with a line search on Φ, an energy audit, and shorter steps where a step fails: the default.
    Safe(SafeOptions),
    /// One linearisation per step (Baraff–Witkin), whatever comes of it. Where a particle turns about its neighbour by more than some 20° in a
    /// step, the linearised edge is far too long and the next step answers with its full stiffness: small cells, fast motion, large steps and
    /// small obstacles make it explode, with every solve converged. Cheapest per step; a benchmark of fixed work.
    OneLinearisation,
    /// Newton's method to a tolerance, with full steps: no line search, so that it may diverge where the safe step does not.
    Newton(NewtonOptions),
}

impl Default for Nonlinear {
    fn default() -> Self {
        Self::Safe(SafeOptions::default())
    }
}

/// Options of the safe step.
///
/// A linearisation is the last of its step when its linear residual has fallen to `tolerance`, the elastic energy at its end agrees with the quadratic
/// model it was computed from to `energy_tolerance`, Φ has fallen, and no contact changed.
///
/// Fields may be added in any release: build it as `SafeOptions { max_halvings: 8, ..Default::default() }`.
#[derive(Debug, Clone, PartialEq)]
pub struct SafeOptions {
    /// Bound of √(rᵀQr) at the end of a step, relative to its start, Q being the preconditioner: of the linear residual of the last
    /// linearisation, which differs from the nonlinear one by what `energy_tolerance` allows. Takes the place of
    /// [`SolverOptions::tolerance`]. Default: 1e-2.
    pub tolerance: f64,
    /// Largest elastic energy beyond the quadratic model that the last linearisation may leave, as a share of kinetic + elastic energy + ½M(gh)².
    /// Default: 1e-4.
    pub energy_tolerance: f64,
    /// Largest number of linearisations of one step; a step that needs more is repeated in halves. Default: 24.
    pub max_linearisations: u32,
    /// How often a step that failed may be halved: 2^n shorter steps at most. Default: 6.
    pub max_halvings: u32,
}

impl Default for SafeOptions {
    fn default() -> Self {
        Self { tolerance: 1e-2, energy_tolerance: 1e-4, max_linearisations: 24, max_halvings: 6 }
    }
}

/// Options of Newton's method for the implicit step.
///
/// Fields may be added in any release: build it as `NewtonOptions { tolerance: 1e-6, ..Default::default() }`.
#[derive(Debug, Clone, PartialEq)]
pub struct NewtonOptions {
    /// Stop when the residual of the nonlinear equation has fallen by this factor, in the norm of the solve. Default: 1e-3.
    pub tolerance: f64,
    /// Largest number of linearisations of one step. Default: 8.
    pub max_linearisations: u32,
}

impl Default for NewtonOptions {
    fn default() -> Self {
        Self { tolerance: 1e-3, max_linearisations: 8 }
    }
}

/// How particles are numbered inside the solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Ordering {
    /// Reverse Cuthill–McKee, so that neighbours lie close together in memory.
    #[default]
    CuthillMckee,
    /// As the meshes give them, body after body.
    AsGiven,
}
