//! Vogiannou, figures 4 to 6: full cubic springs by their slopes K, K₁, K₂ at 1, a₁, a₂ of the rest length.
//!
//! Edges of 2 cm. Which springs a cloth has is not said; here all of a grid's kinds, and no damping but that of the Jacobian, 0.99 as published.
//! That is a drag across the springs, the stronger the steeper the cubic and the longer the step: at 10 ms, 12×12 particles
//! of figure 4's cloth sink by 1.4 mm in 0.2 s, of figure 5's by 16 mm, where a loose cloth falls by 0.2 m. With `jacobian_damping = 1` there is none.

use crate::{Cubic, Mass, Material, Spring, SpringLaw};

fn spring(cubic: Cubic) -> Spring {
    SpringLaw::Cubic(cubic).into()
}

fn cloth(cubic: Cubic) -> Material {
    let spring = spring(cubic);
    Material { structural: spring, shear: spring, crossover: spring, ..Material::loose(Mass::Total(1.0)) }
}

/// Figure 4: a cloth of 32×32 particles and 1 kg that catches a ball of 10 kg; K = 1000 N/m, K₁ = 6 K at 1.04, K₂ = 2 K at 0.96.
pub fn ball() -> Material {
    cloth(Cubic { stretch: 1.04, compression: 0.96, ..Cubic::new(1000.0) })
}

/// Figure 5: a cloth of 1 kg with 5 kg on its free edge; K = 500 N/m, K₁ = 6 K at 1.1, K₂ = 2 K at 0.9.
pub fn load() -> Material {
    cloth(Cubic::new(500.0))
}

/// Figure 6: a cube of 9×9×9 particles, a seventh of the 5 kg on top of it; K = 1000 N/m, K₁ = 6 K at 1.1, K₂ = 10 K at 0.9.
pub fn solid() -> Material {
    Material::springs(Mass::Total(5.0 / 7.0), spring(Cubic { compressed: 10_000.0, ..Cubic::new(1000.0) }))
}
