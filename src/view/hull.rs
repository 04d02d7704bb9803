//! Shapes of colliders as triangles: round shapes are smooth, flat sides flat.

use crate::Shape;
use glam::{Vec2, Vec3};

/// Cells along each side of a flat face, at whose corners ambient light is computed.
pub(crate) const CELLS: u32 = 24;
/// Segments around round shapes.
const MERIDIANS: u32 = 96;
/// Number of subdivisions of an icosahedron's triangles.
const SUBDIVISIONS: u32 = 4;

/// Triangles in a shape's own frame, counter-clockwise seen from outside. Vertices are shared only where the surface is smooth.
#[derive(Default)]
pub(crate) struct Hull {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Hull {
    /// Hull of a shape, smaller by half the distance that cloth keeps.
    pub fn of(shape: &Shape, thickness: f32) -> Self {
        let margin = 0.5 * thickness.max(0.0);
        let mut hull = Self::default();
        let inside = |size: f32| (size - margin).max(0.9 * size);
        match shape {
            Shape::Sphere { radius } => hull.push_sphere(inside(*radius)),
            Shape::Box { half } => hull.push_box(Vec3::new(inside(half.x), inside(half.y), inside(half.z))),
            Shape::Capsule { radius, half_length } => hull.push_capsule(inside(*radius), *half_length),
            Shape::Cylinder { radius, half_length } => hull.push_cylinder(inside(*radius), inside(*half_length)),
            Shape::Mesh { surface, .. } => {
                hull.positions.clone_from(&surface.positions);
                hull.triangles.clone_from(&surface.triangles);
            }
            Shape::Deforming(mesh) => {
                hull.positions = mesh.frames.first().map_or_else(Vec::new, |frame| frame.positions.clone());
                hull.triangles.clone_from(&mesh.triangles);
            }
            Shape::Plane => {}
        }
        hull
    }

    fn push_sphere(&mut self, radius: f32) {
        let golden = 0.5 * (1.0 + 5.0_f32.sqrt());
        let (mut corners, mut triangles) = (Vec::new(), Vec::new());
        for [a, b] in [[-1.0, golden], [1.0, golden], [-1.0, -golden], [1.0, -golden]] {
            corners.extend([Vec3::new(a, b, 0.0), Vec3::new(0.0, a, b), Vec3::new(b, 0.0, a)]);
        }
        // The faces are the triples of vertices that are pairwise neighbours.
        let near = |a: usize, b: usize| corners[a].distance(corners[b]) < 2.1;
        for a in 0..12 {
            for b in a + 1..12 {
                for c in b + 1..12 {
                    if near(a, b) && near(b, c) && near(c, a) {
                        let normal = (corners[b] - corners[a]).cross(corners[c] - corners[a]);
                        let is_outward = normal.dot(corners[a]) > 0.0;
                        triangles.push(if is_outward { [a, b, c] } else { [a, c, b] }.map(|corner| corner as u32));
                    }
                }
            }
        }
        for corner in &mut corners {
            *corner = corner.normalize();
        }
        for _ in 0..SUBDIVISIONS {
            triangles = quartered(&triangles, &mut corners);
        }
        self.positions = corners.into_iter().map(|corner| radius * corner).collect();
        self.triangles = triangles;
    }

    fn push_box(&mut self, half: Vec3) {
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                let along = |axis: usize| 2.0 * half[axis % 3] * Vec3::AXES[axis % 3];
                let centre = 0.5 * sign * along(axis);
                self.push_face(centre, sign * along(axis + 1), along(axis + 2), CELLS);
            }
        }
    }

    /// Adds a rectangle with normal `right` × `up`.
    pub(crate) fn push_face(&mut self, centre: Vec3, right: Vec3, up: Vec3, cells: u32) {
        let base = self.positions.len() as u32;
        let part = |ix: u32| ix as f32 / cells as f32 - 0.5;
        for row in 0..=cells {
            self.positions.extend((0..=cells).map(|column| centre + part(column) * right + part(row) * up));
        }
        for row in 0..cells {
            for column in 0..cells {
                let lower = base + row * (cells + 1) + column;
                let upper = lower + cells + 1;
                self.triangles.extend([[lower, lower + 1, upper + 1], [lower, upper + 1, upper]]);
            }
        }
    }

    fn push_capsule(&mut self, radius: f32, half_length: f32) {
        let quarter = MERIDIANS / 4;
        let arc = |from: f32, middle: f32| {
            (0..=quarter).map(move |ix| {
                let angle = std::f32::consts::FRAC_PI_2 * (from - ix as f32 / quarter as f32);
                Vec2::new(radius * angle.cos(), middle + radius * angle.sin())
            })
        };
        let side = (1..CELLS).map(|ix| Vec2::new(radius, half_length * (1.0 - 2.0 * ix as f32 / CELLS as f32)));
        let profile: Vec<Vec2> = arc(1.0, half_length).chain(side).chain(arc(0.0, -half_length)).collect();
        self.push_turned(&profile);
    }

    fn push_cylinder(&mut self, radius: f32, half_length: f32) {
        let rim = [Vec2::new(radius, half_length), Vec2::new(radius, -half_length)];
        let line = |from: Vec2, to: Vec2| (0..=CELLS).map(|ix| from.lerp(to, ix as f32 / CELLS as f32)).collect();
        let parts: [Vec<Vec2>; 3] =
            [line(rim[0] * Vec2::Y, rim[0]), line(rim[0], rim[1]), line(rim[1], rim[1] * Vec2::Y)];
        for part in parts {
            self.push_turned(&part);
        }
    }

    /// Adds a surface of revolution about y from a profile of (radius, height), ordered downwards or outwards.
    fn push_turned(&mut self, profile: &[Vec2]) {
        let base = self.positions.len() as u32;
        for place in profile {
            self.positions.extend((0..MERIDIANS).map(|meridian| {
                let around = Vec2::from_angle(std::f32::consts::TAU * meridian as f32 / MERIDIANS as f32);
                Vec3::new(place.x * around.x, place.y, place.x * around.y)
            }));
        }
        for ring in 1..profile.len() as u32 {
            let (upper, lower) = (base + (ring - 1) * MERIDIANS, base + ring * MERIDIANS);
            for meridian in 0..MERIDIANS {
                let next = (meridian + 1) % MERIDIANS;
                self.triangles.push([upper + meridian, upper + next, lower + next]);
                self.triangles.push([upper + meridian, lower + next, lower + meridian]);
            }
        }
    }
}

/// Splits each triangle into four, with new vertices on the unit sphere.
fn quartered(triangles: &[[u32; 3]], corners: &mut Vec<Vec3>) -> Vec<[u32; 3]> {
    let mut middles = std::collections::HashMap::new();
    let mut middle = |a: u32, b: u32| {
        *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
            corners.push((corners[a as usize] + corners[b as usize]).normalize());
            corners.len() as u32 - 1
        })
    };
    let mut parts = Vec::with_capacity(4 * triangles.len());
    for &[a, b, c] in triangles {
        let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
        parts.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enclosed volume by the divergence theorem; positive only if triangles face outwards.
    fn volume(shape: &Shape) -> f32 {
        let hull = Hull::of(shape, 0.0);
        let corner = |ix: u32| hull.positions[ix as usize];
        hull.triangles.iter().map(|t| t.map(corner)).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    #[test]
    fn hulls_have_the_volume_of_their_shapes() {
        use std::f32::consts::PI;
        let half = Vec3::new(0.2, 0.3, 0.4);
        let (radius, half_length) = (0.3, 0.5);
        let ball = 4.0 / 3.0 * PI * radius * radius * radius;
        let tube = PI * radius * radius * 2.0 * half_length;
        for (shape, expected) in [
            (Shape::Box { half }, 8.0 * half.element_product()),
            (Shape::Sphere { radius }, ball),
            (Shape::Capsule { radius, half_length }, ball + tube),
            (Shape::Cylinder { radius, half_length }, tube),
        ] {
            let found = volume(&shape);
            assert!((found / expected - 1.0).abs() < 4e-3, "{shape:?}: {found}, not {expected}");
        }
    }
}
