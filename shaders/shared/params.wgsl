// Parameters of a step, set by the host. Same layout as `gpu::layout::Params`.
#import shared/scheme

struct Params {
    // Gravity, m/s².
    gravity: vec3<f32>,
    // Step h, s.
    time_step: f32,
    particle_count: u32,
    // Number of words before the first slot in `pattern`: one offset per slice, and the end.
    pattern_header: u32,
    // Workgroups of every row kernel, which is also their number of partial sums.
    workgroup_count: u32,
    partial_count: u32,
    // Dispatches over the matrix, each with its own partial sums.
    chunk_count: u32,
    max_iterations: u32,
    // Squared tolerances, as γ = rᵀQr is a square.
    tolerance_squared: f32,
    newton_tolerance_squared: f32,
    // FLAG_… below
    flags: u32,
    record_count: u32,
    // Largest number of iterations in one dispatch of `solve/single`.
    iterations_at_once: u32,
    // Index in `pattern` of the slice offsets of full blocks: `pattern_header` words, then their indices.
    full_pattern: u32,
    element_count: u32,
    // Partial sums of all measuring kernels.
    measure_count: u32,
    // Workgroups of kernels over elements, which do more work per row.
    element_workgroups: u32,
    load_count: u32,
    // Wind w, N/m², and its steadiness a: `assembly/air`.
    wind: vec3<f32>,
    wind_steady: f32,
    wind_drag: f32,
    wind_lift: f32,
    // Turns of the wind per step, ω h / 2π.
    wind_turns: f32,
    // Air resistance, N·s/m³.
    air_resistance: f32,
    // Scheme of all steps except the first after a start.
    steady: Scheme,
    // (1 - θ) / θ and (1 - θ) h of the θ-scheme; 0 for others.
    explicit_share: f32,
    drift: f32,
    // Largest displacement of a particle in an explicit step, m.
    reach: f32,
    // 1 if forces are evaluated at the extrapolated stage instead of x₀.
    extrapolate: u32,
    // Rayleigh damping α, 1/s, and β, s.
    mass_damping: f32,
    stiffness_damping: f32,
    // Weights of this step's and the last step's velocity change in the error estimate, s: `integrate/estimate`.
    error_new: f32,
    error_old: f32,
    // Number of constraints: pins and contacts.
    constraint_count: u32,
    // Number of rigid bodies. Each has a partial sum behind those of the rows.
    rigid_count: u32,
    // Number of groups of tied particles.
    tie_count: u32,
    // Vertices of all skins, and workgroups of the kernels over them.
    skin_count: u32,
    skin_workgroups: u32,
    // Parameters of the safe step: largest number of active-set passes of a solve, 0 without contacts; largest number of
    // linearisations; excess of the elastic energy over its model, and rise of the energy at which a step fails, both as
    // fractions of the step's energy.
    contact_passes: u32,
    max_linearisations: u32,
    energy_tolerance: f32,
    most_rise: f32,
    // Largest displacement of a particle in a step by rounding alone, m.
    rounding: f32,
    // Number of consecutive steps, 1 or 10, whose total rise of the energy is limited.
    audited_steps: u32,
    // Number of aggregates of the coarse level, and length of a row of the coarse matrix in vec4.
    coarse_count: u32,
    coarse_stride: u32,
    // Partial sums of the kernels over struts between bodies; 0 where bodies do not meet.
    strut_partials: u32,
    padding_2: u32,
    padding_3: u32,
}

// Drop the indefinite transverse stiffness of compressed edges from the Jacobian.
const FLAG_CLAMP: u32 = 1u;
// Scalar Jacobi preconditioner instead of 3×3 blocks.
const FLAG_SCALAR_JACOBI: u32 = 2u;
// `report/measure` ran in this step: its partial sums go into the record.
const FLAG_MEASURE: u32 = 4u;
// The first solve of a step begins along the velocity change of the last step: `solve/warm`.
const FLAG_WARM_START: u32 = 128u;
// Steps are safe (`Nonlinear::Safe`).
const FLAG_SAFE: u32 = 32u;
// The energy of steps is audited, in safe steps and in steps of the IMEX schemes.
const FLAG_AUDITED: u32 = 64u;
// Safe steps are accepted although contacts or residual have not converged.
const FLAG_LENIENT: u32 = 16u;
// The velocity starts at 0 instead of the predictor, to measure the predictor's effect.
const FLAG_NO_PREDICTOR: u32 = 8u;

@group(0) @binding(0) var<uniform> params: Params;

// A uniform word for a kernel's branch condition. lavapipe recompiles a kernel in every dispatch if a branch depends on uniforms
// alone. The added term is always 0, as there are never so many workgroups, but no compiler knows that.
fn in_turn(word: u32, group: vec3<u32>) -> u32 {
    return word + (group.x >> 31u);
}
