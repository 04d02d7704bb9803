//! Balls that are thrown, and colliders of a scene that is rebuilt on its way.

use tenter::{Collider, Dynamic, Motion, Pose, Shape, glam::Vec3};

/// Density of a thrown ball, kg/m³: that of light wood.
const DENSITY: f32 = 400.0;

/// A ball of a radius on its way, m and m/s.
pub fn thrown(from: Vec3, velocity: Vec3, radius: f32) -> Collider {
    let mass = DENSITY * 4.2 * radius.powi(3);
    let start = Dynamic { velocity, ..Dynamic::new(Pose { position: from, ..Pose::default() }, mass) };
    let ball = Collider::fixed(Shape::Sphere { radius }, start.pose);
    Collider { motion: Motion::Dynamic(start), thickness: 0.05 * radius, ..ball }
}

/// Goes on from a pose at a time, s.
pub fn move_on(motion: &mut Motion, pose: Pose, time: f64) {
    match motion {
        Motion::Static(start) => *start = pose,
        Motion::KeyFrames(frames) => frames.iter_mut().for_each(|frame| frame.time -= time),
        Motion::Dynamic(start) if time > 0.0 => {
            (start.pose, start.velocity, start.angular_velocity) = (pose, Vec3::ZERO, Vec3::ZERO);
        }
        _ => {}
    }
}
