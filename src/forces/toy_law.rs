//! A toy law, registered by the recipe of `docs/recipes.md` and compiled in unit tests alone: g(l) = k d + b d³ with d = l - L,
//! g'(l) = k + 3 b d², E(l) = k/2 d² + b/4 d⁴.

use super::law::EdgeLaw;

/// Parameters of the toy law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ToyLawParameters {
    /// k, N/m.
    pub stiffness: f64,
    /// b, N/m³.
    pub stiffening: f64,
}

impl ToyLawParameters {
    /// `law_parameters`: k and b in x and y.
    pub fn pack(self) -> [f64; 4] {
        [self.stiffness, self.stiffening, 0.0, 0.0]
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[stiffness, stiffening, ..]: &[f64; 4]) -> Self {
        Self { stiffness, stiffening }
    }
}

/// Tension and slope at a length.
pub fn toy_law(parameters: ToyLawParameters, rest_length: f64, length: f64) -> EdgeLaw {
    let d = length - rest_length;
    let tension = d * (parameters.stiffness + parameters.stiffening * d * d);
    EdgeLaw { tension, jacobian_tension: tension, slope: parameters.stiffness + 3.0 * parameters.stiffening * d * d }
}

/// Energy at a length, J.
pub fn toy_law_energy(parameters: ToyLawParameters, rest_length: f64, length: f64) -> f64 {
    let square = (length - rest_length).powi(2);
    square * (0.5 * parameters.stiffness + 0.25 * parameters.stiffening * square)
}
