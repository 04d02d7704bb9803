//! Volino's linear bending on triangle meshes, set up once in f64: for two triangles with a common edge
//!
//! R = Σ α_k x_k,  E = ½ λ |R|²,  f_k = −λ α_k R
//!
//! with α from the rest state. `Printed` takes λ from (10); `Calibrated` multiplies it by a factor per edge (see `calibrate`) so that
//! a strip cut in any direction bends like a beam of the given modulus.

mod anisotropy;
mod axes;
mod calibrate;
mod hinges;
mod orient;
mod quartic;
mod relax;
mod stencil;
#[cfg(test)]
mod tests;
mod window;

pub use anisotropy::{Anisotropy, anisotropy};

use super::adjacency::{check_sides, pairs, sides};
use glam::DVec3;
use hinges::Sheet;
use stencil::Unfolded;

/// How the stiffness of an edge follows from the modulus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Normalisation {
    /// Fitted to the mesh: a free strip bends with the modulus given.
    #[default]
    Calibrated,
    /// Volino (10) as printed: a free strip is about three times as soft, and softer in some directions than in others.
    Printed,
}

/// Bending moduli. Volino (15): an edge at the angle θ to the weft has μ = μ_U sin²θ + μ_V cos²θ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moduli {
    /// Modulus of curvature along the weft, N·m.
    pub weft: f64,
    /// Modulus of curvature along the warp, N·m.
    pub warp: f64,
    /// Direction of the weft at rest, of any length, projected into the plane of each pair. If it is normal to that plane, any direction in the plane.
    pub weft_direction: DVec3,
}

impl Moduli {
    /// Moduli that are equal in all directions, N·m.
    pub fn isotropic(modulus: f64) -> Self {
        Moduli { weft: modulus, warp: modulus, weft_direction: DVec3::X }
    }
}

/// Two triangles with a common edge: R = Σ α_k x_k.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stencil {
    /// A, B (the wings), C, D (the common edge).
    pub vertices: [u32; 4],
    /// α, signed: they sum to zero, and Σ α_k p_k = 0 for the pair unfolded flat.
    pub weights: [f64; 4],
    /// λ in E = ½ λ |R|², N/m.
    pub stiffness: f64,
    /// Heights h_A, h_B, m.
    pub heights: [f64; 2],
    /// Length of the common edge, m.
    pub edge_length: f64,
    /// Ratio of the stiffness to the printed one.
    pub factor: f64,
}

/// The stencils of every pair of triangles that share an edge, sorted by edge. Where three or more triangles meet in an edge, each two
/// of them are a pair, unless they have the same corners. The message of an error names the triangle.
///
/// ```
/// use tenter::internals::topology::bending::{Moduli, Normalisation, stencils};
///
/// let mesh = tenter::Mesh::grid(1.0, 1.0, 9, 9);
/// let positions: Vec<_> = mesh.positions.iter().map(|p| p.as_dvec3()).collect();
/// let list = stencils(&positions, &mesh.triangles, &Moduli::isotropic(1e-4), Normalisation::Calibrated)?;
/// // One per inner edge; each leaves translations alone.
/// assert_eq!(list.len(), 3 * 8 * 8 - 2 * 8);
/// assert!(list.iter().all(|stencil| stencil.weights.iter().sum::<f64>().abs() < 1e-12));
/// # Ok::<(), String>(())
/// ```
pub fn stencils(
    positions: &[DVec3],
    triangles: &[[u32; 3]],
    moduli: &Moduli,
    normalisation: Normalisation,
) -> Result<Vec<Stencil>, String> {
    for (name, modulus) in [("weft", moduli.weft), ("warp", moduli.warp)] {
        if !(modulus.is_finite() && modulus >= 0.0) {
            return Err(format!("the {name} modulus must be finite and not negative, not {modulus}"));
        }
    }
    if !moduli.weft_direction.is_finite() {
        return Err("the weft direction must be finite".into());
    }
    stencil::check(positions, triangles)?;
    let sides = sides(triangles);
    check_sides(&sides)?;
    let mut stencils = Vec::with_capacity(sides.len() / 2);
    for fan in sides.chunk_by(|a, b| a.ends == b.ends) {
        for (first, second) in pairs(fan) {
            stencils.push(Unfolded::new(positions, first, second, moduli).stencil(first, second));
        }
    }
    if normalisation == Normalisation::Calibrated {
        let sheet = Sheet::new(positions, triangles, &sides, moduli);
        for (stencil, factor) in stencils.iter_mut().zip(calibrate::factors(positions.len(), triangles, &sheet)) {
            stencil.factor = factor;
            stencil.stiffness *= factor;
        }
    }
    Ok(stencils)
}
