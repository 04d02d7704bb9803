//! Full cubic spring in the length itself (Vogiannou 2): g(l) = a l³ + b l² + c l + d. It is evaluated like [`cubic`](super::cubic), expanded
//! about the edge's rest length, at which the tension need not vanish; the energy is 0 there.

use super::{
    cubic::{CubicLeftOut, CubicParameters, cubic_energy, cubic_law},
    law::EdgeLaw,
};

/// Parameters of a cubic spring in the length itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CubicAbsoluteParameters {
    /// a, N/m³.
    pub a: f64,
    /// b, N/m².
    pub b: f64,
    /// c, N/m.
    pub c: f64,
    /// d, N.
    pub d: f64,
}

impl CubicAbsoluteParameters {
    /// Packs `law_parameters`: a, b, c, d in x, y, z, w.
    pub fn pack(self) -> [f64; 4] {
        [self.a, self.b, self.c, self.d]
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[a, b, c, d]: &[f64; 4]) -> Self {
        Self { a, b, c, d }
    }

    /// b and d, the terms that the Jacobian may omit in part.
    pub fn damped_terms(self) -> CubicLeftOut {
        CubicLeftOut { square: self.b, constant: self.d }
    }

    /// Slope g'(l) at a length, N/m.
    pub fn slope_at(self, length: f64) -> f64 {
        (3.0 * self.a * length + 2.0 * self.b) * length + self.c
    }

    /// The polynomial expanded about a rest length, in the form of [`cubic`](super::cubic).
    pub fn about_rest(self, rest_length: f64) -> CubicParameters {
        let Self { a, b, c, d } = self;
        let a = a * rest_length;
        CubicParameters {
            c0: ((a + b) * rest_length + c) + d / rest_length,
            c1: (3.0 * a + 2.0 * b) * rest_length + c,
            c2: (3.0 * a + b) * rest_length,
            c3: a * rest_length,
        }
    }
}

/// Tension and slope at a length. `left_out` = (1 - η) (b, d).
pub fn cubic_absolute_law(
    parameters: CubicAbsoluteParameters,
    left_out: CubicLeftOut,
    rest_length: f64,
    length: f64,
) -> EdgeLaw {
    let relative = CubicLeftOut { square: left_out.square * rest_length, constant: left_out.constant / rest_length };
    cubic_law(parameters.about_rest(rest_length), relative, rest_length, length)
}

/// Energy at a length, J; 0 at the rest length.
pub fn cubic_absolute_energy(parameters: CubicAbsoluteParameters, rest_length: f64, length: f64) -> f64 {
    cubic_energy(parameters.about_rest(rest_length), rest_length, length)
}
