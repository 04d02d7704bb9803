//! Rigid poses in f64.

use crate::Pose;
use glam::{DQuat, DVec3};

/// Position and rotation of a collider: the map from its frame to the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DPose {
    /// Position of the frame's origin, m.
    pub position: DVec3,
    /// Unit quaternion of the frame's rotation.
    pub rotation: DQuat,
}

impl Default for DPose {
    fn default() -> Self {
        Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY }
    }
}

impl From<Pose> for DPose {
    /// The f32 quaternion is normalised again.
    fn from(pose: Pose) -> Self {
        Self { position: pose.position.as_dvec3(), rotation: pose.rotation.as_dquat().normalize() }
    }
}

impl DPose {
    /// Transforms a point from the world to this frame.
    pub fn to_local(self, point: DVec3) -> DVec3 {
        self.direction_to_local(point - self.position)
    }

    /// Transforms a point from this frame to the world.
    pub fn to_world(self, point: DVec3) -> DVec3 {
        self.position + self.direction_to_world(point)
    }

    /// Rotates a direction from the world to this frame.
    pub fn direction_to_local(self, direction: DVec3) -> DVec3 {
        self.rotation.conjugate() * direction
    }

    /// Rotates a direction from this frame to the world.
    pub fn direction_to_world(self, direction: DVec3) -> DVec3 {
        self.rotation * direction
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn there_and_back() {
        let pose = DPose { position: DVec3::new(1.0, 2.0, 3.0), rotation: DQuat::from_rotation_z(FRAC_PI_2) };
        assert!(pose.to_world(DVec3::X).distance(DVec3::new(1.0, 3.0, 3.0)) < 1e-15);
        assert!(pose.to_local(DVec3::new(1.0, 3.0, 3.0)).distance(DVec3::X) < 1e-15);
        assert!(pose.direction_to_world(DVec3::Y).distance(-DVec3::X) < 1e-15);
        assert!(pose.direction_to_local(-DVec3::X).distance(DVec3::Y) < 1e-15);
    }

    #[test]
    fn rotations_have_unit_length_in_f64() {
        let pose = Pose { position: Vec3::X, rotation: Quat::from_xyzw(0.1, 0.2, 0.3, 0.927) };
        assert!((DPose::from(pose).rotation.length() - 1.0).abs() < 1e-15);
    }
}
