//! Volino's bending with rest curvature, hardening and viscosity as printed, (16) to (18):
//! f_i = -α_i (λ (1 + η s²) (R + R₀) + c Ṙ), R₀ = -r₀ N, s = ⟨R, N⟩ - r₀, N = unit(N_A + N_B) of the current positions.
//!
//! (17) prints +½ h_A h_B γ₀ N, yet by (2) and (3) a sheet of curvature γ₀ has ⟨R, N⟩ = ½ h_A h_B γ₀ = r₀: it is at rest only when the
//! offset is subtracted. r₀ > 0 curves towards the normals of triangles A, C, D and B, D, C (6).
//!
//! Rest measures are those of [`super::curvature`]. There is no energy; R₀ and Ṙ exert a torque on the body, as the paper says.
//! Jacobian: the paper's constant one with the current factor, -λ (1 + η s²) α_i α_j I and -c α_i α_j I; clamped: not below zero.
//! Without a normal there is no rest curvature.

use super::curvature::{CurvatureRest, bending_vector};
use super::element::{ElementRow, ElementState};
use glam::{DMat3, DVec3};

/// Response of the element at one particle.
pub fn row(rest: &CurvatureRest, state: &ElementState, own: usize, clamp: bool) -> ElementRow {
    let CurvatureRest { weights: ref alpha, stiffness, length: rest_length, damping, hardening } = *rest;
    let [a, b, c, d] = state.x;
    let edge = d - c;
    let normal = (edge.cross(a - c) + (b - c).cross(edge)).normalize_or_zero();
    let bending = bending_vector(alpha, &state.x);
    let excess = bending.dot(normal) - rest_length;
    let mut factor = stiffness * (1.0 + hardening * excess * excess);
    let offset = bending - rest_length * normal;
    let rate = bending_vector(alpha, &state.v);
    let mut row = ElementRow { force: -alpha[own] * (factor * offset + damping * rate), ..Default::default() };
    if clamp {
        factor = factor.max(0.0);
    }
    for (j, other) in alpha.iter().enumerate() {
        let product = alpha[own] * other;
        row.stiffness[j] = DMat3::from_diagonal(DVec3::splat(-product * factor));
        row.damping[j] = DMat3::from_diagonal(DVec3::splat(-product * damping));
    }
    row
}
