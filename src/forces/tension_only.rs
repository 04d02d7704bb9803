//! Choi–Ko type 1 (Jiao 1): a linear spring that only pulls. g(l) = k max(l - L, 0). Its parameters are those of a linear spring.

use super::{
    law::EdgeLaw,
    linear::{LinearParameters, linear_energy, linear_law},
};

/// Tension and slope at a length.
pub fn tension_only_law(parameters: LinearParameters, rest_length: f64, length: f64) -> EdgeLaw {
    if length <= rest_length { EdgeLaw::default() } else { linear_law(parameters, rest_length, length) }
}

/// Energy at a length, J.
pub fn tension_only_energy(parameters: LinearParameters, rest_length: f64, length: f64) -> f64 {
    linear_energy(parameters, rest_length, length.max(rest_length))
}
