// What the host sets for a step. Same layout as `gpu::layout::Params`.
#import shared/scheme

struct Params {
    // m/s²
    gravity: vec3<f32>,
    // h, s
    time_step: f32,
    particle_count: u32,
    // Words before the first slot in `pattern`: one offset per slice, and the end.
    pattern_header: u32,
    // Workgroups of every row kernel, and how many partial sums they leave.
    workgroup_count: u32,
    partial_count: u32,
    // Dispatches over the matrix, each with partial sums of its own.
    chunk_count: u32,
    max_iterations: u32,
    // Squares, because γ = rᵀQr is one.
    tolerance_squared: f32,
    newton_tolerance_squared: f32,
    // FLAG_… below
    flags: u32,
    record_count: u32,
    // Most iterations in one dispatch of `solve/single`.
    iterations_at_once: u32,
    // Where the full blocks' slice offsets begin in `pattern`: as many as `pattern_header`, then their indices.
    full_pattern: u32,
    element_count: u32,
    // Partial sums of all kernels that measure.
    measure_count: u32,
    // Workgroups of kernels over elements, which have more to do in a row.
    element_workgroups: u32,
    load_count: u32,
    // Wind w, N/m², and how steady it is: assembly/air.
    wind: vec3<f32>,
    wind_steady: f32,
    wind_drag: f32,
    wind_lift: f32,
    // ω h / 2π
    wind_turns: f32,
    // N·s/m³
    air_resistance: f32,
    // The scheme of all steps but the first after a start.
    steady: Scheme,
    // Of the θ-scheme: (1 - θ) / θ and (1 - θ) h; else 0.
    explicit_share: f32,
    drift: f32,
    // How far a particle may go in an explicit step, m.
    reach: f32,
    // 1: forces are evaluated at the predicted stage, not at x₀.
    predict: u32,
    // Rayleigh damping α, 1/s, and β, s.
    mass_damping: f32,
    stiffness_damping: f32,
    // Weights of velocity changes in the error of a step, this one's and the last one's, s: integrate/estimate.
    error_new: f32,
    error_old: f32,
    // Pins and contacts.
    constraint_count: u32,
    // Rigid bodies, each with a partial sum of its own behind those of the rows.
    rigid_count: u32,
    // Groups of particles that are one.
    tie_count: u32,
    // Vertices of all skins, and workgroups of the kernels over them.
    skin_count: u32,
    skin_workgroups: u32,
    // Of the safe step: active-set passes of a solve at most, 0 where nothing is touched; linearisations at most; what an elastic energy may be
    // beyond its model, and the rise of the energy with which a step fails, as shares of the step's own.
    contact_passes: u32,
    max_linearisations: u32,
    energy_tolerance: f32,
    most_rise: f32,
    // How far rounding may move a particle in a step, m.
    rounding: f32,
    // Steps in a row whose rises of the energy together stay below that, 1 or 10.
    audited_steps: u32,
    padding_1: u32,
}

// Drop the indefinite transverse stiffness of compressed edges from the Jacobian.
const FLAG_CLAMP: u32 = 1u;
// Scalar Jacobi preconditioner instead of 3×3 blocks.
const FLAG_SCALAR_JACOBI: u32 = 2u;
// `report/measure` ran in this step: its partial sums go into the record.
const FLAG_MEASURE: u32 = 4u;
// Steps are safe.
const FLAG_SAFE: u32 = 32u;
// The energy of steps is audited: of safe ones, and of those of the IMEX schemes.
const FLAG_AUDITED: u32 = 64u;
// Safe steps stand although contacts or residual have not settled.
const FLAG_LENIENT: u32 = 16u;
// The first guess of a velocity is 0, not what it was: to measure what the guess is worth.
const FLAG_NO_PREDICTOR: u32 = 8u;

@group(0) @binding(0) var<uniform> params: Params;

// A uniform word, for a kernel's decision whether it is its turn or what it does. lavapipe compiles a kernel anew in every dispatch if a branch of it depends on
// uniforms alone; what is added is 0, as there are never so many workgroups, but no compiler knows that.
fn in_turn(word: u32, group: vec3<u32>) -> u32 {
    return word + (group.x >> 31u);
}
