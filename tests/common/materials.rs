//! Materials of tests whose numbers were measured before presets became continua.

use tenter::{Bending, Cubic, Mass, Material, Membrane, Spring, SpringLaw};

/// Denim as cubic springs of a grid, with linear bending.
pub fn denim_springs() -> Material {
    let threads = Cubic { stretch: 1.05, compression: 0.95, jacobian_damping: 1.0, ..Cubic::new(1500.0) };
    Material {
        structural: Spring::from(SpringLaw::Cubic(threads)).damped(0.05),
        shear: Spring::new(100.0).damped(0.02),
        bending: Some(Bending::new(2e-5)),
        ..Material::loose(Mass::Surface(0.4))
    }
}

/// A stiff leather: a membrane with linear bending.
pub fn stiff_leather() -> Material {
    Material {
        membrane: Some(Membrane { viscous_time: 0.002, ..Membrane::isotropic(4000.0, 0.3) }),
        bending: Some(Bending::new(2.3e-4)),
        ..Material::loose(Mass::Surface(0.7))
    }
}
