//! Soft light from all around, with what the cloth itself keeps out.
//!
//! Many depth maps, one per axis through the mesh, say from which directions a point is open to
//! the surround. That is smooth and free of the halos and noise of screen-space methods, and it
//! darkens the inside of folds the way light really does. It is gathered per vertex and side, and
//! on a grid of the ground.

use std::ops::{Add, Mul};

use glam::Vec3;
use rayon::prelude::*;

use super::depth_map::DepthMap;
use super::ground_sky::GroundSky;
use super::light::Studio;
use super::mesh::Mesh;

/// Axes, each giving light from both of its ends.
const AXIS_COUNT: usize = 64;
/// Axes handled at once: enough to share among threads, few enough to stay in cache.
const BATCH: usize = 8;
const MAP_SIDE: u32 = 320;

/// Light gathered at a point, out of a cosine-weighted hemisphere.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gathered {
    /// Light from open directions.
    pub open: Vec3,
    /// Part of the hemisphere that is blocked.
    pub blocked: f32,
    weight: f32,
}

impl Gathered {
    fn gather(&mut self, light: Vec3, cosine: f32, blocked: f32) {
        self.open += light * (cosine * (1.0 - blocked));
        self.blocked += cosine * blocked;
        self.weight += cosine;
    }

    fn normalised(self) -> Self {
        self * (1.0 / self.weight.max(1.0e-6))
    }
}

impl Add for Gathered {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { open: self.open + other.open, blocked: self.blocked + other.blocked, weight: self.weight + other.weight }
    }
}

impl Mul<f32> for Gathered {
    type Output = Self;

    fn mul(self, factor: f32) -> Self {
        Self { open: self.open * factor, blocked: self.blocked * factor, weight: self.weight * factor }
    }
}

/// Soft light at every vertex, front and back, and on the ground.
pub(super) struct Ambient {
    pub front: Vec<Gathered>,
    pub back: Vec<Gathered>,
    pub ground: GroundSky,
}

impl Ambient {
    pub fn new(mesh: &Mesh, studio: &Studio) -> Self {
        let mut sides = vec![[Gathered::default(); 2]; mesh.positions.len()];
        let mut ground = GroundSky::new(mesh);
        let axes: Vec<Vec3> = (0..AXIS_COUNT).map(axis).collect();
        let batches: &[Vec3] = if mesh.triangles.is_empty() { &[] } else { &axes };
        for batch in batches.chunks(BATCH) {
            let maps: Vec<DepthMap> = batch.par_iter().map(|axis| DepthMap::new(mesh, *axis, MAP_SIDE, true)).collect();
            sides.par_iter_mut().enumerate().for_each(|(vertex, sides)| {
                let (position, normal) = (mesh.positions[vertex], mesh.normals[vertex]);
                for map in &maps {
                    gather(map, studio, position, normal, sides);
                }
            });
            ground.gather(&maps);
        }

        let (front, back): (Vec<Gathered>, Vec<Gathered>) =
            sides.into_iter().map(|[front, back]| (front.normalised(), back.normalised())).unzip();
        Self { front: smoothed(mesh, &front), back: smoothed(mesh, &back), ground: ground.finish() }
    }
}

/// Adds the light from both ends of a map's axis: one end lights the front, the other the back.
fn gather(map: &DepthMap, studio: &Studio, position: Vec3, normal: Vec3, [front, back]: &mut [Gathered; 2]) {
    let cosine = normal.dot(map.toward);
    // Stepping off the surface keeps a texel's own slope from counting as a blocker.
    let offset = normal * (1.5 * map.texel);
    let softness = 2.0 * map.texel;
    let (lit_by_axis, lit_by_opposite) = if cosine >= 0.0 {
        ((front, position + offset), (back, position - offset))
    } else {
        ((back, position - offset), (front, position + offset))
    };
    let (side, point) = lit_by_axis;
    let blocked = map.blocked(map.locate(point), point.dot(map.toward), softness);
    side.gather(studio.surround(map.toward), cosine.abs(), blocked);
    let (side, point) = lit_by_opposite;
    let blocked = map.blocked_opposite(map.locate(point), point.dot(map.toward), softness);
    side.gather(studio.surround(-map.toward), cosine.abs(), blocked);
}

/// Directions spread evenly over the upper half of a sphere, along a golden spiral.
fn axis(index: usize) -> Vec3 {
    let height = (index as f32 + 0.5) / AXIS_COUNT as f32;
    let azimuth = index as f32 * std::f32::consts::PI * (3.0 - 5.0_f32.sqrt());
    let across = (1.0 - height * height).sqrt();
    Vec3::new(across * azimuth.cos(), height, across * azimuth.sin())
}

/// Averages each vertex with its neighbours: a limited number of directions leaves faint steps.
fn smoothed(mesh: &Mesh, values: &[Gathered]) -> Vec<Gathered> {
    let mut sums = values.to_vec();
    for triangle in &mesh.triangles {
        for corner in triangle.corners {
            for other in triangle.corners {
                sums[corner] = sums[corner] + values[other];
            }
        }
    }
    sums.into_iter().map(Gathered::normalised).collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::super::camera::View;
    use super::super::light::Studio;
    use super::super::mesh::Mesh;
    use super::super::{Camera, Surface};
    use super::Ambient;

    #[test]
    fn light_is_kept_out_between_two_plates() {
        let plate =
            |y: f32| [(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (0.0, 0.0)].map(|(x, z)| Vec3::new(x, y, z));
        let (lower, upper) = (plate(0.0), plate(0.2));
        let triangles = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]];
        let surfaces = [&lower, &upper].map(|positions| Surface {
            positions,
            triangles: &triangles,
            colour: [0.5; 3],
            rest_coordinates: &[],
        });
        let mut mesh = Mesh::new(&surfaces);
        mesh.finish();
        let camera = Camera::framing(lower, None, 64, 64);
        let ambient = Ambient::new(&mesh, &Studio::new(&View::new(&camera, 64, 64)));
        // Vertices 4 and 9 are the middles; the front is above.
        assert!(ambient.front[4].blocked > 0.45, "{:?}", ambient.front[4]);
        assert!(ambient.back[9].blocked > 0.45, "{:?}", ambient.back[9]);
        assert!(ambient.front[9].blocked < 0.02, "{:?}", ambient.front[9]);
        assert!(ambient.back[4].blocked < 0.02, "{:?}", ambient.back[4]);
        assert!(ambient.front[9].open.min_element() > ambient.back[4].open.max_element());
        // The ground right below sees little sky, far away all of it.
        let below = Vec3::new(0.0, mesh.bounds.ground_height(), 0.0);
        assert!(ambient.ground.openness(below) < 0.3);
        assert!(ambient.ground.openness(below + 4.2 * Vec3::X) > 0.95);
    }
}
