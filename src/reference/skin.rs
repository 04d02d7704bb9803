//! Skins, twins of `shaders/skin/{place,normals}.wgsl`.

use crate::topology::{Fans, SkinPoint};
use glam::DVec3;

/// Positions of skin vertices, m, from those of their particles, m, in the user's order.
pub fn place(points: &[SkinPoint], positions: &[DVec3]) -> Vec<DVec3> {
    let placed = |point: &SkinPoint| {
        let [first, b, c, d] = point.particles.map(|particle| positions[particle as usize]);
        let (u, v) = (b - first, c - first);
        let third = if point.solid { d - first } else { u.cross(v).normalize_or_zero() };
        first + point.weights.x * u + point.weights.y * v + point.weights.z * third
    };
    points.iter().map(placed).collect()
}

/// Unit normals of skin vertices at these positions, m: area-weighted sums over the triangles around each vertex.
pub fn normals(fans: &Fans, positions: &[DVec3]) -> Vec<DVec3> {
    let normal = |(vertex, position): (usize, &DVec3)| {
        let doubled = |&[b, c]: &[u32; 2]| (positions[b as usize] - position).cross(positions[c as usize] - position);
        fans.row(vertex).iter().map(doubled).sum::<DVec3>().normalize_or_zero()
    };
    positions.iter().enumerate().map(normal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Mass, Material, Mesh, Options, Ordering, Scene, topology::Topology};
    use glam::Vec3;

    /// A skin at rest is where it was given, whatever body it is attached to.
    #[test]
    fn at_rest_nothing_moves() {
        let mut rng = fastrand::Rng::with_seed(8);
        let mut random = || 0.9 * Vec3::from_array([(); 3].map(|()| 2.0 * rng.f32() - 1.0));
        let block = Mesh::block(Vec3::new(1.0, 0.5, 0.8), [4, 3, 5]);
        let sheet = Mesh::grid(1.0, 1.0, 7, 5);
        for mesh in [block, sheet] {
            let skin = Mesh::points((0..500).map(|_| random()).collect());
            let mut scene = Scene::new();
            let material = Material::loose(Mass::Total(1.0));
            scene.add(Body::cloth(mesh.clone(), material).with_skin(skin.clone()));
            let options = Options { ordering: Ordering::AsGiven, ..Default::default() };
            let topology = Topology::build(&scene, &options).unwrap();
            let placed = place(&topology.skins.points, &topology.positions);
            for (found, given) in placed.iter().zip(&skin.positions) {
                assert!(found.distance(given.as_dvec3()) < 1e-12);
            }
        }
    }
}
