//! Where the studio's lights are, relative to the camera, so that folds read from any viewpoint. What they give stands in the shaders.

use glam::Vec3;

use super::camera::View;

/// Towards the key light: high, from the left, raking across what faces the camera.
pub(super) fn key_direction(view: &View) -> Vec3 {
    let (right, backward) = horizontal_axes(view);
    (-0.80 * right + 0.50 * backward + 1.35 * Vec3::Y).normalize()
}

/// Towards the rim light: from behind, on the side away from the key.
pub(super) fn rim_direction(view: &View) -> Vec3 {
    let (right, backward) = horizontal_axes(view);
    (0.8 * right - 0.75 * backward + 0.45 * Vec3::Y).normalize()
}

/// Right of the camera and towards it, both level.
fn horizontal_axes(view: &View) -> (Vec3, Vec3) {
    let level = |axis: Vec3| Vec3::new(axis.x, 0.0, axis.z).normalize_or_zero();
    let right =
        [view.right, view.up, Vec3::X].into_iter().map(level).find(|axis| axis.length() > 0.5).unwrap_or(Vec3::X);
    (right, right.cross(Vec3::Y))
}
