//! Surfaces that meet each other: vertices, edges and triangles of all bodies, and how near each may come.

use super::{spatial::spatial_order, ties::DisjointSets};
use crate::{Body, BodyContact, BodyId, BodyKind, ContactOf, Error, Scene};
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
    /// Numbers of an edge and of a triangle that cross at the start, found when a simulation is set up.
    pub crossed: Vec<[u32; 2]>,
    /// For each row the first of those that ties and seams join it to, open seams included; empty where nothing is joined. Features that share such rows do not meet, so
    /// that the sides of a seam can close.
    pub sewn: Vec<u32>,
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
        let own = numbers_of_bodies(scene, contact)?;
        check_pairs(scene, contact)?;
        let count = row_of.len();
        let mut surface = Self { bodies: vec![0; count], rest: vec![DVec3::ZERO; count], ..Self::default() };
        let mut first = 0u32;
        for (ix, body) in scene.bodies.iter().enumerate() {
            let start = first;
            let row = |vertex: u32| row_of[(start + vertex) as usize];
            surface.skins.push(skin(contact, body, own[ix]));
            for (vertex, position) in body.mesh.positions.iter().enumerate() {
                let row = row(vertex as u32) as usize;
                surface.bodies[row] = ix as u32;
                surface.rest[row] = position.as_dvec3();
            }
            first += body.mesh.positions.len() as u32;
            if !own[ix].is_none_or(|own| own.meets) {
                continue;
            }
            surface.vertices.extend(outer_vertices(body).into_iter().map(row));
            surface.triangles.extend(body.mesh.triangles.iter().map(|t| t.map(row)));
            surface.edges.extend(body.mesh.wires.iter().map(|wire| sorted(wire.map(row))));
        }
        surface.vertices.sort_unstable();
        surface.join();
        surface.part(contact.ignored.iter().copied())?;
        Ok(Some(surface))
    }

    /// Notes which rows ties and seams join.
    pub fn sew(&mut self, pairs: impl Iterator<Item = [u32; 2]>) {
        let mut sets = DisjointSets::new(self.rest.len());
        let mut any = false;
        for [a, b] in pairs {
            sets.join(a, b);
            any = true;
        }
        if any {
            self.sewn = (0..self.rest.len() as u32).map(|row| sets.root(row)).collect();
        }
    }

    /// Whether ties or seams join two rows.
    pub fn are_sewn(&self, a: u32, b: u32) -> bool {
        match (self.sewn.get(a as usize), self.sewn.get(b as usize)) {
            (Some(a), Some(b)) => a == b,
            _ => a == b,
        }
    }

    /// Makes pairs of bodies not meet.
    pub fn part(&mut self, pairs: impl Iterator<Item = [BodyId; 2]>) -> Result<(), Error> {
        let bodies = self.skins.len();
        for [a, b] in pairs {
            if bodies > MOST_BODIES {
                let message = format!("a scene of more than {MOST_BODIES} bodies cannot ignore single pairs");
                return Err(Error::scene("contact.ignored", message));
            }
            self.meets.resize(bodies * bodies, true);
            self.meets[a.index() * bodies + b.index()] = false;
            self.meets[b.index() * bodies + a.index()] = false;
        }
        Ok(())
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

fn skin(contact: &BodyContact, body: &Body, own: Option<&ContactOf>) -> ContactSkin {
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

fn refuse<T>(field: &str, message: impl Into<String>) -> Result<T, Error> {
    Err(Error::scene(format!("contact.{field}"), message))
}

/// Checks all numbers, and returns for each body those that it has of its own.
fn numbers_of_bodies<'a>(scene: &Scene, contact: &'a BodyContact) -> Result<Vec<Option<&'a ContactOf>>, Error> {
    let positive = |value: Option<f32>| value.is_none_or(|value| value.is_finite() && value > 0.0);
    let friction = |value: f32| value.is_finite() && value >= 0.0;
    if !positive(contact.thickness) {
        return refuse("thickness", "must be positive and finite");
    }
    if !friction(contact.friction) {
        return refuse("friction", "must be finite and not negative");
    }
    let mut own_of: Vec<Option<&ContactOf>> = vec![None; scene.bodies.len()];
    for (ix, own) in contact.bodies.iter().enumerate() {
        let field = |key: &str| format!("bodies[{ix}].{key}");
        let body = own.body.index();
        match own_of.get_mut(body) {
            None => return refuse(&field("body"), format!("there is no body {body}")),
            Some(Some(_)) => return refuse(&field("body"), format!("body {body} is listed twice")),
            Some(place) => *place = Some(own),
        }
        if !positive(own.thickness) {
            return refuse(&field("thickness"), "must be positive and finite");
        }
        if !own.friction.is_none_or(friction) {
            return refuse(&field("friction"), "must be finite and not negative");
        }
    }
    Ok(own_of)
}

/// Checks the pairs of bodies that do not meet.
fn check_pairs(scene: &Scene, contact: &BodyContact) -> Result<(), Error> {
    for (ix, pair) in contact.ignored.iter().enumerate() {
        if let Some(body) = pair.iter().find(|body| body.index() >= scene.bodies.len()) {
            return refuse(&format!("ignored[{ix}]"), format!("there is no body {}", body.index()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodyId, Material, Mesh};

    /// Two sheets of four and nine vertices.
    fn sheets(contact: BodyContact) -> Result<Surface, Error> {
        let mut scene = Scene { contact: Some(contact), ..Scene::new() };
        scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 2, 2), Material::cotton()));
        scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 3, 3), Material::cotton()));
        let rows: Vec<u32> = (0..13).collect();
        Surface::build(&scene, &rows).map(Option::unwrap)
    }

    #[test]
    fn a_body_that_meets_nothing_has_no_surface() {
        let all = sheets(BodyContact::default()).unwrap();
        assert_eq!((all.vertices.len(), all.triangles.len()), (13, 10));
        let off = vec![ContactOf { meets: false, ..ContactOf::new(BodyId(0)) }];
        let some = sheets(BodyContact { bodies: off, ..Default::default() }).unwrap();
        assert_eq!((some.vertices.len(), some.triangles.len()), (9, 8));
        assert!(some.edges.iter().flatten().chain(some.triangles.iter().flatten()).all(|&row| row >= 4));
    }

    #[test]
    fn between_two_bodies_the_means_of_both_hold() {
        let own = ContactOf { thickness: Some(0.002), friction: Some(0.5), ..ContactOf::new(BodyId(1)) };
        let contact = BodyContact { thickness: Some(0.004), friction: 0.1, bodies: vec![own], ..Default::default() };
        let surface = sheets(contact).unwrap();
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        for (a, b, thickness, friction) in [(0, 1, 0.004, 0.1), (0, 4, 0.003, 0.3), (5, 4, 0.002, 0.5)] {
            assert!(near(surface.thickness(a, b).unwrap(), thickness), "{a} {b}");
            assert!((surface.friction(a, b) - friction).abs() < 1e-7, "{a} {b}");
        }
    }

    #[test]
    fn default_thickness_is_a_share_of_the_cells_and_bounded() {
        let mut scene = Scene { contact: Some(BodyContact::default()), ..Scene::new() };
        scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 2, 2), Material::cotton()));
        scene.add(Body::cloth(Mesh::grid(0.01, 0.01, 2, 2), Material::cotton()));
        let rows: Vec<u32> = (0..8).collect();
        let surface = Surface::build(&scene, &rows).unwrap().unwrap();
        assert!((2.0 * surface.skins[0].radius - 5e-3).abs() < 1e-12);
        // Two triangles of a square: four sides and twice the diagonal.
        let mean = 0.01 * (4.0 + 2.0 * 2f64.sqrt()) / 6.0;
        assert!((2.0 * surface.skins[1].radius - 0.15 * mean).abs() < 1e-9);
    }

    #[test]
    fn wrong_numbers_are_refused_by_field() {
        let refused = |contact: BodyContact| sheets(contact).unwrap_err().to_string();
        let own = |own| BodyContact { bodies: vec![own], ..Default::default() };
        let a = ContactOf::new(BodyId(0));
        for (contact, message) in [
            (BodyContact { thickness: Some(0.0), ..Default::default() }, "contact.thickness: must be positive"),
            (BodyContact { friction: f32::NAN, ..Default::default() }, "contact.friction: must be finite"),
            (own(ContactOf { thickness: Some(-1.0), ..a }), "contact.bodies[0].thickness: must be positive"),
            (own(ContactOf { friction: Some(-1.0), ..a }), "contact.bodies[0].friction: must be finite"),
            (own(ContactOf::new(BodyId(2))), "contact.bodies[0].body: there is no body 2"),
            (
                BodyContact { bodies: vec![a, a], ..Default::default() },
                "contact.bodies[1].body: body 0 is listed twice",
            ),
            (BodyContact { ignored: vec![[BodyId(0), BodyId(7)]], ..Default::default() }, "contact.ignored[0]: there"),
        ] {
            let said = refused(contact);
            assert!(said.starts_with(message), "{said}");
        }
    }
}
