//! Rays, and where they hit triangles: the f64 twin of `shaders/view/pick.wgsl`.

use glam::{DVec3, Vec2, Vec3};

/// A ray, as from the eye through a pixel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Start of the ray, m.
    pub origin: Vec3,
    /// Unit vector along the ray.
    pub direction: Vec3,
}

/// Where a ray hits a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// Distance from the start of the ray, m.
    pub distance: f64,
    /// Index of the triangle.
    pub item: usize,
    /// Weights of the second and third corner.
    pub weights: Vec2,
}

impl Ray {
    /// Point at a distance from the start, m.
    pub fn at(&self, distance: f32) -> Vec3 {
        self.origin + distance * self.direction
    }

    /// Where the ray crosses the plane through a point with a normal; `None` if it runs along it or away from it.
    pub fn meets_plane(&self, point: Vec3, normal: Vec3) -> Option<Vec3> {
        let distance = (point - self.origin).dot(normal) / self.direction.dot(normal);
        (distance.is_finite() && distance > 0.0).then(|| self.at(distance))
    }

    /// The nearest triangle that the ray hits, of positions in memory, m: for hosts that have them there.
    pub fn nearest(&self, triangles: &[[u32; 3]], place: impl Fn(u32) -> DVec3) -> Option<Crossing> {
        let crossings = triangles.iter().enumerate().filter_map(|(item, corners)| {
            let [a, b, c] = corners.map(&place);
            let (distance, weights) = self.crosses(a, b - a, c - a)?;
            Some(Crossing { distance, item, weights })
        });
        crossings.min_by(|one, other| one.distance.total_cmp(&other.distance))
    }

    /// Distance to a triangle with a corner `a` and edges `b` and `c` from there, and the weights of these edges' ends.
    fn crosses(&self, a: DVec3, b: DVec3, c: DVec3) -> Option<(f64, Vec2)> {
        let (origin, direction) = (self.origin.as_dvec3(), self.direction.as_dvec3());
        let p = direction.cross(c);
        let determinant = b.dot(p);
        if determinant.abs() <= 1e-20 {
            return None;
        }
        let s = origin - a;
        let q = s.cross(b);
        let (u, v, t) = (s.dot(p) / determinant, direction.dot(q) / determinant, c.dot(q) / determinant);
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0).then(|| (t, Vec2::new(u as f32, v as f32)))
    }
}
