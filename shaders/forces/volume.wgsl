// Volume of a tetrahedron, Teschner (6), with signed volume V = (x₁ - x₀)·((x₂ - x₀) × (x₃ - x₀)) / 6, so that an inverted tetrahedron
// recovers: C = (V - V₀) / Ṽ₀, E = ½ k C².
// rest: V₀, Ṽ₀ (m³), then the inverse of the matrix of edges from corner 0 (1/m, by columns), for the strain alone; zero for the
// virtual tetrahedra of shells, which have no shape. parameters: k (N·m), damping (N·m·s).
// Clamped: Gauss–Newton. Exact: minus k C d²C/dx², whose blocks are cross products with the opposite edge.
#import shared/clamp
#import forces/constraint_row
#import forces/strain

fn volume_constraint(rest: vec4<f32>, x: array<vec3<f32>, 4>) -> ScalarConstraint {
    let a = x[1] - x[0];
    let b = x[2] - x[0];
    let c = x[3] - x[0];
    let bc = cross(b, c);
    let volume = dot(a, bc) / 6.0;
    let scale = 1.0 / (6.0 * rest.y);
    let g1 = scale * bc;
    let g2 = scale * cross(c, a);
    let g3 = scale * cross(a, b);
    return ScalarConstraint((volume - rest.x) / rest.y, array(-(g1 + g2 + g3), g1, g2, g3));
}

fn volume_row(material: ElementMaterial, element: Element, state: ElementState, own: u32, weights: RowWeights) -> ElementRow {
    let constraint = volume_constraint(element.rest_a, state.x);
    let stiffness = material.parameters_a.x;
    let damping = material.parameters_a.y;
    let motions = motions_seen_from(own, state.v);
    var row = constraint_row(stiffness, damping, constraint.value, seen_from(own, constraint.gradients), motions, weights);
    if !WITHOUT_BLOCKS {
        // A select in place of a branch: registers would hold all blocks across it.
        let clamped = is_clamped();
        let tension = select(stiffness * constraint.value / (6.0 * element.rest_a.y), 0.0, clamped);
        let edges = opposite_edges(own, state.x);
        add_stiffness(&row, weights, 0u, motions[0], cross_matrix(-tension * edges[0]));
        add_stiffness(&row, weights, 1u, motions[1], cross_matrix(-tension * edges[1]));
        add_stiffness(&row, weights, 2u, motions[2], cross_matrix(-tension * edges[2]));
    }
    return row;
}

fn volume_energy(material: ElementMaterial, element: Element, state: ElementState) -> f32 {
    let constraint = volume_constraint(element.rest_a, state.x).value;
    return 0.5 * material.parameters_a.x * constraint * constraint;
}

// Principal strain of largest magnitude; 0 without a rest shape.
fn volume_strain(element: Element, x: array<vec3<f32>, 4>) -> f32 {
    let first = vec3(element.rest_a.zw, element.rest_b.x);
    let second = element.rest_b.yzw;
    let third = element.rest_c;
    let edges = mat3x3(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
    let has_shape = dot(first, first) + dot(second, second) + dot(third, third) > 0.0;
    return select(0.0, tetrahedron_strain(edges * mat3x3(first, second, third)), has_shape);
}

// For corner i and each other corner j the edge of the remaining two, in the order that makes (i, j, k, l) an even permutation: d²V/dx_i dx_j =
// [x_k - x_l]× / 6. The order in which i sees the corners is an even permutation for even i.
fn opposite_edges(own: u32, x: array<vec3<f32>, 4>) -> array<vec3<f32>, 3> {
    let seen = seen_from(own, x);
    let side = select(1.0, -1.0, own % 2u == 1u);
    return array(side * (seen[2] - seen[3]), side * (seen[3] - seen[1]), side * (seen[1] - seen[2]));
}
