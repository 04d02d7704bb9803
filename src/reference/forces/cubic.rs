//! Full cubic spring (Vogiannou 2, 3), expanded about rest. With s = l/L - 1: g(l) = L (c₀ + c₁ s + c₂ s² + c₃ s³),
//! g'(l) = c₁ + 2 c₂ s + 3 c₃ s², E(l) = L² (c₀ s + c₁ s²/2 + c₂ s³/3 + c₃ s⁴/4). Parameters: c₀ to c₃, N/m.
//! In λ = l/L that is L (A λ³ + B λ² + C λ + D), of which the Jacobian may leave out (B', D') = (1 - η) (B, D):
//! g_J = g - L (B' λ² + D'), g_J' = g' - 2 B' λ (Vogiannou 4.1).

use super::law::EdgeLaw;

/// The law at a length.
pub fn cubic_law(&[c0, c1, c2, c3]: &[f64; 4], left_out: [f64; 2], rest_length: f64, length: f64) -> EdgeLaw {
    let s = (length - rest_length) / rest_length;
    let ratio = length / rest_length;
    let tension = rest_length * (c0 + s * (c1 + s * (c2 + s * c3)));
    EdgeLaw {
        tension,
        jacobian_tension: tension - rest_length * (left_out[0] * ratio * ratio + left_out[1]),
        slope: c1 + s * (2.0 * c2 + s * 3.0 * c3) - 2.0 * left_out[0] * ratio,
    }
}

/// Its energy, J; 0 at rest.
pub fn cubic_energy(&[c0, c1, c2, c3]: &[f64; 4], rest_length: f64, length: f64) -> f64 {
    let s = (length - rest_length) / rest_length;
    rest_length * rest_length * s * (c0 + s * (0.5 * c1 + s * (c2 / 3.0 + s * 0.25 * c3)))
}
