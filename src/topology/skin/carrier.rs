//! Carriers of a skin: the tetrahedra of a mesh, or its triangles.

use super::{SkinPoint, tree::BoxTree};
use crate::{Mesh, contact::nearest_in_triangle};
use glam::{DMat3, DVec3};

/// Volume or area, relative to the cube or square of the longest side, below which a carrier is flat: its weights would be noise.
const FLAT: f64 = 1e-6;

/// A tetrahedron or a triangle at rest.
struct Carrier {
    /// Vertices of the mesh. A triangle repeats its first.
    vertices: [u32; 4],
    corners: [DVec3; 4],
    solid: bool,
    /// Maps positions relative to the first corner to weights.
    weights: DMat3,
}

/// All carriers of a mesh.
pub struct Carriers {
    carriers: Vec<Carrier>,
    tree: BoxTree,
    size: f64,
}

impl Carriers {
    /// Carriers of a mesh that has been checked: tetrahedra if there are any.
    pub fn of(mesh: &Mesh) -> Result<Self, String> {
        let solids = mesh.tetrahedra.iter().filter_map(|&corners| Carrier::new(mesh, corners, true));
        let mut carriers: Vec<Carrier> = solids.collect();
        if carriers.is_empty() {
            let faces = mesh.triangles.iter().filter_map(|&[a, b, c]| Carrier::new(mesh, [a, b, c, a], false));
            carriers = faces.collect();
        }
        if carriers.is_empty() {
            return Err(
                "the body has neither tetrahedra nor triangles, or none with any size, to carry a skin".to_owned()
            );
        }
        let boxes: Vec<[DVec3; 2]> = carriers.iter().map(Carrier::bounds).collect();
        let low = boxes.iter().fold(DVec3::INFINITY, |low, bounds| low.min(bounds[0]));
        let high = boxes.iter().fold(DVec3::NEG_INFINITY, |high, bounds| high.max(bounds[1]));
        Ok(Self { tree: BoxTree::new(&boxes), carriers, size: low.distance(high) })
    }

    /// Diagonal of the bounding box, m.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Binds a point to the nearest carrier, and returns its distance, m.
    pub fn hang(&self, point: DVec3) -> (SkinPoint, f64) {
        let (ix, distance) = self.tree.nearest(point, |ix| self.carriers[ix].distance(point));
        let carrier = &self.carriers[ix];
        let hung = SkinPoint { particles: carrier.vertices, weights: carrier.weights_of(point), solid: carrier.solid };
        (hung, distance)
    }
}

impl Carrier {
    /// A carrier of these vertices; `None` if it is flat.
    fn new(mesh: &Mesh, vertices: [u32; 4], solid: bool) -> Option<Self> {
        let corners = vertices.map(|vertex| mesh.positions[vertex as usize].as_dvec3());
        let [a, b, c, d] = corners;
        let normal = (b - a).cross(c - a);
        let sides = [b - a, c - a, d - a, c - b, d - b, d - c];
        let longest = sides.iter().map(|side| side.length()).fold(0.0, f64::max);
        let (size, whole) = match solid {
            true => (normal.dot(d - a).abs(), longest.powi(3)),
            false => (normal.length(), longest.powi(2)),
        };
        // NaN counts as flat.
        let usable = size > FLAT * whole && whole > 0.0;
        let third = if solid { d - a } else { normal.normalize_or_zero() };
        usable.then(|| Self { vertices, corners, solid, weights: DMat3::from_cols(b - a, c - a, third).inverse() })
    }

    fn bounds(&self) -> [DVec3; 2] {
        let [a, b, c, d] = self.corners;
        [a.min(b).min(c.min(d)), a.max(b).max(c.max(d))]
    }

    fn weights_of(&self, point: DVec3) -> DVec3 {
        self.weights * (point - self.corners[0])
    }

    /// Distance of a point, m; zero inside a tetrahedron.
    fn distance(&self, point: DVec3) -> f64 {
        let [a, b, c, d] = self.corners;
        let to_face = |corners: [DVec3; 3]| nearest_in_triangle(corners, point).0.distance(point);
        if !self.solid {
            return to_face([a, b, c]);
        }
        let weights = self.weights_of(point);
        if weights.min_element() >= 0.0 && weights.element_sum() <= 1.0 {
            return 0.0;
        }
        [[a, b, c], [a, b, d], [a, c, d], [b, c, d]].into_iter().map(to_face).fold(f64::INFINITY, f64::min)
    }
}
