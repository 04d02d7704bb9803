//! Materials people know, as continua: their moduli hold at any resolution and on any mesh.
//!
//! Kawabata's unit of bending rigidity, 1 gf·cm²/cm, is 98 µN·m; that of shear stiffness, 1 gf/(cm·degree), is 56 N/m. Bending between every two triangles is
//! [by their angle](BendingModel::Dihedral), whose moment grows as far as cloth can fold. Moduli along the threads are softened, for the sake of fewer
//! iterations: real cloth stretches even less. A metre that hangs by its upper edge stretches by 0.2 to 0.8 % under its own weight.

use crate::{Bending, BendingModel, Mass, Material, Membrane, NeoHookean, Spring};
use glam::Vec3;

impl Material {
    /// A light, supple silk, such as crêpe de chine: 0.06 kg/m² (14 momme).
    ///
    /// Bending 1 µN·m (0.01 gf·cm²/cm), a bending length of 12 mm: fabrics of 63 and 75 g/m² have 1.1 and 0.55 µN·m along the warp in the cantilever tests of
    /// Feng et al., "Learning-Based Bending Stiffness Parameter Estimation by a Drape Tester", ACM TOG 41(6), 2022, whose 618 fabrics have no names; most of that
    /// weight are stiffer, 2.4 µN·m and more. Shear 15 N/m (0.27 gf/(cm·degree)) and 300 N/m along the threads are our choice.
    pub fn silk() -> Self {
        fabric(Fabric { density: 0.06, threads: 300.0, shear: 15.0, bending: 1e-6 })
    }

    /// Wool suiting: 0.25 kg/m².
    ///
    /// Bending 12 µN·m (0.12 gf·cm²/cm), a bending length of 17 mm, and shear 54 N/m (0.97 gf/(cm·degree)) are near the means of Kawabata's men's winter suitings
    /// ("The Standardization and Analysis of Hand Evaluation", 1980), 0.14 gf·cm²/cm at 0.26 kg/m²; the median fabric of 0.2 to 0.3 kg/m² in Feng et al. 2022 (see [`Material::silk`])
    /// has 17 µN·m. Along the threads 600 N/m, softened by about two: suiting has some 1000 N/m at small strains.
    pub fn wool() -> Self {
        fabric(Fabric { density: 0.25, threads: 600.0, shear: 54.0, bending: 1.2e-5 })
    }

    /// A crisp cotton poplin, as for shirts: 0.13 kg/m².
    ///
    /// Bending 9 µN·m (0.09 gf·cm²/cm), a bending length of 19 mm: the median of fabrics of 0.12 to 0.15 kg/m² in Feng et al. 2022 (see [`Material::silk`]) is 7.5 µN·m, a quarter of them have more than 11.
    /// Shear 80 N/m (1.4 gf/(cm·degree)) is our choice within what Kawabata's tester shows of shirtings. Along the threads 600 N/m, softened by about eight.
    pub fn cotton() -> Self {
        fabric(Fabric { density: 0.13, threads: 600.0, shear: 80.0, bending: 9e-6 })
    }

    /// A plain cotton weave as springs of a grid: 0.15 kg/m².
    ///
    /// Springs of 600 N/m along the threads and 60 N/m across them, and crossover springs of 3 N/m in place of a bending modulus: how supple it is
    /// depends on the resolution. It is the cheapest cloth to simulate, and the one of our benchmarks. [`Material::cotton`] is the same at any resolution.
    pub fn cotton_springs() -> Self {
        Self {
            structural: Spring::new(600.0).damped(0.01),
            shear: Spring::new(60.0).damped(0.005),
            crossover: Spring::new(3.0).damped(0.001),
            ..Self::loose(Mass::Surface(0.15))
        }
    }

    /// Rigid, unwashed denim: 0.4 kg/m² (12 ounces a square yard).
    ///
    /// Bending 50 µN·m (0.5 gf·cm²/cm), a bending length of 23 mm: between the median, 34, and the upper tenth, 67 µN·m, of fabrics of 0.35 to 0.45 kg/m² in Feng et al. 2022 (see
    /// [`Material::silk`]). Washed and light denims have 14 to 24 µN·m (Journal of Textiles 2016, 4614168, table 5). Shear 100 N/m (1.8 gf/(cm·degree)) is
    /// from that table, which has 1.5 to 3.4. Along the threads 1500 N/m, softened by about six: there it stretches by 5 % under 490 N/m.
    pub fn denim() -> Self {
        fabric(Fabric { density: 0.4, threads: 1500.0, shear: 100.0, bending: 5e-5 })
    }

    /// Garment leather of sheep, 0.8 mm thick: 0.55 kg/m², the same in all directions.
    ///
    /// Bending 20 µN·m, a bending length of 15 mm: four leathers of 0.64 to 0.96 mm have a flexural rigidity of 9.2 to 22 in Memon et al., Materials 2021, 14, 4553, which we
    /// read as µN·m because their drape coefficients of 47 to 70 % fit no other unit. Young's modulus 2000 N/m with ν = 0.3, softened by six or more.
    pub fn leather() -> Self {
        Self {
            membrane: Some(Membrane { viscous_time: VISCOUS_TIME, ..Membrane::isotropic(2000.0, 0.3) }),
            bending: Some(by_angle(2e-5)),
            ..Self::loose(Mass::Surface(0.55))
        }
    }

    /// A sheet of natural rubber, 1 mm thick: 0.95 kg/m².
    ///
    /// From the textbook values of unfilled natural rubber, E = 1.5 MPa, 950 kg/m³, incompressible: a membrane of 1500 N/m with ν = 0.5, bending
    /// E t³/12/(1 - ν²) = 167 µN·m. Nothing is softened.
    pub fn rubber() -> Self {
        Self {
            membrane: Some(Membrane { viscous_time: 0.001, ..Membrane::isotropic(1500.0, 0.5) }),
            bending: Some(by_angle(1.67e-4)),
            ..Self::loose(Mass::Surface(0.95))
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

/// Viscosity of cloth in its plane as a time, s: our choice, enough that threads do not ring.
const VISCOUS_TIME: f32 = 0.002;

/// Part of the modulus along the threads that couples weft and warp: our choice.
const CONTRACTION: f32 = 0.1;

/// Numbers of a woven fabric that is the same along weft and warp.
struct Fabric {
    /// Density, kg/m².
    density: f32,
    /// Modulus along the threads, N/m.
    threads: f32,
    /// Shear modulus, N/m.
    shear: f32,
    /// Bending modulus, N·m.
    bending: f32,
}

fn fabric(fabric: Fabric) -> Material {
    let Fabric { density, threads, shear, bending } = fabric;
    let membrane = Membrane {
        weft: threads,
        warp: threads,
        contraction: CONTRACTION * threads,
        shear,
        viscous_time: VISCOUS_TIME,
        weft_direction: Vec3::X,
    };
    Material { membrane: Some(membrane), bending: Some(by_angle(bending)), ..Material::loose(Mass::Surface(density)) }
}

/// Bending by the angle between triangles, the same in all directions: N·m.
fn by_angle(modulus: f32) -> Bending {
    Bending { model: BendingModel::Dihedral, ..Bending::new(modulus) }
}
