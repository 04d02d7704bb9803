//! Key frames: the pose of a collider at a time.

use super::DPose;
use crate::KeyFrame;

/// Pose at a time, s, interpolated linearly in position and along the shorter arc in rotation; constant before the first frame
/// and after the last. Without frames it is the identity.
pub(crate) fn pose_at(frames: &[KeyFrame], time: f64) -> DPose {
    let after = frames.partition_point(|frame| frame.time <= time);
    let end = frames.get(after).map(|frame| (frame.time, DPose::from(frame.pose)));
    let start = after.checked_sub(1).and_then(|ix| frames.get(ix)).map(|frame| (frame.time, DPose::from(frame.pose)));
    match (start, end) {
        (Some((begin, a)), Some((end, b))) => {
            let share = (time - begin) / (end - begin);
            DPose { position: a.position.lerp(b.position, share), rotation: a.rotation.slerp(b.rotation, share) }
        }
        (Some((_, pose)), None) | (None, Some((_, pose))) => pose,
        (None, None) => DPose::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;
    use glam::{DQuat, DVec3, Quat, Vec3};

    fn frames() -> Vec<KeyFrame> {
        let turned = |x: f32, degrees: f32| Pose {
            position: Vec3::new(x, 0.0, 0.0),
            rotation: Quat::from_rotation_y(degrees.to_radians()),
        };
        let opposite = |pose: Pose| Pose { rotation: -pose.rotation, ..pose };
        vec![
            KeyFrame { time: 1.0, pose: turned(0.0, 0.0) },
            // Quaternions q and -q are the same rotation: the shorter arc is still 80 degrees.
            KeyFrame { time: 3.0, pose: opposite(turned(4.0, 80.0)) },
            KeyFrame { time: 4.0, pose: turned(4.0, 20.0) },
        ]
    }

    #[track_caller]
    fn check(time: f64, x: f64, degrees: f64) {
        let pose = pose_at(&frames(), time);
        assert!(pose.position.distance(DVec3::new(x, 0.0, 0.0)) < 1e-12, "{pose:?}");
        let expected = DQuat::from_rotation_y(degrees.to_radians());
        assert!(pose.rotation.dot(expected).abs() > 1.0 - 1e-12, "{pose:?}");
    }

    #[test]
    fn at_frames() {
        check(1.0, 0.0, 0.0);
        check(3.0, 4.0, 80.0);
        check(4.0, 4.0, 20.0);
    }

    #[test]
    fn between_frames() {
        check(1.5, 1.0, 20.0);
        check(2.75, 3.5, 70.0);
        check(3.5, 4.0, 50.0);
    }

    #[test]
    fn at_rest_outside() {
        for time in [f64::NEG_INFINITY, -5.0, 0.999] {
            check(time, 0.0, 0.0);
        }
        for time in [4.001, 100.0, f64::INFINITY] {
            check(time, 4.0, 20.0);
        }
    }

    #[test]
    fn one_frame_or_none() {
        assert_eq!(pose_at(&[], 1.0), DPose::default());
        let one = [KeyFrame { time: 1.0, pose: Pose { position: Vec3::Y, ..Pose::default() } }];
        for time in [0.0, 1.0, 2.0] {
            assert_eq!(pose_at(&one, time).position, DVec3::Y);
        }
    }
}
