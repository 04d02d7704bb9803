//! A linear coupling of two particles projected onto the surface normal: bending after Etzmuß, algorithms 3 and 4, whose Laplacians
//! and Bilaplacians are sums of such pairs. d = x₀ - x₁; normals are those of the start of the step.
//!
//! rest: s (N/m, may be negative), c (N·s/m), form.
//! form 0: with the common normal N = unit(n₀ + n₁), E = ½ s ⟨N, d⟩², f₀ = -(s ⟨N, d⟩ + c ⟨N, ḋ⟩) N = -f₁, df₀/dx₁ = s N Nᵀ. Clamped: s
//! and c not below zero. The frozen normal keeps linear momentum, not angular.
//! form 1: as printed, each particle's force projected onto its own normal: f_i = -(s ⟨n_i, d_i⟩ + c ⟨n_i, ḋ_i⟩) n_i with d_i = x_i -
//! x_other. No energy, no Jacobian; keeps neither momentum.

use super::element::{ElementRow, ElementState, outer};
use crate::topology::{Element, ElementMaterial};
use glam::DVec3;

/// Response seen from one particle.
pub fn row(_: &ElementMaterial, element: &Element, state: &ElementState, own: usize, clamp: bool) -> ElementRow {
    let [mut stiffness, mut damping, ..] = element.rest;
    let other = 1 - own.min(1);
    let own = 1 - other;
    let printed = is_printed(element);
    let normal = if printed { state.normals[own] } else { common_normal(state) };
    let height = normal.dot(state.x[own] - state.x[other]);
    let rate = normal.dot(state.v[own] - state.v[other]);
    let mut row = ElementRow { force: -(stiffness * height + damping * rate) * normal, ..Default::default() };
    if !printed {
        if clamp {
            (stiffness, damping) = (stiffness.max(0.0), damping.max(0.0));
        }
        row.stiffness[other] = stiffness * outer(normal, normal);
        row.damping[other] = damping * outer(normal, normal);
    }
    row
}

/// Stored energy, J; 0 as printed.
pub fn energy(_: &ElementMaterial, element: &Element, state: &ElementState) -> f64 {
    if is_printed(element) {
        return 0.0;
    }
    let height = common_normal(state).dot(state.x[0] - state.x[1]);
    0.5 * element.rest[0] * height * height
}

fn is_printed(element: &Element) -> bool {
    element.rest[2] > 0.5
}

fn common_normal(state: &ElementState) -> DVec3 {
    (state.normals[0] + state.normals[1]).normalize_or_zero()
}
