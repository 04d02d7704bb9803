// Shear as Etzmuß prints it, algorithm 2, with the sign corrected: the printed one does positive work on its own shear. Particles j, k,
// l, m are the left, upper, right and lower neighbours of a grid point. The point itself replaces a missing neighbour, so that particles may
// repeat; each entry has its own force. With p = x_j - x_l, q = x_k - x_m:
//   σ = rest₀ ⟨p, q⟩ + rest₁ (⟨ṗ, q⟩ + ⟨p, q̇⟩), f_j = -rest₂ σ q / |q|, f_l = -f_j, f_k = -rest₂ σ p / |p|, f_m = -f_k.
// rest: rest₀ = μ / 8l² and rest₁ = D₁₂₁₂ / 8l² of lines (4) and (5) (N/m³, N·s/m³), rest₂ = area / 2l of lines (6) and (7) (m; the
// area of the grid point turns the density into a force): f in N. Only the products of rest₂ with the others enter f.
// The force has no energy and no Jacobian; it conserves linear momentum, not angular.
#import shared/element

fn shear_printed_row(element: Element, state: ElementState, own: u32) -> ElementRow {
    let p = state.x[0] - state.x[2];
    let q = state.x[1] - state.x[3];
    let p_rate = state.v[0] - state.v[2];
    let q_rate = state.v[1] - state.v[3];
    let stress = element.rest_a.x * dot(p, q) + element.rest_a.y * (dot(p_rate, q) + dot(p, q_rate));
    let direction = unit_or_zero(select(p, q, own % 2u == 0u));
    let side = select(1.0, -1.0, own < 2u);
    var row: ElementRow;
    row.force = side * element.rest_a.z * stress * direction;
    return row;
}
