// Full cubic spring in the length itself (Vogiannou 2): g(l) = a l³ + b l² + c l + d.   parameters = (a, b, c, d), SI.
// It is evaluated like `cubic`, expanded about the edge's rest length L, at which the tension need not vanish; the energy is 0 there.
// left_out = (1 - η) (b, d).

fn cubic_about_rest(parameters: vec4<f32>, rest_length: f32) -> vec4<f32> {
    let a = parameters.x * rest_length;
    return vec4(
        ((a + parameters.y) * rest_length + parameters.z) + parameters.w / rest_length,
        (3.0 * a + 2.0 * parameters.y) * rest_length + parameters.z,
        (3.0 * a + parameters.y) * rest_length,
        a * rest_length,
    );
}

fn cubic_absolute_law(parameters: vec4<f32>, left_out: vec2<f32>, rest_length: f32, length: f32) -> EdgeLaw {
    let relative = vec2(left_out.x * rest_length, left_out.y / rest_length);
    return cubic_law(cubic_about_rest(parameters, rest_length), relative, rest_length, length);
}

fn cubic_absolute_energy(parameters: vec4<f32>, rest_length: f32, length: f32) -> f32 {
    return cubic_energy(cubic_about_rest(parameters, rest_length), rest_length, length);
}
