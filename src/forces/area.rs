//! Area of a triangle, Teschner (5): C = (A - A₀) / A₀, E = ½ k C².
//!
//! With u the unit normal and e_i the edge opposite corner i: dA/dx_i = ½ u × e_i and
//! d²A/dx_i dx_j = ½ (⟨e_i, e_j⟩ / 2A) u uᵀ ∓ ½ (u × ·), minus for j after i in the winding.
//! Clamped: Gauss–Newton. A triangle without area has no normal and no force.

use super::{
    element::{ElementRow, ElementState, constraint_row, cross_matrix, outer, padded},
    strain::TriangleShape,
};
use glam::DVec3;

/// Parameters of an area energy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AreaParameters {
    /// k, N·m.
    pub stiffness: f64,
    /// Viscosity of C, N·m·s.
    pub damping: f64,
}

impl AreaParameters {
    /// Packs `parameters_a`: k in x, the viscosity in y, as for volumes: `assembly/element_forces` reads both alike.
    pub fn pack(self) -> [f64; 8] {
        padded(&[self.stiffness, self.damping])
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[stiffness, damping, ..]: &[f64; 8]) -> Self {
        Self { stiffness, damping }
    }
}

/// Rest measures of an area energy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AreaRest {
    /// A₀, m².
    pub area: f64,
    /// Rest shape of the triangle, for the strain alone.
    pub shape: TriangleShape,
}

impl AreaRest {
    /// Packs `rest_a`: A₀ in x; `rest_b`: the shape.
    pub fn pack(self) -> [f64; 11] {
        let [b1_u, b2_u, b1_v, b2_v] = self.shape.pack();
        padded(&[self.area, 0.0, 0.0, 0.0, b1_u, b2_u, b1_v, b2_v])
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[area, _, _, _, b1_u, b2_u, b1_v, b2_v, ..]: &[f64; 11]) -> Self {
        Self { area, shape: TriangleShape { b1_u, b2_u, b1_v, b2_v } }
    }
}

/// Fraction of the rest area below which the divisor of the second derivative is bounded.
const SMALLEST_FRACTION: f64 = 1e-6;

/// Response of the element at one particle.
pub fn row(parameters: &AreaParameters, rest: &AreaRest, state: &ElementState, own: usize, clamp: bool) -> ElementRow {
    let AreaParameters { stiffness, damping } = *parameters;
    let rest_area = rest.area;
    let x = &state.x;
    let doubled = (x[1] - x[0]).cross(x[2] - x[0]);
    let area = 0.5 * doubled.length();
    let normal = doubled.normalize_or_zero();
    let edges = [x[2] - x[1], x[0] - x[2], x[1] - x[0], DVec3::ZERO];
    let constraint = (area - rest_area) / rest_area;
    let gradients = edges.map(|edge| 0.5 / rest_area * normal.cross(edge));
    let mut row = constraint_row(own, stiffness, damping, constraint, &gradients, &state.v);
    if !clamp {
        let tension = 0.5 * stiffness * constraint / rest_area;
        let divisor = 2.0 * area.max(SMALLEST_FRACTION * rest_area);
        for j in (0..3).filter(|&j| j != own) {
            let turn = if j == (own + 1) % 3 { -1.0 } else { 1.0 };
            let second = edges[own].dot(edges[j]) / divisor * outer(normal, normal) + turn * cross_matrix(normal);
            row.stiffness[j] -= tension * second;
        }
    }
    row
}

/// Stored energy, J.
pub fn energy(parameters: &AreaParameters, rest: &AreaRest, state: &ElementState) -> f64 {
    let x = &state.x;
    let area = 0.5 * (x[1] - x[0]).cross(x[2] - x[0]).length();
    let constraint = (area - rest.area) / rest.area;
    0.5 * parameters.stiffness * constraint * constraint
}
