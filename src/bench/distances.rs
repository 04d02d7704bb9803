//! Exact distances of particles from static colliders: from the triangles of meshes, not from the grid of collision detection.

use crate::parallel::*;
use crate::{
    Collider, Shape,
    contact::{DPose, Form, SurfaceTree},
};
use glam::DVec3;

/// Surface of a collider.
struct Surface {
    pose: DPose,
    shape: ExactShape,
    /// Thickness of the collider, m.
    thickness: f64,
}

/// Shape with exact distances.
enum ExactShape {
    Form(Form),
    Mesh {
        tree: SurfaceTree,
        /// Lowest corner of the box about the mesh, m.
        low: DVec3,
        /// Highest corner of the box about the mesh, m.
        high: DVec3,
    },
}

impl ExactShape {
    fn new(collider: &Collider) -> Self {
        let Shape::Mesh { surface, .. } = &collider.shape else { return ExactShape::Form(Form::new(collider)) };
        let corners =
            || surface.triangles.iter().flatten().map(|&vertex| surface.positions[vertex as usize].as_dvec3());
        let low = corners().fold(DVec3::INFINITY, DVec3::min);
        let high = corners().fold(DVec3::NEG_INFINITY, DVec3::max);
        ExactShape::Mesh { tree: SurfaceTree::new(surface), low, high }
    }

    /// Signed distance of a point in the shape's frame, m; for a mesh a lower bound where it exceeds `near`.
    fn distance(&self, local: DVec3, near: f64) -> f64 {
        match self {
            ExactShape::Form(form) => form.depth(local),
            ExactShape::Mesh { tree, low, high } => {
                let from_box = (local - local.clamp(*low, *high)).length();
                if from_box > near { from_box } else { tree.distance(local, f64::INFINITY) }
            }
        }
    }
}

/// Surfaces of all colliders of a scene.
pub(super) struct Distances(Vec<Surface>);

impl Distances {
    pub fn new(colliders: &[Collider]) -> Self {
        let surface = |collider: &Collider| Surface {
            pose: collider.start().into(),
            shape: ExactShape::new(collider),
            thickness: collider.thickness.into(),
        };
        Self(colliders.iter().map(surface).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Smallest distance of any point from any surface, over the surface's thickness: negative inside, infinite without
    /// colliders, exact up to 2. For a surface without thickness only the sign counts.
    pub fn least(&self, points: &[DVec3]) -> f64 {
        let of_point =
            |point: &DVec3| self.0.iter().map(|surface| surface.distance(*point)).fold(f64::INFINITY, f64::min);
        points.par_iter().map(of_point).reduce(|| f64::INFINITY, f64::min)
    }
}

impl Surface {
    /// Distance of a point over the thickness.
    fn distance(&self, point: DVec3) -> f64 {
        if !point.is_finite() {
            return f64::NEG_INFINITY;
        }
        let distance = self.shape.distance(self.pose.to_local(point), 2.0 * self.thickness);
        match self.thickness {
            thickness if thickness > 0.0 => distance / thickness,
            _ if distance < 0.0 => f64::NEG_INFINITY,
            _ => f64::INFINITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pose, contact::test_shapes::icosphere};
    use glam::{Quat, Vec3};

    #[test]
    fn a_mesh_of_a_ball_is_as_far_as_the_ball() {
        let pose = Pose { position: Vec3::new(0.3, -0.2, 0.5), rotation: Quat::from_rotation_x(0.7) };
        let thickness = 0.1;
        let ball = Collider { thickness, ..Collider::fixed(Shape::Sphere { radius: 1.0 }, pose) };
        let mesh = Shape::Mesh { surface: icosphere(4), cells: 8 };
        let mesh = Collider { thickness, ..Collider::fixed(mesh, pose) };
        let (ball, mesh) = (Distances::new(&[ball]), Distances::new(&[mesh]));
        for radius in [0.5, 0.98, 1.0, 1.05, 1.19] {
            let point = pose.position.as_dvec3() + radius * DVec3::new(0.6, -0.48, 0.64);
            let [a, b] = [&ball, &mesh].map(|distances| distances.least(&[point]));
            // Between vertices the mesh lies up to 0.002 inside the ball.
            assert!((a - 10.0 * (radius - 1.0)).abs() < 1e-6 && (a..a + 0.03).contains(&b), "{radius}: {a} {b}");
        }
        let far = pose.position.as_dvec3() + DVec3::splat(5.0);
        assert!(mesh.least(&[far]) > 2.0 && Distances::new(&[]).least(&[far]) == f64::INFINITY);
        assert_eq!(mesh.least(&[far, DVec3::NAN]), f64::NEG_INFINITY);
    }
}
