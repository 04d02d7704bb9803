// What a step reports. Same layouts as `gpu::layout::Measure` and `gpu::layout::Record`.

struct Measure {
    // (kinetic, potential, elastic, unused), J
    energy: vec4<f32>,
    // x: largest strain of structural edges and elements, in size
    largest: vec4<f32>,
}

struct Record {
    // Steps finished before this one.
    step: u32,
    // Conjugate gradient iterations, over all linearisations.
    iterations: u32,
    linearisations: u32,
    // OUTCOME_… of the last solve.
    outcome: u32,
    // √(γ/γ₀) at the last test, γ₀ of the step's first residual.
    residual: f32,
    // FAILED_… bits
    failed: u32,
    kinetic: f32,
    potential: f32,
    elastic: f32,
    largest_strain: f32,
    newton_done: u32,
    // Most iterations of one solve.
    most_iterations: u32,
    // Largest local error of a particle, m, where steps are adaptive.
    error: f32,
    // Most iterations of one solve that went on after contacts had changed.
    later_iterations: u32,
    // Energy that a safe step gained beyond the work from outside, as a share of its own; how many points its searches had, and its solves between them.
    energy_rise: f32,
    searches: u32,
    profile: array<vec4<u32>, 4>,
}
