// A toy element of three particles, registered by the recipe of docs/recipes.md and composed in unit tests alone:
//   R = x₀ - 2 x₁ + x₂ = Σ α x,   E = ½ k w |R|²,   f_i = -α_i w (k R + c Ṙ),   Jacobians -α_i α_j w k I and -α_i α_j w c I.
// parameters: k (N/m), c (N·s/m). rest: w.

fn toy_bend(x: array<vec3<f32>, 4>) -> vec3<f32> {
    return (x[0] - x[1]) + (x[2] - x[1]);
}

fn toy_element_row(material: ElementMaterial, element: Element, state: ElementState, own: u32, weights: RowWeights) -> ElementRow {
    let stiffness = element.rest_a.x * material.parameters_a.x;
    let damping = element.rest_a.x * material.parameters_a.y;
    let alpha = numbers_seen_from(own, vec4(1.0, -2.0, 1.0, 0.0));
    var row: ElementRow;
    row.force = -alpha.x * (stiffness * toy_bend(state.x) + damping * toy_bend(state.v));
    let products = alpha.x * alpha.yz;
    let motions = motions_seen_from(own, state.v);
    add_pair(&row, weights, 0u, motions[0], scaled_identity(-products.x * stiffness), scaled_identity(-products.x * damping));
    add_pair(&row, weights, 1u, motions[1], scaled_identity(-products.y * stiffness), scaled_identity(-products.y * damping));
    return row;
}

fn toy_element_energy(material: ElementMaterial, element: Element, state: ElementState) -> f32 {
    let bend = toy_bend(state.x);
    return 0.5 * element.rest_a.x * material.parameters_a.x * dot(bend, bend);
}
