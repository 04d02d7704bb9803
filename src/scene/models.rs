//! Force models of triangles, tetrahedra and cells: what a [`Material`](super::Material) may have besides springs. All of them can be
//! combined.

use super::{STANDARD_GRAVITY, Spring};
use glam::Vec3;

/// Keeps the area of triangles: Teschner (5), E = ½ k ((A - A₀) / A₀)².
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Area {
    /// k_A, N·m.
    pub stiffness: f32,
    /// Damping of the rate of (A - A₀) / A₀, N·m·s.
    pub damping: f32,
}

/// Keeps the volume of tetrahedra: Teschner (6), E = ½ k ((V - V₀) / Ṽ₀)², with the sign of V, so that what is inverted comes back.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Volume {
    /// k_V, N·m.
    pub stiffness: f32,
    /// Damping of the rate of (V - V₀) / Ṽ₀, N·m·s.
    pub damping: f32,
}

/// An elastic solid on tetrahedra: the stable neo-Hookean energy of Smith, de Goes and Kim 2018. Its moduli hold at any resolution, and
/// tetrahedra that are flattened or turned inside out recover.
///
/// ```
/// use tenter::{Body, Mass, Material, Mesh, NeoHookean, Scene, glam::Vec3};
/// let rubber = NeoHookean { viscous_time: 0.002, ..NeoHookean::new(1e6, 0.45) };
/// let material = Material { neo_hookean: Some(rubber), ..Material::loose(Mass::Volume(930.0)) };
/// let mut scene = Scene::new();
/// scene.add(Body::solid(Mesh::block(Vec3::splat(0.1), [4, 4, 4]), material));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NeoHookean {
    /// Young's modulus at small strains, Pa, above 0.
    pub young: f32,
    /// Poisson's ratio at small strains, from 0 to 0.495. Near 0.5, where a solid keeps its volume, linear tetrahedra lock: they resist bending far more
    /// than the material would, and the solver needs many iterations.
    pub poisson: f32,
    /// Viscosity: stresses by strain rates are so many seconds times those by strains.
    pub viscous_time: f32,
}

impl NeoHookean {
    /// A solid without viscosity: Young's modulus (Pa) and Poisson's ratio.
    pub fn new(young: f32, poisson: f32) -> Self {
        Self { young, poisson, viscous_time: 0.0 }
    }
}

/// A membrane of St. Venant–Kirchhoff material on triangles: stresses linear in Green's strain, with fibres along weft and warp.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Membrane {
    /// Modulus along the weft, N/m.
    pub weft: f32,
    /// Modulus along the warp, N/m.
    pub warp: f32,
    /// Coupling of the two (transverse contraction), N/m; its square must not exceed weft · warp.
    pub contraction: f32,
    /// Shear modulus, N/m.
    pub shear: f32,
    /// Viscosity: stresses by strain rates are so many seconds times those by strains.
    pub viscous_time: f32,
    /// Direction of the weft in the rest shape; projected into each triangle.
    pub weft_direction: Vec3,
}

impl Membrane {
    /// An isotropic membrane: Young's modulus (N/m) and Poisson's ratio.
    pub fn isotropic(young: f32, poisson: f32) -> Self {
        let modulus = young / (1.0 - poisson * poisson);
        Self {
            weft: modulus,
            warp: modulus,
            contraction: poisson * modulus,
            shear: young / (2.0 * (1.0 + poisson)),
            viscous_time: 0.0,
            weft_direction: Vec3::X,
        }
    }
}

/// Resistance to bending, between every two triangles with a common side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bending {
    /// How it is computed.
    pub model: BendingModel,
    /// Modulus for curvature along the weft, N·m: a sheet bent to curvature κ stores ½ μ κ² per area.
    pub weft: f32,
    /// Modulus for curvature along the warp, N·m.
    pub warp: f32,
    /// Direction of the weft in the rest shape.
    pub weft_direction: Vec3,
    /// How moduli become stiffnesses.
    pub normalisation: Normalisation,
    /// The shape without bending forces.
    pub rest: RestShape,
    /// Stiffening with curvature, m²: the modulus grows by the factor 1 + hardening · (κ - κ₀)².
    pub hardening: f32,
    /// Viscosity, N·m·s: resists the rate of curvature. Only with a modulus.
    pub viscosity: f32,
}

/// How bending is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum BendingModel {
    /// Volino's bending vector: linear in the positions, with a constant Jacobian; cheap. Rest curvature, hardening and viscosity
    /// make it nonlinear; they derive from an energy here, which keeps both momenta.
    #[default]
    Linear,
    /// Linear bending with rest curvature, hardening and viscosity as Volino prints them, (16) to (18): along normals, without regard to
    /// angular momentum.
    LinearPrinted,
    /// By the angle between normals: dear, for comparison and for strong bending.
    Dihedral,
}

/// How bending moduli become stiffnesses of mesh edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Normalisation {
    /// Fitted to the mesh, so that a strip of it bends as the modulus says, whichever way it is cut.
    #[default]
    Calibrated,
    /// Volino (10): a third to a half of the modulus, depending on mesh and direction.
    Printed,
}

/// The shape without bending forces.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum RestShape {
    /// Flat, whatever the mesh is.
    #[default]
    Flat,
    /// As the mesh is: shells.
    Mesh,
    /// Curved in all directions, 1/m, towards the triangles' normals where positive: what starts flat knows to which side to roll up. A
    /// strip curls to it, a wide sheet as far as it need not stretch.
    Curvature(f32),
}

impl Bending {
    /// Linear, calibrated, the same in all directions: N·m.
    pub fn new(modulus: f32) -> Self {
        Self {
            model: BendingModel::Linear,
            weft: modulus,
            warp: modulus,
            weft_direction: Vec3::X,
            normalisation: Normalisation::Calibrated,
            rest: RestShape::Flat,
            hardening: 0.0,
            viscosity: 0.0,
        }
    }
}

impl Bending {
    /// Bending of a cloth whose bending length was measured, m, for example by letting a strip stick out over an edge until its tip lies 41.5° below it: the bending
    /// length is half the overhang (Peirce 1930). The modulus is density · g · length³ with the density in kg/m².
    ///
    /// ```
    /// // Poplin of 130 g/m² that sticks out by 3.8 cm.
    /// let poplin = tenter::Bending::of_length(0.019, 0.13);
    /// assert!((poplin.weft - 8.7e-6).abs() < 1e-7);
    /// ```
    pub fn of_length(length: f32, density: f32) -> Self {
        Self::new(density * STANDARD_GRAVITY.length() * length.powi(3))
    }

    /// Bending length (modulus / (density · g))^⅓ along the weft or the warp, whichever is less, m, of a cloth of a density in kg/m²: cells should not be larger.
    pub fn length(&self, density: f32) -> f32 {
        (self.weft.min(self.warp) / (density * STANDARD_GRAVITY.length())).cbrt()
    }
}

/// Woven cloth on a quadrilateral grid as a continuum, after Etzmuß chapter 2: moduli hold at any resolution, cells need not be
/// rectangles.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Weave {
    /// Tension along rows (weft): its law's stiffness is a modulus, k₁, N/m; its damping D₁₁₁₁, N·s/m. Any law but
    /// [`SpringLaw::Distance`](super::SpringLaw::Distance). With [`Spring::viscoelastic`] it has the memory of (2.34).
    pub weft: Spring,
    /// Tension along columns (warp), likewise.
    pub warp: Spring,
    /// Shear modulus μ, N/m.
    pub shear: f32,
    /// Transverse contraction C₁₁₂₂, N/m; its square must not exceed weft · warp, as their laws have it at rest.
    pub contraction: f32,
    /// Viscous shear D₁₂₁₂, N·s/m.
    pub shear_viscosity: f32,
    /// Viscous contraction D₁₁₂₂, N·s/m; its square must not exceed the product of the dampings of weft and warp: alone it would
    /// drive, not damp.
    pub contraction_viscosity: f32,
    /// Resistance to bending.
    pub bending: WeaveBending,
    /// Bending modulus for curvature along rows, B₁: N·m for the thin plate, N/m for the membrane.
    pub bending_weft: f32,
    /// Bending modulus for curvature along columns, B₂.
    pub bending_warp: f32,
    /// Viscous bending: so many seconds times the elastic one.
    pub bending_viscous_time: f32,
    /// Shear and bending as algorithms 2 to 4 print them: forces without an energy, explicit, momentum not kept.
    pub printed: bool,
}

/// How a [`Weave`] resists bending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum WeaveBending {
    /// Not at all.
    #[default]
    None,
    /// Thin plate, (2.26): ½ B₁ |s_uu|² + ½ B₂ |s_vv|² per area.
    ThinPlate,
    /// Membrane, (2.25): the Laplacian along the normal.
    Membrane,
}
