//! Reports of steps: records, measures, costs.

use crate::BodyId;

/// How a linear solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The residual fell below the tolerance.
    Converged,
    /// The iterations ran out before the residual fell below the tolerance. The last iterate is used.
    IterationLimit,
    /// A direction of no or negative curvature: the matrix is not positive definite. The iterate before it is used.
    Indefinite,
    /// Contacts still changed when the passes or linearisations of a safe step ran out.
    ActiveSet,
    /// The line search of a safe step found no lower incremental potential.
    LineSearch,
    /// The energy of a safe step grew by more than the work from outside.
    EnergyRise,
    /// A number was not finite. The step fails with [`Error::NonFinite`](crate::Error::NonFinite).
    NonFinite,
}

/// Report of one finished step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct StepRecord {
    /// Number of the step, counted from 1.
    pub step: u64,
    /// Time at the end of the step, s.
    pub time: f64,
    /// Length of the step, s.
    pub time_step: f64,
    /// Estimate of the largest position error of the step, m, if [`Options::adaptive`](crate::Options) is set.
    pub error: Option<f64>,
    /// Conjugate gradient iterations, over all linearisations of the step.
    pub iterations: u32,
    /// Linear solves: 1, or more with Newton.
    pub linearisations: u32,
    /// How the last solve ended. With `Indefinite`, `iterations` says when it was noticed.
    pub outcome: Outcome,
    /// Whether Newton reached its tolerance; `true` when it is off.
    pub newton_converged: bool,
    /// √(rᵀQr) relative to its value at the step's start, as of the last test before the solve ended.
    pub residual: f64,
    /// Energy that the step gained beyond the work from outside, as a share of kinetic + elastic energy + ½M(gh)² at its start: the audit of the
    /// safe step. Below zero where energy was lost, as damping, friction and implicit Euler do. `None` where the step is not safe.
    pub energy_rise: Option<f64>,
    /// Particles in contact with a collider, and particles near one that are watched for contact.
    pub contacts: u32,
    /// Contact between bodies, in scenes that ask for it.
    pub meeting: Option<Meeting>,
    /// Energies and strain after the step, if [`Options::measure`](crate::Options) is set.
    pub measures: Option<Measures>,
    /// Time by stage, if [`Options::timing`](crate::Options) is set: on the GPU, if the device can tell, or on the CPU backend by the clock of the host.
    pub stage_times: Option<StageTimes>,
}

/// Contact between bodies in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Meeting {
    /// Pairs of a vertex and a triangle or of two edges that were near each other.
    pub pairs: u32,
    /// Pairs that were kept apart at the end of the step.
    pub active: u32,
    /// Particles whose motion was shortened because surfaces would have passed through each other.
    pub truncated: u32,
    /// Number of pairs that pins and colliders drove through each other. Such surfaces intersect from then on.
    pub driven: u32,
}

/// Two bodies whose surfaces intersect, or a body that intersects itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Intersection {
    /// The bodies, twice the same if it intersects itself.
    pub bodies: [BodyId; 2],
    /// Number of pairs of an edge and a triangle that cross.
    pub crossings: usize,
}

impl Intersection {
    /// A clause with the names of the bodies.
    pub(crate) fn text(&self, name: impl Fn(BodyId) -> String) -> String {
        let [a, b] = self.bodies;
        let bodies = if a == b {
            format!("{} intersects itself", name(a))
        } else {
            format!("{} and {} intersect", name(a), name(b))
        };
        let pairs = if self.crossings == 1 { "pair" } else { "pairs" };
        format!("{bodies}, in {} {pairs} of an edge and a triangle", self.crossings)
    }
}

/// How often adaptive steps were accepted and rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct AdaptiveReport {
    /// Steps that were accepted.
    pub accepted: u64,
    /// Steps that were rejected: undone, and repeated with a shorter length.
    pub rejected: u64,
    /// Accepted steps that missed the tolerance, because they had the shortest length already.
    pub forced: u64,
}

/// Energies and strain of a state.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Measures {
    /// Kinetic energy ½ Σ m v², J.
    pub kinetic: f64,
    /// Potential energy of gravity −Σ m g·x, J: zero at the origin.
    pub potential: f64,
    /// Energy stored in edges and elements, J. Forces as printed by some papers have none.
    pub elastic: f64,
    /// Largest stretch or compression, in size: |l/L - 1| of structural edges (structural springs, weft and warp of a weave), and
    /// |σ - 1| of triangles with an area or membrane model and of tetrahedra with a volume model, σ the singular values of the
    /// deformation gradient; of an inverted tetrahedron the smallest σ is negative. Shear and crossover springs, bending,
    /// shells and seams do not count; 0 where nothing else is there.
    pub largest_strain: f64,
}

impl Measures {
    /// Sum of the three energies, J.
    pub fn total_energy(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }
}

/// Time of a step by stage, s. Of a step on the GPU that needed a further submission, this is the first one alone.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct StageTimes {
    /// Assembly of forces and matrix, s.
    pub assembly: f64,
    /// Preconditioner, conjugate gradient and line search, s.
    pub solve: f64,
    /// New state, measures and record, s.
    pub integrate: f64,
    /// Contact between bodies, s: search for pairs, contact passes, guard. The product with struts in each iteration is part of `solve`.
    pub collision: f64,
}

/// Dispatches, memory and submissions of a simulation on the GPU. All zero on the CPU backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Costs {
    /// Dispatches of the last submitted step.
    pub dispatches: u32,
    /// Dispatches since the start, those of steps that failed included.
    pub all_dispatches: u64,
    /// Dispatches since the start that did work of a step that succeeded, as far as records have come back. Safe steps submit some more than they expect to need.
    pub used_dispatches: u64,
    /// Dispatches of one conjugate gradient iteration; 0 when the whole solve is one.
    pub dispatches_per_iteration: u32,
    /// Bytes read and written by one iteration.
    pub iteration_bytes: u64,
    /// Bytes of all buffers.
    pub buffer_bytes: u64,
    /// Submissions since the start: one a step, or one for many steps at once. Steps in the host's encoder count as one each.
    pub submissions: u64,
    /// How often the host has waited, since the start, for the step it had just submitted.
    pub host_waits: u64,
}
