//! Builds a topology: bodies one by one in the user's order, then rows, patterns and constraints.

use super::*;
use crate::{BodyId, ColliderId, Free, Ordering, Vertices};
use glam::DMat3;

/// Largest number of neighbours of a particle with which `Preconditioner::Automatic` takes a coarse level: more make its matrix expensive to assemble.
const MOST_NEIGHBOURS: usize = 256;

/// Particles and edges in the user's order, before renumbering.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) positions: Vec<DVec3>,
    pub(super) velocities: Vec<DVec3>,
    pub(super) masses: Vec<f64>,
    pub(super) edges: Vec<Edge>,
    pub(super) materials: Vec<EdgeMaterial>,
    pub(super) elements: Vec<Element>,
    pub(super) element_materials: Vec<ElementMaterial>,
    pub(super) first_of_body: Vec<u32>,
}

impl Builder {
    pub(super) fn add_body(&mut self, body: &crate::Body, field: &str) -> Result<(), Error> {
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

    pub(super) fn finish(mut self, scene: &Scene, options: &Options) -> Result<Topology, Error> {
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
        let mut surface = Surface::build(scene, &row_of)?;
        let ties = ties::by_row(ties, &row_of, pin_of)?;
        surface.iter_mut().for_each(|surface| surface.sew(ties.iter().map(|pair| pair.rows)));
        let fans = self.needs_normals(scene, options.time_step)?.then(|| {
            Fans::build(count, scene.triangles().into_iter().map(|t| t.map(|particle| row_of[particle as usize])))
        });
        // Pins start at rest, so that forces at the start do not see them move.
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
            surface,
            aggregates: None,
        };
        topology.unite_ties();
        let asked = options.solver.preconditioner == crate::Preconditioner::TwoLevel;
        let is_solid = scene.bodies.iter().any(|body| !body.mesh.tetrahedra.is_empty());
        let touches = !scene.colliders.is_empty() || scene.contact.is_some();
        if options.two_level(count, is_solid, touches) && (asked || topology.widest() <= MOST_NEIGHBOURS) {
            let rest: Vec<DVec3> =
                scene.bodies.iter().flat_map(|body| &body.mesh.positions).map(|p| p.as_dvec3()).collect();
            let rest: Vec<DVec3> = topology.order.iter().map(|&particle| rest[particle as usize]).collect();
            topology.aggregates = Some(Aggregates::build(&topology, &rest, touches)).filter(|known| known.count > 0);
        }
        Ok(topology)
    }

    /// Every coupled pair of particles, for the renumbering.
    fn pairs(&self) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        for element in &self.elements {
            let count = self.element_materials[element.material as usize].model.particle_count();
            let particles = &element.particles[..count];
            for (ix, &a) in particles.iter().enumerate() {
                pairs.extend(particles[ix + 1..].iter().filter(|&&b| a != b).map(|&b| [a.min(b), a.max(b)]));
            }
        }
        // Elements share sides and blocks, so that a pair counts once. Each edge has a block of its own.
        pairs.sort_unstable();
        pairs.dedup();
        pairs.extend(self.edges.iter().map(|edge| edge.ends));
        pairs
    }

    /// Whether any force needs surface normals. The error says what is wrong with the air.
    fn needs_normals(&self, scene: &Scene, time_step: f64) -> Result<bool, Error> {
        Topology::check_air(scene, time_step)?;
        if scene.air.is_some() {
            for (ix, _) in scene.bodies.iter().enumerate().filter(|(_, body)| body.mesh.triangles.is_empty()) {
                log::warn!("body[{ix}].mesh: has no triangles: the scene's air does nothing to it");
            }
        }
        let by_element = self.element_materials.iter().any(|material| material.model.needs_normals());
        Ok(scene.air.is_some() || by_element)
    }

    fn loads(&self, scene: &Scene, row_of: &[u32]) -> Result<Vec<PointLoad>, Error> {
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
        let load = |(row, force)| PointLoad { row, force, stiffness: 0.0, damping: 0.0, target: DVec3::ZERO };
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

/// Constraints of a scene.
struct Held {
    constraints: Vec<Constraint>,
    pins: Vec<Vec<u32>>,
    carried: Vec<Carried>,
}

/// The rigid body that particles are attached to, and its initial pose.
fn rigid_carrier(scene: &Scene, carrier: Option<ColliderId>) -> Option<(usize, crate::Pose)> {
    let ColliderId(ix) = carrier?;
    match &scene.colliders.get(ix)?.motion {
        Motion::Dynamic(start) => Some((ix, start.pose)),
        _ => None,
    }
}

/// Name of a pin in errors; attachments are counted separately.
fn pin_field(scene: &Scene, ix: usize) -> String {
    let attached = |pin: &crate::scene::Pin| pin.carrier.is_some();
    let own = attached(&scene.pins[ix]);
    let number = scene.pins[..ix].iter().filter(|pin| attached(pin) == own).count();
    format!("{}[{number}]", if own { "attach" } else { "pin" })
}

/// Checks that the collider that particles are attached to exists.
fn check_carrier(scene: &Scene, carrier: Option<ColliderId>, field: &str) -> Result<(), Error> {
    let Some(ColliderId(ix)) = carrier else { return Ok(()) };
    let refuse = |message| Err(Error::scene(format!("{field}.collider"), message));
    match scene.colliders.get(ix).map(|collider| &collider.motion) {
        None => refuse(format!("there is no collider {ix}")),
        Some(_) => Ok(()),
    }
}

/// Selects vertices of a body by the name that refers to them.
pub(super) fn select(scene: &Scene, body: BodyId, vertices: &Vertices, field: &str) -> Result<Vec<u32>, Error> {
    let body = scene
        .bodies
        .get(body.0)
        .ok_or_else(|| Error::scene(format!("{field}.body"), format!("there is no body {}", body.0)))?;
    vertices.select(&body.mesh).map_err(|message| Error::scene(format!("{field}.vertices"), message))
}

/// Projection onto the free directions of a pin.
fn projection(free: Free) -> Result<DMat3, String> {
    let along = |direction: glam::Vec3| {
        let unit = direction.as_dvec3().try_normalize().ok_or("must have a direction")?;
        Ok::<_, String>(crate::forces::edge::outer(unit))
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

impl Topology {
    /// Checks the air of a scene for steps of a length, s.
    pub(crate) fn check_air(scene: &Scene, time_step: f64) -> Result<(), Error> {
        let Some(air) = &scene.air else { return Ok(()) };
        let wrong = |(part, message)| Error::scene(format!("air.{part}"), message);
        air.check().and_then(|()| air.check_step(time_step)).map_err(wrong)
    }
}
