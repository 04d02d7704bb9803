//! Boxes around points, and which points can be drawn at all.

use glam::Vec3;

/// Coordinates beyond this (metres) belong to a particle that ran away; drawing it would shrink
/// everything else to a dot, and its squared lengths would soon overflow. As in `shaders/picture/view.wgsl`.
const FARTHEST_COORDINATE: f32 = 1.0e6;

/// Whether a position can be drawn at all.
pub(super) fn is_drawable(position: Vec3) -> bool {
    // A comparison with NaN is false, so this also rejects every non-finite coordinate.
    position.abs().max_element() <= FARTHEST_COORDINATE && position.is_finite()
}

/// An axis-aligned box, never empty: without points it is a small one around the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    pub minimum: Vec3,
    pub maximum: Vec3,
}

impl Bounds {
    /// The box around `points`.
    pub fn of(points: impl Iterator<Item = Vec3>) -> Self {
        points
            .map(|point| Self { minimum: point, maximum: point })
            .reduce(|a, b| Self { minimum: a.minimum.min(b.minimum), maximum: a.maximum.max(b.maximum) })
            .unwrap_or_default()
    }

    /// The middle of the box.
    pub fn centre(&self) -> Vec3 {
        self.minimum.midpoint(self.maximum)
    }

    /// Radius of the sphere around the box, kept above zero so that it can be divided by.
    pub fn radius(&self) -> f32 {
        (0.5 * (self.maximum - self.minimum).length()).max(1.0e-3)
    }

    /// Height of the studio ground: a little under the lowest point, so that nothing touches it.
    pub fn ground_height(&self) -> f32 {
        self.minimum.y - 0.006 * self.radius()
    }
}
