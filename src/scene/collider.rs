//! What cloth meets: shapes that stand, move along key frames, or are moved by what they touch.

use super::{Mesh, Scene};
use glam::{Quat, Vec3};

/// Names a collider of the scene that made it: what [`Scene::add_collider`] returned, or one of [`Scene::collider_ids`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColliderId(pub(crate) usize);

impl ColliderId {
    /// Index of the collider in [`Scene::colliders`].
    pub fn index(self) -> usize {
        self.0
    }
}

/// A solid that particles do not enter.
///
/// Begin with a constructor and change fields by functional update, as here: fields may be added in any release.
///
/// ```
/// use tenter::{Collider, Scene, glam::Vec3};
/// let mut scene = Scene::new();
/// scene.add_collider(Collider::plane(Vec3::ZERO, Vec3::Y));
/// scene.add_collider(Collider { friction: 0.5, ..Collider::sphere([0.0, 0.3, 0.0], 0.2) });
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Collider {
    /// Its form, in its own frame.
    pub shape: Shape,
    /// Where that is.
    pub motion: Motion,
    /// Distance that particles keep from the surface, m. Default: 0.005.
    pub thickness: f32,
    /// Coulomb's coefficient. Default: 0.3.
    pub friction: f32,
    /// ω: which part of its way a particle that is too deep is moved out in one step (Etzmuß 4.4), above 0 to 1. Default: 0.2.
    pub relaxation: f32,
}

/// The form of a collider, in its own frame, m.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// Everything below y = 0.
    Plane,
    /// About the origin.
    Sphere {
        /// m
        radius: f32,
    },
    /// About the origin, along the axes.
    Box {
        /// Half its sides, m.
        half: Vec3,
    },
    /// About the origin, along y, with round ends.
    Capsule {
        /// m
        radius: f32,
        /// From the origin to the centre of an end, m.
        half_length: f32,
    },
    /// About the origin, along y, with flat ends.
    Cylinder {
        /// m
        radius: f32,
        /// From the origin to an end, m.
        half_length: f32,
    },
    /// A closed triangle mesh, through a grid of signed distances.
    Mesh {
        /// Its surface, triangles counter-clockwise seen from outside.
        surface: Mesh,
        /// Cells along the longest side of the grid.
        cells: u32,
    },
}

/// A place and a direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Of the shape's origin, m.
    pub position: Vec3,
    /// From the shape's frame to the world's, of unit length.
    pub rotation: Quat,
}

/// Where a collider is at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeyFrame {
    /// s
    pub time: f64,
    /// There.
    pub pose: Pose,
}

/// How a collider moves.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Motion {
    /// Stays, or is led by [`Simulation::move_collider`](crate::Simulation::move_collider).
    Static(Pose),
    /// From frame to frame, times ascending: positions on straight lines, rotations the short way; at rest before and after.
    KeyFrames(Vec<KeyFrame>),
    /// As gravity and what it touches move it. Spheres, boxes and capsules only.
    Dynamic(Dynamic),
}

/// The start of a rigid body. Begin with [`Dynamic::new`] and change fields by functional update: fields may be added in any release.
///
/// ```
/// use tenter::{Collider, Dynamic, Motion, Pose, glam::Vec3};
/// let thrown = Dynamic { velocity: 2.0 * Vec3::X, ..Dynamic::new(Pose::default(), 0.1) };
/// let ball = Collider { motion: Motion::Dynamic(thrown), ..Collider::sphere(Vec3::ZERO, 0.05) };
/// assert_eq!(ball.start(), Pose::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dynamic {
    /// At the start.
    pub pose: Pose,
    /// kg, spread evenly over the shape.
    pub mass: f32,
    /// m/s
    pub velocity: Vec3,
    /// rad/s, in the world's frame.
    pub angular_velocity: Vec3,
}

impl Dynamic {
    /// A rigid body at rest at a pose, of this mass, kg.
    pub fn new(pose: Pose, mass: f32) -> Self {
        Self { pose, mass, velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO }
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self { position: Vec3::ZERO, rotation: Quat::IDENTITY }
    }
}

impl Collider {
    /// A shape that stays where it is, with the usual surface.
    pub fn fixed(shape: Shape, pose: Pose) -> Self {
        Self { shape, motion: Motion::Static(pose), thickness: 0.005, friction: 0.3, relaxation: 0.2 }
    }

    /// Everything below a plane through a point, m; the normal points to where cloth may be.
    pub fn plane(point: impl Into<Vec3>, normal: impl Into<Vec3>) -> Self {
        let normal = normal.into();
        // What is no direction is refused with the rest of the scene.
        let rotation = normal.try_normalize().map_or(Quat::NAN, |normal| Quat::from_rotation_arc(Vec3::Y, normal));
        Self::fixed(Shape::Plane, Pose { position: point.into(), rotation })
    }

    /// A ball, m.
    pub fn sphere(centre: impl Into<Vec3>, radius: f32) -> Self {
        Self::fixed(Shape::Sphere { radius }, Pose { position: centre.into(), ..Pose::default() })
    }

    /// A box along the axes by its centre and half its sides, m.
    pub fn cuboid(centre: impl Into<Vec3>, half: impl Into<Vec3>) -> Self {
        Self::fixed(Shape::Box { half: half.into() }, Pose { position: centre.into(), ..Pose::default() })
    }

    /// The same, moving along key frames.
    pub fn moving(self, frames: impl Into<Vec<KeyFrame>>) -> Self {
        Self { motion: Motion::KeyFrames(frames.into()), ..self }
    }

    /// The same as a rigid body of this mass, kg, at rest where it is.
    pub fn dynamic(self, mass: f32) -> Self {
        Self { motion: Motion::Dynamic(Dynamic::new(self.start(), mass)), ..self }
    }

    /// Where it is at the start.
    pub fn start(&self) -> Pose {
        match &self.motion {
            Motion::Static(pose) => *pose,
            Motion::KeyFrames(frames) => frames.first().map_or_else(Pose::default, |frame| frame.pose),
            Motion::Dynamic(dynamic) => dynamic.pose,
        }
    }
}

impl Scene {
    /// Colliders that are rigid bodies.
    pub(crate) fn rigid_count(&self) -> usize {
        self.colliders.iter().filter(|collider| matches!(collider.motion, Motion::Dynamic(_))).count()
    }

    /// Adds a collider.
    pub fn add_collider(&mut self, collider: Collider) -> ColliderId {
        self.colliders.push(collider);
        ColliderId(self.colliders.len() - 1)
    }
}
