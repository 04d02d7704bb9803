//! Bending along Volino's bending vector R = Σ α_k x_k (4), with rest curvature, hardening and viscosity (16 to 18) along R, so that
//! both momenta hold: r = |R|, s = r - r₀, E = λ (½ s² + ¼ η s⁴), f_i = -α_i (g + c ṙ) R / r with g = λ s (1 + η s²).
//!
//! rest: α of wings A, B and edge C, D (their sum is 0), λ (N/m), r₀ ≥ 0 (m), c (N·s/m), η (1/m²).
//! Jacobian: -α_i α_j (t I + (g' - t) R̂ R̂ᵀ), t = g / r, g' = λ (1 + 3 η s²); for r₀ = η = 0 Volino's constant -λ α_i α_j I (14).
//! Clamped: t ≥ 0 and g' ≥ 0. Where R = 0 there is no direction and no force; with r₀ = 0 that is the smooth limit.

use super::element::{ElementRow, ElementState, outer};
use crate::topology::{Element, ElementMaterial};
use glam::{DMat3, DVec3};

/// Below this fraction of r₀ t is not divided further.
const SHORTEST_FRACTION: f64 = 1e-6;

/// Response seen from one particle.
pub fn row(_: &ElementMaterial, element: &Element, state: &ElementState, own: usize, clamp: bool) -> ElementRow {
    let [_, _, _, _, stiffness, rest_length, damping, hardening, ..] = element.rest;
    let alpha = &element.rest[..4];
    let bending = bending_vector(alpha, &state.x);
    let (length, direction) = (bending.length(), bending.normalize_or_zero());
    let excess = length - rest_length;
    let square = hardening * excess * excess;
    let tension = stiffness * excess * (1.0 + square);
    let mut slope = stiffness * (1.0 + 3.0 * square);
    let mut transverse = if rest_length > 0.0 {
        tension / length.max(SHORTEST_FRACTION * rest_length)
    } else {
        stiffness * (1.0 + square)
    };
    if clamp {
        transverse = transverse.max(0.0);
        slope = slope.max(0.0);
    }
    let rate = direction.dot(bending_vector(alpha, &state.v));
    let mut row = ElementRow { force: -alpha[own] * (tension + damping * rate) * direction, ..Default::default() };
    let along = outer(direction, direction);
    let block = DMat3::from_diagonal(DVec3::splat(transverse)) + (slope - transverse) * along;
    for (j, other) in alpha.iter().enumerate() {
        row.stiffness[j] = -(alpha[own] * other) * block;
        row.damping[j] = -(alpha[own] * other) * damping * along;
    }
    row
}

/// Stored energy, J.
pub fn energy(_: &ElementMaterial, element: &Element, state: &ElementState) -> f64 {
    let [_, _, _, _, stiffness, rest_length, _, hardening, ..] = element.rest;
    let excess = bending_vector(&element.rest[..4], &state.x).length() - rest_length;
    stiffness * excess * excess * (0.5 + 0.25 * hardening * excess * excess)
}

/// R, or its rate; from differences, which round better and cost translations nothing whatever α sum to.
pub fn bending_vector(alpha: &[f64], x: &[DVec3; 4]) -> DVec3 {
    alpha[0] * (x[0] - x[2]) + alpha[1] * (x[1] - x[2]) + alpha[3] * (x[3] - x[2])
}
