// Volume of a tetrahedron, Teschner (6), with signed volume V = (x₁ - x₀)·((x₂ - x₀) × (x₃ - x₀)) / 6, so that an inverted tetrahedron
// recovers: C = (V - V₀) / Ṽ₀, E = ½ k C².
// rest: V₀, Ṽ₀ (m³), then the inverse of the matrix of edges from corner 0 (1/m, by columns), for the strain alone; zero for the
// virtual tetrahedra of shells, which have no shape. parameters: k (N·m), damping (N·m·s).
// Clamped: Gauss–Newton. Exact: minus k C d²C/dx², whose blocks are cross products with the opposite edge.
#import shared/params
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

fn volume_row(material: ElementMaterial, element: Element, state: ElementState, own: u32) -> ElementRow {
    let constraint = volume_constraint(element.rest_a, state.x);
    let stiffness = material.parameters_a.x;
    var row = constraint_row(own, stiffness, material.parameters_a.y, constraint, state.v);
    if !WITHOUT_BLOCKS && (params.flags & FLAG_CLAMP) == 0u {
        let tension = stiffness * constraint.value / (6.0 * element.rest_a.y);
        var x = state.x;
        // The block of the particle itself is wrong; no kernel reads it.
        for (var j = 0u; j < 4u; j += 1u) {
            row.stiffness[j] -= tension * cross_matrix(opposite_edge(&x, own, j));
        }
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

// The edge of the other two corners, in the order that makes (i, j, k, l) an even permutation: d²V/dx_i dx_j = [x_k - x_l]× / 6.
fn opposite_edge(x: ptr<function, array<vec3<f32>, 4>>, i: u32, j: u32) -> vec3<f32> {
    // The smallest and the largest index of the other two corners.
    let low = select(select(2u, 1u, i != 1u && j != 1u), 0u, i != 0u && j != 0u);
    let high = min(6u - i - j - low, 3u);
    let edge = (*x)[low] - (*x)[high];
    // Inversions of (i, j, low, high) with low < high: i and j against each other, and each against low and high.
    let inversions = u32(i > j) + u32(i > low) + u32(i > high) + u32(j > low) + u32(j > high);
    return select(-edge, edge, inversions % 2u == 0u);
}
