//! Shear as Etzmuß prints it, algorithm 2, with the sign corrected: the printed one does positive work on its own shear. Particles j, k,
//! l, m are the left, upper, right and lower neighbours of a grid point. The point itself replaces a missing neighbour, so that particles may
//! repeat; each entry has its own force. With p = x_j - x_l, q = x_k - x_m:
//! σ = e ⟨p, q⟩ + d (⟨ṗ, q⟩ + ⟨p, q̇⟩), f_j = -w σ q / |q|, f_l = -f_j, f_k = -w σ p / |p|, f_m = -f_k.
//!
//! Only the products w e and w d enter the forces. The force has no energy and no Jacobian; it conserves linear momentum, not angular.

use super::element::{ElementRow, ElementState, padded};

/// Rest measures of printed shear, l the spacing of the grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShearPrintedRest {
    /// e = μ / 8l² of line (4), N/m³.
    pub elastic: f64,
    /// d = D₁₂₁₂ / 8l² of line (5), N·s/m³.
    pub viscous: f64,
    /// w = area / 2l of lines (6) and (7), m: the area of the grid point turns the density into a force.
    pub scale: f64,
}

impl ShearPrintedRest {
    /// Packs `rest_a`: e, d, w in x, y, z.
    pub fn pack(self) -> [f64; 11] {
        padded(&[self.elastic, self.viscous, self.scale])
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[elastic, viscous, scale, ..]: &[f64; 11]) -> Self {
        Self { elastic, viscous, scale }
    }
}

/// Response of the element at one particle.
pub fn row(rest: &ShearPrintedRest, state: &ElementState, own: usize) -> ElementRow {
    let ShearPrintedRest { elastic, viscous, scale } = *rest;
    let ElementState { x, v, .. } = state;
    let (p, q) = (x[0] - x[2], x[1] - x[3]);
    let (p_rate, q_rate) = (v[0] - v[2], v[1] - v[3]);
    let stress = elastic * p.dot(q) + viscous * (p_rate.dot(q) + p.dot(q_rate));
    let direction = if own.is_multiple_of(2) { q } else { p }.normalize_or_zero();
    let side = if own < 2 { -1.0 } else { 1.0 };
    ElementRow { force: side * scale * stress * direction, ..Default::default() }
}
