//! A faint woven check, laid out in the flat fabric, that lets the eye follow it over folds.

use glam::Vec2;

/// Checks across the longer side of a fabric.
const CHECKS_ACROSS: f32 = 14.0;
/// How much darker the stripes of the check are.
const CONTRAST: f32 = 0.16;
/// Ribs of the twill per check, and how much they stand out.
const RIBS_PER_CHECK: f32 = 12.0;
const THREAD_CONTRAST: f32 = 0.12;

/// Length of one check for a fabric laid out at `coordinates`; `None` when they are no use.
pub(super) fn check_length(coordinates: &[Vec2]) -> Option<f32> {
    let mut minimum = Vec2::INFINITY;
    let mut maximum = Vec2::NEG_INFINITY;
    for coordinate in coordinates {
        minimum = minimum.min(*coordinate);
        maximum = maximum.max(*coordinate);
    }
    let length = (maximum - minimum).max_element() / CHECKS_ACROSS;
    let is_usable =
        coordinates.iter().all(|coordinate| coordinate.is_finite()) && length.is_finite() && length > 1.0e-9;
    is_usable.then_some(length)
}

/// Factor on the albedo at `coordinate`, averaged over a length `footprint` of the flat fabric.
pub(super) fn tint(coordinate: Vec2, check: f32, footprint: f32) -> f32 {
    let width = (footprint / check).clamp(0.004, 1.0);
    let stripes = stripe(coordinate.x / check, width) + stripe(coordinate.y / check, width);
    1.0 - CONTRAST * 0.5 * stripes + THREAD_CONTRAST * thread(coordinate / check, width)
}

/// Diagonal ribs of a twill: −½ to ½, fading out before pixels become too large to show them.
fn thread(place: Vec2, width: f32) -> f32 {
    let fade = (1.0 - 2.5 * width * RIBS_PER_CHECK).clamp(0.0, 1.0);
    let phase = (place.x + place.y) * RIBS_PER_CHECK;
    fade * 0.5 * (phase * std::f32::consts::TAU).sin()
}

/// Share of a window of `width` around `phase` that lies in the second half of a period of one.
fn stripe(phase: f32, width: f32) -> f32 {
    // The running total of a square wave, so that averaging over a window is one subtraction.
    let total = |at: f32| 0.5 * at.floor() + (at - at.floor() - 0.5).max(0.0);
    (total(phase + 0.5 * width) - total(phase - 0.5 * width)) / width
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::{check_length, stripe, tint};

    #[test]
    fn stripes_alternate_and_blur_to_half() {
        assert!(stripe(0.25, 0.01) < 0.01 && stripe(3.25, 0.01) < 0.01);
        assert!(stripe(0.75, 0.01) > 0.99 && stripe(-0.25, 0.01) > 0.99);
        assert!((stripe(0.5, 0.2) - 0.5).abs() < 1.0e-5);
        assert!((stripe(0.123, 1.0) - 0.5).abs() < 1.0e-5);
    }

    #[test]
    fn large_pixels_see_one_even_tint() {
        let near = tint(Vec2::new(0.2, 0.2), 1.0, 5.0);
        let other = tint(Vec2::new(0.7, 0.9), 1.0, 5.0);
        assert!((near - other).abs() < 1.0e-4);
    }

    #[test]
    fn useless_coordinates_make_no_check() {
        assert!(check_length(&[]).is_none());
        assert!(check_length(&[Vec2::ONE; 3]).is_none());
        assert!(check_length(&[Vec2::ZERO, Vec2::ONE, Vec2::NAN]).is_none());
        assert!(check_length(&[Vec2::ZERO, Vec2::new(14.0, 1.0)]).is_some());
    }
}
