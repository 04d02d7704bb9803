//! Materials: mass and force models of a body.

use super::{Area, Bending, Membrane, NeoHookean, Spring, Volume, Weave};

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
    /// Mass, and how it is distributed over the vertices.
    pub mass: Mass,
    /// Springs along the edges of the mesh; in a grid along rows and columns.
    pub structural: Spring,
    /// Springs along both diagonals of each cell of a grid. Other meshes have no shear springs: their edges run every way.
    pub shear: Spring,
    /// Springs from each vertex of a grid to the next but one; in other meshes across each pair of adjacent triangles.
    pub crossover: Spring,
    /// Resistance of every triangle to change of area.
    pub area: Option<Area>,
    /// Resistance of every tetrahedron to change of volume.
    pub volume: Option<Volume>,
    /// Resistance to change of the angle between every two triangles with a common side, by the volume of the virtual tetrahedron over them (Teschner 4):
    /// cloth where the mesh is flat, a shell where it is not.
    pub shell: Option<Volume>,
    /// Continuum model of every triangle.
    pub membrane: Option<Membrane>,
    /// Continuum model of every tetrahedron.
    pub neo_hookean: Option<NeoHookean>,
    /// Resistance to bending between every two triangles with a common side.
    pub bending: Option<Bending>,
    /// Continuum model of a grid.
    pub weave: Option<Weave>,
}

/// Mass of a body, lumped at its vertices.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Mass {
    /// Surface density, kg/m²: a third of each triangle to each of its vertices.
    Surface(f32),
    /// Volume density, kg/m³: a quarter of each tetrahedron to each of its vertices.
    Volume(f32),
    /// Line density, kg/m: half of each wire to each of its ends.
    Line(f32),
    /// Mass of the whole body, kg: the same for every vertex.
    Total(f32),
}

impl Material {
    /// Mass without any force: particles that move independently.
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
            neo_hookean: None,
            bending: None,
            weave: None,
        }
    }

    /// Springs along the edges only, for chains and nets.
    pub fn springs(mass: Mass, structural: Spring) -> Self {
        Self { structural, ..Self::loose(mass) }
    }
}
