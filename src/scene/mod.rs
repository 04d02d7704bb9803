//! Scenes: bodies, pins, colliders, ties, gravity and air. Plain data on the CPU; [`Simulation::new`](crate::Simulation::new) checks it.

mod air;
mod body;
mod collider;
mod contact;
mod generators;
pub(crate) mod holes;
mod material;
mod mesh;
mod models;
mod pin;
pub mod presets;
mod skin;
mod solid;
mod spring;
mod tie;
mod vertices;

pub use air::{Air, Handle, PointForce};
pub use body::{Body, BodyKind};
pub use collider::{Collider, ColliderId, DeformingMesh, Dynamic, KeyFrame, MeshFrame, Motion, Pose, Shape};
pub use contact::{BodyContact, ContactOf};
pub use holes::Hole;
pub use material::{Mass, Material};
pub use mesh::{GridShape, Group, Mesh};
pub use models::{
    Area, Bending, BendingModel, Membrane, NeoHookean, Normalisation, RestShape, Volume, Weave, WeaveBending,
};
pub use pin::{Free, Pin, PinId, PinKey};
pub use spring::{Cubic, JACOBIAN_DAMPING, KelvinVoigt, KelvinVoigtSeries, Memory, Plasticity, Spring, SpringLaw};
pub use tie::{Seam, Tie};
pub use vertices::{Side, Vertices};

use crate::Error;
use glam::Vec3;
use std::ops::Range;

/// Standard gravity along -y, m/s².
pub const STANDARD_GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);

/// A scene: bodies, pins, colliders, ties, forces and air.
///
/// Fields may be added in any release: begin with [`Scene::new`].
///
/// ```
/// use tenter::{Body, Material, Mesh, Scene, Vertices};
/// let mut scene = Scene::new();
/// let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 32, 32), Material::cotton()));
/// scene.pin(cloth, Vertices::corners());
/// ```
#[derive(Debug, Clone)]
pub struct Scene {
    /// Bodies, in the order they were added.
    pub bodies: Vec<Body>,
    /// Pins and attachments, in the order they were added.
    pub pins: Vec<Pin>,
    /// Acceleration of gravity, m/s².
    pub gravity: Vec3,
    /// Wind and air resistance. `None`: a vacuum, which costs nothing and cannot be filled later.
    pub air: Option<Air>,
    /// Forces on vertices, in the order they were added.
    pub point_forces: Vec<PointForce>,
    /// Contact of bodies with each other and with themselves. `None`, the default: they pass through each other, at no cost.
    pub contact: Option<BodyContact>,
    /// Colliders, in the order they were added.
    pub colliders: Vec<Collider>,
    /// Ties, in the order they were added.
    pub ties: Vec<Tie>,
    /// Seams, in the order they were added.
    pub seams: Vec<Seam>,
}

/// Names a body of the scene that made it: what [`Scene::add`] returned, or one of [`Scene::body_ids`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(pub(crate) usize);

impl BodyId {
    /// Index of the body in [`Scene::bodies`].
    pub fn index(self) -> usize {
        self.0
    }
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            bodies: Vec::new(),
            pins: Vec::new(),
            gravity: STANDARD_GRAVITY,
            air: None,
            point_forces: Vec::new(),
            contact: None,
            colliders: Vec::new(),
            ties: Vec::new(),
            seams: Vec::new(),
        }
    }
}

impl Scene {
    /// An empty scene under standard gravity.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a body, and returns its id.
    pub fn add(&mut self, body: Body) -> BodyId {
        self.bodies.push(body);
        BodyId(self.bodies.len() - 1)
    }

    /// Pushes vertices of a body, each with this force, N.
    pub fn push(&mut self, body: BodyId, vertices: Vertices, force: Vec3) {
        self.point_forces.push(PointForce { body, vertices, force });
    }

    /// Ids of all bodies, in the order of [`Scene::bodies`]: for scenes that come from a file.
    pub fn body_ids(&self) -> impl ExactSizeIterator<Item = BodyId> + use<> {
        (0..self.bodies.len()).map(BodyId)
    }

    /// Ids of all pins, in the order of [`Scene::pins`].
    pub fn pin_ids(&self) -> impl ExactSizeIterator<Item = PinId> + use<> {
        (0..self.pins.len()).map(PinId)
    }

    /// Ids of all colliders, in the order of [`Scene::colliders`].
    pub fn collider_ids(&self) -> impl ExactSizeIterator<Item = ColliderId> + use<> {
        (0..self.colliders.len()).map(ColliderId)
    }

    /// Particles of a body, one per vertex and in the order of its mesh, as a range of what
    /// [`Simulation::positions`](crate::Simulation::positions) returns.
    ///
    /// ```
    /// use tenter::{Backend, Body, Material, Mesh, Options, Scene, Simulation};
    /// # fn main() -> Result<(), tenter::Error> {
    /// let mut scene = Scene::new();
    /// scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 8, 8), Material::cotton()));
    /// let small = scene.add(Body::cloth(Mesh::grid(0.5, 0.5, 4, 4), Material::silk()));
    /// let mut simulation = Simulation::new(Backend::Cpu, &scene, Options::default())?;
    /// let positions = &simulation.positions()?[scene.body_range(small)?];
    /// assert_eq!(positions.len(), 4 * 4);
    /// # Ok(()) }
    /// ```
    pub fn body_range(&self, body: BodyId) -> Result<Range<usize>, Error> {
        let count = |body: &Body| body.mesh.positions.len();
        let own = self.bodies.get(body.0).map(count);
        let own = own.ok_or_else(|| Error::Usage(format!("the scene has no body {}", body.0)))?;
        let first = self.bodies[..body.0].iter().map(count).sum();
        Ok(first..first + own)
    }

    /// Number of particles of all bodies: one per vertex. Body after body, they are numbered as in
    /// [`Simulation::positions`](crate::Simulation::positions).
    pub fn particle_count(&self) -> usize {
        self.bodies.iter().map(|body| body.mesh.positions.len()).sum()
    }

    /// Triangles of all bodies, indexing particles: for drawing from the position buffer. They are not checked here.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        let mut first = 0u32;
        for body in &self.bodies {
            triangles.extend(body.mesh.triangles.iter().map(|t| t.map(|v| v.wrapping_add(first))));
            first += body.mesh.positions.len() as u32;
        }
        triangles
    }
}
