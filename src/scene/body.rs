//! A body: a mesh, what it is made of, and how it moves at the start.

use super::{Material, Mesh};
use glam::Vec3;

/// Something that moves.
#[derive(Debug, Clone)]
pub struct Body {
    /// Vertices become particles; the mesh as given is the rest shape.
    pub mesh: Mesh,
    /// What it is made of.
    pub material: Material,
    /// Where the particles start, m: one per vertex. `None`: at rest in the mesh's own shape.
    pub start: Option<Vec<Vec3>>,
    /// Velocity of all particles at the start, m/s.
    pub velocity: Vec3,
    /// A finer surface that moves along: see [`Body::with_skin`].
    pub skin: Option<Mesh>,
}

impl Body {
    /// A cloth: edges of the mesh become structural springs, see [`Material`].
    pub fn cloth(mesh: Mesh, material: Material) -> Self {
        Self { mesh, material, start: None, velocity: Vec3::ZERO, skin: None }
    }

    /// The same body, started from other positions: one per vertex, m.
    pub fn starting_at(mut self, positions: Vec<Vec3>) -> Self {
        self.start = Some(positions);
        self
    }

    /// The same body, thrown: m/s.
    pub fn moving(mut self, velocity: Vec3) -> Self {
        self.velocity = velocity;
        self
    }

    /// Where the particles start, m.
    pub fn start_positions(&self) -> &[Vec3] {
        self.start.as_deref().unwrap_or(&self.mesh.positions)
    }
}
