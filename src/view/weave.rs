//! Size of the woven check that makes the fabric's deformation visible. `shaders/picture/weave.wgsl` draws it.

use glam::Vec2;

/// Number of checks across the longer side of a fabric.
const CHECKS_ACROSS: f32 = 14.0;

/// Length of one check for a fabric with these rest coordinates; `None` if they are invalid.
pub(crate) fn check_length(coordinates: &[Vec2]) -> Option<f32> {
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

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::check_length;

    #[test]
    fn useless_coordinates_make_no_check() {
        assert!(check_length(&[]).is_none());
        assert!(check_length(&[Vec2::ONE; 3]).is_none());
        assert!(check_length(&[Vec2::ZERO, Vec2::ONE, Vec2::NAN]).is_none());
        assert!(check_length(&[Vec2::ZERO, Vec2::new(14.0, 1.0)]).is_some());
    }
}
