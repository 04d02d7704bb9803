//! Lights of a view: those of the pictures, and the shadow map of the key light.

use super::Orbit;
use glam::{Mat4, Vec3};

/// The key light as seen from a camera.
pub(super) struct KeyLight {
    /// Unit vector towards the light.
    pub toward: Vec3,
    /// World to the clip space of the shadow map, depth one at the light.
    pub clip: Mat4,
    /// Width of the map, m.
    pub width: f32,
}

/// Unit vectors towards the key light and the rim light of a camera, as in `picture/light.rs`.
fn directions(orbit: &Orbit) -> [Vec3; 2] {
    let [right, _] = orbit.axes();
    let backward = right.cross(Vec3::Y);
    [-0.80 * right + 0.50 * backward + 1.35 * Vec3::Y, 0.8 * right - 0.75 * backward + 0.45 * Vec3::Y]
        .map(Vec3::normalize)
}

impl KeyLight {
    /// The key light over a sphere, m, and the direction towards the rim light.
    pub fn over(centre: Vec3, radius: f32, orbit: &Orbit) -> (Self, Vec3) {
        let [toward, rim] = directions(orbit);
        let (right, up) = toward.any_orthonormal_pair();
        let rows = [right / radius, up / radius, 0.5 * toward / radius];
        let offset = Vec3::new(-rows[0].dot(centre), -rows[1].dot(centre), 0.5 - rows[2].dot(centre));
        let clip = Mat4::from_cols(
            Vec3::new(rows[0].x, rows[1].x, rows[2].x).extend(0.0),
            Vec3::new(rows[0].y, rows[1].y, rows[2].y).extend(0.0),
            Vec3::new(rows[0].z, rows[1].z, rows[2].z).extend(0.0),
            offset.extend(1.0),
        );
        (Self { toward, clip, width: 2.0 * radius }, rim)
    }
}
