//! What is behind the mesh: a light studio background that the ground fades into.

use glam::{Vec2, Vec3};

use super::camera::View;
use super::mesh::Mesh;

/// Distances from the middle of the mesh, in its radii, between which the ground fades out.
const FADE: [f32; 2] = [1.6, 3.0];

/// Background and ground.
pub(super) struct Backdrop {
    middle: Vec2,
    radius: f32,
    ground_height: f32,
    is_solid: bool,
    size: Vec2,
}

impl Backdrop {
    pub fn new(mesh: &Mesh, view: &View) -> Self {
        let centre = mesh.bounds.centre();
        Self {
            middle: Vec2::new(centre.x, centre.z),
            radius: mesh.bounds.radius(),
            ground_height: mesh.ground_height(),
            is_solid: mesh.ground.is_some(),
            size: Vec2::new(view.width as f32, view.height as f32),
        }
    }

    /// Background at a pixel, in linear light.
    pub fn background(&self, pixel: Vec2) -> Vec3 {
        let place = pixel / self.size;
        let top = Vec3::new(0.60, 0.66, 0.73);
        let bottom = Vec3::new(0.84, 0.835, 0.82);
        let blend = smoothstep(0.0, 0.85, place.y);
        let from_middle = place - Vec2::new(0.5, 0.55);
        let vignette = 1.0 - 0.30 * from_middle.length_squared();
        top.lerp(bottom, blend) * vignette
    }

    /// Where a ray meets the ground and how visible the ground is there; `None` where it is not.
    pub fn ground(&self, eye: Vec3, ray: Vec3) -> Option<(Vec3, f32)> {
        // Seen from below the ground would hide the mesh: leave it out.
        let drop = eye.y - self.ground_height;
        if drop <= 0.0 || ray.y >= 0.0 {
            return None;
        }
        let point = eye + ray * (drop / -ray.y);
        let distance = Vec2::new(point.x, point.z).distance(self.middle) / self.radius;
        let visibility = 1.0 - smoothstep(FADE[0], FADE[1], distance);
        (visibility > 0.0).then_some((point, visibility))
    }

    /// One over the depth from which on a solid ground hides what is behind it; zero where there is none.
    pub fn hiding_depth(&self, eye: Vec3, ray: Vec3) -> f32 {
        // Cloth that lies on the ground is not to sink into it by rounding.
        let drop = eye.y - (self.ground_height - 0.002 * self.radius);
        let hides = self.is_solid && drop > 0.0 && ray.y < 0.0;
        if hides { -ray.y / drop } else { 0.0 }
    }
}

/// Zero up to `from`, one after `to`, smooth between.
pub(super) fn smoothstep(from: f32, to: f32, value: f32) -> f32 {
    let part = ((value - from) / (to - from)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}
