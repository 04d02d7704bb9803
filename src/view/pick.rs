//! Picking: what a ray hits first.

use super::model::Model;
use crate::ColliderId;
use glam::Vec3;

/// What a ray has hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pick {
    /// Place of the hit when it was measured, m.
    pub place: Vec3,
    /// Distance from the start of the ray, m.
    pub distance: f32,
    /// Thing that was hit.
    pub target: Target,
}

/// Thing that a ray has hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// A triangle of a body, or a single particle, which then is all three corners.
    Body {
        /// Particles at the corners.
        particles: [u32; 3],
        /// Barycentric weights of the corners, with sum 1.
        weights: [f32; 3],
    },
    /// A collider.
    Collider(ColliderId),
}

/// The nearest of the hits of all threads of `view/pick`.
pub(super) fn nearest(model: &Model, hits: &[[f32; 4]], origin: Vec3, direction: Vec3) -> Option<Pick> {
    let hit = hits.iter().filter(|hit| hit[0] > 0.0).min_by(|one, other| one[0].total_cmp(&other[0]))?;
    let [distance, item, u, v] = *hit;
    let item = item.to_bits() as usize;
    let particles = *model.items.get(item)?;
    let first = model.items.len() - model.item_colliders.len();
    let target = match item.checked_sub(first) {
        Some(ix) => Target::Collider(*model.item_colliders.get(ix)?),
        None => Target::Body { particles, weights: [1.0 - u - v, u, v] },
    };
    Some(Pick { place: origin + distance * direction, distance, target })
}
