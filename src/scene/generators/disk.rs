//! A round cloth.

use crate::Mesh;
use glam::Vec3;
use std::f32::consts::TAU;

impl Mesh {
    /// A flat disk in the xz-plane around the origin, `radius` in metres: a vertex in the middle and `rings` rings about it, 6·k vertices
    /// on ring k, so that all triangles are nearly equilateral. Numbered from the middle outwards.
    ///
    /// ```
    /// let disk = tenter::Mesh::disk(0.5, 10);
    /// assert_eq!(disk.positions.len(), 1 + 3 * 10 * 11);
    /// assert_eq!(disk.triangles.len(), 6 * 10 * 10);
    /// ```
    pub fn disk(radius: f32, rings: u32) -> Self {
        let mut mesh = Mesh::points(vec![Vec3::ZERO]);
        // First vertex of the ring inside.
        let mut inner = 0;
        for ring in 1..=rings {
            let first = mesh.positions.len() as u32;
            let (count, inner_count) = (6 * ring, (6 * (ring - 1)).max(1));
            let size = radius * (ring as f32 / rings as f32);
            for ix in 0..count {
                let (sin, cos) = (TAU * (ix as f32 / count as f32)).sin_cos();
                mesh.positions.push(size * Vec3::new(cos, 0.0, -sin));
            }
            // Each of the six sectors has one vertex more than on the ring inside.
            for sector in 0..6 {
                let out = |ix: u32| first + (sector * ring + ix) % count;
                let inside = |ix: u32| inner + (sector * (ring - 1) + ix) % inner_count;
                for ix in 0..ring {
                    mesh.triangles.push([inside(ix), out(ix), out(ix + 1)]);
                    if ix + 1 < ring {
                        mesh.triangles.push([inside(ix), out(ix + 1), inside(ix + 1)]);
                    }
                }
            }
            inner = first;
        }
        mesh
    }
}
