//! Full cubic spring (Vogiannou 2, 3), expanded about rest. With s = l/L - 1: g(l) = L (c₀ + c₁ s + c₂ s² + c₃ s³),
//! g'(l) = c₁ + 2 c₂ s + 3 c₃ s², E(l) = L² (c₀ s + c₁ s²/2 + c₂ s³/3 + c₃ s⁴/4).
//! In λ = l/L that is L (A λ³ + B λ² + C λ + D), of which the Jacobian may omit (B', D') = (1 - η) (B, D):
//! g_J = g - L (B' λ² + D'), g_J' = g' - 2 B' λ (Vogiannou 4.1).

use super::law::EdgeLaw;

/// Parameters of a cubic spring: its coefficients about rest, N/m. One material serves edges of any rest length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CubicParameters {
    /// c₀: tension at rest over the rest length, N/m.
    pub c0: f64,
    /// c₁: stiffness at rest, N/m.
    pub c1: f64,
    /// c₂, N/m.
    pub c2: f64,
    /// c₃, N/m.
    pub c3: f64,
}

impl CubicParameters {
    /// Packs `law_parameters`: c₀, c₁, c₂, c₃ in x, y, z, w.
    pub fn pack(self) -> [f64; 4] {
        [self.c0, self.c1, self.c2, self.c3]
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[c0, c1, c2, c3]: &[f64; 4]) -> Self {
        Self { c0, c1, c2, c3 }
    }

    /// B and D, the terms that the Jacobian may omit in part.
    pub fn damped_terms(self) -> CubicLeftOut {
        CubicLeftOut { square: self.c2 - 3.0 * self.c3, constant: self.c0 - self.c1 + self.c2 - self.c3 }
    }
}

/// The part (1 - η) of a cubic's square and constant term that its Jacobian omits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CubicLeftOut {
    /// B', N/m; for `cubic_absolute` (1 - η) b, N/m².
    pub square: f64,
    /// D', N/m; for `cubic_absolute` (1 - η) d, N.
    pub constant: f64,
}

impl CubicLeftOut {
    /// Packs `left_out`: the square term in x, the constant in y, of `jacobian_parameters` on the GPU.
    pub fn pack(self) -> [f64; 2] {
        [self.square, self.constant]
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[square, constant]: &[f64; 2]) -> Self {
        Self { square, constant }
    }
}

/// Tension and slope at a length.
pub fn cubic_law(parameters: CubicParameters, left_out: CubicLeftOut, rest_length: f64, length: f64) -> EdgeLaw {
    let CubicParameters { c0, c1, c2, c3 } = parameters;
    let s = (length - rest_length) / rest_length;
    let ratio = length / rest_length;
    let tension = rest_length * (c0 + s * (c1 + s * (c2 + s * c3)));
    EdgeLaw {
        tension,
        jacobian_tension: tension - rest_length * (left_out.square * ratio * ratio + left_out.constant),
        slope: c1 + s * (2.0 * c2 + s * 3.0 * c3) - 2.0 * left_out.square * ratio,
    }
}

/// Energy at a length, J; 0 at rest.
pub fn cubic_energy(parameters: CubicParameters, rest_length: f64, length: f64) -> f64 {
    let CubicParameters { c0, c1, c2, c3 } = parameters;
    let s = (length - rest_length) / rest_length;
    rest_length * rest_length * s * (c0 + s * (0.5 * c1 + s * (c2 / 3.0 + s * 0.25 * c3)))
}
