//! Bodies: meshes with materials, and how they move at the start.

use super::{Mass, Material, Mesh};
use glam::Vec3;

/// A mesh of particles, what it is made of, and how it moves at the start.
///
/// | constructor | the mesh must have | springs and models act on |
/// |---|---|---|
/// | [`Body::cloth`] | anything | edges, triangles, tetrahedra: whatever the mesh has |
/// | [`Body::solid`] | tetrahedra | edges and volumes of tetrahedra, and their surface |
/// | [`Body::chain`] | wires, but neither triangles nor tetrahedra | wires |
/// | [`Body::particles`] | – | nothing: particles fly alone |
///
/// Begin with a constructor, and change fields afterwards or by functional update: fields may be added in any release. A scene is
/// checked as a whole by [`Simulation::new`](crate::Simulation::new), which refuses a mesh that does not fit its constructor with
/// [`Error::Scene`](crate::Error::Scene) on `body[…].mesh`.
#[derive(Debug, Clone)]
pub struct Body {
    /// Kind of body that the mesh must be fit for.
    pub kind: BodyKind,
    /// Vertices become particles; the mesh as given is the rest shape.
    pub mesh: Mesh,
    /// Mass and force models.
    pub material: Material,
    /// Where the particles start, m: one per vertex. `None`: at rest in the mesh's own shape.
    pub start: Option<Vec<Vec3>>,
    /// Velocity of all particles at the start, m/s.
    pub velocity: Vec3,
    /// A finer surface that moves along: see [`Body::with_skin`].
    pub skin: Option<Mesh>,
}

/// Kind of body, by the constructor that made it. The kind decides which meshes are refused, and changes no force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyKind {
    /// Made by [`Body::cloth`]: any mesh.
    Cloth,
    /// Made by [`Body::solid`]: a mesh of tetrahedra.
    Solid,
    /// Made by [`Body::chain`]: a mesh of wires.
    Chain,
    /// Made by [`Body::particles`]: vertices only.
    Particles,
}

impl Body {
    /// A cloth: edges of the mesh become structural springs, triangles carry the surface models of the [`Material`]. A grid
    /// has springs along rows, columns and diagonals.
    ///
    /// Any mesh is accepted, also one of tetrahedra or wires.
    pub fn cloth(mesh: Mesh, material: Material) -> Self {
        Self::new(BodyKind::Cloth, mesh, material)
    }

    /// A soft body of tetrahedra: edges become structural springs, and every tetrahedron resists change of volume as
    /// [`Material::volume`] says. A mesh without tetrahedra is refused; [`Mesh::filled`] makes some from a closed surface.
    ///
    /// ```
    /// use tenter::{Backend, Body, Error, Material, Mesh, Options, Scene, Simulation, glam::Vec3};
    /// # fn main() -> Result<(), tenter::Error> {
    /// let mut scene = Scene::new();
    /// scene.add(Body::solid(Mesh::block(Vec3::splat(0.2), [3, 3, 3]), Material::jelly()));
    /// Simulation::check(&scene, &Options::default())?;
    ///
    /// scene.add(Body::solid(Mesh::grid(1.0, 1.0, 4, 4), Material::jelly()));
    /// let refused = Simulation::check(&scene, &Options::default()).unwrap_err();
    /// assert_eq!(refused.to_string(), "body[1].mesh: a solid needs tetrahedra, and this mesh has none");
    /// # Ok(()) }
    /// ```
    pub fn solid(mesh: Mesh, material: Material) -> Self {
        Self::new(BodyKind::Solid, mesh, material)
    }

    /// A chain or a net: the [wires](Mesh::wires) of the mesh become springs, by [`Material::structural`]. A mesh without wires, or with
    /// triangles or tetrahedra, is refused.
    ///
    /// ```
    /// use tenter::{Body, Mass, Material, Mesh, Options, Scene, Simulation, Spring, Vertices, glam::Vec3};
    /// # fn main() -> Result<(), tenter::Error> {
    /// let rope = Material::springs(Mass::Line(0.1), Spring::new(500.0).damped(0.1));
    /// let mut scene = Scene::new();
    /// let chain = scene.add(Body::chain(Mesh::chain(Vec3::ZERO, Vec3::X, 21), rope));
    /// scene.pin(chain, Vertices::list([0]));
    /// Simulation::check(&scene, &Options::default())?;
    /// # Ok(()) }
    /// ```
    pub fn chain(mesh: Mesh, material: Material) -> Self {
        Self::new(BodyKind::Chain, mesh, material)
    }

    /// Particles without springs between them, at these positions, m, and with this mass in all, kg, spread evenly.
    ///
    /// ```
    /// use tenter::{Body, Mass, glam::Vec3};
    /// let rain = Body::particles((0..100).map(|ix| 0.01 * ix as f32 * Vec3::X), 0.1).moving(-3.0 * Vec3::Y);
    /// assert_eq!(rain.mesh.positions.len(), 100);
    /// assert_eq!(rain.material.mass, Mass::Total(0.1));
    /// ```
    pub fn particles(positions: impl IntoIterator<Item = Vec3>, mass: f32) -> Self {
        let mesh = Mesh::points(positions.into_iter().collect());
        Self::new(BodyKind::Particles, mesh, Material::loose(Mass::Total(mass)))
    }

    fn new(kind: BodyKind, mesh: Mesh, material: Material) -> Self {
        Self { kind, mesh, material, start: None, velocity: Vec3::ZERO, skin: None }
    }

    /// Why the mesh does not fit the kind of the body, if it does not.
    pub(crate) fn check_kind(&self) -> Result<(), &'static str> {
        let mesh = &self.mesh;
        let (triangles, tetrahedra) = (!mesh.triangles.is_empty(), !mesh.tetrahedra.is_empty());
        let wires = !mesh.wires.is_empty();
        match self.kind {
            BodyKind::Cloth => Ok(()),
            BodyKind::Solid if !tetrahedra => Err("a solid needs tetrahedra, and this mesh has none"),
            BodyKind::Solid => Ok(()),
            BodyKind::Chain if triangles || tetrahedra => {
                Err("a chain has wires only, and this mesh has triangles or tetrahedra")
            }
            BodyKind::Chain if !wires => Err("a chain needs wires, and this mesh has none"),
            BodyKind::Chain => Ok(()),
            BodyKind::Particles if triangles || tetrahedra || wires => {
                Err("particles have neither wires nor triangles nor tetrahedra, and this mesh has some")
            }
            BodyKind::Particles => Ok(()),
        }
    }

    /// Returns the body with other start positions, one per vertex, m.
    pub fn starting_at(mut self, positions: Vec<Vec3>) -> Self {
        self.start = Some(positions);
        self
    }

    /// Returns the body with a start velocity, m/s.
    pub fn moving(mut self, velocity: Vec3) -> Self {
        self.velocity = velocity;
        self
    }

    /// Where the particles start, m.
    pub fn start_positions(&self) -> &[Vec3] {
        self.start.as_deref().unwrap_or(&self.mesh.positions)
    }
}
