//! Directions of the studio's lights relative to the camera, so that folds are visible from any viewpoint. The shaders have their
//! intensities.

use glam::Vec3;

use super::camera::View;

/// Direction towards the key light: high, from the left, grazing surfaces that face the camera.
pub(super) fn key_direction(view: &View) -> Vec3 {
    let (right, backward) = horizontal_axes(view);
    (-0.80 * right + 0.50 * backward + 1.35 * Vec3::Y).normalize()
}

/// Direction towards the rim light: from behind, opposite the key light.
pub(super) fn rim_direction(view: &View) -> Vec3 {
    let (right, backward) = horizontal_axes(view);
    (0.8 * right - 0.75 * backward + 0.45 * Vec3::Y).normalize()
}

/// Horizontal directions to the right of the camera and towards it.
fn horizontal_axes(view: &View) -> (Vec3, Vec3) {
    let level = |axis: Vec3| Vec3::new(axis.x, 0.0, axis.z).normalize_or_zero();
    let right =
        [view.right, view.up, Vec3::X].into_iter().map(level).find(|axis| axis.length() > 0.5).unwrap_or(Vec3::X);
    (right, right.cross(Vec3::Y))
}
