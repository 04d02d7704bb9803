//! An open cylinder.

use crate::Mesh;
use glam::Vec3;
use std::f32::consts::TAU;

impl Mesh {
    /// An open cylinder about the y-axis, centred on the origin, `radius` and `length` in metres, of `around` *vertices* about the axis
    /// and `along` along it, ring after ring from below. The diagonals of the cells alternate.
    ///
    /// ```
    /// let sleeve = tenter::Mesh::tube(0.1, 0.6, 24, 20);
    /// assert_eq!(sleeve.positions.len(), 24 * 20);
    /// assert_eq!(sleeve.triangles.len(), 2 * 24 * 19);
    /// ```
    pub fn tube(radius: f32, length: f32, around: u32, along: u32) -> Self {
        let mut mesh = Mesh::default();
        for ring in 0..along {
            let y = if along < 2 { 0.0 } else { length * (ring as f32 / (along - 1) as f32 - 0.5) };
            for ix in 0..around {
                let (sin, cos) = (TAU * (ix as f32 / around as f32)).sin_cos();
                mesh.positions.push(Vec3::new(radius * cos, y, -radius * sin));
            }
        }
        // Two vertices are no ring.
        if around < 3 {
            return mesh;
        }
        for ring in 1..along {
            for ix in 0..around {
                let next = (ix + 1) % around;
                let (below, above) = ((ring - 1) * around, ring * around);
                let (a, b, c, d) = (below + ix, below + next, above + ix, above + next);
                if (ring + ix) % 2 == 0 {
                    mesh.triangles.extend([[a, b, d], [a, d, c]]);
                } else {
                    mesh.triangles.extend([[a, b, c], [b, d, c]]);
                }
            }
        }
        mesh
    }
}
