//! Volume of a tetrahedron, Teschner (6), with signed volume V = (x₁ - x₀)·((x₂ - x₀) × (x₃ - x₀)) / 6, so that what is inverted
//! comes back: C = (V - V₀) / Ṽ₀, E = ½ k C².
//!
//! rest: V₀, Ṽ₀ (m³), then the inverse of the matrix of edges from corner 0 (1/m, by columns), for the strain alone; zero for the
//! virtual tetrahedra of shells, which have no shape. parameters: k (N·m), damping (N·m·s).
//! Clamped: Gauss–Newton. Exact: less k C d²C/dx², whose blocks are cross products with the opposite edge.

use super::{
    element::{ElementRow, ElementState, constraint_row, cross_matrix},
    strain::tetrahedron_strain,
};
use crate::topology::{Element, ElementMaterial};
use glam::{DMat3, DVec3};

/// Response seen from one particle.
pub fn row(material: &ElementMaterial, element: &Element, state: &ElementState, own: usize, clamp: bool) -> ElementRow {
    let [stiffness, damping, ..] = material.parameters;
    let normaliser = element.rest[1];
    let (volume, gradients) = volume_and_gradients(&state.x);
    let constraint = (volume - element.rest[0]) / normaliser;
    let mut row = constraint_row(own, stiffness, damping, constraint, &gradients.map(|g| g / normaliser), &state.v);
    if !clamp {
        let tension = stiffness * constraint / normaliser;
        for j in (0..4).filter(|&j| j != own) {
            // d²V/dx_i dx_j · u = (opposite edge) × u / 6, the edge of the other two in the order that keeps the orientation.
            let [k, l] = opposite(own, j);
            row.stiffness[j] -= tension / 6.0 * cross_matrix(state.x[k] - state.x[l]);
        }
    }
    row
}

/// Stored energy, J.
pub fn energy(material: &ElementMaterial, element: &Element, state: &ElementState) -> f64 {
    let constraint = (volume_and_gradients(&state.x).0 - element.rest[0]) / element.rest[1];
    0.5 * material.parameters[0] * constraint * constraint
}

/// Principal strain that is largest in size; 0 without a shape at rest.
pub fn strain(element: &Element, x: &[DVec3; 4]) -> f64 {
    let inverse = DMat3::from_cols_slice(&element.rest[2..]);
    if inverse == DMat3::ZERO {
        return 0.0;
    }
    tetrahedron_strain(edges(x) * inverse)
}

/// The shape at rest, as elements keep it behind their volumes: the inverse of the matrix of edges from corner 0, 1/m, by columns.
pub fn rest_shape(x: &[DVec3; 4]) -> [f64; 9] {
    edges(x).inverse().to_cols_array()
}

/// Edges from corner 0, m, as columns.
fn edges(x: &[DVec3; 4]) -> DMat3 {
    DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0])
}

/// Signed volume, and its derivatives by the four corners.
pub fn volume_and_gradients(x: &[DVec3; 4]) -> (f64, [DVec3; 4]) {
    let [a, b, c] = [x[1] - x[0], x[2] - x[0], x[3] - x[0]];
    let (g1, g2, g3) = (b.cross(c) / 6.0, c.cross(a) / 6.0, a.cross(b) / 6.0);
    (a.dot(g1), [-(g1 + g2 + g3), g1, g2, g3])
}

/// The other two corners (k, l), ordered so that d²V/dx_i dx_j = [x_k - x_l]× / 6.
fn opposite(i: usize, j: usize) -> [usize; 2] {
    let mut others = (0..4).filter(|&k| k != i && k != j);
    let (k, l) = (others.next().unwrap_or(0), others.next().unwrap_or(0));
    // The sign of the permutation (i, j, k, l).
    let p = [i, j, k, l];
    let inversions = (0..4).flat_map(|a| (a + 1..4).map(move |b| (a, b))).filter(|&(a, b)| p[a] > p[b]).count();
    if inversions % 2 == 0 { [k, l] } else { [l, k] }
}
