//! Full cubic spring in the length itself (Vogiannou 2): g(l) = a l³ + b l² + c l + d. Parameters: a to d, SI.
//! Evaluated as `cubic`, expanded about the edge's own rest length, at which it need not vanish; energy counts from there.

use super::{
    cubic::{cubic_energy, cubic_law},
    law::EdgeLaw,
};

/// The coefficients about a rest length, as `cubic` has them.
pub fn cubic_about_rest(&[a, b, c, d]: &[f64; 4], rest_length: f64) -> [f64; 4] {
    let a = a * rest_length;
    [
        ((a + b) * rest_length + c) + d / rest_length,
        (3.0 * a + 2.0 * b) * rest_length + c,
        (3.0 * a + b) * rest_length,
        a * rest_length,
    ]
}

/// The law at a length. `left_out` = (1 - η) (b, d).
pub fn cubic_absolute_law(parameters: &[f64; 4], left_out: [f64; 2], rest_length: f64, length: f64) -> EdgeLaw {
    let relative = [left_out[0] * rest_length, left_out[1] / rest_length];
    cubic_law(&cubic_about_rest(parameters, rest_length), relative, rest_length, length)
}

/// Its energy, J; 0 at the rest length.
pub fn cubic_absolute_energy(parameters: &[f64; 4], rest_length: f64, length: f64) -> f64 {
    cubic_energy(&cubic_about_rest(parameters, rest_length), rest_length, length)
}
