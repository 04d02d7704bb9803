//! A ball of tetrahedra.

use crate::Mesh;
use glam::{DVec3, Vec3};

/// How large the cube at the centre is, relative to that which the ball is made of: less, and cells are thin at the centre of the
/// sides; more, and they are at the corners.
const CORE: f64 = 0.75;

impl Mesh {
    /// A ball around the origin, `radius` in metres: a [block](Mesh::block) of `cells` cells along each axis, at least two, that becomes
    /// rounder from the centre outwards. All vertices of its surface lie on the sphere. Tetrahedra of surface vertices alone, which
    /// would be flat, are left out.
    ///
    /// ```
    /// let ball = tenter::Mesh::ball(0.1, 6);
    /// assert!(ball.positions.iter().all(|p| p.length() < 0.1001));
    /// ```
    pub fn ball(radius: f32, cells: u32) -> Self {
        let cells = cells.max(2);
        let block = Mesh::block(Vec3::splat(2.0), [cells + 1; 3]);
        let place = |ix: u32| block.positions[ix as usize].as_dvec3();
        // Half a cell is more than rounding.
        let on_surface = |ix: u32| place(ix).abs().max_element() > 1.0 - 1.0 / f64::from(cells);
        let kept: Vec<[u32; 4]> =
            block.tetrahedra.iter().copied().filter(|t| !t.iter().all(|&v| on_surface(v))).collect();
        // Vertices that only such tetrahedra had go with them.
        let mut numbers = vec![u32::MAX; block.positions.len()];
        kept.iter().flatten().for_each(|&vertex| numbers[vertex as usize] = 0);
        let mut positions = Vec::new();
        for (ix, number) in numbers.iter_mut().enumerate().filter(|(_, number)| **number == 0) {
            *number = positions.len() as u32;
            positions.push((f64::from(radius) * round(place(ix as u32))).as_vec3());
        }
        Mesh::from_tetrahedra(positions, kept.into_iter().map(|t| t.map(|vertex| numbers[vertex as usize])).collect())
    }
}

/// From the cube of ±1 to the ball of radius 1.
fn round(point: DVec3) -> DVec3 {
    let (largest, length) = (point.abs().max_element(), point.length());
    if length == 0.0 {
        return point;
    }
    let share = largest * largest;
    point * (CORE * (1.0 - share) + share * largest / length)
}
