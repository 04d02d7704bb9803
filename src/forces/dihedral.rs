//! Bending by the angle between normals: E = ½ k (θ - θ₀)², f_i = -(k (θ - θ₀) + c θ̇) dθ/dx_i. Particles: wings A, B, common edge
//! C, D. θ is 0 when flat and positive when the wings bend towards the normals of triangles A, C, D and B, D, C (as r₀ in
//! [`super::curvature_printed`]), in (-π, π]: past ±π it jumps.
//!
//! Seen along the edge each wing is a point in polar coordinates. With ê the edge's direction, L its length, and of a wing p the
//! height, u the direction from the edge, n the normal, t the foot's place along the edge, ω = (1, -(1 - t), -t) for (wing, C, D)
//! and ψ = (0, -1, 1):
//! dθ/dx_i = Σ_wings ω_i n / p,
//! d²θ/dx_i dx_j = Σ_wings (ω_i ω_j + ψ_i ψ_j p² / 2L²) Q - ω_i ψ_j Kᵀ - ψ_i ω_j K, Q = -(u nᵀ + n uᵀ) / p², K = n êᵀ / pL.
//! Clamped: Gauss–Newton. Where a triangle has no height or the edge no length, there is no angle and no force.

use super::element::{ElementRow, ElementState, constraint_row, outer, padded};
use glam::{DMat3, DVec3};

/// Rest measures of bending by the angle between normals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DihedralRest {
    /// k, N·m.
    pub stiffness: f64,
    /// θ₀, radians.
    pub angle: f64,
    /// c, N·m·s.
    pub damping: f64,
}

impl DihedralRest {
    /// Packs `rest_a`: k, θ₀, c in x, y, z.
    pub fn pack(self) -> [f64; 11] {
        padded(&[self.stiffness, self.angle, self.damping])
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[stiffness, angle, damping, ..]: &[f64; 11]) -> Self {
        Self { stiffness, angle, damping }
    }
}

/// Doubled area over the sum of squared sides below which a triangle counts as degenerate.
const THINNEST: f64 = 1e-6;

/// One of the two triangles, seen from the common edge.
struct Wing {
    /// Gradient n / p of the angle by the wing, 1/m.
    slope: DVec3,
    normal: DVec3,
    /// Unit direction from the edge to the wing.
    outward: DVec3,
    height: f64,
    /// ω of A, B, C, D; 0 for the other wing.
    weights: [f64; 4],
}

/// Two triangles with a common edge.
struct Hinge {
    angle: f64,
    /// Unit direction ê of the edge.
    edge: DVec3,
    edge_length: f64,
    wings: [Wing; 2],
}

fn hinge(x: &[DVec3; 4]) -> Option<Hinge> {
    let (a, b, e) = (x[0] - x[2], x[1] - x[2], x[3] - x[2]);
    let normals = [e.cross(a), b.cross(e)];
    let edge_square = e.length_squared();
    let thin = |normal: DVec3, side: DVec3| normal.length() <= THINNEST * (edge_square + side.length_squared());
    if thin(normals[0], a) || thin(normals[1], b) {
        return None;
    }
    let edge_length = edge_square.sqrt();
    let edge = e / edge_length;
    // ⟨N_B × N_A, ê⟩ = L ⟨b, N_A⟩, which avoids a difference of products of normals.
    let angle = (edge_length * b.dot(normals[0])).atan2(normals[0].dot(normals[1]));
    let wing = |place: usize, side: DVec3| {
        let normal = normals[place].normalize();
        let height = normals[place].length() / edge_length;
        let foot = side.dot(e) / edge_square;
        let mut weights = [0.0, 0.0, foot - 1.0, -foot];
        weights[place] = 1.0;
        // Both vectors are normal to the edge: one is the other turned by a right angle.
        let outward = if place == 0 { normal.cross(edge) } else { edge.cross(normal) };
        Wing { slope: normal / height, normal, outward, height, weights }
    };
    Some(Hinge { angle, edge, edge_length, wings: [wing(0, a), wing(1, b)] })
}

impl Hinge {
    fn gradient(&self, i: usize) -> DVec3 {
        self.wings[0].weights[i] * self.wings[0].slope + self.wings[1].weights[i] * self.wings[1].slope
    }

    fn second(&self, i: usize, j: usize) -> DMat3 {
        const ALONG: [f64; 4] = [0.0, 0.0, -1.0, 1.0];
        let block = |wing: &Wing| {
            let turned = outer(wing.outward, wing.normal);
            let polar = -(turned + turned.transpose()) / (wing.height * wing.height);
            let sheared = outer(wing.normal, self.edge) / (wing.height * self.edge_length);
            let ratio = wing.height / self.edge_length;
            let (weight, other) = (wing.weights[i], wing.weights[j]);
            (weight * other + ALONG[i] * ALONG[j] * 0.5 * ratio * ratio) * polar
                - (weight * ALONG[j] * sheared.transpose() + ALONG[i] * other * sheared)
        };
        block(&self.wings[0]) + block(&self.wings[1])
    }
}

/// Response of the element at one particle.
pub fn row(rest: &DihedralRest, state: &ElementState, own: usize, clamp: bool) -> ElementRow {
    let DihedralRest { stiffness, angle: rest_angle, damping } = *rest;
    let Some(hinge) = hinge(&state.x) else { return ElementRow::default() };
    let excess = hinge.angle - rest_angle;
    let gradients = [0, 1, 2, 3].map(|i| hinge.gradient(i));
    let mut row = constraint_row(own, stiffness, damping, excess, &gradients, &state.v);
    if !clamp {
        for j in (0..4).filter(|&j| j != own) {
            row.stiffness[j] -= stiffness * excess * hinge.second(own, j);
        }
    }
    row
}

/// Stored energy, J.
pub fn energy(rest: &DihedralRest, state: &ElementState) -> f64 {
    hinge(&state.x).map_or(0.0, |hinge| 0.5 * rest.stiffness * (hinge.angle - rest.angle).powi(2))
}

/// θ of four positions, radians, by which rest angles are measured; `None` for degenerate triangles.
pub fn angle(x: &[DVec3; 4]) -> Option<f64> {
    hinge(x).map(|hinge| hinge.angle)
}
