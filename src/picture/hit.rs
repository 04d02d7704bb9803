//! Where the ray of a sample meets a triangle, and the smooth surface it stands for there.

use std::ops::{Add, Mul};

use glam::Vec3;

use super::mesh::{Mesh, Triangle};

/// A point of the cloth as one sample sees it.
pub(super) struct Hit<'a> {
    mesh: &'a Mesh,
    pub triangle: &'a Triangle,
    pub weights: [f32; 3],
    pub point: Vec3,
    pub toward_eye: Vec3,
    /// Smooth normal on the side that is seen.
    pub normal: Vec3,
    pub is_front: bool,
    /// About the length of the triangle's edges.
    pub coarseness: f32,
}

impl<'a> Hit<'a> {
    /// Meets `triangle` with a ray that is known to pass through it, if only just.
    pub fn new(mesh: &'a Mesh, triangle: &'a Triangle, eye: Vec3, ray: Vec3) -> Self {
        let corners = mesh.corners(triangle);
        let weights = weights_on_ray(corners, eye, ray);
        let toward_eye = -ray.normalize_or(Vec3::NEG_Z);
        let area_normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let face_normal = area_normal.normalize_or(Vec3::Y);
        let is_front = face_normal.dot(toward_eye) >= 0.0;
        let normals = triangle.corners.map(|corner| mesh.normals[corner]);
        let normal = if mesh.materials[triangle.material].is_faceted {
            face_normal
        } else {
            blend(normals, weights).normalize_or(face_normal)
        };
        Self {
            mesh,
            triangle,
            weights,
            point: blend(corners, weights),
            toward_eye,
            normal: if is_front { normal } else { -normal },
            is_front,
            coarseness: area_normal.length().sqrt(),
        }
    }

    /// A value given per vertex, at this point.
    pub fn interpolate<T>(&self, values: &[T]) -> T
    where
        T: Copy + Add<Output = T> + Mul<f32, Output = T>,
    {
        blend(self.triangle.corners.map(|corner| values[corner]), self.weights)
    }

    /// Length in the flat fabric per length of the cloth as it is, around here.
    pub fn rest_scale(&self) -> f32 {
        let [a, b, c] = self.triangle.corners.map(|corner| self.mesh.rest_coordinates[corner]);
        (b - a).perp_dot(c - a).abs().sqrt() / self.coarseness.max(1.0e-12)
    }

    /// The point moved out to the curved surface that the smooth normals describe, on the side of
    /// `lit_normal`: shadows of flat triangles would otherwise show as teeth where light grazes.
    ///
    /// Each corner's tangent plane lifts the point as far as it lies below the plane (Hanika,
    /// "Hacking the shadow terminator", 2021).
    pub fn rounded_point(&self, lit_normal: Vec3) -> Vec3 {
        let side = if lit_normal.dot(self.normal) * self.facing() >= 0.0 { 1.0 } else { -1.0 };
        let mut lift = Vec3::ZERO;
        for (corner, weight) in self.triangle.corners.iter().zip(self.weights) {
            let normal = side * self.mesh.normals[*corner];
            let below = (self.point - self.mesh.positions[*corner]).dot(normal).min(0.0);
            lift -= normal * (weight * below);
        }
        self.point + lift
    }

    fn facing(&self) -> f32 {
        if self.is_front { 1.0 } else { -1.0 }
    }
}

/// Weights of a triangle's corners where a ray passes through its plane, kept inside it.
fn weights_on_ray([a, b, c]: [Vec3; 3], eye: Vec3, ray: Vec3) -> [f32; 3] {
    let (to_b, to_c, from_a) = (b - a, c - a, eye - a);
    let cross = ray.cross(to_c);
    let determinant = to_b.dot(cross);
    let weight_b = from_a.dot(cross) / determinant;
    let weight_c = ray.dot(from_a.cross(to_b)) / determinant;
    // Snapping to the sample grid may put a sample just outside the exact triangle.
    let weights = [1.0 - weight_b - weight_c, weight_b, weight_c].map(|weight| weight.clamp(0.0, 1.0));
    let sum: f32 = weights.iter().sum();
    if sum > 0.0 {
        weights.map(|weight| weight / sum)
    } else {
        // Seen exactly edge-on.
        [1.0 / 3.0; 3]
    }
}

fn blend<T>([a, b, c]: [T; 3], weights: [f32; 3]) -> T
where
    T: Add<Output = T> + Mul<f32, Output = T>,
{
    a * weights[0] + b * weights[1] + c * weights[2]
}
