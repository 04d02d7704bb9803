// A linear coupling of two particles projected onto the surface normal: bending after Etzmuß, algorithms 3 and 4, whose Laplacians
// and Bilaplacians are sums of such pairs. d = x₀ - x₁; normals are those of the start of the step.
// rest: s (N/m, may be negative), c (N·s/m), form.
// form 0: with the common normal N = unit(n₀ + n₁), E = ½ s ⟨N, d⟩², f₀ = -(s ⟨N, d⟩ + c ⟨N, ḋ⟩) N = -f₁, df₀/dx₁ = s N Nᵀ. Clamped: s
// and c not below zero. The frozen normal conserves linear momentum, not angular.
// form 1: as printed, each particle's force is projected onto its own normal: f_i = -(s ⟨n_i, d_i⟩ + c ⟨n_i, ḋ_i⟩) n_i with d_i = x_i -
// x_other. The printed forces have no energy and no Jacobian, and conserve neither momentum.
#import shared/clamp
#import shared/element

fn projected_pair_row(element: Element, state: ElementState, own: u32, weights: RowWeights) -> ElementRow {
    let clamped = is_clamped();
    let printed = element.rest_a.z > 0.5;
    let first = own == 0u;
    let shared_normal = unit_or_zero(state.normals[0] + state.normals[1]);
    let normal = select(shared_normal, select(state.normals[1], state.normals[0], first), printed);
    let side = select(-1.0, 1.0, first);
    let height = side * dot(normal, state.x[0] - state.x[1]);
    let rate = side * dot(normal, state.v[0] - state.v[1]);
    let stiffness = element.rest_a.x;
    let damping = element.rest_a.y;
    var row: ElementRow;
    row.force = -(stiffness * height + damping * rate) * normal;
    let square = outer_product(normal, normal) * select(1.0, 0.0, printed);
    let stiffness_block = select(stiffness, max(stiffness, 0.0), clamped) * square;
    let damping_block = select(damping, max(damping, 0.0), clamped) * square;
    add_pair(&row, weights, 0u, side * (state.v[1] - state.v[0]), stiffness_block, damping_block);
    return row;
}

fn projected_pair_energy(element: Element, state: ElementState) -> f32 {
    let shared_normal = unit_or_zero(state.normals[0] + state.normals[1]);
    let height = dot(shared_normal, state.x[0] - state.x[1]);
    return select(0.5 * element.rest_a.x * height * height, 0.0, element.rest_a.z > 0.5);
}
