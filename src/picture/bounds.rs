//! Bounding boxes, and the test which points can be drawn.

use glam::Vec3;

/// Largest coordinate of a drawn point, m. Beyond it a particle has diverged: drawing it would shrink the rest to a dot, and
/// squared lengths would overflow. Equal to FARTHEST in `shaders/picture/view.wgsl`.
const FARTHEST_COORDINATE: f32 = 1.0e6;

/// Whether a position can be drawn.
pub(super) fn is_drawable(position: Vec3) -> bool {
    // A comparison with NaN is false, so this also rejects every non-finite coordinate.
    position.abs().max_element() <= FARTHEST_COORDINATE && position.is_finite()
}

/// A non-empty axis-aligned box; without points a small one about the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    pub minimum: Vec3,
    pub maximum: Vec3,
}

impl Bounds {
    /// Bounding box of `points`.
    pub fn of(points: impl Iterator<Item = Vec3>) -> Self {
        points
            .map(|point| Self { minimum: point, maximum: point })
            .reduce(|a, b| Self { minimum: a.minimum.min(b.minimum), maximum: a.maximum.max(b.maximum) })
            .unwrap_or_default()
    }

    /// Centre of the box.
    pub fn centre(&self) -> Vec3 {
        self.minimum.midpoint(self.maximum)
    }

    /// Radius of the bounding sphere, positive so that it can be a divisor.
    pub fn radius(&self) -> f32 {
        (0.5 * (self.maximum - self.minimum).length()).max(1.0e-3)
    }

    /// Height of the studio's ground, slightly below the lowest point so that nothing touches it.
    pub fn ground_height(&self) -> f32 {
        self.minimum.y - 0.006 * self.radius()
    }
}
