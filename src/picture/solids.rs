//! Colliders as triangles: round shapes are smooth, flat sides flat, horizontal planes the ground.

use glam::Vec3;

use crate::{Pose, Shape};

use super::bounds::is_drawable;
use crate::view::hull::CELLS;
pub(super) use crate::view::hull::Hull;

/// Albedo of solids, neutral so that cloth stands out.
pub(super) const COLOUR: Vec3 = Vec3::new(0.36, 0.365, 0.36);
/// Cosine of a plane's slope above which it is horizontal ground.
const LEVEL: f32 = 0.999;
/// Cells along each side of a plane other than the ground.
const PLANE_CELLS: u32 = 2 * CELLS;
/// Vertices of a plane other than the ground.
pub(super) const PLANE_VERTICES: u32 = (PLANE_CELLS + 1) * (PLANE_CELLS + 1);

/// A collider to draw.
#[derive(Clone, Copy, Debug)]
pub struct Solid<'a> {
    /// Shape in its own frame.
    pub shape: &'a Shape,
    /// Pose of the shape.
    pub pose: Pose,
    /// Distance that cloth keeps, m. The shape is drawn smaller by a part of it, so that triangles between particles stay
    /// outside.
    pub thickness: f32,
}

impl Solid<'_> {
    fn is_plane(&self) -> bool {
        matches!(self.shape, Shape::Plane)
    }

    fn normal(&self) -> Vec3 {
        self.pose.rotation * Vec3::Y
    }

    /// A point of a plane as it is drawn.
    fn point(&self) -> Vec3 {
        self.pose.position - 0.5 * self.thickness.max(0.0) * self.normal()
    }

    fn is_usable(&self) -> bool {
        is_drawable(self.pose.position) && self.pose.rotation.is_finite() && self.thickness.is_finite()
    }

    fn is_level(&self) -> bool {
        self.is_plane() && self.normal().y > LEVEL
    }
}

/// Solids that are drawn as a hull: all valid ones but planes.
pub(super) fn bodies<'a, 'b>(solids: &'b [Solid<'a>]) -> impl Iterator<Item = &'b Solid<'a>> {
    solids.iter().filter(|solid| solid.is_usable() && !solid.is_plane())
}

/// A point and the normal of each plane other than the ground.
pub(super) fn leaning_planes(solids: &[Solid<'_>]) -> Vec<(Vec3, Vec3)> {
    let planes = solids.iter().filter(|solid| solid.is_usable() && solid.is_plane() && !solid.is_level());
    planes.map(|solid| (solid.point(), solid.normal())).collect()
}

/// Height of the highest horizontal plane, if there is one, m.
pub(super) fn level_ground(solids: &[Solid<'_>]) -> Option<f32> {
    let planes = solids.iter().filter(|solid| solid.is_usable() && solid.is_level());
    planes.map(|solid| solid.point().y).reduce(f32::max)
}

/// Triangles of a plane other than the ground; `shaders/picture/props.wgsl` computes its vertices, of which `base` is the first.
pub(super) fn plane_triangles(base: u32) -> Vec<[u32; 3]> {
    let mut hull = Hull::default();
    hull.push_face(Vec3::ZERO, Vec3::Z, Vec3::X, PLANE_CELLS);
    hull.triangles.iter().map(|corners| corners.map(|corner| base + corner)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::shader::{self, Launch};
    use glam::Quat;

    #[test]
    fn level_planes_are_the_ground_and_others_lean() {
        let sphere = Shape::Sphere { radius: 0.5 };
        let plane = |y: f32, rotation| Solid {
            shape: &Shape::Plane,
            pose: Pose { position: Vec3::new(70.0, y, 0.0), rotation },
            thickness: 0.0,
        };
        let ball = Solid { shape: &sphere, pose: Pose::default(), thickness: 0.0 };
        let tilted = plane(0.0, Quat::from_rotation_z(0.5));
        let solids = [ball, plane(-2.0, Quat::IDENTITY), plane(-1.0, Quat::IDENTITY), tilted];
        assert_eq!(level_ground(&solids), Some(-1.0));
        assert_eq!(level_ground(&solids[..1]), None);
        assert_eq!(bodies(&solids).count(), 1);
        let leaning = leaning_planes(&solids);
        assert_eq!(leaning.len(), 1);
        assert!(leaning[0].1.distance(Vec3::new(-0.5_f32.sin(), 0.5_f32.cos(), 0.0)) < 1e-6);
    }

    #[test]
    fn the_shader_makes_as_many_vertices_of_a_plane() {
        let module = shader::parse("picture/props", Launch::Hardware).unwrap();
        assert_eq!(shader::constant(&module, "PLANE_CELLS"), Some(PLANE_CELLS));
        assert!(plane_triangles(3).iter().flatten().all(|corner| (3..3 + PLANE_VERTICES).contains(corner)));
    }
}
