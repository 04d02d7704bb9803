//! Area of a triangle, Teschner (5): C = (A - A₀) / A₀, E = ½ k C².
//!
//! rest: A₀ (m²), three unused, then b₁ᵘ, b₂ᵘ, b₁ᵛ, b₂ᵛ (1/m) as of a membrane, for the strain alone. parameters: k (N·m), damping (N·m·s).
//! With u the unit normal and e_i the edge opposite corner i: dA/dx_i = ½ u × e_i and
//! d²A/dx_i dx_j = ½ (⟨e_i, e_j⟩ / 2A) u uᵀ ∓ ½ (u × ·), minus for j after i in the winding.
//! Clamped: Gauss–Newton. A triangle without area has no normal and feels nothing.

use super::{
    element::{ElementRow, ElementState, constraint_row, cross_matrix, outer},
    strain::triangle_strain,
};
use crate::topology::{Element, ElementMaterial};
use glam::DVec3;

/// Below this fraction of the rest area the second derivative is not divided further.
const SMALLEST_FRACTION: f64 = 1e-6;

/// Response seen from one particle.
pub fn row(material: &ElementMaterial, element: &Element, state: &ElementState, own: usize, clamp: bool) -> ElementRow {
    let [stiffness, damping, ..] = material.parameters;
    let rest_area = element.rest[0];
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
pub fn energy(material: &ElementMaterial, element: &Element, state: &ElementState) -> f64 {
    let x = &state.x;
    let area = 0.5 * (x[1] - x[0]).cross(x[2] - x[0]).length();
    let constraint = (area - element.rest[0]) / element.rest[0];
    0.5 * material.parameters[0] * constraint * constraint
}

/// Principal strain that is largest in size.
pub fn strain(element: &Element, x: &[DVec3; 4]) -> f64 {
    let [b1_u, b2_u, b1_v, b2_v] = [4, 5, 6, 7].map(|ix| element.rest[ix]);
    let (p, q) = (x[1] - x[0], x[2] - x[0]);
    triangle_strain(b1_u * p + b2_u * q, b1_v * p + b2_v * q)
}
