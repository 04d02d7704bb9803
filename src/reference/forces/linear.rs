//! Linear spring: g(l) = k (l - L), g'(l) = k, E(l) = k/2 (l - L)². Parameters: k, N/m. With the weight 1/L² it is Teschner's
//! distance energy, k then in N·m.

use super::law::EdgeLaw;

/// The law at a length.
pub fn linear_law(parameters: &[f64; 4], rest_length: f64, length: f64) -> EdgeLaw {
    let tension = parameters[0] * (length - rest_length);
    EdgeLaw { tension, jacobian_tension: tension, slope: parameters[0] }
}

/// Its energy, J.
pub fn linear_energy(parameters: &[f64; 4], rest_length: f64, length: f64) -> f64 {
    0.5 * parameters[0] * (length - rest_length).powi(2)
}
