//! From a scene to what the solver works on: particles with lumped mass, edges, the sparsity pattern, constraints. All on the CPU,
//! once, in f64.
//!
//! Inside the solver particles are *rows*: renumbered so that neighbours lie close together. Outside they keep the user's order;
//! [`Topology::order`] leads from one to the other.

mod adjacency;
pub mod bending;
mod contact;
mod edge_material;
mod element;
mod elements;
mod fans;
mod imex;
mod limits;
mod mass;
mod order;
mod pattern;
pub mod rigid;
mod rounding;
mod skin;
mod sliced;
mod springs;
mod ties;

pub use contact::{Contact, ContactState, Contacts};
pub use edge_material::{EdgeMaterial, EdgeMemory, Law};
pub use element::{Element, ElementIncidence, ElementMaterial, ElementModel, ElementPattern};
pub use fans::Fans;
pub use pattern::{Incidence, Pattern};
pub use rigid::{MOST_RIGID_CONTACTS, Rigid, RigidContact, Six, SixBySix};
pub use skin::{SkinPoint, Skins};
pub use sliced::{MatrixLayout, SLICE_ROWS, SlicedPattern};
pub use springs::{Edge, couple};
pub(crate) use ties::DisjointSets;
pub use ties::{MAX_TIED, TieGroups, TiePair};

use crate::{BodyId, ColliderId, Error, Free, Motion, Options, Ordering, Scene, Vertices, scene::PinId};
use glam::{DMat3, DVec3};
use std::collections::BTreeMap;

/// Most particles a scene may have: the top bit of an index is taken.
pub const MAX_PARTICLES: usize = 1 << 30;

/// Most edges a scene may have: both ends of all of them are counted in 32 bits, with room for the gaps of the GPU's layout.
pub const MAX_EDGES: usize = 1 << 29;

/// Most different edge materials a scene may have.
pub const MAX_MATERIALS: usize = 256;

/// Most elements a scene may have: the top two bits of an index are taken.
pub const MAX_ELEMENTS: usize = 1 << 28;

/// Most different element materials a scene may have.
pub const MAX_ELEMENT_MATERIALS: usize = 256;

/// A constrained particle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constraint {
    /// Its row.
    pub row: u32,
    /// Where it is led to, m.
    pub target: DVec3,
    /// Projection onto the free directions; all of them once it was let go.
    pub free: DMat3,
    /// Along this unit vector a scheme must not look back at the last step, where a contact has changed the velocity; zero: it may
    /// wholly; longer: not at all.
    pub forget: DVec3,
}

impl Constraint {
    /// What is left of a change over the last step.
    pub fn remembered(&self, change: DVec3) -> DVec3 {
        if self.forget.length_squared() > 2.0 {
            return DVec3::ZERO;
        }
        change - self.forget.dot(change) * self.forget
    }

    /// The free part of a velocity that the midpoint rule continues from its stage to the end of the step. Friction stops what it acts
    /// on half way and would have turned it round by the end: where something is touched, what has turned is at rest.
    pub fn continued(&self, velocity: DVec3, stage: DVec3) -> DVec3 {
        let (along, half_way) = (self.free * (velocity - stage), self.free * stage);
        let turned = self.forget != DVec3::ZERO && (half_way + along).dot(half_way) < 0.0;
        stage + if turned { -half_way } else { along }
    }
}

impl Constraint {
    /// Whether it holds in any direction.
    pub(crate) fn holds(&self) -> bool {
        self.free != DMat3::IDENTITY
    }
}

/// A particle that hangs on a rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// Its row.
    pub row: u32,
    /// The body, by its number among all colliders.
    pub collider: usize,
    /// The pin that says so.
    pub pin: usize,
    /// Where it hangs, in the body's frame, m.
    pub local: DVec3,
}

/// Room for loads that a host puts on later.
const MIN_LOADS: usize = 256;

/// Forces from outside on one particle: -k (x - x̄) - c v + F.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Its row.
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

/// Everything the solver needs to know about a scene, in row order.
#[derive(Debug, Clone)]
pub struct Topology {
    /// Particle of each row.
    pub order: Vec<u32>,
    /// Row of each particle.
    pub row_of: Vec<u32>,
    /// m
    pub positions: Vec<DVec3>,
    /// m/s
    pub velocities: Vec<DVec3>,
    /// kg
    pub masses: Vec<f64>,
    /// Between rows.
    pub edges: Vec<Edge>,
    /// Named by edges.
    pub materials: Vec<EdgeMaterial>,
    /// Which rows an edge joins, row by row.
    pub pattern: Pattern,
    /// Of two to four rows.
    pub elements: Vec<Element>,
    /// Named by elements.
    pub element_materials: Vec<ElementMaterial>,
    /// Which rows an element joins, row by row.
    pub element_pattern: ElementPattern,
    /// Triangles around each row, where surface normals are needed: in air, and for some elements.
    pub fans: Option<Fans>,
    /// Forces on single particles at the start; no two on the same.
    pub loads: Vec<Load>,
    /// One per pinned particle.
    pub constraints: Vec<Constraint>,
    /// Constraints of each pin of the scene.
    pub pins: Vec<Vec<u32>>,
    /// Particles that hang on rigid bodies.
    pub carried: Vec<Carried>,
    /// Particles that are one, or will be.
    pub ties: Vec<TiePair>,
    /// Finer surfaces that move along.
    pub skins: Skins,
}

impl Topology {
    /// Checks the scene and builds its topology.
    pub fn build(scene: &Scene, options: &Options) -> Result<Self, Error> {
        let mut builder = Builder::default();
        for (ix, body) in scene.bodies.iter().enumerate() {
            builder.add_body(body, &format!("body[{ix}]"))?;
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

    /// Puts particles that are one from the start to the same place.
    fn unite_ties(&mut self) {
        let groups = self.tied_at_start();
        let mut held = vec![false; self.particle_count()];
        self.constraints.iter().for_each(|constraint| held[constraint.row as usize] = true);
        for values in [&mut self.positions, &mut self.velocities] {
            groups.unite(&self.masses, |row| held[row as usize], values);
        }
    }

    /// Rows.
    pub fn particle_count(&self) -> usize {
        self.order.len()
    }

    /// Whether any edge remembers something from step to step.
    pub fn has_memory(&self) -> bool {
        self.materials.iter().any(|material| material.memory != EdgeMemory::None)
    }

    /// Particles that may be pushed or held at once: more than hands have fingers, and all that the scene begins with.
    pub fn load_capacity(&self) -> usize {
        self.loads.len().max(MIN_LOADS)
    }

    /// Groups of particles that are one from the start.
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

/// Particles and edges in the user's order, before renumbering.
#[derive(Default)]
struct Builder {
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    masses: Vec<f64>,
    edges: Vec<Edge>,
    materials: Vec<EdgeMaterial>,
    elements: Vec<Element>,
    element_materials: Vec<ElementMaterial>,
    first_of_body: Vec<u32>,
}

impl Builder {
    fn add_body(&mut self, body: &crate::Body, field: &str) -> Result<(), Error> {
        let first = self.positions.len();
        let count = body.mesh.positions.len();
        if first + count > MAX_PARTICLES {
            return Err(Error::scene(format!("{field}.mesh"), format!("more than {MAX_PARTICLES} particles")));
        }
        check_mesh(body, field)?;
        self.first_of_body.push(first as u32);
        self.positions.extend(body.start_positions().iter().map(|p| p.as_dvec3()));
        self.velocities.extend(std::iter::repeat_n(body.velocity.as_dvec3(), count));
        self.masses.extend(mass::lump(body, field)?);
        let first = first as u32;
        springs::add(body, field, first, &mut self.edges, &mut self.materials)?;
        let mut collector = elements::Collector {
            body,
            field,
            first,
            edges: &mut self.edges,
            edge_materials: &mut self.materials,
            elements: &mut self.elements,
            materials: &mut self.element_materials,
        };
        collector.add_body()
    }

    fn finish(mut self, scene: &Scene, options: &Options) -> Result<Topology, Error> {
        let count = self.positions.len();
        let ties = self.tie_pairs(scene)?;
        let skins = Skins::build(scene, &self.first_of_body)?;
        if self.edges.len() > MAX_EDGES {
            return Err(Error::scene("body", format!("{} edges in all; at most {MAX_EDGES}", self.edges.len())));
        }
        if self.elements.len() > MAX_ELEMENTS {
            return Err(Error::scene(
                "body",
                format!("{} elements in all; at most {MAX_ELEMENTS}", self.elements.len()),
            ));
        }
        let order = match options.ordering {
            Ordering::CuthillMckee => order::cuthill_mckee(count, &self.pairs()),
            Ordering::AsGiven => (0..count as u32).collect(),
        };
        let mut row_of = vec![0u32; count];
        for (row, &particle) in order.iter().enumerate() {
            row_of[particle as usize] = row as u32;
        }
        let edges: Vec<Edge> = self
            .edges
            .iter()
            .map(|edge| Edge { ends: edge.ends.map(|particle| row_of[particle as usize]), ..*edge })
            .collect();
        let elements: Vec<Element> = self
            .elements
            .iter()
            .map(|element| Element { particles: element.particles.map(|p| row_of[p as usize]), ..*element })
            .collect();
        let pattern = Pattern::build(count, &edges.iter().map(|edge| edge.ends).collect::<Vec<_>>());
        let element_pattern = ElementPattern::build(count, &elements, &self.element_materials);
        let Held { constraints, pins, carried } = self.constraints(scene, &row_of)?;
        let loads = self.loads(scene, &row_of)?;
        let pin_of = |row: u32| {
            let holds = |members: &Vec<u32>| members.iter().any(|&ix| constraints[ix as usize].row == row);
            pins.iter().position(holds).map(|pin| pin_field(scene, pin))
        };
        let ties = ties::by_row(ties, &row_of, pin_of)?;
        let fans = self.needs_normals(scene, options.time_step)?.then(|| {
            Fans::build(count, scene.triangles().into_iter().map(|t| t.map(|particle| row_of[particle as usize])))
        });
        // Pins are at rest at first: a force that sees the start must not see them fly along.
        for constraint in &constraints {
            let velocity = &mut self.velocities[order[constraint.row as usize] as usize];
            *velocity = constraint.free * *velocity;
        }
        let by_row = |values: &[DVec3]| order.iter().map(|&p| values[p as usize]).collect();
        let mut topology = Topology {
            positions: by_row(&self.positions),
            velocities: by_row(&self.velocities),
            masses: order.iter().map(|&p| self.masses[p as usize]).collect(),
            order,
            row_of,
            edges,
            materials: self.materials,
            pattern,
            elements,
            element_materials: self.element_materials,
            element_pattern,
            fans,
            loads,
            constraints,
            carried,
            pins,
            ties,
            skins,
        };
        topology.unite_ties();
        Ok(topology)
    }

    /// Every coupling of two particles, for the order.
    fn pairs(&self) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        for element in &self.elements {
            let count = self.element_materials[element.material as usize].model.particle_count();
            let particles = &element.particles[..count];
            for (ix, &a) in particles.iter().enumerate() {
                pairs.extend(particles[ix + 1..].iter().filter(|&&b| a != b).map(|&b| [a.min(b), a.max(b)]));
            }
        }
        // Elements share their sides, and blocks: a pair counts once. Edges have a block each.
        pairs.sort_unstable();
        pairs.dedup();
        pairs.extend(self.edges.iter().map(|edge| edge.ends));
        pairs
    }

    /// Whether anything asks for surface normals; or what is wrong with the air.
    fn needs_normals(&self, scene: &Scene, time_step: f64) -> Result<bool, Error> {
        if let Some(air) = &scene.air {
            let wrong = |(part, message)| Error::scene(format!("air.{part}"), message);
            air.check().and_then(|()| air.check_step(time_step)).map_err(wrong)?;
            for (ix, _) in scene.bodies.iter().enumerate().filter(|(_, body)| body.mesh.triangles.is_empty()) {
                log::warn!("body[{ix}].mesh: has no triangles: the scene's air does nothing to it");
            }
        }
        let by_element = self.element_materials.iter().any(|material| material.model.needs_normals());
        Ok(scene.air.is_some() || by_element)
    }

    fn loads(&self, scene: &Scene, row_of: &[u32]) -> Result<Vec<Load>, Error> {
        let mut forces: BTreeMap<u32, DVec3> = BTreeMap::new();
        for (ix, push) in scene.point_forces.iter().enumerate() {
            let field = format!("force[{ix}]");
            if !push.force.is_finite() {
                return Err(Error::scene(format!("{field}.force"), "must be finite"));
            }
            for vertex in select(scene, push.body, &push.vertices, &field)? {
                let particle = (self.first_of_body[push.body.0] + vertex) as usize;
                *forces.entry(row_of[particle]).or_default() += push.force.as_dvec3();
            }
        }
        let load = |(row, force)| Load { row, force, stiffness: 0.0, damping: 0.0, target: DVec3::ZERO };
        Ok(forces.into_iter().map(load).collect())
    }

    fn constraints(&self, scene: &Scene, row_of: &[u32]) -> Result<Held, Error> {
        let mut constraints = Vec::new();
        let mut carried = Vec::new();
        let mut pins = Vec::new();
        let mut pinned = vec![false; row_of.len()];
        for (ix, pin) in scene.pins.iter().enumerate() {
            let field = pin_field(scene, ix);
            check_carrier(scene, pin.carrier, &field)?;
            let vertices = select(scene, pin.body, &pin.vertices, &field)?;
            let free = projection(pin.free).map_err(|message| Error::scene(format!("{field}.free"), message))?;
            pin.check().map_err(|(part, message)| Error::scene(format!("{field}.{part}"), message))?;
            let mut members = Vec::with_capacity(vertices.len());
            for vertex in vertices {
                let particle = (self.first_of_body[pin.body.0] + vertex) as usize;
                if std::mem::replace(&mut pinned[particle], true) {
                    let message = format!("vertex {vertex} is held by an earlier pin already");
                    return Err(Error::scene(format!("{field}.vertices"), message));
                }
                let (row, target) = (row_of[particle], self.positions[particle]);
                if let Some((collider, start)) = rigid_carrier(scene, pin.carrier) {
                    let local =
                        start.rotation.as_dquat().normalize().conjugate() * (target - start.position.as_dvec3());
                    carried.push(Carried { row, collider, pin: ix, local });
                    continue;
                }
                members.push(constraints.len() as u32);
                constraints.push(Constraint { row: row_of[particle], target, free, forget: DVec3::ZERO });
            }
            pins.push(members);
        }
        Ok(Held { constraints, pins, carried })
    }
}

/// What holds particles.
struct Held {
    constraints: Vec<Constraint>,
    pins: Vec<Vec<u32>>,
    carried: Vec<Carried>,
}

/// A rigid body that particles are attached to, and where it starts.
fn rigid_carrier(scene: &Scene, carrier: Option<ColliderId>) -> Option<(usize, crate::Pose)> {
    let ColliderId(ix) = carrier?;
    match &scene.colliders.get(ix)?.motion {
        Motion::Dynamic(start) => Some((ix, start.pose)),
        _ => None,
    }
}

/// What a pin is called: those that are attached to something are counted apart.
fn pin_field(scene: &Scene, ix: usize) -> String {
    let attached = |pin: &crate::scene::Pin| pin.carrier.is_some();
    let own = attached(&scene.pins[ix]);
    let number = scene.pins[..ix].iter().filter(|pin| attached(pin) == own).count();
    format!("{}[{number}]", if own { "attach" } else { "pin" })
}

/// What particles are attached to has to be there.
fn check_carrier(scene: &Scene, carrier: Option<ColliderId>, field: &str) -> Result<(), Error> {
    let Some(ColliderId(ix)) = carrier else { return Ok(()) };
    let refuse = |message| Err(Error::scene(format!("{field}.collider"), message));
    match scene.colliders.get(ix).map(|collider| &collider.motion) {
        None => refuse(format!("there is no collider {ix}")),
        Some(_) => Ok(()),
    }
}

/// Vertices of a body that something names.
fn select(scene: &Scene, body: BodyId, vertices: &Vertices, field: &str) -> Result<Vec<u32>, Error> {
    let body = scene
        .bodies
        .get(body.0)
        .ok_or_else(|| Error::scene(format!("{field}.body"), format!("there is no body {}", body.0)))?;
    vertices.select(&body.mesh).map_err(|message| Error::scene(format!("{field}.vertices"), message))
}

/// Onto the free directions of a pin.
fn projection(free: Free) -> Result<DMat3, String> {
    let along = |direction: glam::Vec3| {
        let unit = direction.as_dvec3().try_normalize().ok_or("must have a direction")?;
        Ok::<_, String>(crate::reference::forces::edge::outer(unit))
    };
    Ok(match free {
        Free::Nowhere => DMat3::ZERO,
        Free::Line(direction) => along(direction)?,
        Free::Plane(normal) => DMat3::IDENTITY - along(normal)?,
    })
}

fn check_mesh(body: &crate::Body, field: &str) -> Result<(), Error> {
    let mesh = &body.mesh;
    let count = mesh.positions.len();
    if let Some(ix) = mesh.positions.iter().position(|p| !p.is_finite()) {
        return Err(Error::scene(format!("{field}.mesh"), format!("vertex {ix} is not finite")));
    }
    if let Some(ix) = mesh.triangles.iter().position(|t| t.iter().any(|&v| v as usize >= count)) {
        let message = format!("triangle {ix} names a vertex that is out of range: the mesh has {count} vertices");
        return Err(Error::scene(format!("{field}.mesh"), message));
    }
    if let Some(ix) = mesh.tetrahedra.iter().position(|t| t.iter().any(|&v| v as usize >= count)) {
        let message = format!("tetrahedron {ix} names a vertex that is out of range: the mesh has {count} vertices");
        return Err(Error::scene(format!("{field}.mesh"), message));
    }
    if let Some(ix) = mesh.wires.iter().position(|t| t.iter().any(|&v| v as usize >= count)) {
        let message = format!("wire {ix} names a vertex that is out of range: the mesh has {count} vertices");
        return Err(Error::scene(format!("{field}.mesh"), message));
    }
    if let Some(grid) = mesh.grid
        && grid.columns as usize * grid.rows as usize != count
    {
        let message = format!("a grid of {}×{} has another number of vertices than {count}", grid.columns, grid.rows);
        return Err(Error::scene(format!("{field}.mesh"), message));
    }
    if let Some(start) = &body.start {
        if start.len() != count {
            let message = format!("{} positions for {count} vertices", start.len());
            return Err(Error::scene(format!("{field}.start"), message));
        }
        if let Some(ix) = start.iter().position(|p| !p.is_finite()) {
            return Err(Error::scene(format!("{field}.start"), format!("position {ix} is not finite")));
        }
    }
    if !body.velocity.is_finite() {
        return Err(Error::scene(format!("{field}.velocity"), "must be finite"));
    }
    Ok(())
}
