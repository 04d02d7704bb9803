//! The key light's shadows: sharp where cloth touches, softer with distance.

use glam::{Vec2, Vec3};

use super::depth_map::DepthMap;
use super::light::{KEY_SOFTNESS, Studio};
use super::mesh::Mesh;

const MAP_SIDE: u32 = 2048;
/// Lookups per sample, for finding what blocks and for filtering.
const TAP_COUNT: usize = 8;
/// Samples of a pixel, which take their lookups at different places.
const ROTATION_COUNT: usize = super::frame::SAMPLE_COUNT;

/// What the key light reaches.
pub(super) struct KeyShadow {
    map: DepthMap,
    search_radius: f32,
    least_radius: f32,
    most_clearance: f32,
    taps: [[Vec2; TAP_COUNT]; ROTATION_COUNT],
}

impl KeyShadow {
    pub fn new(mesh: &Mesh, studio: &Studio) -> Self {
        let map = DepthMap::new(mesh, studio.toward_key, MAP_SIDE, false);
        // Together the samples of a pixel fill one large spiral, so a penumbra has as many
        // levels as there are lookups in the whole pixel, and needs no noise to hide steps.
        let taps = std::array::from_fn(|rotation| {
            std::array::from_fn(|tap| {
                let index = (tap * ROTATION_COUNT + rotation) as f32;
                let radius = ((index + 0.5) / (TAP_COUNT * ROTATION_COUNT) as f32).sqrt();
                radius * Vec2::from_angle(index * 2.399_963_2)
            })
        });
        Self {
            search_radius: 0.03 * mesh.bounds.radius(),
            most_clearance: (2.0 * map.texel).max(0.02 * mesh.bounds.radius()),
            least_radius: (1.5 * map.texel).max(0.002 * mesh.bounds.radius()),
            map,
            taps,
        }
    }

    /// Part of the key light that reaches a point of the level ground.
    pub fn lit_ground(&self, point: Vec3) -> f32 {
        // Most of the ground is nowhere near the shadow.
        if !self.map.is_near(point, self.search_radius) {
            return 1.0;
        }
        let sum: f32 = (0..ROTATION_COUNT).map(|rotation| self.lit(point, Vec3::Y, 0.0, rotation)).sum();
        sum / ROTATION_COUNT as f32
    }

    /// Part of the key light that reaches `point` on the side that `normal` points to.
    ///
    /// `coarseness` is the size of the triangles there: flat as they are, they stand out of the
    /// smooth surface by a part of it, and must not shadow themselves for that.
    pub fn lit(&self, point: Vec3, normal: Vec3, coarseness: f32, rotation: usize) -> f32 {
        let map = &self.map;
        let clearance = (0.35 * coarseness).clamp(2.0 * map.texel, self.most_clearance);
        let taps = &self.taps[rotation % ROTATION_COUNT];
        let cosine = normal.dot(map.toward).max(0.25);
        let start = point + normal * clearance;
        let place = map.locate(start);
        let height = start.dot(map.toward);
        // Height of the surface's own plane, per metre across the map: lookups away from the
        // point compare against it, or every slope would shadow itself.
        let slope = -Vec2::new(normal.dot(map.right), normal.dot(map.up)) / cosine;

        let mut blocker_sum = 0.0;
        let mut blocker_count = 0.0;
        for tap in taps {
            let across = *tap * self.search_radius;
            let blocker = map.highest_at(place + across / map.texel);
            let excess = blocker - (height + slope.dot(across)) - 0.15 * across.length();
            if excess > 0.0 {
                blocker_sum += blocker - height;
                blocker_count += 1.0;
            }
        }
        if blocker_count == 0.0 {
            return 1.0;
        }
        let radius = (blocker_sum / blocker_count * KEY_SOFTNESS).clamp(self.least_radius, self.search_radius);
        let softness = 0.5 * clearance;
        let mut blocked = 0.0;
        for tap in taps {
            let across = *tap * radius;
            let bias = slope.dot(across) + 0.15 * across.length();
            blocked += map.blocked(place + across / map.texel, height + bias, softness);
        }
        1.0 - blocked / TAP_COUNT as f32
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::super::camera::View;
    use super::super::light::Studio;
    use super::super::mesh::Mesh;
    use super::super::{Camera, Surface};
    use super::KeyShadow;

    #[test]
    fn a_plate_shades_what_is_below_it_but_not_itself() {
        let corners = [(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];
        let positions = corners.map(|(x, z)| Vec3::new(x, 0.0, z));
        let mut mesh = Mesh::new(&[Surface {
            positions: &positions,
            triangles: &[[0, 1, 2], [0, 2, 3]],
            colour: [0.5; 3],
            rest_coordinates: &[],
        }]);
        mesh.finish();
        let camera = Camera::framing(positions, None, 64, 64);
        let studio = Studio::new(&View::new(&camera, 64, 64));
        let shadow = KeyShadow::new(&mesh, &studio);

        let under = -0.5 * studio.toward_key;
        assert!(shadow.lit_ground(under) < 0.01);
        assert!(shadow.lit_ground(under + 4.0 * Vec3::X) > 0.99);
        for step in 0..19 {
            let point = Vec3::new(-0.9 + 0.1 * step as f32, 0.0, 0.4);
            assert!(shadow.lit(point, Vec3::Y, 1.0, step) > 0.99, "shadow at {point}");
        }
        // The rim of the shadow is soft.
        let edge = under + Vec3::X;
        let lit = shadow.lit_ground(edge);
        assert!((0.2..0.8).contains(&lit), "{lit} is lit under the edge");
    }
}
