// Full cubic spring (Vogiannou 2, 3), expanded about rest, where f32 has its digits. With s = l/L - 1:
//   g(l) = L (c₀ + c₁ s + c₂ s² + c₃ s³),   g'(l) = c₁ + 2 c₂ s + 3 c₃ s²,   E(l) = L² (c₀ s + c₁ s²/2 + c₂ s³/3 + c₃ s⁴/4)
// parameters = (c₀, c₁, c₂, c₃), N/m: one material serves edges of any rest length. In λ = l/L the polynomial is
// L (A λ³ + B λ² + C λ + D). The Jacobian may omit a part of B and D (Vogiannou 4.1, "damping"):
//   g_J = g - L (B' λ² + D'),   g_J' = g' - 2 B' λ,   left_out = (B', D') = (1 - η) (B, D).

fn cubic_law(parameters: vec4<f32>, left_out: vec2<f32>, rest_length: f32, length: f32) -> EdgeLaw {
    let s = (length - rest_length) / rest_length;
    let ratio = length / rest_length;
    let tension = rest_length * (parameters.x + s * (parameters.y + s * (parameters.z + s * parameters.w)));
    let slope = parameters.y + s * (2.0 * parameters.z + s * 3.0 * parameters.w);
    return EdgeLaw(
        tension,
        tension - rest_length * (left_out.x * ratio * ratio + left_out.y),
        slope - 2.0 * left_out.x * ratio,
    );
}

fn cubic_energy(parameters: vec4<f32>, rest_length: f32, length: f32) -> f32 {
    let s = (length - rest_length) / rest_length;
    let sum = parameters.x + s * (0.5 * parameters.y + s * (parameters.z / 3.0 + s * 0.25 * parameters.w));
    return rest_length * rest_length * s * sum;
}
