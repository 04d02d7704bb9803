//! What a body is made of.

use super::{Area, Bending, Membrane, Spring, Volume, Weave};

/// Mass and force models of a body. [`presets`](super::presets) has some by name.
///
/// Begin with a preset, [`Material::loose`] or [`Material::springs`], and change fields by functional update: fields may be added in any
/// release.
///
/// ```
/// use tenter::{Bending, Mass, Material};
/// let stiff = Material { mass: Mass::Surface(0.3), bending: Some(Bending::new(1e-4)), ..Material::cotton() };
/// assert_eq!(stiff.structural, Material::cotton().structural);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// How heavy, and how the mass is spread.
    pub mass: Mass,
    /// Along the edges of the mesh; in a grid along rows and columns.
    pub structural: Spring,
    /// In a grid along both diagonals of each cell. Other meshes have no shear springs: their edges run every way.
    pub shear: Spring,
    /// In a grid from each vertex to the next but one; in other meshes across each pair of adjacent triangles.
    pub crossover: Spring,
    /// Area of every triangle.
    pub area: Option<Area>,
    /// Volume of every tetrahedron.
    pub volume: Option<Volume>,
    /// Angle between every two triangles with a common side, by the volume of the virtual tetrahedron over them (Teschner 4):
    /// cloth where the mesh is flat, a shell where it is not.
    pub shell: Option<Volume>,
    /// Continuum of every triangle.
    pub membrane: Option<Membrane>,
    /// Bending between every two triangles with a common side.
    pub bending: Option<Bending>,
    /// Continuum of a grid.
    pub weave: Option<Weave>,
}

/// How heavy a body is.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Mass {
    /// kg/m², a third of each triangle to each of its vertices.
    Surface(f32),
    /// kg/m³, a quarter of each tetrahedron to each of its vertices.
    Volume(f32),
    /// kg/m, half of each wire to each of its ends.
    Line(f32),
    /// kg for the whole body, the same for every vertex.
    Total(f32),
}

impl Material {
    /// Only mass: particles that do not know each other.
    pub fn loose(mass: Mass) -> Self {
        Self {
            mass,
            structural: Spring::default(),
            shear: Spring::default(),
            crossover: Spring::default(),
            area: None,
            volume: None,
            shell: None,
            membrane: None,
            bending: None,
            weave: None,
        }
    }

    /// Springs along the edges only, for chains and nets.
    pub fn springs(mass: Mass, structural: Spring) -> Self {
        Self { structural, ..Self::loose(mass) }
    }
}
