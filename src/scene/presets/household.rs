//! Materials people know. Kawabata's unit of bending rigidity, 1 gf·cm²/cm, is 9.8e-5 N·m; that of shear stiffness, 1 gf/(cm·degree),
//! is 56 N/m.

use crate::{Bending, Cubic, Mass, Material, Membrane, NeoHookean, Spring, SpringLaw};

impl Material {
    /// A plain cotton weave: 0.15 kg/m², typical of shirting.
    ///
    /// Springs of 600 N/m along the threads and 60 N/m across them: real cloth has some 10⁴ N/m, which would take thousands of
    /// iterations a step and look the same. Crossover springs of 3 N/m in place of a bending modulus: how supple it is depends on the
    /// resolution.
    pub fn cotton() -> Self {
        Self {
            structural: Spring::new(600.0).damped(0.01),
            shear: Spring::new(60.0).damped(0.005),
            crossover: Spring::new(3.0).damped(0.001),
            ..Self::loose(Mass::Surface(0.15))
        }
    }

    /// A light silk: 0.06 kg/m² (14 momme).
    ///
    /// All else is our choice, not measured: bending 3e-6 N·m (0.03 gf·cm²/cm), springs of 300 N/m along the threads, far below the real
    /// stiffness, and 20 N/m of shear.
    pub fn silk() -> Self {
        Self {
            structural: Spring::new(300.0).damped(0.004),
            shear: Spring::new(20.0).damped(0.002),
            bending: Some(Bending::new(3e-6)),
            ..Self::loose(Mass::Surface(0.06))
        }
    }

    /// Denim: 0.4 kg/m² (12 ounces a square yard).
    ///
    /// Bending 2e-5 N·m and shear 100 N/m are typical of denim on Kawabata's tester: 0.14 to 0.23 gf·cm²/cm and 1.5 to 3.4 gf/(cm·degree)
    /// in "Regenerated Cellulose-Based Denim Fabric for Tropical Regions", Journal of Textiles 2016, 4614168, table 5; the
    /// weight is ours. There it stretches by 5 % under the tester's 500 gf/cm, 490 N/m; these cubic springs, 1500 N/m at rest and six times
    /// that at 5 %, carry 225 N/m there, for the sake of fewer iterations.
    pub fn denim() -> Self {
        // A Jacobian without a hundredth of so steep a cubic would hold the cloth like honey: all of it goes in.
        let threads = Cubic { stretch: 1.05, compression: 0.95, jacobian_damping: 1.0, ..Cubic::new(1500.0) };
        Self {
            structural: Spring::from(SpringLaw::Cubic(threads)).damped(0.05),
            shear: Spring::new(100.0).damped(0.02),
            bending: Some(Bending::new(2e-5)),
            ..Self::loose(Mass::Surface(0.4))
        }
    }

    /// Garment leather, 0.8 mm thick: 0.7 kg/m², the same in all directions.
    ///
    /// 0.64 to 0.96 mm are typical of sheep garment leather (Memon et al., Materials 2021, 14, 4553). All else follows from the thickness t and
    /// E = 5 MPa, ν = 0.3, our choice for soft leather: a membrane of E t = 4000 N/m, bending E t³/12/(1 - ν²) = 2.3e-4 N·m.
    pub fn leather() -> Self {
        Self {
            membrane: Some(Membrane { viscous_time: 0.002, ..Membrane::isotropic(4000.0, 0.3) }),
            bending: Some(Bending::new(2.3e-4)),
            ..Self::loose(Mass::Surface(0.7))
        }
    }

    /// A sheet of natural rubber, 1 mm thick: 0.93 kg/m².
    ///
    /// From textbook values of unfilled natural rubber, E = 1.5 MPa, 930 kg/m³, incompressible: a membrane of 1500 N/m with ν = 0.5, bending
    /// E t³/12/(1 - ν²) = 1.7e-4 N·m.
    pub fn rubber() -> Self {
        Self {
            membrane: Some(Membrane { viscous_time: 0.001, ..Membrane::isotropic(1500.0, 0.5) }),
            bending: Some(Bending::new(1.7e-4)),
            ..Self::loose(Mass::Surface(0.93))
        }
    }

    /// A jelly, as of gelatine: a solid of 1000 kg/m³ that nearly keeps its volume and wobbles.
    ///
    /// A neo-Hookean solid with a Young's modulus of 10 kPa and a Poisson's ratio of 0.45, at any resolution. Gelatine has some kPa to some tens, by how
    /// much of it there is in the water, and hardly changes its volume. The viscosity is our choice, 5 ms times the elastic moduli: a jelly 16 cm
    /// high swings two to three times a second and is nearly still after two.
    ///
    /// ```
    /// use tenter::{Material, NeoHookean};
    /// let firm = Material { neo_hookean: Some(NeoHookean { viscous_time: 0.005, ..NeoHookean::new(3e4, 0.45) }), ..Material::jelly() };
    /// assert_eq!(firm.mass, Material::jelly().mass);
    /// ```
    pub fn jelly() -> Self {
        Self {
            neo_hookean: Some(NeoHookean { viscous_time: 0.005, ..NeoHookean::new(1e4, 0.45) }),
            ..Self::loose(Mass::Volume(1000.0))
        }
    }
}
