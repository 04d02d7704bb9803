//! Surfaces that meet each other: vertices, edges and triangles of all bodies, and how near each may come.

use super::spatial::spatial_order;
use crate::{Body, BodyContact, BodyKind, Error, Scene};
use glam::DVec3;
use std::collections::BTreeMap;

/// No vertex.
pub const NOBODY: u32 = u32::MAX;

/// Default thickness, as a share of the mean length of a body's edges.
const THICKNESS_SHARE: f64 = 0.15;
/// Largest default thickness, m.
const MOST_THICKNESS: f64 = 5e-3;
/// Largest number of bodies in a scene that ignores pairs of bodies.
const MOST_BODIES: usize = 1 << 14;

/// Vertices, edges and triangles that meet, all by row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// Rows of the vertices.
    pub vertices: Vec<u32>,
    /// Rows of both ends of each edge.
    pub edges: Vec<[u32; 2]>,
    /// Rows of the vertices across the triangles beside each edge; [`NOBODY`] where there is none.
    pub wings: Vec<[u32; 2]>,
    /// Rows of the corners of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Rows of the vertices beyond each triangle, across from its corners; [`NOBODY`] at a border.
    pub beyond: Vec<[u32; 3]>,
    /// First neighbour of each row in `neighbours`, and the end.
    pub offsets: Vec<u32>,
    /// Rows joined to each row by an edge.
    pub neighbours: Vec<u32>,
    /// Body of each row.
    pub bodies: Vec<u32>,
    /// Position of each row in the mesh as given, m.
    pub rest: Vec<DVec3>,
    /// Numbers of each body.
    pub skins: Vec<ContactSkin>,
    /// Whether two bodies meet, by `first * skins.len() + second`; empty: all do.
    pub meets: Vec<bool>,
}

/// Contact numbers of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSkin {
    /// Half of the thickness, m.
    pub radius: f64,
    /// Coulomb's coefficient μ.
    pub friction: f64,
}

impl Surface {
    /// The surfaces of a scene whose bodies meet; `None` for a scene without contact between bodies.
    pub fn build(scene: &Scene, row_of: &[u32]) -> Result<Option<Self>, Error> {
        let Some(contact) = &scene.contact else { return Ok(None) };
        check(scene, contact)?;
        let count = row_of.len();
        let mut surface = Self { bodies: vec![0; count], rest: vec![DVec3::ZERO; count], ..Self::default() };
        let mut first = 0u32;
        for (ix, body) in scene.bodies.iter().enumerate() {
            let row = |vertex: u32| row_of[(first + vertex) as usize];
            surface.skins.push(skin(contact, body, ix));
            for (vertex, position) in body.mesh.positions.iter().enumerate() {
                let row = row(vertex as u32) as usize;
                surface.bodies[row] = ix as u32;
                surface.rest[row] = position.as_dvec3();
            }
            surface.vertices.extend(outer_vertices(body).into_iter().map(row));
            surface.triangles.extend(body.mesh.triangles.iter().map(|t| t.map(row)));
            surface.edges.extend(body.mesh.wires.iter().map(|wire| sorted(wire.map(row))));
            first += body.mesh.positions.len() as u32;
        }
        surface.vertices.sort_unstable();
        surface.join();
        let bodies = scene.bodies.len();
        if !contact.ignored.is_empty() {
            surface.meets = vec![true; bodies * bodies];
            for [a, b] in &contact.ignored {
                surface.meets[a.index() * bodies + b.index()] = false;
                surface.meets[b.index() * bodies + a.index()] = false;
            }
        }
        Ok(Some(surface))
    }

    /// Finds the edges of the triangles, and what lies beside triangles, edges and vertices.
    fn join(&mut self) {
        self.triangles = self.in_space(&self.triangles);
        let mut sides: BTreeMap<[u32; 2], Vec<(u32, u32)>> = BTreeMap::new();
        for (ix, &[a, b, c]) in self.triangles.iter().enumerate() {
            for (ends, across) in [([b, c], a), ([c, a], b), ([a, b], c)] {
                sides.entry(sorted(ends)).or_default().push((ix as u32, across));
            }
        }
        self.edges.extend(sides.keys());
        self.edges.sort_unstable();
        self.edges.dedup();
        self.edges = self.in_space(&self.edges);
        let beside = |edge: &[u32; 2], but: Option<u32>| {
            let found = sides.get(edge).into_iter().flatten();
            found.filter(move |(ix, _)| Some(*ix) != but).map(|(_, across)| *across)
        };
        self.wings = self
            .edges
            .iter()
            .map(|edge| {
                let mut wings = beside(edge, None);
                [wings.next().unwrap_or(NOBODY), wings.next().unwrap_or(NOBODY)]
            })
            .collect();
        let beyond = |(ix, &[a, b, c]): (usize, &[u32; 3])| {
            [[b, c], [c, a], [a, b]].map(|ends| beside(&sorted(ends), Some(ix as u32)).next().unwrap_or(NOBODY))
        };
        self.beyond = self.triangles.iter().enumerate().map(beyond).collect();
        let mut neighbours = vec![Vec::new(); self.bodies.len()];
        for &[a, b] in &self.edges {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
        self.offsets = vec![0];
        for row in &neighbours {
            self.neighbours.extend(row);
            self.offsets.push(self.neighbours.len() as u32);
        }
    }

    /// Triangles or edges in an order in which neighbours are close to each other at rest.
    fn in_space<const N: usize>(&self, features: &[[u32; N]]) -> Vec<[u32; N]> {
        let centre = |rows: &[u32; N]| rows.iter().map(|&row| self.rest[row as usize]).sum::<DVec3>() / N as f64;
        let points: Vec<(u32, DVec3)> =
            features.iter().map(|rows| (self.bodies[rows[0] as usize], centre(rows))).collect();
        spatial_order(&points).into_iter().map(|ix| features[ix as usize]).collect()
    }

    /// Rows joined to a row by an edge.
    pub fn neighbours_of(&self, row: u32) -> &[u32] {
        &self.neighbours[self.offsets[row as usize] as usize..self.offsets[row as usize + 1] as usize]
    }

    /// Distance that two rows keep, m, if their bodies meet.
    pub fn thickness(&self, a: u32, b: u32) -> Option<f64> {
        let [a, b] = [a, b].map(|row| self.bodies[row as usize] as usize);
        let meets = self.meets.is_empty() || self.meets[a * self.skins.len() + b];
        meets.then(|| self.skins[a].radius + self.skins[b].radius)
    }

    /// Coulomb's coefficient between two rows.
    pub fn friction(&self, a: u32, b: u32) -> f64 {
        let of = |row: u32| self.skins[self.bodies[row as usize] as usize].friction;
        0.5 * (of(a) + of(b))
    }

    /// Largest radius of a body, m.
    pub fn largest_radius(&self) -> f64 {
        self.skins.iter().fold(0.0, |most, skin| most.max(skin.radius))
    }
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// Vertices of a body that may meet others: those of its surface, its wires, and loose ones.
fn outer_vertices(body: &Body) -> Vec<u32> {
    let mesh = &body.mesh;
    if mesh.tetrahedra.is_empty() || body.kind == BodyKind::Particles {
        return (0..mesh.positions.len() as u32).collect();
    }
    let mut vertices: Vec<u32> = mesh.triangles.iter().flatten().chain(mesh.wires.iter().flatten()).copied().collect();
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}

fn skin(contact: &BodyContact, body: &Body, ix: usize) -> ContactSkin {
    let own = contact.bodies.iter().find(|own| own.body.index() == ix);
    let thickness = own.and_then(|own| own.thickness).or(contact.thickness).map(f64::from);
    let friction = own.and_then(|own| own.friction).unwrap_or(contact.friction);
    let thickness = thickness.unwrap_or_else(|| (THICKNESS_SHARE * mean_edge(body)).min(MOST_THICKNESS));
    ContactSkin { radius: 0.5 * thickness, friction: f64::from(friction) }
}

/// Mean length of the sides of triangles and of wires, m; 0 without any.
fn mean_edge(body: &Body) -> f64 {
    let mesh = &body.mesh;
    let sides = mesh.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).chain(mesh.wires.iter().copied());
    let (mut sum, mut count) = (0.0, 0u32);
    for [a, b] in sides {
        sum += f64::from(mesh.positions[a as usize].distance(mesh.positions[b as usize]));
        count += 1;
    }
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

fn check(scene: &Scene, contact: &BodyContact) -> Result<(), Error> {
    let refuse = |field: &str, message: String| Err(Error::scene(format!("contact.{field}"), message));
    let positive = |value: Option<f32>| value.is_none_or(|value| value.is_finite() && value > 0.0);
    let friction = |value: f32| value.is_finite() && value >= 0.0;
    let exists = |body: &crate::BodyId| body.index() < scene.bodies.len();
    if !positive(contact.thickness) {
        return refuse("thickness", "must be positive and finite".to_owned());
    }
    if !friction(contact.friction) {
        return refuse("friction", "must be finite and not negative".to_owned());
    }
    for (ix, own) in contact.bodies.iter().enumerate() {
        if !exists(&own.body) {
            return refuse(&format!("bodies[{ix}]"), format!("there is no body {}", own.body.index()));
        }
        if !positive(own.thickness) || !own.friction.is_none_or(friction) {
            let message = "thickness must be positive and friction not negative, both finite";
            return refuse(&format!("bodies[{ix}]"), message.to_owned());
        }
    }
    for (ix, pair) in contact.ignored.iter().enumerate() {
        if let Some(body) = pair.iter().find(|body| !exists(body)) {
            return refuse(&format!("ignored[{ix}]"), format!("there is no body {}", body.index()));
        }
    }
    if !contact.ignored.is_empty() && scene.bodies.len() > MOST_BODIES {
        return refuse("ignored", format!("a scene of more than {MOST_BODIES} bodies cannot ignore single pairs"));
    }
    Ok(())
}
