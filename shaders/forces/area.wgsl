// Area of a triangle, Teschner (5): C = (A - A₀) / A₀, E = ½ k C².
// rest: A₀ (m²). parameters: k (N·m), damping (N·m·s).
// With u the unit normal and e_i the edge opposite corner i: dA/dx_i = ½ u × e_i and
//   d²A/dx_i dx_j = ½ (⟨e_i, e_j⟩ / 2A) u uᵀ ∓ ½ (u × ·), minus for j after i in the winding.
// Clamped: Gauss–Newton. A triangle without area has no normal and feels nothing.
#import shared/params
#import forces/constraint_row

// Below this fraction of the rest area the second derivative is not divided further.
const SMALLEST_AREA_FRACTION: f32 = 1e-6;

fn area_row(material: ElementMaterial, element: Element, state: ElementState, own: u32) -> ElementRow {
    let rest_area = element.rest_a.x;
    let x = state.x;
    let doubled = cross(x[1] - x[0], x[2] - x[0]);
    let area = 0.5 * length(doubled);
    let normal = unit_or_zero(doubled);
    var edges = array(x[2] - x[1], x[0] - x[2], x[1] - x[0], vec3(0.0));
    let constraint = (area - rest_area) / rest_area;
    var gradients: array<vec3<f32>, 4>;
    for (var j = 0u; j < 4u; j += 1u) {
        gradients[j] = 0.5 / rest_area * cross(normal, edges[j]);
    }
    let stiffness = material.parameters_a.x;
    var row = constraint_row(own, stiffness, material.parameters_a.y, constraint, gradients, state.v);
    if !WITHOUT_BLOCKS && (params.flags & FLAG_CLAMP) == 0u {
        let tension = 0.5 * stiffness * constraint / rest_area;
        let divisor = 2.0 * max(area, SMALLEST_AREA_FRACTION * rest_area);
        let edge = edges[own];
        // The own block comes out wrong; nobody reads it.
        for (var j = 0u; j < 3u; j += 1u) {
            let turn = select(1.0, -1.0, j == (own + 1u) % 3u);
            let lifting = dot(edge, edges[j]) / divisor * outer_product(normal, normal);
            row.stiffness[j] -= tension * (lifting + turn * cross_matrix(normal));
        }
    }
    return row;
}

fn area_energy(material: ElementMaterial, element: Element, state: ElementState) -> f32 {
    let x = state.x;
    let area = 0.5 * length(cross(x[1] - x[0], x[2] - x[0]));
    let constraint = (area - element.rest_a.x) / element.rest_a.x;
    return 0.5 * material.parameters_a.x * constraint * constraint;
}
