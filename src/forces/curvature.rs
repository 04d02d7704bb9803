//! Bending along Volino's bending vector R = Σ α_k x_k (4), with rest curvature, hardening and viscosity (16 to 18) as an
//! energy:
//!   D = R - r₀ N,   E = λ (½ |D|² + ¼ η |D|⁴),   f_i = -λ (1 + η |D|²) (α_i R - r₀ z_i) - c ż z_i
//! with z = ⟨R, N⟩, z_i = dz/dx_i and N = unit(e × w), e = x_D - x_C, w = α_A (x_A - x_C) - α_B (x_B - x_C). N bisects the angle
//! of the wings' normals; as long as the heights keep their ratio, R is along N, D = (±|R| - r₀) N, and the force is along R.
//! E is smooth where the sheet is flat: R has no direction there, but N has. The printed forces omit dN/dx and exert a torque on the
//! body; E and ż are invariant under rigid motions, so that both momenta are conserved. Viscosity is that of z for the same reasons.
//!
//! Jacobian: -(t (α_i α_j I - r₀ d²z/dx_i dx_j) + 2 λ η g_i g_jᵀ), t = λ (1 + η |D|²), g_i = α_i R - r₀ z_i; for r₀ = η = 0
//! Volino's constant -λ α_i α_j I (14). With n = e × w, q = (R - z N) / |n|, H = q Nᵀ + N qᵀ + z (I - N Nᵀ) / |n|, the blocks
//! of d²z are
//!   (R, e) dN/de, (R, w) dN/dw, (e, e) -n_eᵀ H n_e / |n|, (w, w) -n_wᵀ H n_w / |n|, (e, w) -n_eᵀ H n_w / |n| - (q ×).
//! Clamped (Gauss–Newton): -G_iᵀ (t I + (g' - t) D̂ D̂ᵀ) G_j, G = dD/dx, g' = λ (1 + 3 η |D|²), t ≥ 0 and g' ≥ 0.
//! Where n vanishes (the pair closed, or without a height) N is taken along R, on the side of r₀: force and energy are those of
//! |R|, the Jacobian omits the rotation of R, and E need not be smooth.

use super::element::{ElementRow, ElementState, cross_matrix, outer, padded};
use glam::{DMat3, DVec3};

/// Rest measures of bending along the bending vector, here and in [`curvature_printed`](super::curvature_printed).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvatureRest {
    /// α of wings A, B and edge C, D; their sum is 0.
    pub weights: [f64; 4],
    /// λ, N/m.
    pub stiffness: f64,
    /// r₀, m; above 0 the pair curves towards the normals of triangles A, C, D and B, D, C.
    pub length: f64,
    /// c, N·s/m.
    pub damping: f64,
    /// η, 1/m².
    pub hardening: f64,
}

impl CurvatureRest {
    /// Packs `rest_a`: α of A, B, C, D in x, y, z, w; `rest_b`: λ, r₀, c, η in x, y, z, w.
    pub fn pack(self) -> [f64; 11] {
        let [a, b, c, d] = self.weights;
        padded(&[a, b, c, d, self.stiffness, self.length, self.damping, self.hardening])
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[a, b, c, d, stiffness, length, damping, hardening, ..]: &[f64; 11]) -> Self {
        Self { weights: [a, b, c, d], stiffness, length, damping, hardening }
    }
}

/// |e × w| over |e|² + |w|² below which the hinge has no normal.
const FLATTEST_HINGE: f64 = 1e-6;

/// Weights of the corners in e.
const ALONG: [f64; 4] = [0.0, 0.0, -1.0, 1.0];

/// The normal N and the vectors that it depends on.
struct HingeNormal {
    edge: DVec3,
    across: DVec3,
    normal: DVec3,
    /// 1 / |e × w|, or 0 where N does not depend on it.
    inverse: f64,
}

impl HingeNormal {
    fn new(alpha: &[f64; 4], x: &[DVec3; 4], bending: DVec3, rest_length: f64) -> Self {
        let edge = x[3] - x[2];
        let across = alpha[0] * (x[0] - x[2]) - alpha[1] * (x[1] - x[2]);
        let doubled = edge.cross(across);
        let size = doubled.length();
        if size > FLATTEST_HINGE * (edge.length_squared() + across.length_squared()) {
            return Self { edge, across, normal: doubled / size, inverse: 1.0 / size };
        }
        let side = if rest_length < 0.0 { -1.0 } else { 1.0 };
        Self { edge, across, normal: side * bending.normalize_or_zero(), inverse: 0.0 }
    }
}

/// Response of the element at one particle.
pub fn row(rest: &CurvatureRest, state: &ElementState, own: usize, clamp: bool) -> ElementRow {
    let CurvatureRest { weights: ref alpha, stiffness, length: rest_length, damping, hardening } = *rest;
    let wide = [alpha[0], -alpha[1], alpha[1] - alpha[0], 0.0];
    let bending = bending_vector(alpha, &state.x);
    let hinge = HingeNormal::new(alpha, &state.x, bending, rest_length);
    let normal = hinge.normal;
    let lift = bending.dot(normal);
    let q = hinge.inverse * (bending - lift * normal);
    let offset = bending - rest_length * normal;
    let square = hardening * offset.length_squared();
    let mut transverse = stiffness * (1.0 + square);
    let mut slope = stiffness * (1.0 + 3.0 * square);

    // dz/de and dz/dw.
    let (by_edge, by_across) = (hinge.across.cross(q), q.cross(hinge.edge));
    let turning: [DVec3; 4] = std::array::from_fn(|j| ALONG[j] * by_edge + wide[j] * by_across);
    let gradient = |j: usize| alpha[j] * normal + turning[j];
    let pull = |j: usize| alpha[j] * offset - rest_length * turning[j];
    let rate = normal.dot(bending_vector(alpha, &state.v))
        + by_edge.dot(state.v[3] - state.v[2])
        + by_across.dot(alpha[0] * (state.v[0] - state.v[2]) - alpha[1] * (state.v[1] - state.v[2]));
    let force = -transverse * pull(own) - damping * rate * gradient(own);
    let mut row = ElementRow { force, ..Default::default() };
    for j in 0..4 {
        row.damping[j] = -damping * outer(gradient(own), gradient(j));
    }

    let side = DMat3::IDENTITY - outer(normal, normal);
    let (edge_matrix, across_matrix) = (-cross_matrix(hinge.across), cross_matrix(hinge.edge));
    let (normal_by_edge, normal_by_across) =
        (hinge.inverse * (side * edge_matrix), hinge.inverse * (side * across_matrix));
    if clamp {
        transverse = transverse.max(0.0);
        slope = slope.max(0.0);
        let direction = offset.normalize_or_zero();
        let part = |j: usize| {
            DMat3::from_diagonal(DVec3::splat(alpha[j]))
                - rest_length * (ALONG[j] * normal_by_edge + wide[j] * normal_by_across)
        };
        for j in 0..4 {
            let [own_part, other] = [part(own), part(j)];
            let along = outer(own_part.transpose() * direction, other.transpose() * direction);
            row.stiffness[j] = -transverse * (own_part.transpose() * other) - (slope - transverse) * along;
        }
        return row;
    }
    let curve = outer(q, normal) + outer(normal, q) + lift * hinge.inverse * side;
    let edge_edge = -hinge.inverse * (edge_matrix.transpose() * curve * edge_matrix);
    let across_across = -hinge.inverse * (across_matrix.transpose() * curve * across_matrix);
    let edge_across = -hinge.inverse * (edge_matrix.transpose() * curve * across_matrix) - cross_matrix(q);
    for j in 0..4 {
        let second = alpha[own] * ALONG[j] * normal_by_edge
            + ALONG[own] * alpha[j] * normal_by_edge.transpose()
            + (alpha[own] * wide[j] * normal_by_across + wide[own] * alpha[j] * normal_by_across.transpose())
            + (ALONG[own] * ALONG[j] * edge_edge + wide[own] * wide[j] * across_across)
            + (ALONG[own] * wide[j] * edge_across + wide[own] * ALONG[j] * edge_across.transpose());
        row.stiffness[j] = -transverse
            * (DMat3::from_diagonal(DVec3::splat(alpha[own] * alpha[j])) - rest_length * second)
            - 2.0 * stiffness * hardening * outer(pull(own), pull(j));
    }
    row
}

/// Stored energy, J.
pub fn energy(rest: &CurvatureRest, state: &ElementState) -> f64 {
    let CurvatureRest { weights: ref alpha, stiffness, length: rest_length, hardening, .. } = *rest;
    let bending = bending_vector(alpha, &state.x);
    let hinge = HingeNormal::new(alpha, &state.x, bending, rest_length);
    let square = (bending - rest_length * hinge.normal).length_squared();
    stiffness * square * (0.5 + 0.25 * hardening * square)
}

/// R, or its rate; from differences, which round better and are invariant under translations whatever the sum of α.
pub fn bending_vector(alpha: &[f64; 4], x: &[DVec3; 4]) -> DVec3 {
    alpha[0] * (x[0] - x[2]) + alpha[1] * (x[1] - x[2]) + alpha[3] * (x[3] - x[2])
}

/// z = ⟨R, N⟩, m: the signed length of the bending vector, by which rest shapes are measured.
pub fn lift(alpha: &[f64; 4], x: &[DVec3; 4]) -> f64 {
    let bending = bending_vector(alpha, x);
    bending.dot(HingeNormal::new(alpha, x, bending, 0.0).normal)
}
