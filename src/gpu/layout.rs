//! Structs shared with the shaders, by name. A test compares every offset with the one that naga finds in the WGSL.

use bytemuck::{Pod, Zeroable};

macro_rules! shared_struct {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty),* $(,)? }) => {
        $(#[$doc])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
        pub struct $name { $($(#[$field_doc])* pub $field: $type),* }

        impl $name {
            /// Offset of every field, for comparison with the shader's.
            pub const OFFSETS: &'static [(&'static str, usize)] =
                &[$((stringify!($field), std::mem::offset_of!($name, $field))),*];
        }
    };
}

mod collision;
pub mod picture;
pub mod view;

pub use collision::{Bounds, Motion, Refit, SearchPart, Strut, SurfaceLayout, SurfacePair};

shared_struct! {
    /// Parameters of a simulation: `shaders/shared/params.wgsl`.
    Params {
        /// Gravity, m/s².
        gravity: [f32; 3],
        /// Time step h, s.
        time_step: f32,
        /// Number of particles, which is the number of rows.
        particle_count: u32,
        /// Number of words before the first slot in `pattern`.
        pattern_header: u32,
        /// Number of workgroups of every row kernel.
        workgroup_count: u32,
        /// Number of partial sums that row kernels write.
        partial_count: u32,
        /// Number of dispatches over the matrix, one per chunk.
        chunk_count: u32,
        /// Largest number of iterations of the linear solve.
        max_iterations: u32,
        /// Tolerance of the linear solve, squared.
        tolerance_squared: f32,
        /// Tolerance of Newton's method, squared.
        newton_tolerance_squared: f32,
        /// Bits of [`flag`].
        flags: u32,
        /// Number of records in the ring.
        record_count: u32,
        /// Number of iterations in one dispatch of `solve/single`.
        iterations_at_once: u32,
        /// Start of the full blocks' slice offsets in `pattern`.
        full_pattern: u32,
        /// Number of elements.
        element_count: u32,
        /// Number of partial sums of all kernels that measure.
        measure_count: u32,
        /// Number of workgroups of kernels over elements.
        element_workgroups: u32,
        /// Number of point loads.
        load_count: u32,
        /// Wind pressure, N/m².
        wind: [f32; 3],
        /// Steady share a of the wind.
        wind_steady: f32,
        /// Share of the pressure along the normal.
        wind_drag: f32,
        /// Share of the pressure across the normal.
        wind_lift: f32,
        /// Advance of the wind's phase in a step, ω h / 2π, turns.
        wind_turns: f32,
        /// Air resistance, N·s/m³.
        air_resistance: f32,
        /// The scheme of all steps but the first.
        steady: Scheme,
        /// Explicit share of the θ-scheme, (1 - θ) / θ.
        explicit_share: f32,
        /// Explicit time of the θ-scheme, (1 - θ) h, s.
        drift: f32,
        /// Largest way of a particle in an explicit step, m.
        reach: f32,
        /// 1: forces are evaluated at the extrapolated stage.
        extrapolate: u32,
        /// Rayleigh damping by mass α, 1/s.
        mass_damping: f32,
        /// Rayleigh damping by stiffness β, s.
        stiffness_damping: f32,
        /// Weight of this step's velocity change in the error estimate, s.
        error_new: f32,
        /// Weight of the last step's velocity change in the error estimate, s.
        error_old: f32,
        /// Number of constraints: pins and contacts.
        constraint_count: u32,
        /// Number of rigid bodies.
        rigid_count: u32,
        /// Number of groups of tied particles.
        tie_count: u32,
        /// Number of vertices of all skins.
        skin_count: u32,
        /// Number of workgroups of the kernels over skins.
        skin_workgroups: u32,
        /// Largest number of active-set passes of a solve of the safe step; 0 without contacts.
        contact_passes: u32,
        /// Largest number of linearisations of the safe step.
        max_linearisations: u32,
        /// Tolerance of energies beyond their quadratic models in the safe step.
        energy_tolerance: f32,
        /// Relative energy rise at which a safe step fails.
        most_rise: f32,
        /// Largest displacement by rounding to f32 in a step, m.
        rounding: f32,
        /// Number of consecutive steps whose energy rises are audited together.
        audited_steps: u32,
        /// Number of aggregates of the coarse level.
        coarse_count: u32,
        /// Length of a row of the coarse matrix, in vec4.
        coarse_stride: u32,
        /// Number of partial sums of the kernels over struts between bodies.
        strut_partials: u32,
        /// Keeps the size a multiple of 16.
        padding_2: u32,
        /// Keeps the size a multiple of 16.
        padding_3: u32,
    }
}

shared_struct! {
    /// Place of a row in the coarse level: `shaders/coarse/aggregates.wgsl`.
    CoarseRow {
        /// Rest coordinates about the centre of the aggregate, at most 1 in size.
        local: [f32; 3],
        /// The row's aggregate, or `NO_AGGREGATE`.
        aggregate: u32,
    }
}

shared_struct! {
    /// Rows of the coarse matrix that are eliminated together: `shaders/coarse/panel.wgsl`.
    Panel {
        /// First row of the panel, in vec4.
        first: u32,
        /// Number of rows up to the end of the band, in vec4.
        band: u32,
        /// Keeps the size a multiple of 16.
        padding_a: u32,
        /// Keeps the size a multiple of 16.
        padding_b: u32,
    }
}

shared_struct! {
    /// Binding of a skin vertex: `shaders/skin/place.wgsl`.
    SkinPoint {
        /// Corners, by particle in the user's order.
        particles: [u32; 4],
        /// Weights a, b, c.
        weights: [f32; 3],
        /// 1 if bound to a tetrahedron.
        solid: u32,
    }
}

shared_struct! {
    /// Stage of a Runge–Kutta method: `shaders/integrate/stage_numbers.wgsl`.
    RungeKuttaStage {
        /// Weight b_i of the stage.
        weight: f32,
        /// Time of the next stage, as a part of the step.
        next: f32,
        /// 1 in the first stage, which begins the sums.
        first: u32,
        /// 1 in the last stage, which ends the step.
        last: u32,
    }
}

shared_struct! {
    /// Chunk of the matrix: `shaders/shared/chunk.wgsl`.
    Chunk {
        /// First row of the chunk.
        first_row: u32,
        /// Row after the last.
        end_row: u32,
        /// Slot that comes first in the chunk's buffers.
        first_slot: u32,
        /// Index of the chunk's first partial sum.
        first_partial: u32,
        /// Full slot that comes first in the chunk's buffers.
        first_full: u32,
        /// Start of the chunk's full blocks in `values`.
        full_base: u32,
        /// Number of full blocks of the chunk.
        full_count: u32,
        /// Keeps the size a multiple of 16.
        padding: u32,
    }
}

/// Bits of [`Params::flags`].
pub mod flag {
    /// The transverse stiffness of compressed edges is omitted.
    pub const CLAMP: u32 = 1;
    /// The preconditioner is scalar Jacobi, not block Jacobi.
    pub const SCALAR_JACOBI: u32 = 2;
    /// `report/measure` runs.
    pub const MEASURE: u32 = 4;
    /// Newton's method starts at velocity 0, not at that of the last step.
    pub const NO_PREDICTOR: u32 = 8;
    /// Safe steps are accepted although contacts or residual have not converged.
    pub const LENIENT: u32 = 16;
    /// Steps are safe.
    pub const SAFE: u32 = 32;
    /// The first solve of a step begins along the velocity change of the last step.
    pub const WARM_START: u32 = 128;
    /// The energy of steps is audited.
    pub const AUDITED: u32 = 64;
}

shared_struct! {
    /// State of the conjugate gradients: `shaders/shared/status.wgsl`.
    CgState {
        /// γ = rᵀQr.
        gamma: f32,
        /// α of the last iteration.
        alpha: f32,
        /// γ at the start of this solve.
        reference: f32,
        /// γ at the start of the step's first solve.
        newton_reference: f32,
        /// Number of finished iterations.
        iteration: u32,
        /// 1 when the solve has ended.
        done: u32,
        /// How the solve has ended: `outcome::…`.
        outcome: u32,
        /// 1 when Newton's method has converged.
        newton_done: u32,
        /// Number of solves begun in this step.
        linearisation: u32,
        /// Whether the next iteration begins a solve or a search: `FRESH_…`.
        fresh: u32,
        /// β of the last iteration.
        beta: f32,
        /// Number of times solves resumed after contacts had changed.
        resumed: u32,
        /// Smallest γ since the search began.
        best: f32,
        /// 1 if a solve of a safe step ends at a loose tolerance relative to its start.
        loose: u32,
        /// γ of weight and momentum at the start of the step.
        weight: f32,
        /// γ below which only rounding is left.
        floor: f32,
        /// rᵀu of the last iteration.
        product: f32,
        /// Whether u has a part of the coarse level: the constants `COARSE_…` of `shaders/shared/status.wgsl`.
        coarse: u32,
        /// Keeps the size a multiple of 16.
        padding_a: u32,
        /// Keeps the size a multiple of 16.
        padding_b: u32,
    }
}

shared_struct! {
    /// State of the line search of a safe step: `shaders/shared/status.wgsl`.
    SearchState {
        /// Next action of the round: `ACTION_…`.
        action: u32,
        /// Mode of the step: `MODE_…`.
        mode: u32,
        /// Step length α of the present point.
        alpha: f32,
        /// Number of points tried along the search.
        tried: u32,
        /// Kinetic part of the energy scale, J.
        kinetic: f32,
        /// Energy scale of the step, J.
        scale: f32,
        /// Change of the elastic energy since the start of the step, J.
        elastic_change: f32,
        /// 1 if the first linearisation of the last step was poor.
        hard: u32,
        /// Number of consecutive failed line searches.
        failures: u32,
        /// Number of contacts that changed state in the last pass.
        flips: u32,
        /// Number of passes of this solve.
        passes: u32,
        /// How the step has ended: `outcome::…`.
        outcome: u32,
        /// Number of line-search points in the step.
        searches: u32,
        /// 1 in the round of a contact pass.
        revised: u32,
        /// Keeps the size a multiple of 16.
        padding_a: u32,
        /// Keeps the size a multiple of 16.
        padding_b: u32,
        /// Solves between two line-search points: `note_solve` in `shaders/solve/count.wgsl`.
        profile: [[u32; 4]; 4],
    }
}

shared_struct! {
    /// Start and end of a line search in one row: `shaders/search/search_row.wgsl`.
    SearchRow {
        /// Position x_f at the start, m.
        start_position: [f32; 4],
        /// Velocity v_f at the start, m/s.
        start_velocity: [f32; 4],
        /// Position x₁ at the end, m.
        end_position: [f32; 4],
        /// Velocity v₁ at the end, m/s.
        end_velocity: [f32; 4],
    }
}

shared_struct! {
    /// Coefficients of a step: `shaders/shared/status.wgsl`.
    Scheme {
        /// Length γ h of the stage, s.
        stage_step: f32,
        /// Time of the lead term K v, s.
        lead: f32,
        /// Weight of the last step in x̂ and v̂.
        history: f32,
        /// Length of the previous step, s.
        previous_step: f32,
        /// Time of the stage, as a part of the step.
        stage_time: f32,
        /// Keeps the size a multiple of 16.
        padding_0: u32,
        /// Keeps the size a multiple of 16.
        padding_1: u32,
        /// Keeps the size a multiple of 16.
        padding_2: u32,
    }
}

shared_struct! {
    /// State of the step under way: `shaders/shared/status.wgsl`.
    Status {
        /// State of the linear solve.
        cg: CgState,
        /// Number of finished steps.
        step: u32,
        /// Number of iterations of finished solves of the step.
        iterations: u32,
        /// Why the step has failed: bits of [`failed`].
        failed: u32,
        /// Largest number of iterations of a finished solve of the step.
        most_iterations: u32,
        /// Phase of the wind, turns.
        wind_phase: f32,
        /// Stage length γ h for which `scalar_values` holds, s.
        matrix_step: f32,
        /// Largest number of iterations of a solve resumed after contacts had changed.
        later_iterations: u32,
        /// Stage length γ h for which the constant coarse matrix of the IMEX schemes holds, s; 0 after a change of constraints.
        coarse_step: f32,
        /// Coefficients of the next step.
        scheme: Scheme,
        /// State of the safe step.
        search: SearchState,
        /// Relative energy rises of the last steps, newest first.
        rises: [[f32; 4]; 3],
        /// Contact between bodies: pairs, struts that push, shortened rows, and pairs that pins and colliders drive through each other, or in a step that fails for it, pairs that did not fit.
        met: [u32; 4],
    }
}

/// Values of `outcome`.
pub mod outcome {
    /// The solve reached its iteration limit.
    pub const LIMIT: u32 = 0;
    /// The solve reached its tolerance.
    pub const CONVERGED: u32 = 1;
    /// The matrix or preconditioner has no positive curvature.
    pub const INDEFINITE: u32 = 2;
    /// A scalar was not finite.
    pub const NON_FINITE: u32 = 3;
    /// The active set did not settle.
    pub const ACTIVE_SET: u32 = 4;
    /// The line search found no lower point.
    pub const LINE_SEARCH: u32 = 5;
}

/// Bits of `failed`.
pub mod failed {
    /// The solve found a value that is not finite.
    pub const SOLVE: u32 = 1;
    /// The new state has a value that is not finite.
    pub const STATE: u32 = 2;
    /// A particle runs away.
    pub const RUNAWAY: u32 = 4;
    /// The energy rose beyond its limit.
    pub const ENERGY: u32 = 8;
    /// Contacts or residual have not converged.
    pub const OUTCOME: u32 = 16;
    /// The dispatches of the step ran out before it ended.
    pub const BUDGET: u32 = 32;
    /// There are more pairs of surfaces than their buffers hold.
    pub const PAIRS: u32 = 64;
    /// A search for pairs was not finished.
    pub const LOST: u32 = 128;
    /// A particle has more pairs than can be put in order.
    pub const CROWD: u32 = 256;
}

shared_struct! {
    /// Symmetric 3×3 block: `shaders/shared/symmetric.wgsl`.
    SymmetricBlock {
        /// (a00, a11, a22, scalar part of the diagonal block)
        diagonal: [f32; 4],
        /// (a12, a02, a01, scalars of particles tied to a master)
        off_diagonal: [f32; 4],
    }
}

shared_struct! {
    /// Constraint of a particle: `shaders/shared/constraint.wgsl`.
    Constraint {
        /// Target position, m.
        target_position: [f32; 4],
        /// Projection P onto the free directions.
        free: SymmetricBlock,
    }
}

shared_struct! {
    /// Contact of a particle: `shaders/contact/contact.wgsl`.
    Contact {
        /// Unit normals; w: Coulomb's coefficient.
        normals: [[f32; 4]; 3],
        /// Diagonal block D of the row.
        block: SymmetricBlock,
        /// Friction impulse, N·s.
        friction: [f32; 4],
        /// Constrained part of the residual, N·s.
        aside: [f32; 4],
        /// Velocity of the surface, m/s.
        surface_velocity: [f32; 4],
        /// Displacement of x̂ from its value by the scheme, sign reversed, m.
        led: [f32; 4],
        /// Velocity along each normal that reaches the surface, m/s.
        wanted: [f32; 4],
        /// Velocity change of an engaging particle, m/s.
        shift: [f32; 4],
        /// Arm from the centre of the rigid body, m.
        arm: [f32; 4],
        /// Row of the particle.
        row: u32,
        /// State of the contact: [`ContactState`](crate::topology::ContactState).
        state: u32,
        /// One bit for each active normal.
        holding: u32,
        /// The rigid body in contact, or [`NO_BODY`].
        body: u32,
    }
}

shared_struct! {
    /// Rigid body in the solve: `shaders/solve/rigid_body.wgsl`.
    Rigid {
        /// B: mass and inertia, and the terms of contacts with the world.
        own: [[f32; 6]; 6],
        /// Q_b: inverse of the diagonal block.
        inverse: [[f32; 6]; 6],
        /// Residual of the body itself.
        residual: [f32; 6],
        /// Preconditioned residual.
        u: [f32; 6],
        /// Search direction.
        p: [f32; 6],
        /// Image of the search direction.
        s: [f32; 6],
        /// Solution.
        x: [f32; 6],
        /// Sum of the solutions of earlier linearisations.
        total: [f32; 6],
        /// Velocity at the start of the solve.
        guess: [f32; 6],
        /// Friction contained in the residual.
        rubbed: [f32; 6],
        /// First constraint of the particles in contact with the body.
        first_constraint: u32,
        /// Number of these constraints.
        constraint_count: u32,
        /// First contact of the body with the world.
        first_contact: u32,
        /// Number of contacts with the world.
        contact_count: u32,
    }
}

shared_struct! {
    /// Contact of a rigid body with the world: `shaders/solve/rigid_body.wgsl`.
    RigidContact {
        /// Arm from the centre, m; w: Coulomb's coefficient.
        arm: [f32; 4],
        /// Unit normal out of the world; w: κ, kg.
        normal: [f32; 4],
        /// Target velocity of the point, m/s.
        wanted: [f32; 4],
        /// Friction impulse where the point slides, N·s.
        friction: [f32; 4],
        /// State of the contact: [`ContactState`](crate::topology::ContactState).
        state: u32,
        /// Keeps the size a multiple of 16.
        padding_a: u32,
        /// Keeps the size a multiple of 16.
        padding_b: u32,
        /// Keeps the size a multiple of 16.
        padding_c: u32,
    }
}

/// Value of [`Contact::body`] without a rigid body.
pub const NO_BODY: u32 = u32::MAX;

/// Value of `constraint_ix` for a free particle.
pub const UNCONSTRAINED: u32 = u32::MAX;

/// Bit of [`EdgeSlot::material`] for [structural](crate::topology::Edge::structural) edges.
pub const STRUCTURAL_EDGE: u32 = 1 << 31;

shared_struct! {
    /// Edge in a slot: `shaders/shared/edge.wgsl`.
    EdgeSlot {
        /// Rest length, m.
        rest_length: f32,
        /// Factor of law, damping and drag.
        weight: f32,
        /// Index into the materials, and [`STRUCTURAL_EDGE`].
        material: u32,
        /// Linear coupling besides the law, N/m.
        scalar: f32,
    }
}

shared_struct! {
    /// Material of edges: `shaders/shared/edge.wgsl`.
    EdgeMaterial {
        /// Edge law: [`Law`](crate::topology::Law).
        law: u32,
        /// Memory: [`EdgeMemory`](crate::topology::EdgeMemory).
        memory: u32,
        /// Viscosity along the edge, N·s/m.
        damping: f32,
        /// Viscosity along the relative velocity, N·s/m.
        drag: f32,
        /// Packed parameters of the law: `pack` of its struct in [`forces`](crate::internals::forces).
        law_parameters: [f32; 4],
        /// Terms of the law that the Jacobian omits, packed in x and y; w: viscosity of scalars, as a time, s.
        jacobian_parameters: [f32; 4],
        /// Packed parameters of the memory.
        memory_parameters: [[f32; 4]; 2],
    }
}

shared_struct! {
    /// Element: `shaders/shared/element.wgsl`.
    Element {
        /// Rows of the element's particles.
        rows: [u32; 4],
        /// Packed rest measures, words 0 to 3.
        rest_a: [f32; 4],
        /// Packed rest measures, words 4 to 7.
        rest_b: [f32; 4],
        /// Packed rest measures, words 8 to 10.
        rest_c: [f32; 3],
        /// Index into the element materials.
        material: u32,
    }
}

shared_struct! {
    /// Material of elements: `shaders/shared/element.wgsl`.
    ElementMaterial {
        /// Element model: [`ElementModel`](crate::topology::ElementModel).
        model: u32,
        /// Number of particles of an element.
        particle_count: u32,
        /// 1 when the model reads surface normals.
        needs_normals: u32,
        /// Keeps the size a multiple of 16.
        padding: u32,
        /// Packed parameters of the model, words 0 to 3.
        parameters_a: [f32; 4],
        /// Packed parameters of the model, words 4 to 7.
        parameters_b: [f32; 4],
    }
}

shared_struct! {
    /// Point load: `shaders/assembly/loads.wgsl`.
    Load {
        /// Force, N; w: stiffness, N/m.
        force: [f32; 4],
        /// Target, m; w: damping, N·s/m.
        goal: [f32; 4],
        /// Row of the particle.
        row: u32,
        /// Keeps the size a multiple of 16.
        padding_a: u32,
        /// Keeps the size a multiple of 16.
        padding_b: u32,
        /// Keeps the size a multiple of 16.
        padding_c: u32,
    }
}

/// Bit in a slot of an incidence: the first of its row that reaches the block.
pub const FIRST_IN_SLOT: u32 = 1 << 31;
/// Value in a slot of an incidence for a pair without a block.
pub const NO_SLOT: u32 = u32::MAX >> 1;

shared_struct! {
    /// Search direction of a row: `shaders/solve/direction.wgsl`.
    Direction {
        /// Search direction p.
        p: [f32; 4],
        /// Image s = A p of the search direction.
        s: [f32; 4],
    }
}

shared_struct! {
    /// State at the start of a step: `shaders/integrate/previous.wgsl`.
    Previous {
        /// Position, m.
        position: [f32; 4],
        /// Velocity, m/s; w: mass, kg.
        velocity: [f32; 4],
    }
}

shared_struct! {
    /// Energies and strain: `shaders/report/record_layout.wgsl`.
    Measure {
        /// (kinetic, potential, elastic, unused), J
        energy: [f32; 4],
        /// x: largest strain of structural edges and elements, in size
        largest: [f32; 4],
    }
}

shared_struct! {
    /// Record of a step: `shaders/report/record_layout.wgsl`.
    Record {
        /// Number of steps finished before.
        step: u32,
        /// Number of iterations over all linearisations.
        iterations: u32,
        /// Number of linearisations.
        linearisations: u32,
        /// How the step has ended: `outcome::…`.
        outcome: u32,
        /// Residual relative to the start of the solve.
        residual: f32,
        /// Why the step has failed: bits of [`failed`].
        failed: u32,
        /// Kinetic energy, J.
        kinetic: f32,
        /// Potential energy, J.
        potential: f32,
        /// Elastic energy, J.
        elastic: f32,
        /// Largest strain |l/L - 1|.
        largest_strain: f32,
        /// 1 when Newton's method has converged.
        newton_done: u32,
        /// Largest number of iterations of one solve.
        most_iterations: u32,
        /// Largest local error of a particle's position, m, for adaptive steps.
        error: f32,
        /// Largest number of iterations of one solve resumed after contacts had changed.
        later_iterations: u32,
        /// Energy gained beyond the external work, relative to the energy scale of the step.
        energy_rise: f32,
        /// Number of line-search points of a safe step.
        searches: u32,
        /// Solves of a safe step between line-search points: `note_solve` in `shaders/solve/count.wgsl`.
        profile: [[u32; 4]; 4],
        /// Contact between bodies: pairs, struts that push, shortened rows, and pairs that pins and colliders drive through each other, or in a step that fails for it, pairs that did not fit.
        met: [u32; 4],
    }
}

/// Bytes before the sums in `Partials` of `shaders/solve/partials.wgsl`.
pub const PARTIALS_HEADER: u64 = 80;
