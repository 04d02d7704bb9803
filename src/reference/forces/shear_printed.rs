//! Shear as Etzmuß prints it, algorithm 2, with the sign mended: the printed one does positive work on its own shear. Particles j, k,
//! l, m are the left, upper, right and lower neighbours of a grid point; a missing one is replaced by the point itself, so they may
//! repeat, and each place feels its own force. With p = x_j - x_l, q = x_k - x_m:
//! σ = rest₀ ⟨p, q⟩ + rest₁ (⟨ṗ, q⟩ + ⟨p, q̇⟩), f_j = -rest₂ σ q / |q|, f_l = -f_j, f_k = -rest₂ σ p / |p|, f_m = -f_k.
//!
//! rest: rest₀ = μ / 8l² and rest₁ = D₁₂₁₂ / 8l² of lines (4) and (5) (N/m³, N·s/m³), rest₂ = area / 2l of lines (6) and (7) (m, the
//! area of the grid point making a force of the density): f in N. Other places of the factors do as well, f has only the products.
//! A force without an energy or Jacobian: it keeps linear momentum and breaks angular momentum.

use super::element::{ElementRow, ElementState};
use crate::topology::{Element, ElementMaterial};

/// Response seen from one particle.
pub fn row(_: &ElementMaterial, element: &Element, state: &ElementState, own: usize, _: bool) -> ElementRow {
    let [elastic, viscous, scale, ..] = element.rest;
    let ElementState { x, v, .. } = state;
    let (p, q) = (x[0] - x[2], x[1] - x[3]);
    let (p_rate, q_rate) = (v[0] - v[2], v[1] - v[3]);
    let stress = elastic * p.dot(q) + viscous * (p_rate.dot(q) + p.dot(q_rate));
    let direction = if own.is_multiple_of(2) { q } else { p }.normalize_or_zero();
    let side = if own < 2 { -1.0 } else { 1.0 };
    ElementRow { force: side * scale * stress * direction, ..Default::default() }
}
