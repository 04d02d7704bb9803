//! Choi–Ko type 1 (Jiao 1): a linear spring that only pulls. g(l) = k max(l - L, 0). Parameters: k, N/m.

use super::{
    law::EdgeLaw,
    linear::{linear_energy, linear_law},
};

/// The law at a length.
pub fn tension_only_law(parameters: &[f64; 4], rest_length: f64, length: f64) -> EdgeLaw {
    if length <= rest_length { EdgeLaw::default() } else { linear_law(parameters, rest_length, length) }
}

/// Its energy, J.
pub fn tension_only_energy(parameters: &[f64; 4], rest_length: f64, length: f64) -> f64 {
    linear_energy(parameters, rest_length, length.max(rest_length))
}
