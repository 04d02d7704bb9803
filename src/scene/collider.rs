//! Colliders: shapes that are fixed, follow key frames, or move as rigid bodies.

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
    /// Shape, in the frame of the collider.
    pub shape: Shape,
    /// Motion of that frame.
    pub motion: Motion,
    /// Distance that particles keep from the surface, m. Default: 0.005.
    pub thickness: f32,
    /// Coulomb's coefficient. Default: 0.3.
    pub friction: f32,
    /// ω: share of its depth that a particle below the surface is moved outwards in one step (Etzmuß 4.4), above 0 and at most 1. Default: 0.2.
    pub relaxation: f32,
    /// Whether edges and triangles of bodies keep away as well as their particles, so that corners and tips do not stand out between them. Steps have to be safe
    /// ([`SafeOptions`](crate::SafeOptions)); rigid bodies do without. Default: true.
    pub edges: bool,
}

/// Shape of a collider, in its own frame, m.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// The half-space below y = 0.
    Plane,
    /// A ball about the origin.
    Sphere {
        /// Radius, m.
        radius: f32,
    },
    /// A box about the origin, along the axes.
    Box {
        /// Half of each side length, m.
        half: Vec3,
    },
    /// A capsule about the origin, along y.
    Capsule {
        /// Radius, m.
        radius: f32,
        /// Distance from the origin to the centre of each round end, m.
        half_length: f32,
    },
    /// A cylinder about the origin, along y.
    Cylinder {
        /// Radius, m.
        radius: f32,
        /// Distance from the origin to each end, m.
        half_length: f32,
    },
    /// A closed triangle mesh, through a grid of signed distances.
    Mesh {
        /// Surface of the solid, triangles counter-clockwise seen from outside.
        surface: Mesh,
        /// Number of cells along the longest side of the grid of distances.
        cells: u32,
    },
    /// A closed triangle mesh whose vertices move, such as a walking figure.
    Deforming(DeformingMesh),
}

/// A closed triangle mesh whose vertices follow key frames. Between frames they are interpolated linearly; they rest before the first frame and after the last.
///
/// ```
/// use tenter::{Collider, DeformingMesh, Mesh, MeshFrame, Pose, Scene, Shape, glam::Vec3};
/// let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let frame = |time: f64, size: f32| MeshFrame { time, positions: corners.map(|corner| size * corner).to_vec() };
/// let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let growing = DeformingMesh { triangles, frames: vec![frame(0.0, 0.1), frame(1.0, 0.2)] };
/// let mut scene = Scene::new();
/// scene.add_collider(Collider::fixed(Shape::Deforming(growing), Pose::default()));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DeformingMesh {
    /// Triangles, counter-clockwise seen from outside, the same in all frames.
    pub triangles: Vec<[u32; 3]>,
    /// Frames, times ascending.
    pub frames: Vec<MeshFrame>,
}

/// Vertices of a mesh at a time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MeshFrame {
    /// Time, s.
    pub time: f64,
    /// Position of every vertex, in the frame of the collider, m.
    pub positions: Vec<Vec3>,
}

impl DeformingMesh {
    /// Vertices at a time, s.
    pub fn positions(&self, time: f64) -> Vec<Vec3> {
        let after = self.frames.partition_point(|frame| frame.time <= time);
        match (after.checked_sub(1).and_then(|ix| self.frames.get(ix)), self.frames.get(after)) {
            (Some(from), Some(to)) => {
                let share = ((time - from.time) / (to.time - from.time)) as f32;
                from.positions.iter().zip(&to.positions).map(|(a, b)| a.lerp(*b, share)).collect()
            }
            (Some(only), None) | (None, Some(only)) => only.positions.clone(),
            (None, None) => Vec::new(),
        }
    }
}

/// Position and rotation of a rigid frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Position of the origin of the frame, m.
    pub position: Vec3,
    /// Rotation from the frame to the world, of unit length.
    pub rotation: Quat,
}

/// Pose of a collider at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeyFrame {
    /// Time, s.
    pub time: f64,
    /// Pose at that time.
    pub pose: Pose,
}

/// How a collider moves.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Motion {
    /// Fixed, unless [`Simulation::move_collider`](crate::Simulation::move_collider) moves it.
    Static(Pose),
    /// Interpolated between key frames, times ascending: positions linearly, rotations along the shorter arc; at rest before the first and after the last.
    KeyFrames(Vec<KeyFrame>),
    /// A rigid body, moved by gravity and contacts. Spheres, boxes and capsules only.
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
    /// Pose at the start.
    pub pose: Pose,
    /// Mass, kg, spread evenly over the shape.
    pub mass: f32,
    /// Velocity of the centre at the start, m/s.
    pub velocity: Vec3,
    /// Angular velocity at the start, rad/s, in the frame of the world.
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
    /// A fixed shape with the default thickness, friction and relaxation.
    pub fn fixed(shape: Shape, pose: Pose) -> Self {
        Self { shape, motion: Motion::Static(pose), thickness: 0.005, friction: 0.3, relaxation: 0.2, edges: true }
    }

    /// The half-space behind a plane through a point, m. The normal points to the side where particles may be.
    pub fn plane(point: impl Into<Vec3>, normal: impl Into<Vec3>) -> Self {
        let normal = normal.into();
        // A normal without direction is refused with the rest of the scene.
        let rotation = normal.try_normalize().map_or(Quat::NAN, |normal| Quat::from_rotation_arc(Vec3::Y, normal));
        Self::fixed(Shape::Plane, Pose { position: point.into(), rotation })
    }

    /// A ball by its centre and radius, m.
    pub fn sphere(centre: impl Into<Vec3>, radius: f32) -> Self {
        Self::fixed(Shape::Sphere { radius }, Pose { position: centre.into(), ..Pose::default() })
    }

    /// A box along the axes by its centre and half its sides, m.
    pub fn cuboid(centre: impl Into<Vec3>, half: impl Into<Vec3>) -> Self {
        Self::fixed(Shape::Box { half: half.into() }, Pose { position: centre.into(), ..Pose::default() })
    }

    /// Returns the collider, moving along key frames.
    pub fn moving(self, frames: impl Into<Vec<KeyFrame>>) -> Self {
        Self { motion: Motion::KeyFrames(frames.into()), ..self }
    }

    /// Returns the collider as a rigid body of this mass, kg, at rest at its present pose.
    pub fn dynamic(self, mass: f32) -> Self {
        Self { motion: Motion::Dynamic(Dynamic::new(self.start(), mass)), ..self }
    }

    /// Pose at the start.
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

    /// Adds a collider, and returns its id.
    pub fn add_collider(&mut self, collider: Collider) -> ColliderId {
        self.colliders.push(collider);
        ColliderId(self.colliders.len() - 1)
    }
}
