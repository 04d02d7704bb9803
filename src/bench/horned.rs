//! A closed surface with thin parts, like animals and furniture: a collider with features as small as the cells of a cloth.

use crate::Mesh;
use glam::Vec3;
use std::collections::HashMap;

/// Spikes of the surface: direction, length over the radius of the body, width in rad.
const SPIKES: [(Vec3, f32, f32); 7] = [
    // Horns.
    (Vec3::new(0.35, 0.9, 0.1), 0.7, 0.12),
    (Vec3::new(-0.3, 0.9, 0.25), 0.7, 0.12),
    // A nose.
    (Vec3::new(0.1, 0.45, 0.9), 0.4, 0.18),
    // Legs.
    (Vec3::new(0.6, -0.8, 0.6), 0.6, 0.18),
    (Vec3::new(-0.6, -0.8, 0.6), 0.6, 0.18),
    (Vec3::new(0.6, -0.8, -0.6), 0.6, 0.18),
    (Vec3::new(-0.6, -0.8, -0.6), 0.6, 0.18),
];

/// A ball about the origin with two horns, a nose and four legs, 8192 triangles, m. Half way up, each is thinner than a third of
/// the ball's radius. The tips are 1.7 radii from the origin.
pub fn horned_ball(radius: f32) -> Mesh {
    let mut mesh = divided_ball(5);
    for point in &mut mesh.positions {
        let direction = *point;
        let spike = |&(axis, length, width): &(Vec3, f32, f32)| {
            let angle = direction.dot(axis.normalize()).clamp(-1.0, 1.0).acos();
            length * (-(angle / width).powi(2)).exp()
        };
        *point = radius * (1.0 + SPIKES.iter().map(spike).sum::<f32>()) * direction;
    }
    mesh
}

/// A ball of radius 1 with 8 · 4ⁿ triangles: an octahedron, subdivided and projected onto the sphere.
fn divided_ball(divisions: u32) -> Mesh {
    let mut positions = vec![Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    let mut triangles: Vec<[u32; 3]> =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    for _ in 0..divisions {
        let mut middles = HashMap::new();
        let mut finer = Vec::with_capacity(4 * triangles.len());
        for &[a, b, c] in &triangles {
            let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[from, to]| {
                *middles.entry([from.min(to), from.max(to)]).or_insert_with(|| {
                    positions.push((positions[from as usize] + positions[to as usize]).normalize());
                    positions.len() as u32 - 1
                })
            });
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    Mesh::from_triangles(positions, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::check_surface;

    #[test]
    fn the_surface_is_closed_and_has_thin_parts() {
        let mesh = horned_ball(0.2);
        assert_eq!(check_surface(&mesh), Ok(()));
        assert_eq!(mesh.triangles.len(), 8192);
        let highest = mesh.positions.iter().map(|x| x.length()).fold(0.0, f32::max);
        assert!((0.33..0.35).contains(&highest), "{highest}");
        // Half way up, a horn is 2 to 6 cm wide.
        let axis = SPIKES[0].0.normalize();
        let ring =
            mesh.positions.iter().filter(|x| (x.dot(axis) - 0.27).abs() < 0.01 && x.dot(axis) > 0.95 * x.length());
        let widest = ring.map(|x| (*x - axis * x.dot(axis)).length()).fold(0.0, f32::max);
        assert!((0.01..0.03).contains(&widest), "{widest}");
    }
}
