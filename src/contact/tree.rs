//! Signed distances of a closed mesh. A bounding volume hierarchy finds the nearest triangle. The sign comes from the
//! angle-weighted pseudonormals of Bærentzen and Aanæs, "Signed distance computation using the angle weighted pseudonormal", IEEE
//! TVCG 2005: a face's normal alone is wrong for many points whose nearest point is a vertex or an edge.

use super::triangle::{Feature, meets_box, nearest};
use crate::Mesh;
use glam::DVec3;
use std::collections::HashMap;

/// Largest number of triangles in a leaf.
const LEAF: usize = 4;

/// A bounding box of some triangles, with its two halves or its triangles.
#[derive(Debug, Clone)]
struct Node {
    low: DVec3,
    high: DVec3,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    /// Range of indices in `faces`.
    Faces(std::ops::Range<usize>),
    /// Indices of both children in `nodes`.
    Halves([usize; 2]),
}

/// A triangle and its pseudonormals; only their directions count.
#[derive(Debug, Clone)]
struct Face {
    /// Numbers of its vertices.
    vertices: [u32; 3],
    corners: [DVec3; 3],
    normal: DVec3,
    at_corners: [DVec3; 3],
    at_edges: [DVec3; 3],
}

/// Bounding volume hierarchy of a valid mesh.
#[derive(Debug, Clone)]
pub(crate) struct SurfaceTree {
    faces: Vec<Face>,
    nodes: Vec<Node>,
    /// Triangles beyond the edges of each triangle, for [`refit`](Self::refit).
    beyond: Vec<[u32; 3]>,
}

/// Nearest point of a surface.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nearest {
    /// Number of the triangle in the tree.
    pub face: usize,
    pub point: DVec3,
    /// Weights of the corners of the triangle at the point.
    pub shares: [f64; 3],
    /// Pseudonormal there; only its direction counts.
    pub normal: DVec3,
    /// Signed distance, negative inside, m.
    pub distance: f64,
}

impl Nearest {
    /// Gradient of the distance at the point that this is nearest to.
    pub fn slope(&self, point: DVec3) -> DVec3 {
        let out = (point - self.point) * self.distance.signum();
        if self.distance.abs() > ON_SURFACE { out.normalize_or(DVec3::Y) } else { self.normal.normalize_or(DVec3::Y) }
    }
}

/// Distance below which the gradient is the normal of the surface, m.
const ON_SURFACE: f64 = 1e-7;

/// Nearest triangle found so far.
struct Best {
    square: f64,
    found: Option<(usize, DVec3, Feature)>,
}

impl SurfaceTree {
    pub fn new(mesh: &Mesh) -> Self {
        let mut tree = Self { faces: faces(mesh), nodes: Vec::new(), beyond: Vec::new() };
        let count = tree.faces.len();
        if count > 0 {
            tree.build_node(0..count);
        }
        tree
    }

    /// Builds the node of a range of faces and its subtree; returns its index.
    fn build_node(&mut self, range: std::ops::Range<usize>) -> usize {
        let faces = &mut self.faces[range.clone()];
        let (low, high) = bounds(faces);
        let place = self.nodes.len();
        self.nodes.push(Node { low, high, content: Content::Faces(range.clone()) });
        if range.len() > LEAF {
            let axis = (high - low).max_position();
            let centre = |face: &Face| face.corners.iter().map(|corner| corner[axis]).sum::<f64>();
            let half = range.len() / 2;
            faces.select_nth_unstable_by(half, |a, b| centre(a).total_cmp(&centre(b)));
            let middle = range.start + half;
            let halves = [self.build_node(range.start..middle), self.build_node(middle..range.end)];
            self.nodes[place].content = Content::Halves(halves);
        }
        place
    }

    /// Signed distance to the surface, negative inside; infinite without triangles. `hint` should be an upper bound of the
    /// unsigned distance: the tighter, the faster.
    pub fn distance(&self, point: DVec3, hint: f64) -> f64 {
        self.nearest(point, hint).map_or(f64::INFINITY, |nearest| nearest.distance)
    }

    /// Nearest point of the surface, with a `hint` as for [`distance`](Self::distance); `None` without triangles.
    pub fn nearest(&self, point: DVec3, hint: f64) -> Option<Nearest> {
        let mut best = Best { square: hint * hint, found: None };
        if !self.nodes.is_empty() {
            self.search(0, point, &mut best);
        }
        let Some((ix, nearest, part)) = best.found else {
            return if hint < f64::INFINITY { self.nearest(point, f64::INFINITY) } else { None };
        };
        let face = &self.faces[ix];
        let normal = match part {
            Feature::Inside => face.normal,
            Feature::Edge(k) => face.at_edges[k],
            Feature::Corner(k) => face.at_corners[k],
        };
        let size = best.square.sqrt();
        let distance = if normal.dot(point - nearest) < 0.0 { -size } else { size };
        Some(Nearest { face: ix, point: nearest, shares: shares(face.corners, nearest), normal, distance })
    }

    /// Point of a triangle by the weights of its corners.
    pub fn at(&self, face: usize, shares: [f64; 3]) -> DVec3 {
        self.faces[face].corners.iter().zip(shares).map(|(corner, share)| share * *corner).sum()
    }

    /// Largest distance between corners of this surface and those of another time.
    pub fn farthest(&self, other: &Self) -> f64 {
        let of_face = |(a, b): (&Face, &Face)| (0..3).map(|k| a.corners[k].distance(b.corners[k])).fold(0.0, f64::max);
        self.faces.iter().zip(&other.faces).map(of_face).fold(0.0, f64::max)
    }

    /// Moves the vertices. Triangles keep their places in the tree.
    pub fn refit(&mut self, positions: &[DVec3]) {
        let mut at_vertices = vec![DVec3::ZERO; positions.len()];
        for face in &mut self.faces {
            face.corners = face.vertices.map(|vertex| positions[vertex as usize]);
            face.normal = normal_of(face.corners);
            for k in 0..3 {
                at_vertices[face.vertices[k] as usize] += face.normal * angle_at(face.corners, k);
            }
        }
        let normals: Vec<DVec3> = self.faces.iter().map(|face| face.normal).collect();
        if self.beyond.is_empty() {
            self.beyond = beyond(&self.faces);
        }
        for (face, beyond) in self.faces.iter_mut().zip(&self.beyond) {
            face.at_corners = face.vertices.map(|vertex| at_vertices[vertex as usize]);
            face.at_edges = beyond.map(|other| face.normal + normals[other as usize]);
        }
        // Halves follow their node.
        for place in (0..self.nodes.len()).rev() {
            let (low, high) = match &self.nodes[place].content {
                Content::Faces(range) => bounds(&self.faces[range.clone()]),
                &Content::Halves([a, b]) => {
                    let (a, b) = (&self.nodes[a], &self.nodes[b]);
                    (a.low.min(b.low), a.high.max(b.high))
                }
            };
            (self.nodes[place].low, self.nodes[place].high) = (low, high);
        }
    }

    /// Whether a triangle intersects an axis-aligned box.
    pub fn meets_box(&self, centre: DVec3, half: DVec3) -> bool {
        let mut waiting: Vec<usize> = if self.nodes.is_empty() { Vec::new() } else { vec![0] };
        while let Some(place) = waiting.pop() {
            let node = &self.nodes[place];
            if node.low.cmpgt(centre + half).any() || node.high.cmplt(centre - half).any() {
                continue;
            }
            match &node.content {
                Content::Faces(range) => {
                    if self.faces[range.clone()].iter().any(|face| meets_box(face.corners, centre, half)) {
                        return true;
                    }
                }
                Content::Halves(halves) => waiting.extend(halves),
            }
        }
        false
    }

    fn search(&self, place: usize, point: DVec3, best: &mut Best) {
        let node = &self.nodes[place];
        match &node.content {
            Content::Faces(range) => {
                for ix in range.clone() {
                    let (nearest, part) = nearest(self.faces[ix].corners, point);
                    let square = nearest.distance_squared(point);
                    if square < best.square {
                        *best = Best { square, found: Some((ix, nearest, part)) };
                    }
                }
            }
            &Content::Halves([a, b]) => {
                let (to_a, to_b) = (self.nodes[a].square_to(point), self.nodes[b].square_to(point));
                let [first, second] = if to_b < to_a { [(b, to_b), (a, to_a)] } else { [(a, to_a), (b, to_b)] };
                for (half, square) in [first, second] {
                    if square < best.square {
                        self.search(half, point, best);
                    }
                }
            }
        }
    }
}

impl Node {
    /// Square of the distance from a point to the box.
    fn square_to(&self, point: DVec3) -> f64 {
        point.distance_squared(point.max(self.low).min(self.high))
    }
}

/// Triangles with the pseudonormals of their faces, edges and vertices.
fn faces(mesh: &Mesh) -> Vec<Face> {
    let mut at_vertices = vec![DVec3::ZERO; mesh.positions.len()];
    let mut at_edges: HashMap<[u32; 2], DVec3> = HashMap::new();
    let undirected = |a: u32, b: u32| [a.min(b), a.max(b)];
    let corners_of = |triangle: [u32; 3]| triangle.map(|vertex| mesh.positions[vertex as usize].as_dvec3());
    for &triangle in &mesh.triangles {
        let corners = corners_of(triangle);
        let normal = normal_of(corners);
        for k in 0..3 {
            at_vertices[triangle[k] as usize] += normal * angle_at(corners, k);
            *at_edges.entry(undirected(triangle[k], triangle[(k + 1) % 3])).or_default() += normal;
        }
    }
    let face = |&triangle: &[u32; 3]| {
        let corners = corners_of(triangle);
        let edge = |k: usize| at_edges.get(&undirected(triangle[k], triangle[(k + 1) % 3])).copied();
        Face {
            vertices: triangle,
            corners,
            normal: normal_of(corners),
            at_corners: triangle.map(|vertex| at_vertices[vertex as usize]),
            at_edges: [0, 1, 2].map(|k| edge(k).unwrap_or_default()),
        }
    };
    mesh.triangles.iter().map(face).collect()
}

/// Unit normal of a triangle; 0 if it has no area.
fn normal_of([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a).normalize_or_zero()
}

/// Bounding box of triangles.
fn bounds(faces: &[Face]) -> (DVec3, DVec3) {
    let corners = || faces.iter().flat_map(|face| face.corners);
    (corners().fold(DVec3::INFINITY, DVec3::min), corners().fold(DVec3::NEG_INFINITY, DVec3::max))
}

/// The triangles beyond the edges of each triangle of a closed surface; itself where there is none.
fn beyond(faces: &[Face]) -> Vec<[u32; 3]> {
    let edge = |face: &Face, k: usize| [face.vertices[k], face.vertices[(k + 1) % 3]];
    let mut beside: HashMap<[u32; 2], u32> = HashMap::with_capacity(3 * faces.len());
    for (ix, face) in faces.iter().enumerate() {
        beside.extend((0..3).map(|k| (edge(face, k), ix as u32)));
    }
    let across = |ix: usize, face: &Face, k: usize| {
        let [a, b] = edge(face, k);
        beside.get(&[b, a]).copied().unwrap_or(ix as u32)
    };
    faces.iter().enumerate().map(|(ix, face)| [0, 1, 2].map(|k| across(ix, face, k))).collect()
}

/// Weights of the corners of a triangle at a point of it.
fn shares([a, b, c]: [DVec3; 3], point: DVec3) -> [f64; 3] {
    let normal = (b - a).cross(c - a);
    let square = normal.length_squared();
    if square == 0.0 {
        return [1.0 / 3.0; 3];
    }
    let of = |from: DVec3, to: DVec3| (to - from).cross(point - from).dot(normal) / square;
    let (u, v) = (of(b, c).clamp(0.0, 1.0), of(c, a).clamp(0.0, 1.0));
    [u, v, (1.0 - u - v).max(0.0)]
}

/// Angle of a triangle at a corner.
fn angle_at(corners: [DVec3; 3], k: usize) -> f64 {
    let (here, next, last) = (corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]);
    angle(next - here, last - here)
}

/// Angle between two directions; 0 if one has no length.
fn angle(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::test_shapes::random_point;
    use glam::Vec3;

    /// A leaning spike with a triangular base; one of its sides is a fan of twenty thin triangles. Beside its sharp edges the
    /// nearest triangle's own normal gives the wrong sign, and beside its tip so do normals that are not weighted by angles.
    #[test]
    fn signs_beside_sharp_edges_and_corners() {
        let tip = Vec3::new(0.8, 1.0, 0.1);
        let [a, b, c] = [Vec3::new(0.1, 0.0, 0.0), Vec3::new(-0.05, 0.0, -0.09), Vec3::new(-0.05, 0.0, 0.09)];
        let mut positions: Vec<Vec3> = (0..=20).map(|ix| a.lerp(b, ix as f32 / 20.0)).collect();
        positions.extend([c, tip]);
        let sides = (0..22).map(|ix| [22, ix, (ix + 1) % 22]);
        let base = (0..20).map(|ix| [21, ix + 1, ix]);
        let tree = SurfaceTree::new(&Mesh::from_triangles(positions, sides.chain(base).collect()));
        let corners = [a, b, c, tip].map(Vec3::as_dvec3);
        let centre = corners.iter().sum::<DVec3>() / 4.0;
        // A point is inside if it lies on the centre's side of all four planes.
        let beyond = |point: DVec3, [p, q, r]: [usize; 3]| {
            let normal = (corners[q] - corners[p]).cross(corners[r] - corners[p]).normalize();
            normal.dot(point - corners[p]) * -normal.dot(centre - corners[p]).signum()
        };
        let faces = [[0, 1, 2], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let mut rng = fastrand::Rng::with_seed(8);
        let mut inside = 0;
        for ix in 0..40_000 {
            // The sample lies about a corner or between two corners.
            let (from, to) = (corners[rng.usize(..4)], corners[rng.usize(..4)]);
            let size = [0.02, 0.1, 0.4][ix % 3];
            let point = from.lerp(to, rng.f64()) + random_point(&mut rng, size);
            let expected = faces.map(|face| beyond(point, face)).into_iter().fold(f64::NEG_INFINITY, f64::max);
            let distance = tree.distance(point, f64::INFINITY);
            assert!(distance.abs() < 1e-6 || (distance < 0.0) == (expected < 0.0), "{point}: {distance} {expected}");
            inside += u32::from(expected < 0.0);
        }
        assert!(inside > 1000, "{inside}");
    }
}
