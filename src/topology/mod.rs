//! The topology of a scene, on which the solver works: particles with lumped mass, edges, elements, the sparsity pattern, constraints. It is built
//! once, on the CPU, in f64.
//!
//! Inside the solver particles are *rows*: renumbered so that neighbours lie close together. Outside they keep the user's order;
//! [`Topology::order`] holds the particle of each row.

mod adjacency;
pub mod aggregates;
mod axes;
pub mod bending;
mod builder;
mod contact;
mod edge_material;
mod element_pattern;
mod elements;
mod fans;
mod imex;
mod limits;
mod mass;
mod order;
mod pattern;
mod resolution;
pub mod rigid;
mod rounding;
mod skin;
mod sliced;
mod spatial;
mod springs;
pub mod surface;
mod ties;

pub use crate::forces::{Edge, EdgeMaterial, EdgeMemory, Element, ElementMaterial, ElementModel, Law};
pub use aggregates::Aggregates;
pub use contact::{Contact, ContactState, Contacts, Support};
pub use element_pattern::{ElementIncidence, ElementPattern};
pub use fans::Fans;
pub use pattern::{Incidence, Pattern};
pub use resolution::SheetResolution;
pub use rigid::{MOST_RIGID_CONTACTS, Rigid, RigidContact, Six, SixBySix};
pub use skin::{SkinPoint, Skins};
pub use sliced::{MatrixLayout, SLICE_ROWS, SlicedPattern};
pub use springs::couple;
#[cfg(feature = "cli")]
pub(crate) use springs::structural as mesh_edges;
pub use surface::{NOBODY, Surface};
pub(crate) use ties::DisjointSets;
pub use ties::{MAX_TIED, TieGroups, TiePair};

use crate::{Error, Motion, Options, Scene, scene::PinId};
use builder::Builder;
use glam::{DMat3, DVec3};
use std::collections::BTreeMap;

/// Largest number of particles of a scene: the top bit of an index is a flag.
pub const MAX_PARTICLES: usize = 1 << 30;

/// Largest number of edges of a scene: both ends of all edges are counted in 32 bits, with room for gaps in the layout of the GPU.
pub const MAX_EDGES: usize = 1 << 29;

/// Largest number of different edge materials of a scene.
pub const MAX_MATERIALS: usize = 204;

/// Largest number of elements of a scene: the top two bits of an index are flags.
pub const MAX_ELEMENTS: usize = 1 << 28;

/// Largest number of different element materials of a scene.
pub const MAX_ELEMENT_MATERIALS: usize = 256;

/// A constrained particle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constraint {
    /// Row of the particle.
    pub row: u32,
    /// Target position, m.
    pub target: DVec3,
    /// Projection onto the free directions; the identity once the particle is released.
    pub free: DMat3,
    /// Unit vector along which a multi-step scheme must not look back at the last step, because a contact has changed the velocity. Zero: the scheme may
    /// look back in all directions. Longer than 1: in none.
    pub forget: DVec3,
}

impl Constraint {
    /// The part of a change over the last step that a scheme may look back at.
    pub fn remembered(&self, change: DVec3) -> DVec3 {
        if self.forget.length_squared() > 2.0 {
            return DVec3::ZERO;
        }
        change - self.forget.dot(change) * self.forget
    }

    /// The free part of a velocity that the midpoint rule extrapolates from its stage to the end of the step. In contact, extrapolated friction could reverse
    /// a velocity; a reversed velocity is set to rest.
    pub fn continued(&self, velocity: DVec3, stage: DVec3) -> DVec3 {
        let (along, half_way) = (self.free * (velocity - stage), self.free * stage);
        let turned = self.forget != DVec3::ZERO && (half_way + along).dot(half_way) < 0.0;
        stage + if turned { -half_way } else { along }
    }
}

impl Constraint {
    /// Whether the constraint acts in any direction.
    pub(crate) fn holds(&self) -> bool {
        self.free != DMat3::IDENTITY
    }
}

/// A particle attached to a rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// Row of the particle.
    pub row: u32,
    /// Number of the rigid body among all colliders.
    pub collider: usize,
    /// Number of the pin that attaches the particle.
    pub pin: usize,
    /// Position in the body's frame, m.
    pub local: DVec3,
}

/// Smallest capacity for point loads: a host may add some later.
const MIN_LOADS: usize = 256;

/// Point load, an external force on one particle: -k (x - x̄) - c v + F.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointLoad {
    /// Row of the particle.
    pub row: u32,
    /// F, N.
    pub force: DVec3,
    /// k, N/m.
    pub stiffness: f64,
    /// c, N·s/m.
    pub damping: f64,
    /// x̄, m.
    pub target: DVec3,
}

/// Former name of [`PointLoad`].
pub use PointLoad as Load;

/// The topology of a scene, in row order.
#[derive(Debug, Clone)]
pub struct Topology {
    /// Particle of each row.
    pub order: Vec<u32>,
    /// Row of each particle.
    pub row_of: Vec<u32>,
    /// Positions at the start, m.
    pub positions: Vec<DVec3>,
    /// Velocities at the start, m/s.
    pub velocities: Vec<DVec3>,
    /// Lumped masses, kg.
    pub masses: Vec<f64>,
    /// Edges between rows.
    pub edges: Vec<Edge>,
    /// Edge materials, by the index that edges have.
    pub materials: Vec<EdgeMaterial>,
    /// Sparsity pattern of edges.
    pub pattern: Pattern,
    /// Elements of two to four rows.
    pub elements: Vec<Element>,
    /// Element materials, by the index that elements have.
    pub element_materials: Vec<ElementMaterial>,
    /// Sparsity pattern of elements.
    pub element_pattern: ElementPattern,
    /// Triangles around each row, in scenes that need surface normals: with air, or with some elements.
    pub fans: Option<Fans>,
    /// Point loads at the start; no two on the same particle.
    pub loads: Vec<PointLoad>,
    /// Constraints, one per pinned particle.
    pub constraints: Vec<Constraint>,
    /// Indices of the constraints of each pin of the scene.
    pub pins: Vec<Vec<u32>>,
    /// Particles attached to rigid bodies.
    pub carried: Vec<Carried>,
    /// Pairs of particles that are tied, or may be later.
    pub ties: Vec<TiePair>,
    /// Skins: finer surfaces that move with their bodies.
    pub skins: Skins,
    /// Surfaces that meet each other, in scenes with contact between bodies.
    pub surface: Option<Surface>,
    /// Aggregates of the coarse level, for `Preconditioner::TwoLevel`.
    pub aggregates: Option<Aggregates>,
}

impl Topology {
    /// Checks the scene and builds its topology.
    pub fn build(scene: &Scene, options: &Options) -> Result<Self, Error> {
        let mut builder = Builder::default();
        for (ix, body) in scene.bodies.iter().enumerate() {
            let wrong = |message| Error::scene(format!("body[{ix}].mesh"), message);
            body.check_kind().map_err(wrong)?;
            builder.add_body(body, &format!("body[{ix}]"))?;
            let resolution = SheetResolution::of(body, scene.gravity.as_dvec3().length());
            if let Some(warning) = resolution.and_then(|resolution| resolution.warning()) {
                log::warn!("body[{ix}].material.bending: {warning}");
            }
        }
        if !scene.gravity.is_finite() {
            return Err(Error::scene("gravity", "must be finite"));
        }
        for (ix, collider) in scene.colliders.iter().enumerate() {
            let wrong = |(part, message): (String, String)| Error::scene(format!("collider[{ix}].{part}"), message);
            collider.check().map_err(wrong)?;
        }
        builder.finish(scene, options)
    }

    /// Moves particles that are tied from the start to the same position.
    fn unite_ties(&mut self) {
        let groups = self.tied_at_start();
        let mut held = vec![false; self.particle_count()];
        self.constraints.iter().for_each(|constraint| held[constraint.row as usize] = true);
        for values in [&mut self.positions, &mut self.velocities] {
            groups.unite(&self.masses, |row| held[row as usize], values);
        }
    }

    /// Number of particles, which is the number of rows.
    pub fn particle_count(&self) -> usize {
        self.order.len()
    }

    /// Largest number of blocks in a row of the matrix.
    fn widest(&self) -> usize {
        let rows = 0..self.particle_count();
        rows.map(|row| self.pattern.range(row).len() + self.element_pattern.range(row).len()).max().unwrap_or(0)
    }

    /// Whether corrections follow u = Q r in a scene with so many rigid bodies: those of ties, of rigid bodies or of the coarse level.
    pub fn has_corrections(&self, rigid_bodies: usize) -> bool {
        rigid_bodies > 0 || !self.ties.is_empty() || self.aggregates.is_some()
    }

    /// Whether any edge has memory.
    pub fn has_memory(&self) -> bool {
        self.materials.iter().any(|material| material.memory != EdgeMemory::None)
    }

    /// Capacity for point loads: those at the start, and room for handles.
    pub fn load_capacity(&self) -> usize {
        self.loads.len().max(MIN_LOADS)
    }

    /// Groups of particles that are tied from the start.
    pub fn tied_at_start(&self) -> TieGroups {
        let at_start = self.ties.iter().filter(|pair| pair.distance.is_none());
        let mut held = vec![false; self.particle_count()];
        self.constraints.iter().for_each(|constraint| held[constraint.row as usize] = true);
        TieGroups::of_pairs(self.particle_count(), at_start.map(|pair| pair.rows), |row| held[row as usize])
    }

    /// Constraint indices of a pin.
    pub fn pin(&self, pin: PinId) -> Result<&[u32], Error> {
        self.pins.get(pin.0).map(Vec::as_slice).ok_or_else(|| Error::Usage(format!("the scene has no pin {}", pin.0)))
    }
}
