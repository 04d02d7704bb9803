//! Volume of a tetrahedron, Teschner (6), with signed volume V = (x₁ - x₀)·((x₂ - x₀) × (x₃ - x₀)) / 6, so that an inverted tetrahedron
//! recovers: C = (V - V₀) / Ṽ₀, E = ½ k C².
//!
//! Clamped: Gauss–Newton. Exact: minus k C d²C/dx², whose blocks are cross products with the opposite edge.

use super::{
    element::{ElementRow, ElementState, constraint_row, cross_matrix, padded},
    strain::tetrahedron_strain,
};
use glam::{DMat3, DVec3};

/// Parameters of a volume energy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VolumeParameters {
    /// k, N·m.
    pub stiffness: f64,
    /// Viscosity of C, N·m·s.
    pub damping: f64,
}

impl VolumeParameters {
    /// Packs `parameters_a`: k in x, the viscosity in y, as for areas: `assembly/element_forces` reads both alike.
    pub fn pack(self) -> [f64; 8] {
        padded(&[self.stiffness, self.damping])
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[stiffness, damping, ..]: &[f64; 8]) -> Self {
        Self { stiffness, damping }
    }
}

/// Rest measures of a volume energy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VolumeRest {
    /// V₀, m³.
    pub volume: f64,
    /// Normaliser Ṽ₀ of the constraint, m³.
    pub normaliser: f64,
    /// Inverse of the matrix of edges from corner 0, 1/m, by columns, for the strain alone; zero for the virtual tetrahedra of shells,
    /// which have no shape.
    pub shape: [f64; 9],
}

impl VolumeRest {
    /// Packs `rest_a`: V₀ in x, Ṽ₀ in y; the shape from `rest_a.z` through `rest_b` to the end of `rest_c`.
    pub fn pack(self) -> [f64; 11] {
        let [a, b, c, d, e, f, g, h, i] = self.shape;
        [self.volume, self.normaliser, a, b, c, d, e, f, g, h, i]
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[volume, normaliser, a, b, c, d, e, f, g, h, i]: &[f64; 11]) -> Self {
        Self { volume, normaliser, shape: [a, b, c, d, e, f, g, h, i] }
    }
}

/// Response of the element at one particle.
pub fn row(
    parameters: &VolumeParameters,
    rest: &VolumeRest,
    state: &ElementState,
    own: usize,
    clamp: bool,
) -> ElementRow {
    let VolumeParameters { stiffness, damping } = *parameters;
    let normaliser = rest.normaliser;
    let (volume, gradients) = volume_and_gradients(&state.x);
    let constraint = (volume - rest.volume) / normaliser;
    let mut row = constraint_row(own, stiffness, damping, constraint, &gradients.map(|g| g / normaliser), &state.v);
    if !clamp {
        let tension = stiffness * constraint / normaliser;
        for j in (0..4).filter(|&j| j != own) {
            // d²V/dx_i dx_j · u = (opposite edge) × u / 6, with the edge of the other two corners in the order that keeps the orientation.
            let [k, l] = opposite(own, j);
            row.stiffness[j] -= tension / 6.0 * cross_matrix(state.x[k] - state.x[l]);
        }
    }
    row
}

/// Stored energy, J.
pub fn energy(parameters: &VolumeParameters, rest: &VolumeRest, state: &ElementState) -> f64 {
    let constraint = (volume_and_gradients(&state.x).0 - rest.volume) / rest.normaliser;
    0.5 * parameters.stiffness * constraint * constraint
}

/// Principal strain of largest magnitude; 0 without a rest shape.
pub fn strain(rest: &VolumeRest, x: &[DVec3; 4]) -> f64 {
    let inverse = DMat3::from_cols_array(&rest.shape);
    if inverse == DMat3::ZERO {
        return 0.0;
    }
    tetrahedron_strain(edges(x) * inverse)
}

/// [`VolumeRest::shape`] of corners at rest, m.
pub fn rest_shape(x: &[DVec3; 4]) -> [f64; 9] {
    edges(x).inverse().to_cols_array()
}

/// Edges from corner 0, m, as columns.
pub(super) fn edges(x: &[DVec3; 4]) -> DMat3 {
    DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0])
}

/// Signed volume, and its derivatives by the four corners.
pub fn volume_and_gradients(x: &[DVec3; 4]) -> (f64, [DVec3; 4]) {
    let [a, b, c] = [x[1] - x[0], x[2] - x[0], x[3] - x[0]];
    let (g1, g2, g3) = (b.cross(c) / 6.0, c.cross(a) / 6.0, a.cross(b) / 6.0);
    (a.dot(g1), [-(g1 + g2 + g3), g1, g2, g3])
}

/// The other two corners (k, l), ordered so that d²V/dx_i dx_j = [x_k - x_l]× / 6.
pub(super) fn opposite(i: usize, j: usize) -> [usize; 2] {
    let mut others = (0..4).filter(|&k| k != i && k != j);
    let (k, l) = (others.next().unwrap_or(0), others.next().unwrap_or(0));
    // The sign of the permutation (i, j, k, l).
    let p = [i, j, k, l];
    let inversions = (0..4).flat_map(|a| (a + 1..4).map(move |b| (a, b))).filter(|&(a, b)| p[a] > p[b]).count();
    if inversions % 2 == 0 { [k, l] } else { [l, k] }
}
