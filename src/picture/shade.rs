//! The colour of one sample of cloth, or of what is behind it.

use glam::{Vec2, Vec3};

use super::ambient::Ambient;
use super::backdrop::Backdrop;
use super::camera::View;
use super::hit::Hit;
use super::key_shadow::KeyShadow;
use super::light::Studio;
use super::mesh::Mesh;
use super::weave;

/// Part of the key light that shines through the cloth.
const TRANSMISSION: f32 = 0.16;
/// Strength of the glow of fibres seen edge-on.
const SHEEN: f32 = 0.55;
/// How bright a blocked direction is, for white cloth: it shows more of the same cloth.
const BOUNCE: f32 = 0.30;

/// Everything a picture is made of.
pub(super) struct Scene<'a> {
    pub mesh: &'a Mesh,
    pub view: &'a View,
    pub studio: &'a Studio,
    pub ambient: &'a Ambient,
    pub key_shadow: &'a KeyShadow,
    pub backdrop: &'a Backdrop,
}

impl Scene<'_> {
    /// Light from triangle number `triangle` through a point of the picture.
    pub fn cloth(&self, triangle: usize, pixel: Vec2, sample: usize) -> Vec3 {
        let ray = self.view.ray(pixel);
        let hit = Hit::new(self.mesh, &self.mesh.triangles[triangle], self.view.eye, ray);
        let facing_eye = hit.normal.dot(hit.toward_eye).clamp(0.0, 1.0);
        let albedo = self.albedo(&hit, facing_eye);
        let gathered = hit.interpolate(if hit.is_front { &self.ambient.front } else { &self.ambient.back });
        // The bounce is coloured by the cloth once more: folds glow instead of turning grey.
        let soft = gathered.open + albedo * (gathered.blocked * BOUNCE);
        let key = self.key_light(&hit, sample);

        let edge = (1.0 - facing_eye).powi(4);
        let fibre_colour = albedo.lerp(Vec3::splat(albedo.element_sum() / 3.0), 0.5) + 0.02;
        albedo * (soft + key) + fibre_colour * (SHEEN * edge) * (gathered.open + 0.35 * key)
    }

    fn albedo(&self, hit: &Hit<'_>, facing_eye: f32) -> Vec3 {
        let material = &self.mesh.materials[hit.triangle.material];
        let colour = if hit.is_front { material.front } else { material.back };
        let Some(check) = material.check else {
            return colour;
        };
        let coordinate = hit.interpolate(&self.mesh.rest_coordinates);
        let pixel = self.view.pixel_size() * hit.point.distance(self.view.eye);
        let footprint = pixel * hit.rest_scale() / facing_eye.max(0.1);
        colour * weave::tint(coordinate, check, footprint)
    }

    /// Key light arriving at the visible side, straight or through the cloth.
    fn key_light(&self, hit: &Hit<'_>, sample: usize) -> Vec3 {
        let cosine = hit.normal.dot(self.studio.toward_key);
        let (strength, lit_normal) =
            if cosine >= 0.0 { (cosine, hit.normal) } else { (TRANSMISSION * -cosine, -hit.normal) };
        let point = hit.rounded_point(lit_normal);
        let lit = self.key_shadow.lit(point, lit_normal, hit.coarseness, sample);
        self.studio.key_colour * (strength * lit)
    }

    /// Light from whatever is behind the mesh at a pixel.
    pub fn behind(&self, pixel: Vec2) -> Vec3 {
        let background = self.backdrop.background(pixel);
        let ray = self.view.ray(pixel);
        let Some((point, visibility)) = self.backdrop.ground(self.view.eye, ray) else {
            return background;
        };
        let openness = self.ambient.ground.openness(point);
        let lit = self.key_shadow.lit_ground(point);
        // The background is taken as the fully lit ground: where it is darker, so is the
        // picture, and there is no seam where the ground ends.
        let shadow = Vec3::new(0.52, 0.49, 0.45) * (1.0 - lit);
        let light = (Vec3::ONE - shadow) * openness.powf(0.8);
        background * Vec3::ONE.lerp(light, visibility)
    }
}
