//! Skins, twins of `shaders/skin/{place,normals}.wgsl`.

use crate::topology::{Fans, SkinPoint};
use glam::DVec3;

/// Where the vertices of skins are, with their particles at these positions, m, in the user's order.
pub fn place(points: &[SkinPoint], positions: &[DVec3]) -> Vec<DVec3> {
    let placed = |point: &SkinPoint| {
        let [first, b, c, d] = point.particles.map(|particle| positions[particle as usize]);
        let (u, v) = (b - first, c - first);
        let third = if point.solid { d - first } else { u.cross(v).normalize_or_zero() };
        first + point.weights.x * u + point.weights.y * v + point.weights.z * third
    };
    points.iter().map(placed).collect()
}

/// Unit normals of skins whose vertices are at these positions, m: sums over the triangles around each, by their areas.
pub fn normals(fans: &Fans, positions: &[DVec3]) -> Vec<DVec3> {
    let normal = |(vertex, position): (usize, &DVec3)| {
        let doubled = |&[b, c]: &[u32; 2]| (positions[b as usize] - position).cross(positions[c as usize] - position);
        fans.row(vertex).iter().map(doubled).sum::<DVec3>().normalize_or_zero()
    };
    positions.iter().enumerate().map(normal).collect()
}
