// Choi–Ko type 1 (Jiao 1): a linear spring that only pulls. g(l) = k max(l - L, 0).   parameters.x = k, the stiffness, N/m.

fn tension_only_law(stiffness: f32, rest_length: f32, length: f32) -> EdgeLaw {
    if length <= rest_length {
        return EdgeLaw(0.0, 0.0, 0.0);
    }
    return linear_law(stiffness, rest_length, length);
}

fn tension_only_energy(parameters: vec4<f32>, rest_length: f32, length: f32) -> f32 {
    return linear_energy(parameters, rest_length, max(length, rest_length));
}
