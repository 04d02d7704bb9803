//! Camera, automatic framing, and perspective projection.

#[cfg(test)]
use glam::Vec2;
use glam::Vec3;

use super::bounds::{Bounds, is_drawable};
use super::framing::{self, FrustumFit};
use super::light;

/// Fraction of the picture, from its middle to each edge, that automatic framing fills with the mesh.
const FILL: f32 = 0.84;
/// Fraction of the picture, from its middle to each edge, that automatic framing fills with the shadow on the ground.
const SHADOW_FILL: f32 = 0.97;
/// Fraction of the shadow's length to include: all of a long one would push the mesh aside.
const SHADOW_PART: f32 = 0.7;

/// A perspective camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position of the camera, m.
    pub eye: Vec3,
    /// Point in the middle of the picture, m.
    pub target: Vec3,
    /// Approximate upward direction of the picture.
    pub up: Vec3,
    /// Vertical field of view, rad.
    pub vertical_field_of_view: f32,
}

impl Camera {
    /// A three-quarter view from slightly above that keeps all `points` inside a picture of `width` × `height` pixels, with a
    /// margin. `ground` is the height of a solid ground, m; `None` for the studio's own.
    ///
    /// To film a moving mesh with a fixed camera, frame all its positions once and pass the result to each
    /// [`Picture`](super::Picture).
    pub fn framing(points: impl IntoIterator<Item = Vec3>, ground: Option<f32>, width: u32, height: u32) -> Self {
        let mut points: Vec<Vec3> = points.into_iter().filter(|point| is_drawable(*point)).collect();
        if points.is_empty() {
            points.push(Vec3::ZERO);
        }
        let bounds = Bounds::of(points.iter().copied());
        let extent = bounds.maximum - bounds.minimum;

        // A flat object on the ground is viewed more from above.
        let flatness = 1.0 - (extent.y / extent.x.max(extent.z).max(1.0e-6) / 0.5).min(1.0);
        let elevation = (15.0 + 23.0 * flatness).to_radians();
        // Hanging cloth is thin along one axis: the camera faces its broad side, rotated by a third.
        let facing = if extent.z > 1.5 * extent.x { 90.0 } else { 0.0_f32 };
        let azimuth = (facing + 28.0).to_radians();
        let backward = Vec3::new(azimuth.sin() * elevation.cos(), elevation.sin(), azimuth.cos() * elevation.cos());

        let camera = Self {
            eye: bounds.centre() + backward,
            target: bounds.centre(),
            up: Vec3::Y,
            vertical_field_of_view: 28.0_f32.to_radians(),
        };
        let view = View::new(&camera, width.max(1), height.max(1));
        let toward_key = light::key_direction(&view);
        // A ground far below is shown only in part: all of it would make the mesh small.
        let deepest = bounds.minimum.y - 0.4 * bounds.radius();
        let ground_height = ground.map_or_else(|| bounds.ground_height(), |ground| ground.max(deepest));
        let mut mesh_fit = FrustumFit::new(&view, FILL);
        let mut shadow_fit = FrustumFit::new(&view, SHADOW_FILL);
        for point in points {
            mesh_fit.include(point);
            let height = point.y - ground_height;
            let foot = point - Vec3::Y * height;
            let shadow = point - toward_key * (height / toward_key.y);
            shadow_fit.include(foot.lerp(shadow, SHADOW_PART));
        }
        let eye = framing::closest_eye(&view, &[mesh_fit, shadow_fit], 0.5 * bounds.radius());
        let distance = (bounds.centre() - eye).dot(view.forward);
        Self { eye, target: eye + view.forward * distance, ..camera }
    }

    /// Whether the camera defines a valid projection.
    pub(super) fn is_usable(&self) -> bool {
        is_drawable(self.eye)
            && is_drawable(self.target)
            && self.eye.distance(self.target) > 1.0e-6
            && self.up.is_finite()
            && self.vertical_field_of_view.is_finite()
    }
}

/// A camera with the size of its picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub eye: Vec3,
    pub right: Vec3,
    pub up: Vec3,
    pub forward: Vec3,
    pub width: u32,
    pub height: u32,
    /// Focal length, pixels.
    pub focal_length: f32,
}

impl View {
    pub fn new(camera: &Camera, width: u32, height: u32) -> Self {
        let forward = (camera.target - camera.eye).normalize_or(Vec3::NEG_Z);
        let right = [camera.up, Vec3::Y, Vec3::NEG_Z]
            .into_iter()
            .map(|up| forward.cross(up.normalize_or_zero()))
            .find(|right| right.length() > 1.0e-4)
            .map_or(Vec3::X, Vec3::normalize);
        let field_of_view = camera.vertical_field_of_view.clamp(1.0_f32.to_radians(), 160.0_f32.to_radians());
        Self {
            eye: camera.eye,
            right,
            up: right.cross(forward),
            forward,
            width,
            height,
            focal_length: 0.5 * height as f32 / (0.5 * field_of_view).tan(),
        }
    }

    /// Coordinates along right, up and forward, from the eye.
    pub fn local(&self, point: Vec3) -> Vec3 {
        let offset = point - self.eye;
        Vec3::new(offset.dot(self.right), offset.dot(self.up), offset.dot(self.forward))
    }

    /// Pixel coordinates of a local point in front of the eye; y runs down.
    #[cfg(test)]
    pub fn project_local(&self, local: Vec3) -> Vec2 {
        let scale = self.focal_length / local.z;
        Vec2::new(0.5 * self.width as f32 + local.x * scale, 0.5 * self.height as f32 - local.y * scale)
    }

    /// Size of a pixel at unit distance.
    pub fn pixel_size(&self) -> f32 {
        1.0 / self.focal_length
    }
}
