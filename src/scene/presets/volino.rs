//! Volino, figure 6: the drape test.

use crate::{Bending, Mass, Material, Normalisation, Spring};

/// A disk of 1 m radius and about 4000 triangles: 0.1 kg/m², springs of 100 N/m, bending μ of 1e-1 to 1e-6 N·m, normalised as printed.
///
/// In a grid, shear springs of 50 N/m stand for the triangles' third sides.
pub fn disk(modulus: f32) -> Material {
    Material {
        structural: Spring::new(100.0),
        shear: Spring::new(50.0),
        bending: Some(Bending { normalisation: Normalisation::Printed, ..Bending::new(modulus) }),
        ..Material::loose(Mass::Surface(0.1))
    }
}
