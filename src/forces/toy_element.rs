//! A toy element of three particles, registered by the recipe of `docs/recipes.md` and compiled in unit tests alone: with
//! R = x₀ - 2 x₁ + x₂ = Σ α x, E = ½ k w |R|², f_i = -α_i w (k R + c Ṙ), Jacobians -α_i α_j w k I and -α_i α_j w c I.

use super::element::{ElementRow, ElementState, padded};
use glam::{DMat3, DVec3};

/// Parameters of the toy element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ToyElementParameters {
    /// k, N/m.
    pub stiffness: f64,
    /// c, N·s/m.
    pub damping: f64,
}

impl ToyElementParameters {
    /// Packs `parameters_a`: k in x, c in y.
    pub fn pack(self) -> [f64; 8] {
        padded(&[self.stiffness, self.damping])
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[stiffness, damping, ..]: &[f64; 8]) -> Self {
        Self { stiffness, damping }
    }
}

/// Rest measures of the toy element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ToyElementRest {
    /// w, a factor.
    pub weight: f64,
}

impl ToyElementRest {
    /// Packs `rest_a`: w in x.
    pub fn pack(self) -> [f64; 11] {
        padded(&[self.weight])
    }

    /// The inverse of [`pack`](Self::pack).
    pub fn unpack(&[weight, ..]: &[f64; 11]) -> Self {
        Self { weight }
    }
}

/// Weights α of the particles.
const WEIGHTS: [f64; 4] = [1.0, -2.0, 1.0, 0.0];

/// R, or its rate.
fn bend(x: &[DVec3; 4]) -> DVec3 {
    (x[0] - x[1]) + (x[2] - x[1])
}

/// Response of the element at one particle.
pub fn row(parameters: &ToyElementParameters, rest: &ToyElementRest, state: &ElementState, own: usize) -> ElementRow {
    let [stiffness, damping] = [parameters.stiffness, parameters.damping].map(|factor| rest.weight * factor);
    let block = |factor: f64| WEIGHTS.map(|other| DMat3::from_diagonal(DVec3::splat(-WEIGHTS[own] * other * factor)));
    ElementRow {
        force: -WEIGHTS[own] * (stiffness * bend(&state.x) + damping * bend(&state.v)),
        stiffness: block(stiffness),
        damping: block(damping),
    }
}

/// Stored energy, J.
pub fn energy(parameters: &ToyElementParameters, rest: &ToyElementRest, state: &ElementState) -> f64 {
    0.5 * rest.weight * parameters.stiffness * bend(&state.x).length_squared()
}
