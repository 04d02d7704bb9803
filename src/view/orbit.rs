//! A camera that turns about a point.

use super::Ray;
use glam::{Mat4, Vec2, Vec3, camera::rh::view::look_at_mat4};
use std::f32::consts::FRAC_PI_2;

/// A camera that looks at a point from a distance and turns about it, with y up.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Orbit {
    /// Point in the middle of the picture, m.
    pub target: Vec3,
    /// Distance of the eye from the target, m.
    pub distance: f32,
    /// Turn about the vertical axis, rad; at 0 the eye is on the side of +z.
    pub azimuth: f32,
    /// Height of the eye above the horizon of the target, rad.
    pub elevation: f32,
    /// Vertical field of view, rad.
    pub field_of_view: f32,
}

impl Default for Orbit {
    fn default() -> Self {
        Self {
            target: Vec3::ZERO,
            distance: 3.0,
            azimuth: 28_f32.to_radians(),
            elevation: 18_f32.to_radians(),
            field_of_view: 32_f32.to_radians(),
        }
    }
}

impl Orbit {
    /// Largest elevation: the eye never stands exactly above the target.
    const STEEPEST: f32 = FRAC_PI_2 - 0.02;
    /// Depth of the near plane, in distances of the eye.
    const NEAR: f32 = 0.005;

    /// A three-quarter view of everything between two corners of a box, m.
    pub fn framing([least, most]: [Vec3; 2]) -> Self {
        let extent = most - least;
        // A flat object is viewed more from above, and one that is thin along x from its broad side.
        let flatness = 1.0 - (extent.y / extent.x.max(extent.z).max(1e-6) / 0.5).min(1.0);
        let facing = if extent.z > 1.5 * extent.x && flatness < 1.0 { FRAC_PI_2 } else { 0.0 };
        let own = Self::default();
        let elevation = own.elevation + 0.4 * flatness;
        Self { azimuth: own.azimuth + facing, elevation, ..own }.with_all([least, most])
    }

    /// The same direction, with everything between two corners of a box in the picture, m.
    pub fn with_all(self, [least, most]: [Vec3; 2]) -> Self {
        let radius = (0.5 * (most - least).length()).max(1e-3);
        Self { target: 0.5 * (least + most), distance: 1.12 * radius / (0.5 * self.field_of_view).sin(), ..self }
    }

    /// A camera at a point, m, that looks at another.
    pub fn between(eye: Vec3, target: Vec3) -> Self {
        let offset = eye - target;
        let distance = offset.length().max(1e-6);
        let elevation = (offset.y / distance).clamp(-1.0, 1.0).asin();
        Self { target, distance, azimuth: offset.x.atan2(offset.z), elevation, ..Self::default() }
    }

    /// Position of the camera, m.
    pub fn eye(&self) -> Vec3 {
        self.target - self.distance * self.forward()
    }

    /// Unit vector along the view.
    pub fn forward(&self) -> Vec3 {
        let level = self.elevation.cos();
        -Vec3::new(level * self.azimuth.sin(), self.elevation.sin(), level * self.azimuth.cos())
    }

    /// Unit vectors to the right and upwards in the picture.
    pub fn axes(&self) -> [Vec3; 2] {
        let right = self.forward().cross(Vec3::Y).normalize_or(Vec3::X);
        [right, right.cross(self.forward())]
    }

    /// Turns by a movement of the mouse: 1 is the height of the picture.
    pub fn turn(&mut self, by: Vec2) {
        self.azimuth -= 3.0 * by.x;
        self.elevation = (self.elevation + 3.0 * by.y).clamp(-Self::STEEPEST, Self::STEEPEST);
    }

    /// Moves sideways, so that the target follows the mouse: 1 is the height of the picture.
    pub fn pan(&mut self, by: Vec2) {
        let [right, up] = self.axes();
        let size = 2.0 * self.distance * (0.5 * self.field_of_view).tan();
        self.target += size * (by.y * up - by.x * right);
    }

    /// Moves nearer by a factor; beyond 1 things become larger.
    pub fn zoom(&mut self, factor: f32) {
        if factor.is_finite() && factor > 0.0 {
            self.distance = (self.distance / factor).clamp(1e-3, 1e5);
        }
    }

    /// World to clip space for a picture of this ratio of width to height: depth from one at the near plane to zero at infinity.
    pub fn clip(&self, ratio: f32) -> Mat4 {
        let view = look_at_mat4(self.eye(), self.target, Vec3::Y);
        let focus = 1.0 / (0.5 * self.field_of_view).tan();
        let near = Self::NEAR * self.distance;
        let projection = Mat4::from_cols_array(&[
            focus / ratio,
            0.0,
            0.0,
            0.0, //
            0.0,
            focus,
            0.0,
            0.0, //
            0.0,
            0.0,
            0.0,
            -1.0, //
            0.0,
            0.0,
            near,
            0.0,
        ]);
        projection * view
    }

    /// The ray through a place of the picture, from -1 to 1 to the right and upwards, for this ratio of width to height.
    pub fn ray(&self, place: Vec2, ratio: f32) -> Ray {
        let [right, up] = self.axes();
        let tangent = (0.5 * self.field_of_view).tan();
        let direction = self.forward() + tangent * (place.x * ratio * right + place.y * up);
        Ray { origin: self.eye(), direction: direction.normalize() }
    }

    /// Where a point is in the picture, from -1 to 1; `None` behind the eye.
    pub fn project(&self, point: Vec3, ratio: f32) -> Option<Vec2> {
        let clip = self.clip(ratio) * point.extend(1.0);
        (clip.w > 0.0).then(|| Vec2::new(clip.x, clip.y) / clip.w)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_goes_through_the_point_that_is_projected_there() {
        let mut orbit = Orbit::framing([Vec3::new(-1.0, 0.0, -2.0), Vec3::new(2.0, 1.5, 1.0)]);
        orbit.turn(Vec2::new(0.3, -0.1));
        orbit.pan(Vec2::new(-0.1, 0.2));
        orbit.zoom(1.3);
        for point in [Vec3::new(0.2, 0.4, -0.3), Vec3::new(-1.0, 0.0, 0.5), orbit.target] {
            let place = orbit.project(point, 1.6).unwrap();
            let ray = orbit.ray(place, 1.6);
            let off = (point - ray.origin).cross(ray.direction).length();
            assert!(off < 1e-5 * orbit.distance, "{point} is {off} off its ray");
        }
        assert!(orbit.project(orbit.eye() - orbit.forward(), 1.0).is_none());
    }

    #[test]
    fn a_camera_between_two_points_stands_there() {
        let (eye, target) = (Vec3::new(1.0, 2.0, -3.0), Vec3::new(0.5, 0.0, 0.2));
        assert!(Orbit::between(eye, target).eye().distance(eye) < 1e-5);
    }

    #[test]
    fn everything_that_is_framed_is_in_the_picture() {
        for size in [Vec3::new(1.0, 1.0, 0.1), Vec3::new(0.1, 1.0, 1.0), Vec3::new(2.0, 0.0, 2.0), Vec3::splat(300.0)] {
            let least = Vec3::new(3.0, -7.0, 20.0);
            let orbit = Orbit::framing([least, least + size]);
            for corner in 0..8 {
                let part = Vec3::new((corner & 1) as f32, (corner >> 1 & 1) as f32, (corner >> 2) as f32);
                let place = orbit.project(least + part * size, 1.0).unwrap();
                assert!(place.abs().max_element() < 1.0, "{size}: {place}");
            }
        }
    }
}
