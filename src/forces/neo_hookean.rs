//! Stable neo-Hookean tetrahedron, Smith, de Goes and Kim, "Stable Neo-Hookean Flesh Simulation", ACM Transactions on Graphics 37(2), 2018.
//!
//! F = Σ_k x_k b_kᵀ is the deformation gradient, b_k the gradients of the corners' shape functions at rest, I_C = |F|², J = det F = V/V₀. With
//! μ = 4/3 μ_L, λ = λ_L + 5/6 μ_L of Lamé's constants and α = 1 + ¾ μ/λ,
//! E = |V₀| (½ μ (I_C - 3) - ½ μ log(I_C + 1) + ½ λ (J - α)²) minus its value at rest.
//!
//! With t = I_C - 3 and the Green strain ε = ½ (FᵀF - I) the energy is a sum of terms that vanish at rest to second order, so that small strains
//! keep their digits: E = |V₀| (½ μ (t/4 - log(1 + t/4)) + ⅜ μ (t - 2 (J - 1)) + ½ λ (J - 1)²), where near rest
//! t - 2 (J - 1) = (J - 1)² - 4 ε_II - 8 ε_III and J - 1 = (2 ε_I + 4 ε_II + 8 ε_III)/(J + 1), by the invariants of ε.
//!
//! Force: f_i = -|V₀| (μ t/(4 (t + 4)) F b_i + λ (J - 1) g_i + ¾ μ (F b_i - g_i)), g_i = dJ/dx_i. Each summand vanishes at rest.
//!
//! Jacobian: -|V₀| (a ⟨b_i, b_j⟩ I + β (F b_i)(F b_j)ᵀ + λ g_i g_jᵀ + c d²J/dx_i dx_j), a = μ I_C/(I_C + 1), β = 2 μ/(I_C + 1)²,
//! c = λ (J - 1) - ¾ μ. Clamped: a grows by 2 √(I_C/3) (|c| - a/s) where |c| exceeds a/s, with s² = I_C/3 + √⅔ |dev FᵀF|, not below the square of any
//! singular value of F. With |c| at most a/s the matrix is positive semi-definite as it is: the rank-one terms hold what a does not, which a random
//! search over Poisson's ratios of 0 to 0.495 has confirmed (a bound 2 % larger fails). What c has beyond that is outweighed by the growth of a, since no
//! eigenvalue of d²J/dF² exceeds 2 √(I_C/3). At rest |c| = a/s: the Jacobian is exact there, and rotations are not resisted.
//!
//! Viscosity: the second Piola–Kirchhoff stress 2 μ_v ε' + λ_v tr(ε') I of the strain rate ε' = sym(Fᵀ F'). Its Jacobian by velocities,
//! -|V₀| (μ_v ((F b_j)(F b_i)ᵀ + ⟨b_i, b_j⟩ F Fᵀ) + λ_v (F b_i)(F b_j)ᵀ), is exact.

use super::{
    element::{ElementRow, ElementState, cross_matrix, outer, padded},
    strain::{green, tetrahedron_strain},
    volume::{edges, opposite, rest_shape, volume_and_gradients},
};
use glam::{DMat3, DVec3};

/// Parameters of a neo-Hookean tetrahedron.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NeoHookeanParameters {
    /// μ, Pa: 4/3 of Lamé's second constant.
    pub mu: f64,
    /// λ, Pa: Lamé's first constant and 5/6 of the second.
    pub lambda: f64,
    /// Viscosity μ_v, Pa·s.
    pub viscous_mu: f64,
    /// Viscosity λ_v, Pa·s.
    pub viscous_lambda: f64,
}

impl NeoHookeanParameters {
    /// Parameters of a material with Young's modulus in Pa, Poisson's ratio, and viscosities of `viscous_time` seconds times Lamé's constants.
    pub fn new(young: f64, poisson: f64, viscous_time: f64) -> Self {
        let lame_mu = young / (2.0 * (1.0 + poisson));
        let lame_lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
        Self {
            mu: 4.0 / 3.0 * lame_mu,
            lambda: lame_lambda + 5.0 / 6.0 * lame_mu,
            viscous_mu: viscous_time * lame_mu,
            viscous_lambda: viscous_time * lame_lambda,
        }
    }

    /// Packs `parameters_a`: μ, λ, μ_v, λ_v in x, y, z, w.
    pub fn pack(self) -> [f64; 8] {
        padded(&[self.mu, self.lambda, self.viscous_mu, self.viscous_lambda])
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[mu, lambda, viscous_mu, viscous_lambda, ..]: &[f64; 8]) -> Self {
        Self { mu, lambda, viscous_mu, viscous_lambda }
    }
}

/// Rest measures of a neo-Hookean tetrahedron.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NeoHookeanRest {
    /// V₀, m³, negative for corners in the other order.
    pub volume: f64,
    /// Inverse of the matrix of edges from corner 0, 1/m, by columns; its rows are b₁, b₂, b₃.
    pub shape: [f64; 9],
}

impl NeoHookeanRest {
    /// Rest measures of corners at rest, m. Those of a flat tetrahedron are not finite.
    pub fn new(x: &[DVec3; 4]) -> Self {
        Self { volume: volume_and_gradients(x).0, shape: rest_shape(x) }
    }

    /// Packs `rest_a`: V₀ in x; the shape from `rest_a.z` through `rest_b` to the end of `rest_c`, as for volumes.
    pub fn pack(self) -> [f64; 11] {
        let [a, b, c, d, e, f, g, h, i] = self.shape;
        [self.volume, 0.0, a, b, c, d, e, f, g, h, i]
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[volume, _, a, b, c, d, e, f, g, h, i]: &[f64; 11]) -> Self {
        Self { volume, shape: [a, b, c, d, e, f, g, h, i] }
    }

    /// Deformation gradient of corners at `x`, m, or its rate from their velocities, m/s.
    pub fn gradient(&self, x: &[DVec3; 4]) -> DMat3 {
        edges(x) * DMat3::from_cols_array(&self.shape)
    }

    /// Gradients b of the corners' shape functions, 1/m.
    fn weights(&self) -> [DVec3; 4] {
        let DMat3 { x_axis, y_axis, z_axis } = DMat3::from_cols_array(&self.shape).transpose();
        [-(x_axis + y_axis + z_axis), x_axis, y_axis, z_axis]
    }
}

/// I_C - 3, digits kept near rest.
fn trace(f: &DMat3) -> f64 {
    2.0 * (green(f.x_axis.length()) + green(f.y_axis.length()) + green(f.z_axis.length()))
}

/// I_C.
fn squared(f: &DMat3) -> f64 {
    f.x_axis.length_squared() + f.y_axis.length_squared() + f.z_axis.length_squared()
}

/// Upper bound of the singular values of F, exact where they are equal, or the two smaller ones are.
pub fn largest_stretch(f: &DMat3) -> f64 {
    let mean = squared(f) / 3.0;
    let c = f.transpose() * *f - DMat3::from_diagonal(DVec3::splat(mean));
    (mean + (2.0 / 3.0 * squared(&c)).sqrt()).sqrt()
}

/// Response of the element at one particle.
pub fn row(
    parameters: &NeoHookeanParameters,
    rest: &NeoHookeanRest,
    state: &ElementState,
    own: usize,
    clamp: bool,
) -> ElementRow {
    let NeoHookeanParameters { mu, lambda, viscous_mu, viscous_lambda } = *parameters;
    let size = rest.volume.abs();
    let f = rest.gradient(&state.x);
    let weights = rest.weights();
    let along = weights.map(|weight| f * weight);
    let (volume, gradients) = volume_and_gradients(&state.x);
    let (growth, gradients) = (volume / rest.volume - 1.0, gradients.map(|gradient| gradient / rest.volume));
    let t = trace(&f);
    let elastic = mu * t / (4.0 * (t + 4.0)) * along[own]
        + lambda * growth * gradients[own]
        + 0.75 * mu * (along[own] - gradients[own]);
    let rate = rest.gradient(&state.v);
    let shear_rate = f.transpose() * (rate * weights[own]) + rate.transpose() * along[own];
    let volume_rate = f.x_axis.dot(rate.x_axis) + f.y_axis.dot(rate.y_axis) + f.z_axis.dot(rate.z_axis);
    let viscous = f * (viscous_mu * shear_rate + viscous_lambda * volume_rate * weights[own]);
    let mut row = ElementRow { force: -size * (elastic + viscous), ..Default::default() };

    let squared = squared(&f);
    let mut a = mu * squared / (squared + 1.0);
    let beta = 2.0 * mu / ((squared + 1.0) * (squared + 1.0));
    let c = lambda * growth - 0.75 * mu;
    if clamp {
        let bound = a / largest_stretch(&f).max(f64::MIN_POSITIVE);
        a += 2.0 * (squared / 3.0).sqrt() * (c.abs() - bound).max(0.0);
    }
    let left = f * f.transpose();
    for j in (0..4).filter(|&j| j != own) {
        let [k, l] = opposite(own, j);
        let closeness = weights[own].dot(weights[j]);
        let product = outer(along[own], along[j]);
        row.stiffness[j] = -size
            * (DMat3::from_diagonal(DVec3::splat(a * closeness))
                + beta * product
                + lambda * outer(gradients[own], gradients[j])
                + c / (6.0 * rest.volume) * cross_matrix(state.x[k] - state.x[l]));
        row.damping[j] =
            -size * (viscous_mu * (outer(along[j], along[own]) + closeness * left) + viscous_lambda * product);
    }
    row
}

/// Stored energy, J.
pub fn energy(parameters: &NeoHookeanParameters, rest: &NeoHookeanRest, state: &ElementState) -> f64 {
    let f = rest.gradient(&state.x);
    let [x, y, z] = [f.x_axis, f.y_axis, f.z_axis];
    let volume = volume_and_gradients(&state.x).0 / rest.volume;
    let t = trace(&f);
    // Green strain: diagonal, and entries (1, 2), (0, 2), (0, 1).
    let diagonal = DVec3::new(green(x.length()), green(y.length()), green(z.length()));
    let mixed = 0.5 * DVec3::new(y.dot(z), x.dot(z), x.dot(y));
    let second = diagonal.x * diagonal.y + diagonal.y * diagonal.z + diagonal.z * diagonal.x - mixed.length_squared();
    let third = diagonal.x * diagonal.y * diagonal.z + 2.0 * mixed.x * mixed.y * mixed.z - diagonal.dot(mixed * mixed);
    let near_rest = volume > 0.5 && diagonal.length_squared() + 2.0 * mixed.length_squared() < NEAR_REST;
    // J - 1, and t - 2 (J - 1).
    let (growth, distortion) = if near_rest {
        let growth = (t + 4.0 * second + 8.0 * third) / (volume + 1.0);
        (growth, growth * growth - 4.0 * second - 8.0 * third)
    } else {
        (volume - 1.0, t - 2.0 * (volume - 1.0))
    };
    // t/4 > -1 but for rounding.
    let quarter = (0.25 * t).max(-0.75);
    let stretch = quarter - quarter.ln_1p();
    let NeoHookeanParameters { mu, lambda, .. } = *parameters;
    rest.volume.abs() * (0.5 * mu * stretch + 0.375 * mu * distortion + 0.5 * lambda * growth * growth)
}

/// Square of the size of the Green strain below which its invariants keep more digits than volume and trace.
const NEAR_REST: f64 = 0.01;

/// Principal strain of largest magnitude.
pub fn strain(rest: &NeoHookeanRest, x: &[DVec3; 4]) -> f64 {
    tetrahedron_strain(rest.gradient(x))
}
