//! A linear coupling of two particles projected onto the surface normal: bending after Etzmuß, algorithms 3 and 4, whose Laplacians
//! and Bilaplacians are sums of such pairs. d = x₀ - x₁; normals are those of the start of the step.
//!
//! With the common normal N = unit(n₀ + n₁), E = ½ s ⟨N, d⟩², f₀ = -(s ⟨N, d⟩ + c ⟨N, ḋ⟩) N = -f₁, df₀/dx₁ = s N Nᵀ. Clamped: s
//! and c not below zero. The frozen normal conserves linear momentum, not angular.
//! As printed, each particle's force is projected onto its own normal: f_i = -(s ⟨n_i, d_i⟩ + c ⟨n_i, ḋ_i⟩) n_i with d_i = x_i -
//! x_other. The printed forces have no energy and no Jacobian, and conserve neither momentum.

use super::element::{ElementRow, ElementState, outer, padded};
use glam::DVec3;

/// Rest measures of a projected pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProjectedPairRest {
    /// Stiffness s, N/m, of either sign.
    pub stiffness: f64,
    /// Viscosity c, N·s/m, of either sign.
    pub damping: f64,
    /// Whether forces are those as printed, each along the particle's own normal.
    pub printed: bool,
}

impl ProjectedPairRest {
    /// Packs `rest_a`: s in x, c in y, 1 in z for forces as printed, else 0.
    pub fn pack(self) -> [f64; 11] {
        padded(&[self.stiffness, self.damping, if self.printed { 1.0 } else { 0.0 }])
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[stiffness, damping, printed, ..]: &[f64; 11]) -> Self {
        Self { stiffness, damping, printed: printed > 0.5 }
    }
}

/// Response of the element at one particle.
pub fn row(rest: &ProjectedPairRest, state: &ElementState, own: usize, clamp: bool) -> ElementRow {
    let ProjectedPairRest { mut stiffness, mut damping, printed } = *rest;
    let other = 1 - own.min(1);
    let own = 1 - other;
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

/// Stored energy, J; 0 for forces as printed.
pub fn energy(rest: &ProjectedPairRest, state: &ElementState) -> f64 {
    if rest.printed {
        return 0.0;
    }
    let height = common_normal(state).dot(state.x[0] - state.x[1]);
    0.5 * rest.stiffness * height * height
}

fn common_normal(state: &ElementState) -> DVec3 {
    (state.normals[0] + state.normals[1]).normalize_or_zero()
}
