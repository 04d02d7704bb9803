// A toy element of three particles, registered by the recipe of docs/recipes.md and composed in unit tests alone:
//   R = x₀ - 2 x₁ + x₂ = Σ α x,   E = ½ k w |R|²,   f_i = -α_i w (k R + c Ṙ),   Jacobians -α_i α_j w k I and -α_i α_j w c I.
// parameters: k (N/m), c (N·s/m). rest: w.

fn toy_bend(x: array<vec3<f32>, 4>) -> vec3<f32> {
    return (x[0] - x[1]) + (x[2] - x[1]);
}

fn toy_element_row(material: ElementMaterial, element: Element, state: ElementState, own: u32) -> ElementRow {
    let stiffness = element.rest_a.x * material.parameters_a.x;
    let damping = element.rest_a.x * material.parameters_a.y;
    var weights = array(1.0, -2.0, 1.0, 0.0);
    let weight = weights[own];
    var row: ElementRow;
    row.force = -weight * (stiffness * toy_bend(state.x) + damping * toy_bend(state.v));
    for (var j = 0u; j < 4u; j += 1u) {
        row.stiffness[j] = scaled_identity(-weight * weights[j] * stiffness);
        row.damping[j] = scaled_identity(-weight * weights[j] * damping);
    }
    return row;
}

fn toy_element_energy(material: ElementMaterial, element: Element, state: ElementState) -> f32 {
    let bend = toy_bend(state.x);
    return 0.5 * element.rest_a.x * material.parameters_a.x * dot(bend, bend);
}
