// Viscoelastic edges (Etzmuß 2.4.2, 2.34): a spring k₀ in series with up to three Kelvin–Voigt elements (k_j, d_j), whose strains
// e_j are the memory. Implicit Euler for d_j e_j' + k_j e_j = σ and e = σ/k₀ + Σ e_j: with τ_j = d_j/k_j, w_j = τ_j/(τ_j + h)
//   σ/k₀ = q (e - Σ w_j e_j),   1/q = 1 + Σ m_j,   e_j ← w_j e_j + m_j σ/k₀,   m_j = h/(τ_j + h) k₀/k_j
//   g = L σ,   g' = q k₀,   E = L²/2 (σ²/k₀ + Σ k_j e_j²)   in the springs, at the end of the step.
// h is the whole step in every integrator, at every stage of it: force and Jacobian agree, and the memory is of first order.
// parameters[0].xyz = τ_j, s; parameters[1].xyz = k₀/k_j, 0 for absent elements.

struct Series {
    // Retained shares w_j and gains m_j.
    kept: vec3<f32>,
    gained: vec3<f32>,
    // Share q of the first spring.
    share: f32,
}

fn series_of(parameters: array<vec4<f32>, 2>) -> Series {
    let h = params.time_step;
    let times = parameters[0].xyz;
    let gained = h / (times + h) * parameters[1].xyz;
    return Series(times / (times + h), gained, 1.0 / (1.0 + gained.x + gained.y + gained.z));
}

// Stress σ/k₀ at a strain.
fn series_stress(series: Series, history: vec3<f32>, strain: f32) -> f32 {
    return series.share * (strain - dot(series.kept, history));
}

fn series_after(series: Series, history: vec3<f32>, stress: f32) -> vec3<f32> {
    return series.kept * history + series.gained * stress;
}

fn series_law(parameters: array<vec4<f32>, 2>, stiffness: f32, rest_length: f32, length: f32, history: vec3<f32>) -> EdgeLaw {
    let series = series_of(parameters);
    let strain = (length - rest_length) / rest_length;
    let tension = stiffness * rest_length * series_stress(series, history, strain);
    return EdgeLaw(tension, tension, stiffness * series.share);
}

fn series_energy(parameters: array<vec4<f32>, 2>, stiffness: f32, rest_length: f32, length: f32, history: vec3<f32>) -> f32 {
    let series = series_of(parameters);
    let stress = series_stress(series, history, (length - rest_length) / rest_length);
    let strains = series_after(series, history, stress);
    let compliance = parameters[1].xyz;
    let inner = select(vec3(0.0), strains * strains / compliance, compliance > vec3(0.0));
    return 0.5 * stiffness * rest_length * rest_length * (stress * stress + inner.x + inner.y + inner.z);
}
