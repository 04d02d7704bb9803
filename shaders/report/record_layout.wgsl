// Record of a step. Same layouts as `gpu::layout::Measure` and `gpu::layout::Record`.

struct Measure {
    // (kinetic, potential, elastic, unused), J
    energy: vec4<f32>,
    // x: largest absolute strain of structural edges and elements
    largest: vec4<f32>,
}

struct Record {
    // Steps finished before this one.
    step: u32,
    // Conjugate gradient iterations of all linearisations.
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
    // Largest number of iterations of one solve.
    most_iterations: u32,
    // Largest local error of a particle in a step of adaptive length, m.
    error: f32,
    // Largest number of iterations of one solve resumed after contacts had changed.
    later_iterations: u32,
    // Rise of the energy of a safe step beyond the work of external forces, as a fraction of the step's energy; number of points
    // of its line searches; number of solves between them.
    energy_rise: f32,
    searches: u32,
    profile: array<vec4<u32>, 4>,
    // Contact between bodies: pairs, struts that push, shortened rows, and pairs that pins and colliders drive through each other, or in a step that fails for it, pairs that did not fit.
    met: vec4<u32>,
}
