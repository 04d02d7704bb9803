//! From a scene to what the solver works on: particles with lumped mass, edges, the sparsity pattern, constraints. All on the CPU,
//! once, in f64.
//!
//! Inside the solver particles are *rows*: renumbered so that neighbours lie close together. Outside they keep the user's order;
//! [`Topology::order`] leads from one to the other.

pub mod bending;
mod mass;
mod order;
mod pattern;
mod sliced;
mod springs;

pub use pattern::{Incidence, Pattern};
pub use sliced::{SLICE_ROWS, SlicedPattern};
pub use springs::Edge;

use crate::{Error, Options, Ordering, Scene, scene::PinId};
use glam::DVec3;

/// Most particles a scene may have: the top bit of an index is taken.
pub const MAX_PARTICLES: usize = 1 << 30;

/// Most edges a scene may have: both ends of all of them are counted in 32 bits, with room for the gaps of the GPU's layout.
pub const MAX_EDGES: usize = 1 << 29;

/// Most different edge materials a scene may have.
pub const MAX_MATERIALS: usize = 256;

/// Which scalar law an edge material follows: the table of edge models, with `shaders/forces/law.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Law {
    /// g = k (l - L)
    Linear = 0,
}

impl Law {
    /// Every law: the tests of derivatives go through this table.
    pub const ALL: &[Law] = &[Law::Linear];
}

/// What an edge is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeMaterial {
    /// Its law.
    pub law: Law,
    /// N/m
    pub stiffness: f64,
    /// Along the edge, N·s/m.
    pub damping: f64,
}

/// A constrained particle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constraint {
    /// Its row.
    pub row: u32,
    /// Where it is led to, m.
    pub target: DVec3,
    /// Projection onto the free directions.
    pub free: glam::DMat3,
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
    /// One per pinned particle.
    pub constraints: Vec<Constraint>,
    /// Constraints of each pin of the scene.
    pub pins: Vec<Vec<u32>>,
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
        builder.finish(scene, options)
    }

    /// Rows.
    pub fn particle_count(&self) -> usize {
        self.order.len()
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
        springs::add(body, field, first as u32, &mut self.edges, &mut self.materials)
    }

    fn finish(self, scene: &Scene, options: &Options) -> Result<Topology, Error> {
        let count = self.positions.len();
        if self.edges.len() > MAX_EDGES {
            return Err(Error::scene("body", format!("{} edges in all; at most {MAX_EDGES}", self.edges.len())));
        }
        let order = match options.ordering {
            Ordering::CuthillMckee => order::cuthill_mckee(count, &self.edges),
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
        let pattern = Pattern::build(count, &edges);
        let (constraints, pins) = self.constraints(scene, &row_of)?;
        let by_row = |values: &[DVec3]| order.iter().map(|&p| values[p as usize]).collect();
        Ok(Topology {
            positions: by_row(&self.positions),
            velocities: by_row(&self.velocities),
            masses: order.iter().map(|&p| self.masses[p as usize]).collect(),
            order,
            row_of,
            edges,
            materials: self.materials,
            pattern,
            constraints,
            pins,
        })
    }

    fn constraints(&self, scene: &Scene, row_of: &[u32]) -> Result<(Vec<Constraint>, Vec<Vec<u32>>), Error> {
        let mut constraints = Vec::new();
        let mut pins = Vec::new();
        let mut pinned = vec![false; row_of.len()];
        for (ix, pin) in scene.pins.iter().enumerate() {
            let field = format!("pin[{ix}]");
            let body = scene
                .bodies
                .get(pin.body.0)
                .ok_or_else(|| Error::scene(format!("{field}.body"), format!("there is no body {}", pin.body.0)))?;
            let vertices = pin
                .vertices
                .select(&body.mesh)
                .map_err(|message| Error::scene(format!("{field}.vertices"), message))?;
            let mut members = Vec::with_capacity(vertices.len());
            for vertex in vertices {
                let particle = (self.first_of_body[pin.body.0] + vertex) as usize;
                if std::mem::replace(&mut pinned[particle], true) {
                    let message = format!("vertex {vertex} is held by an earlier pin already");
                    return Err(Error::scene(format!("{field}.vertices"), message));
                }
                members.push(constraints.len() as u32);
                let target = self.positions[particle];
                constraints.push(Constraint { row: row_of[particle], target, free: glam::DMat3::ZERO });
            }
            pins.push(members);
        }
        Ok((constraints, pins))
    }
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
