//! The studio: one key light, and a soft surround of sky, ground and rim.

use glam::Vec3;

use super::camera::View;

/// Tangent of the angle the key light's radius spans: how fast its shadows soften.
pub(super) const KEY_SOFTNESS: f32 = 0.07;

/// Lights, placed relative to the camera so that folds read from any viewpoint.
pub(super) struct Studio {
    pub toward_key: Vec3,
    pub key_colour: Vec3,
    /// From behind the mesh, on the side away from the key.
    toward_rim: Vec3,
}

impl Studio {
    pub fn new(view: &View) -> Self {
        let toward_key = key_direction(view);
        let (right, backward) = horizontal_axes(view);
        Self {
            toward_key,
            key_colour: Vec3::new(1.0, 0.955, 0.88) * 1.25,
            toward_rim: (0.8 * right - 0.75 * backward + 0.45 * Vec3::Y).normalize(),
        }
    }

    /// Light arriving from `direction` out of the surround.
    pub fn surround(&self, direction: Vec3) -> Vec3 {
        let horizon = Vec3::new(0.23, 0.25, 0.28);
        if direction.y < 0.0 {
            let ground = Vec3::new(0.21, 0.195, 0.175);
            return horizon.lerp(ground, (-direction.y * 4.0).min(1.0));
        }
        let zenith = Vec3::new(0.38, 0.41, 0.46);
        let rim = direction.dot(self.toward_rim).max(0.0).powi(12);
        horizon.lerp(zenith, direction.y) + Vec3::new(1.0, 0.97, 0.92) * (0.9 * rim)
    }
}

/// Towards the key light: high, from the left, raking across what faces the camera.
pub(super) fn key_direction(view: &View) -> Vec3 {
    let (right, backward) = horizontal_axes(view);
    (-0.80 * right + 0.50 * backward + 1.35 * Vec3::Y).normalize()
}

/// Right of the camera and towards it, both level.
fn horizontal_axes(view: &View) -> (Vec3, Vec3) {
    let level = |axis: Vec3| Vec3::new(axis.x, 0.0, axis.z).normalize_or_zero();
    let right =
        [view.right, view.up, Vec3::X].into_iter().map(level).find(|axis| axis.length() > 0.5).unwrap_or(Vec3::X);
    (right, right.cross(Vec3::Y))
}
