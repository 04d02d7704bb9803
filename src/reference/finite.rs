//! Finiteness as f32: positions and velocities leave the library as f32, and the GPU has no other type.

use glam::DVec3;

/// Whether a vector is finite as f32.
pub fn is_finite(v: DVec3) -> bool {
    v.as_vec3().is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finite_ends_where_f32_ends() {
        let largest = f64::from(f32::MAX);
        for (value, expected) in
            [(0.0, true), (-largest, true), (1.001 * largest, false), (f64::INFINITY, false), (f64::NAN, false)]
        {
            assert_eq!(is_finite(DVec3::new(0.0, value, 1.0)), expected, "{value}");
        }
    }
}
