// Linear spring: g(l) = k (l - L), g'(l) = k, E(l) = k/2 (l - L)².   parameters.x = k, the stiffness, N/m.
// With the weight 1/L² it is Teschner's distance energy, k then in N·m.

fn linear_law(stiffness: f32, rest_length: f32, length: f32) -> EdgeLaw {
    let tension = stiffness * (length - rest_length);
    return EdgeLaw(tension, tension, stiffness);
}

fn linear_energy(parameters: vec4<f32>, rest_length: f32, length: f32) -> f32 {
    let stretch = length - rest_length;
    return 0.5 * parameters.x * stretch * stretch;
}
