// Area of a triangle, Teschner (5): C = (A - A₀) / A₀, E = ½ k C².
// rest: A₀ (m²), three unused, then b₁ᵘ, b₂ᵘ, b₁ᵛ, b₂ᵛ (1/m) as for a membrane, for the strain alone. parameters: k (N·m), damping (N·m·s).
// With u the unit normal and e_i the edge opposite corner i: dA/dx_i = ½ u × e_i and
//   d²A/dx_i dx_j = ½ (⟨e_i, e_j⟩ / 2A) u uᵀ ∓ ½ (u × ·), minus for j after i in the winding.
// Clamped: Gauss–Newton. A triangle without area has no normal and no force.
#import shared/params
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

fn area_row(material: ElementMaterial, element: Element, state: ElementState, own: u32) -> ElementRow {
    let stiffness = material.parameters_a.x;
    let constraint = area_constraint(element.rest_a, state.x);
    var row = constraint_row(own, stiffness, material.parameters_a.y, constraint, state.v);
    if !WITHOUT_BLOCKS && (params.flags & FLAG_CLAMP) == 0u {
        let x = state.x;
        let doubled = cross(x[1] - x[0], x[2] - x[0]);
        let normal = unit_or_zero(doubled);
        var edges = array(x[2] - x[1], x[0] - x[2], x[1] - x[0], vec3(0.0));
        let rest_area = element.rest_a.x;
        let tension = 0.5 * stiffness * constraint.value / rest_area;
        let divisor = max(length(doubled), 2.0 * SMALLEST_AREA_FRACTION * rest_area);
        let edge = edges[own];
        // The block of the particle itself is wrong; no kernel reads it.
        for (var j = 0u; j < 3u; j += 1u) {
            let turn = select(1.0, -1.0, j == (own + 1u) % 3u);
            let lifting = dot(edge, edges[j]) / divisor * outer_product(normal, normal);
            row.stiffness[j] -= tension * (lifting + turn * cross_matrix(normal));
        }
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
