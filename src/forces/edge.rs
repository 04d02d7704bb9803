//! Force and Jacobian of one edge, for every law. With d = x_i - x_j, l = |d|, n = d / l:
//! f_i = -g n - c ⟨v_i - v_j, n⟩ n - s d - e (v_i - v_j), df_i/dx_j = t I + (g' - t) n nᵀ + s I with t = g / l,
//! df_i/dv_j = c n nᵀ + e I. s is the edge's scalar, e the drag and s times its viscosity.

use super::law::{EdgeMaterial, edge_law};
use glam::{DMat3, DVec3};

/// A spring between two particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// The particles that the edge joins.
    pub ends: [u32; 2],
    /// Rest length L, m.
    pub rest_length: f64,
    /// Factor of law, damping and drag.
    pub weight: f64,
    /// Index into the edge materials.
    pub material: u32,
    /// s of a linear coupling -s (x_i - x_j) besides the law, N/m; of either sign, never clamped.
    pub scalar: f64,
    /// Whether the length of the edge measures the strain of the material: structural springs, weft and warp of a weave. Shear and crossover
    /// springs change length when cloth shears and bends; couplings and seams have no rest length of their own.
    pub structural: bool,
}

/// Force and Jacobian of an edge, for the particle at its first end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeResponse {
    /// Force f_i, N.
    pub force: DVec3,
    /// Unit direction n; zero for coincident particles, on which the law has no effect.
    pub direction: DVec3,
    /// Transverse stiffness t + s, N/m.
    pub transverse: f64,
    /// Axial stiffness beyond t, g' - t, N/m.
    pub axial_excess: f64,
    /// Viscosity c along the edge, N·s/m.
    pub damping: f64,
    /// Viscosity e in all directions, N·s/m.
    pub drag: f64,
}

/// Fraction of the rest length below which the divisor of t is bounded.
const SHORTEST_FRACTION: f64 = 1e-6;

/// Response to `offset` = x_i - x_j and `relative_velocity` = v_i - v_j, in a step of `time_step` that began with `history`.
pub fn edge_response(
    material: &EdgeMaterial,
    edge: &Edge,
    history: &[f64; 4],
    offset: DVec3,
    relative_velocity: DVec3,
    time_step: f64,
    clamp: bool,
) -> EdgeResponse {
    let length = offset.length();
    let law = edge_law(material, edge, history, length, time_step);
    let direction = if length > 0.0 { offset / length } else { DVec3::ZERO };
    let mut transverse = law.jacobian_tension / length.max(SHORTEST_FRACTION * edge.rest_length);
    let mut slope = law.slope;
    if clamp {
        transverse = transverse.max(0.0);
        slope = slope.max(0.0);
    }
    let axial_excess = slope - transverse;
    let damping = edge.weight * material.damping;
    let drag = edge.weight * material.drag + edge.scalar * material.scalar_time;
    let force = -(law.tension + damping * relative_velocity.dot(direction)) * direction
        - edge.scalar * offset
        - drag * relative_velocity;
    EdgeResponse { force, direction, transverse: transverse + edge.scalar, axial_excess, damping, drag }
}

impl EdgeResponse {
    /// The Jacobian df_i/dx_j.
    pub fn position_jacobian(&self) -> DMat3 {
        DMat3::from_diagonal(DVec3::splat(self.transverse)) + self.axial_excess * outer(self.direction)
    }

    /// The Jacobian df_i/dv_j.
    pub fn velocity_jacobian(&self) -> DMat3 {
        DMat3::from_diagonal(DVec3::splat(self.drag)) + self.damping * outer(self.direction)
    }
}

/// The outer product n nᵀ.
pub fn outer(n: DVec3) -> DMat3 {
    DMat3::from_cols(n * n.x, n * n.y, n * n.z)
}
