//! Etzmuß 2.8: woven cloth against analytic solutions, 1 kg/m².
//!
//! The experiments end at rest, so damping is not given; 50 N·s/m is that of the tablecloth in table 3.2. Moduli of 10⁶ N/m are for f64: on the
//! GPU, rounding of positions weighs as much as the loads.

use crate::{Mass, Material, Spring, Weave, WeaveBending};

fn woven(modulus: f32) -> Weave {
    let threads = Spring::new(modulus).damped(50.0);
    Weave { weft: threads, warp: threads, ..Weave::default() }
}

fn material(weave: Weave) -> Material {
    Material { weave: Some(weave), ..Material::loose(Mass::Surface(1.0)) }
}

/// Experiment 1, tension: k = 10⁴ N/m, nothing else; 981 N/m² pull at it. The tablecloth of table 3.2 has the same k.
pub fn tension() -> Material {
    material(woven(1e4))
}

/// Experiment 2, shear: k = 10⁶ N/m, μ = 100 N/m, under 10 N/m².
pub fn shear() -> Material {
    material(Weave { shear: 100.0, ..woven(1e6) })
}

/// Experiment 3, bending: k = 10⁶ N/m, thin plate with B = 5 N·m, under 1 N/m².
pub fn bend() -> Material {
    material(Weave { bending: WeaveBending::ThinPlate, bending_weft: 5.0, bending_warp: 5.0, ..woven(1e6) })
}
