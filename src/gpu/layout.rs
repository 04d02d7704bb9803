//! Structs shared with the shaders, by name. A test compares every offset with what naga finds in the WGSL.

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

pub mod picture;

shared_struct! {
    /// `shaders/shared/params.wgsl`
    Params {
        /// m/s²
        gravity: [f32; 3],
        /// s
        time_step: f32,
        /// Rows.
        particle_count: u32,
        /// Words before the first slot in `pattern`.
        pattern_header: u32,
        /// Workgroups of every row kernel.
        workgroup_count: u32,
        /// Partial sums they leave.
        partial_count: u32,
        /// Dispatches over the matrix.
        chunk_count: u32,
        /// Of the linear solve.
        max_iterations: u32,
        /// Of the linear solve.
        tolerance_squared: f32,
        /// Of Newton.
        newton_tolerance_squared: f32,
        /// `FLAG_…`
        flags: u32,
        /// Places in the ring of records.
        record_count: u32,
        /// Of one dispatch of `solve/single`.
        iterations_at_once: u32,
        /// Where the full blocks' slice offsets begin in `pattern`.
        full_pattern: u32,
        /// Elements.
        element_count: u32,
        /// Partial sums of all kernels that measure.
        measure_count: u32,
        /// Workgroups of kernels over elements.
        element_workgroups: u32,
        /// Loads.
        load_count: u32,
        /// N/m²
        wind: [f32; 3],
        /// a
        wind_steady: f32,
        /// Of the pressure along the normal.
        wind_drag: f32,
        /// Of the pressure across the normal.
        wind_lift: f32,
        /// ω h / 2π
        wind_turns: f32,
        /// N·s/m³
        air_resistance: f32,
        /// The scheme of all steps but the first.
        steady: Scheme,
        /// (1 - θ) / θ
        explicit_share: f32,
        /// (1 - θ) h, s
        drift: f32,
        /// m
        reach: f32,
        /// 1: forces are evaluated at the predicted stage.
        predict: u32,
        /// α, 1/s
        mass_damping: f32,
        /// β, s
        stiffness_damping: f32,
        /// Of this step's change of velocity in its error, s.
        error_new: f32,
        /// Of the last one's.
        error_old: f32,
        /// Pins and contacts.
        constraint_count: u32,
        /// Rigid bodies.
        rigid_count: u32,
        /// Groups of particles that are one.
        tie_count: u32,
        /// Vertices of all skins.
        skin_count: u32,
        /// Workgroups of the kernels over them.
        skin_workgroups: u32,
        /// Active-set passes of a solve of the safe step, at most; 0 where nothing is touched.
        contact_passes: u32,
        /// Of the safe step.
        max_linearisations: u32,
        /// Of the safe step.
        energy_tolerance: f32,
        /// With which a safe step fails.
        most_rise: f32,
        /// m
        rounding: f32,
        /// Steps in a row whose rises together stay below that.
        audited_steps: u32,
        /// 0
        padding_1: u32,
    }
}

shared_struct! {
    /// `shaders/skin/place.wgsl`
    SkinPoint {
        /// By particle, in the user's order.
        particles: [u32; 4],
        /// a, b, c
        weights: [f32; 3],
        /// 1: in a tetrahedron.
        solid: u32,
    }
}

shared_struct! {
    /// `shaders/integrate/stage_numbers.wgsl`
    RungeKuttaStage {
        /// b_i
        weight: f32,
        /// As a part of the step.
        next: f32,
        /// Begins the sums.
        first: u32,
        /// Ends the step.
        last: u32,
    }
}

shared_struct! {
    /// `shaders/shared/chunk.wgsl`
    Chunk {
        /// Its rows.
        first_row: u32,
        /// Up to here.
        end_row: u32,
        /// Slot that comes first in its buffers.
        first_slot: u32,
        /// Where its partial sums begin.
        first_partial: u32,
        /// Full slot that comes first in its buffers.
        first_full: u32,
        /// Where its full blocks begin in `values`.
        full_base: u32,
        /// How many it has.
        full_count: u32,
        /// Keeps the size a multiple of 16.
        padding: u32,
    }
}

/// Bits of [`Params::flags`].
pub mod flag {
    /// Drop the transverse stiffness of compressed edges.
    pub const CLAMP: u32 = 1;
    /// Scalar instead of block Jacobi.
    pub const SCALAR_JACOBI: u32 = 2;
    /// `report/measure` runs.
    pub const MEASURE: u32 = 4;
    /// The first guess of a velocity is 0.
    pub const NO_PREDICTOR: u32 = 8;
    /// Safe steps stand although contacts or residual have not settled.
    pub const LENIENT: u32 = 16;
    /// Steps are safe.
    pub const SAFE: u32 = 32;
    /// The energy of steps is audited.
    pub const AUDITED: u32 = 64;
}

shared_struct! {
    /// `shaders/shared/status.wgsl`
    CgState {
        /// γ
        gamma: f32,
        /// α
        alpha: f32,
        /// γ at the start of this solve.
        reference: f32,
        /// γ at the start of the step's first solve.
        newton_reference: f32,
        /// Finished iterations.
        iteration: u32,
        /// Nothing is left to do.
        done: u32,
        /// `outcome::…`
        outcome: u32,
        /// Newton has converged.
        newton_done: u32,
        /// Solves begun in this step.
        linearisation: u32,
        /// What the next iteration begins.
        fresh: u32,
        /// β
        beta: f32,
        /// Solves that went on after contacts had changed.
        resumed: u32,
        /// Smallest γ since the search began.
        best: f32,
        /// The solve of a safe step ends at a part of where it began.
        loose: u32,
        /// γ of weight and momentum.
        weight: f32,
        /// γ below which nothing but rounding is left.
        floor: f32,
    }
}

shared_struct! {
    /// `shaders/shared/status.wgsl`
    SearchState {
        /// `ACTION_…`
        action: u32,
        /// `MODE_…`
        mode: u32,
        /// α
        alpha: f32,
        /// Points weighed along the search.
        tried: u32,
        /// J
        kinetic: f32,
        /// J
        scale: f32,
        /// J
        elastic_change: f32,
        /// The first linearisation of the last step was not good.
        hard: u32,
        /// Searches in a row that found nothing.
        failures: u32,
        /// Contacts that changed in the last pass.
        flips: u32,
        /// Passes of this solve.
        passes: u32,
        /// `outcome::…` of the step.
        outcome: u32,
        /// Points along searches.
        searches: u32,
        /// Keeps the size a multiple of 16.
        padding_a: u32,
        /// As above.
        padding_b: u32,
        /// As above.
        padding_c: u32,
        /// Solves between two points of searches: `note_solve` in `shaders/solve/count.wgsl`.
        profile: [[u32; 4]; 4],
    }
}

shared_struct! {
    /// `shaders/search/search_row.wgsl`
    SearchRow {
        /// x_f
        start_position: [f32; 4],
        /// v_f
        start_velocity: [f32; 4],
        /// x₁
        end_position: [f32; 4],
        /// v₁
        end_velocity: [f32; 4],
    }
}

shared_struct! {
    /// `shaders/shared/status.wgsl`
    Scheme {
        /// γ h, s
        stage_step: f32,
        /// s
        lead: f32,
        /// Of the last step in x̂ and v̂.
        history: f32,
        /// s
        previous_step: f32,
        /// As a part of the step.
        stage_time: f32,
        /// Keeps the size a multiple of 16.
        padding_0: u32,
        /// As above.
        padding_1: u32,
        /// As above.
        padding_2: u32,
    }
}

shared_struct! {
    /// `shaders/shared/status.wgsl`
    Status {
        /// The solve's.
        cg: CgState,
        /// Finished steps.
        step: u32,
        /// Iterations of finished solves of the step.
        iterations: u32,
        /// `failed::…`
        failed: u32,
        /// Most of one finished solve of the step.
        most_iterations: u32,
        /// In turns.
        wind_phase: f32,
        /// γ h of `scalar_values`.
        matrix_step: f32,
        /// Most of one solve that went on after contacts had changed.
        later_iterations: u32,
        /// Keeps the size a multiple of 16.
        padding_2: u32,
        /// Of the next step.
        scheme: Scheme,
        /// Of the safe step.
        search: SearchState,
        /// Rises of the energy in the last steps, newest first.
        rises: [[f32; 4]; 3],
    }
}

/// Values of `outcome`.
pub mod outcome {
    /// The iterations ran out.
    pub const LIMIT: u32 = 0;
    /// The tolerance was reached.
    pub const CONVERGED: u32 = 1;
    /// No positive curvature.
    pub const INDEFINITE: u32 = 2;
    /// A scalar was not finite.
    pub const NON_FINITE: u32 = 3;
    /// Contacts went on changing.
    pub const ACTIVE_SET: u32 = 4;
    /// The line search found nothing lower.
    pub const LINE_SEARCH: u32 = 5;
}

/// Bits of `failed`.
pub mod failed {
    /// Noticed by the solve.
    pub const SOLVE: u32 = 1;
    /// Noticed in the new state.
    pub const STATE: u32 = 2;
    /// Particles run away.
    pub const RUNAWAY: u32 = 4;
    /// The energy grew.
    pub const ENERGY: u32 = 8;
    /// Contacts or residual have not settled.
    pub const OUTCOME: u32 = 16;
    /// The step was not over when its dispatches were.
    pub const BUDGET: u32 = 32;
}

shared_struct! {
    /// `shaders/shared/symmetric.wgsl`
    SymmetricBlock {
        /// (a00, a11, a22, scalar part of the diagonal block)
        diagonal: [f32; 4],
        /// (a12, a02, a01, scalars of particles tied to a master)
        off_diagonal: [f32; 4],
    }
}

shared_struct! {
    /// `shaders/shared/constraint.wgsl`
    Constraint {
        /// m
        target_position: [f32; 4],
        /// P
        free: SymmetricBlock,
    }
}

shared_struct! {
    /// `shaders/contact/contact.wgsl`
    Contact {
        /// w: Coulomb's coefficient.
        normals: [[f32; 4]; 3],
        /// D of the row.
        block: SymmetricBlock,
        /// N·s
        friction: [f32; 4],
        /// N·s
        aside: [f32; 4],
        /// m/s
        surface_velocity: [f32; 4],
        /// m
        led: [f32; 4],
        /// m/s
        wanted: [f32; 4],
        /// m/s
        shift: [f32; 4],
        /// m
        arm: [f32; 4],
        /// The particle.
        row: u32,
        /// [`ContactState`](crate::topology::ContactState)
        state: u32,
        /// A bit for each normal that holds.
        holding: u32,
        /// The rigid body it touches, or [`NO_BODY`].
        body: u32,
    }
}

shared_struct! {
    /// `shaders/solve/rigid_body.wgsl`
    Rigid {
        /// B
        own: [[f32; 6]; 6],
        /// Q
        inverse: [[f32; 6]; 6],
        /// Its own.
        residual: [f32; 6],
        /// Preconditioned residual.
        u: [f32; 6],
        /// Search direction.
        p: [f32; 6],
        /// Its image.
        s: [f32; 6],
        /// Solution.
        x: [f32; 6],
        /// Of earlier linearisations.
        total: [f32; 6],
        /// Velocity at first.
        guess: [f32; 6],
        /// Friction in the residual.
        rubbed: [f32; 6],
        /// Constraints of particles that touch it.
        first_constraint: u32,
        /// How many.
        constraint_count: u32,
        /// Its contacts with the world.
        first_contact: u32,
        /// How many.
        contact_count: u32,
    }
}

shared_struct! {
    /// `shaders/solve/rigid_body.wgsl`
    RigidContact {
        /// m; w: Coulomb's coefficient.
        arm: [f32; 4],
        /// w: κ, kg.
        normal: [f32; 4],
        /// m/s
        wanted: [f32; 4],
        /// Where it slides, N·s.
        friction: [f32; 4],
        /// [`ContactState`](crate::topology::ContactState)
        state: u32,
        /// Keeps the size a multiple of 16.
        padding_a: u32,
        /// As above.
        padding_b: u32,
        /// As above.
        padding_c: u32,
    }
}

/// In [`Contact::body`]: none.
pub const NO_BODY: u32 = u32::MAX;

/// In `constraint_ix`: this particle is free.
pub const UNCONSTRAINED: u32 = u32::MAX;

/// In [`EdgeSlot::material`]: the edge is [structural](crate::topology::Edge::structural).
pub const STRUCTURAL_EDGE: u32 = 1 << 31;

shared_struct! {
    /// `shaders/shared/edge.wgsl`
    EdgeSlot {
        /// m
        rest_length: f32,
        /// Multiplies law, damping and drag.
        weight: f32,
        /// Index into the materials, and [`STRUCTURAL_EDGE`].
        material: u32,
        /// Linear coupling besides the law, N/m.
        scalar: f32,
    }
}

shared_struct! {
    /// `shaders/shared/edge.wgsl`
    EdgeMaterial {
        /// [`Law`](crate::topology::Law)
        law: u32,
        /// [`EdgeMemory`](crate::topology::EdgeMemory)
        memory: u32,
        /// Along the edge, N·s/m.
        damping: f32,
        /// Along the relative velocity, N·s/m.
        drag: f32,
        /// Packed parameters of the law: `pack` of its struct in [`forces`](crate::internals::forces).
        law_parameters: [f32; 4],
        /// What the Jacobian leaves out of the law, packed in x and y; w: viscosity of scalars, as a time, s.
        jacobian_parameters: [f32; 4],
        /// Packed parameters of the memory.
        memory_parameters: [[f32; 4]; 2],
    }
}

shared_struct! {
    /// `shaders/shared/element.wgsl`
    Element {
        /// Rows of its particles.
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
    /// `shaders/shared/element.wgsl`
    ElementMaterial {
        /// [`ElementModel`](crate::topology::ElementModel)
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
    /// `shaders/assembly/loads.wgsl`
    Load {
        /// N; w: stiffness, N/m
        force: [f32; 4],
        /// m; w: damping, N·s/m
        goal: [f32; 4],
        /// The particle.
        row: u32,
        /// Keeps the size a multiple of 16.
        padding_a: u32,
        /// As above.
        padding_b: u32,
        /// As above.
        padding_c: u32,
    }
}

/// In a slot of an incidence: the first of its row that reaches the block.
pub const FIRST_IN_SLOT: u32 = 1 << 31;
/// In a slot of an incidence: this pair has no block.
pub const NO_SLOT: u32 = u32::MAX >> 1;

shared_struct! {
    /// `shaders/solve/direction.wgsl`
    Direction {
        /// Search direction.
        p: [f32; 4],
        /// Its image.
        s: [f32; 4],
    }
}

shared_struct! {
    /// `shaders/integrate/previous.wgsl`
    Previous {
        /// m
        position: [f32; 4],
        /// m/s, and mass.
        velocity: [f32; 4],
    }
}

shared_struct! {
    /// `shaders/report/record_layout.wgsl`
    Measure {
        /// (kinetic, potential, elastic, unused), J
        energy: [f32; 4],
        /// x: largest strain of structural edges and elements, in size
        largest: [f32; 4],
    }
}

shared_struct! {
    /// `shaders/report/record_layout.wgsl`
    Record {
        /// Steps finished before.
        step: u32,
        /// Over all linearisations.
        iterations: u32,
        /// Solves.
        linearisations: u32,
        /// `outcome::…`
        outcome: u32,
        /// Relative.
        residual: f32,
        /// `failed::…`
        failed: u32,
        /// J
        kinetic: f32,
        /// J
        potential: f32,
        /// J
        elastic: f32,
        /// Largest |l/L - 1|.
        largest_strain: f32,
        /// Newton has converged.
        newton_done: u32,
        /// Most iterations of one solve.
        most_iterations: u32,
        /// Largest local error of a particle, m, where steps are adaptive.
        error: f32,
        /// Most iterations of one solve that went on after contacts had changed.
        later_iterations: u32,
        /// Energy beyond the work from outside, as a share of the step's own.
        energy_rise: f32,
        /// Points along searches of a safe step.
        searches: u32,
        /// Solves of a safe step between them: `note_solve` in `shaders/solve/count.wgsl`.
        profile: [[u32; 4]; 4],
    }
}

/// Bytes before the sums in `Partials` of `shaders/solve/partials.wgsl`.
pub const PARTIALS_HEADER: u64 = 64;
