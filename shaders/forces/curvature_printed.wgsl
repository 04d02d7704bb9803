// Volino's bending with rest curvature, hardening and viscosity as printed, (16) to (18):
//   f_i = -α_i (λ (1 + η s²) (R + R₀) + c Ṙ), R₀ = -r₀ N, s = ⟨R, N⟩ - r₀, N = unit(N_A + N_B) of the current positions.
// (17) prints +½ h_A h_B γ₀ N, yet by (2) and (3) a sheet of curvature γ₀ has ⟨R, N⟩ = ½ h_A h_B γ₀ = r₀: it is at rest only when the
// offset is subtracted. r₀ > 0 curves towards the normals of triangles A, C, D and B, D, C (6).
// rest: as in forces/curvature, r₀ signed. There is no energy; R₀ and Ṙ exert a torque on the body, as the paper says.
// Jacobian: the paper's constant one with the current factor, -λ (1 + η s²) α_i α_j I and -c α_i α_j I; clamped: not below zero.
// Without a normal there is no rest curvature.
#import shared/clamp
#import shared/element
#import forces/bending_vector

fn curvature_printed_row(element: Element, state: ElementState, own: u32, weights: RowWeights) -> ElementRow {
    let alpha = element.rest_a;
    let rest_length = element.rest_b.y;
    let damping = element.rest_b.z;
    let x = state.x;
    let edge = x[3] - x[2];
    let normal = unit_or_zero(cross(edge, x[0] - x[2]) + cross(x[1] - x[2], edge));
    let bending = bending_vector(alpha, state.x);
    let excess = dot(bending, normal) - rest_length;
    var factor = element.rest_b.x * (1.0 + element.rest_b.w * excess * excess);
    let offset = bending - rest_length * normal;
    let rate = bending_vector(alpha, state.v);
    var row: ElementRow;
    let seen = numbers_seen_from(own, alpha);
    row.force = -seen.x * (factor * offset + damping * rate);
    if is_clamped() {
        factor = max(factor, 0.0);
    }
    let products = seen.x * seen.yzw;
    let motions = motions_seen_from(own, state.v);
    add_pair(&row, weights, 0u, motions[0], scaled_identity(-products.x * factor), scaled_identity(-products.x * damping));
    add_pair(&row, weights, 1u, motions[1], scaled_identity(-products.y * factor), scaled_identity(-products.y * damping));
    add_pair(&row, weights, 2u, motions[2], scaled_identity(-products.z * factor), scaled_identity(-products.z * damping));
    return row;
}
