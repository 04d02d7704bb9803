// Area of a triangle, Teschner (5): C = (A - A₀) / A₀, E = ½ k C².
// rest: A₀ (m²), three unused, then b₁ᵘ, b₂ᵘ, b₁ᵛ, b₂ᵛ (1/m) as for a membrane, for the strain alone. parameters: k (N·m), damping (N·m·s).
// With u the unit normal and e_i the edge opposite corner i: dA/dx_i = ½ u × e_i and
//   d²A/dx_i dx_j = ½ (⟨e_i, e_j⟩ / 2A) u uᵀ ∓ ½ (u × ·), minus for j after i in the winding.
// Clamped: Gauss–Newton. A triangle without area has no normal and no force.
#import shared/clamp
#import forces/constraint_row
#import forces/strain

// Fraction of the rest area below which the divisor of the second derivative is bounded.
const SMALLEST_AREA_FRACTION: f32 = 1e-6;

fn area_constraint(rest: vec4<f32>, x: array<vec3<f32>, 4>) -> ScalarConstraint {
    let doubled = cross(x[1] - x[0], x[2] - x[0]);
    let half = 0.5 / rest.x * unit_or_zero(doubled);
    let gradients = array(cross(half, x[2] - x[1]), cross(half, x[0] - x[2]), cross(half, x[1] - x[0]), vec3(0.0));
    return ScalarConstraint((0.5 * length(doubled) - rest.x) / rest.x, gradients);
}

fn area_row(material: ElementMaterial, element: Element, state: ElementState, own: u32, weights: RowWeights) -> ElementRow {
    let stiffness = material.parameters_a.x;
    let damping = material.parameters_a.y;
    let constraint = area_constraint(element.rest_a, state.x);
    let motions = motions_seen_from(own, state.v);
    var row = constraint_row(stiffness, damping, constraint.value, seen_from(own, constraint.gradients), motions, weights);
    if !WITHOUT_BLOCKS {
        // A select in place of a branch: registers would hold all blocks across it.
        let clamped = is_clamped();
        let x = state.x;
        let doubled = cross(x[1] - x[0], x[2] - x[0]);
        let normal = unit_or_zero(doubled);
        let edges = seen_from(own, array(x[2] - x[1], x[0] - x[2], x[1] - x[0], vec3(0.0)));
        let rest_area = element.rest_a.x;
        let tension = select(0.5 * stiffness * constraint.value / rest_area, 0.0, clamped);
        let lift = -tension / max(length(doubled), 2.0 * SMALLEST_AREA_FRACTION * rest_area) * outer_product(normal, normal);
        // The first other particle comes after this one in the winding unless this is the middle one, and the second the other way round.
        let turn = select(tension, -tension, own == 1u) * cross_matrix(normal);
        add_stiffness(&row, weights, 0u, motions[0], dot(edges[0], edges[1]) * lift + turn);
        add_stiffness(&row, weights, 1u, motions[1], dot(edges[0], edges[2]) * lift - turn);
    }
    return row;
}

fn area_energy(material: ElementMaterial, element: Element, state: ElementState) -> f32 {
    let constraint = area_constraint(element.rest_a, state.x).value;
    return 0.5 * material.parameters_a.x * constraint * constraint;
}

// Principal strain of largest magnitude.
fn area_strain(element: Element, x: array<vec3<f32>, 4>) -> f32 {
    let p = x[1] - x[0];
    let q = x[2] - x[0];
    let b = element.rest_b;
    return triangle_strain(b.x * p + b.y * q, b.z * p + b.w * q);
}
