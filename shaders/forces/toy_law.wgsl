// A toy law, registered by the recipe of docs/recipes.md and composed in unit tests alone: with d = l - L,
//   g(l) = k d + b d³,   g'(l) = k + 3 b d²,   E(l) = k/2 d² + b/4 d⁴.   parameters = (k N/m, b N/m³).

fn toy_law(parameters: vec4<f32>, rest_length: f32, length: f32) -> EdgeLaw {
    let d = length - rest_length;
    let tension = d * (parameters.x + parameters.y * d * d);
    return EdgeLaw(tension, tension, parameters.x + 3.0 * parameters.y * d * d);
}

fn toy_law_energy(parameters: vec4<f32>, rest_length: f32, length: f32) -> f32 {
    let d = length - rest_length;
    return d * d * (0.5 * parameters.x + 0.25 * parameters.y * d * d);
}
