// Bending along Volino's bending vector R = Σ α_k x_k (4), with rest curvature, hardening and viscosity (16 to 18) along R, so that
// both momenta hold: r = |R|, s = r - r₀, E = λ (½ s² + ¼ η s⁴), f_i = -α_i (g + c ṙ) R / r with g = λ s (1 + η s²).
// rest: α of wings A, B and edge C, D (their sum is 0), λ (N/m), r₀ ≥ 0 (m), c (N·s/m), η (1/m²).
// Jacobian: -α_i α_j (t I + (g' - t) R̂ R̂ᵀ), t = g / r, g' = λ (1 + 3 η s²); for r₀ = η = 0 Volino's constant -λ α_i α_j I (14).
// Clamped: t ≥ 0 and g' ≥ 0. Where R = 0 there is no direction and no force; with r₀ = 0 that is the smooth limit.
#import shared/params
#import shared/element
#import forces/bending_vector

// Below this fraction of r₀ t is not divided further.
const SHORTEST_BENDING_FRACTION: f32 = 1e-6;

fn curvature_row(element: Element, state: ElementState, own: u32) -> ElementRow {
    var alpha = element.rest_a;
    let stiffness = element.rest_b.x;
    let rest_length = element.rest_b.y;
    let damping = element.rest_b.z;
    let hardening = element.rest_b.w;
    let bending = bending_vector(alpha, state.x);
    let size = length(bending);
    let direction = unit_or_zero(bending);
    let excess = size - rest_length;
    let square = hardening * excess * excess;
    let tension = stiffness * excess * (1.0 + square);
    var slope = stiffness * (1.0 + 3.0 * square);
    var transverse = stiffness * (1.0 + square);
    if rest_length > 0.0 {
        transverse = tension / max(size, SHORTEST_BENDING_FRACTION * rest_length);
    }
    if (params.flags & FLAG_CLAMP) != 0u {
        transverse = max(transverse, 0.0);
        slope = max(slope, 0.0);
    }
    let rate = dot(direction, bending_vector(alpha, state.v));
    var row: ElementRow;
    let own_weight = alpha[own];
    row.force = -own_weight * (tension + damping * rate) * direction;
    let along = outer_product(direction, direction);
    let block = scaled_identity(transverse) + (slope - transverse) * along;
    for (var j = 0u; j < 4u; j += 1u) {
        let product = own_weight * alpha[j];
        row.stiffness[j] = -product * block;
        row.damping[j] = -product * damping * along;
    }
    return row;
}

fn curvature_energy(element: Element, state: ElementState) -> f32 {
    let excess = length(bending_vector(element.rest_a, state.x)) - element.rest_b.y;
    return element.rest_b.x * excess * excess * (0.5 + 0.25 * element.rest_b.w * excess * excess);
}
