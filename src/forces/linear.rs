//! Linear spring: g(l) = k (l - L), g'(l) = k, E(l) = k/2 (l - L)². With the weight 1/L² it is Teschner's distance energy, k then in
//! N·m.

use super::law::EdgeLaw;

/// Parameters of a linear spring, and of a spring that only pulls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearParameters {
    /// k, N/m.
    pub stiffness: f64,
}

impl LinearParameters {
    /// Packs `law_parameters`: k in x.
    pub fn pack(self) -> [f64; 4] {
        [self.stiffness, 0.0, 0.0, 0.0]
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[stiffness, ..]: &[f64; 4]) -> Self {
        Self { stiffness }
    }
}

/// Tension and slope at a length.
pub fn linear_law(parameters: LinearParameters, rest_length: f64, length: f64) -> EdgeLaw {
    let tension = parameters.stiffness * (length - rest_length);
    EdgeLaw { tension, jacobian_tension: tension, slope: parameters.stiffness }
}

/// Energy at a length, J.
pub fn linear_energy(parameters: LinearParameters, rest_length: f64, length: f64) -> f64 {
    0.5 * parameters.stiffness * (length - rest_length).powi(2)
}
