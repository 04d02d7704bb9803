//! Intersections of surfaces, by exact arithmetic: edges that cross triangles. Rounding would report crossings in flat sheets, or miss some.

use super::pairs::{Bounds, Grid};
use crate::{parallel::*, topology::Surface};
use glam::DVec3;
use robust::{Coord3D, orient3d};

/// An edge and a triangle of a surface, by number, that cross.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crossing {
    /// Number of the edge.
    pub edge: u32,
    /// Number of the triangle.
    pub triangle: u32,
}

/// All crossings of edges and triangles that share no particle, tied ones included, and whose bodies meet; sorted.
pub fn crossings(surface: &Surface, masters: &[u32], positions: &[DVec3]) -> Vec<Crossing> {
    let bounds = |rows: &[u32]| {
        let at = |row: u32| Bounds { low: positions[row as usize], high: positions[row as usize] };
        rows[1..].iter().fold(at(rows[0]), |all, &row| all.join(at(row)))
    };
    let grid = Grid::build(surface.triangles.iter().map(|rows| bounds(rows)).collect());
    let of_edge = |(edge, ends): (usize, &[u32; 2])| {
        let crossed = |triangle: &u32| {
            let corners = surface.triangles[*triangle as usize];
            let shared =
                ends.iter().any(|&end| corners.iter().any(|&corner| masters[corner as usize] == masters[end as usize]));
            !shared
                && surface.thickness(ends[0], corners[0]).is_some()
                && cross(ends.map(|row| positions[row as usize]), corners.map(|row| positions[row as usize]))
        };
        let found = grid.overlapping(&bounds(ends)).into_iter().filter(crossed);
        found.map(|triangle| Crossing { edge: edge as u32, triangle }).collect::<Vec<_>>()
    };
    let lists: Vec<Vec<Crossing>> = surface.edges.par_iter().with_min_len(64).enumerate().map(of_edge).collect();
    lists.concat()
}

/// Whether a segment crosses a triangle. Touching counts, lying within its plane does not.
fn cross([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> bool {
    let sides = [side([a, b, c], p), side([a, b, c], q)];
    if sides[0] * sides[1] > 0.0 || sides == [0.0, 0.0] {
        return false;
    }
    let around = [side([p, q, a], b), side([p, q, b], c), side([p, q, c], a)];
    around.iter().all(|&turn| turn >= 0.0) || around.iter().all(|&turn| turn <= 0.0)
}

/// Sign of the volume of a tetrahedron.
fn side([a, b, c]: [DVec3; 3], d: DVec3) -> f64 {
    let at = |v: DVec3| Coord3D { x: v.x, y: v.y, z: v.z };
    let volume = orient3d(at(a), at(b), at(c), at(d));
    if volume == 0.0 { 0.0 } else { volume.signum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_crosses_a_triangle_only_inside_it() {
        let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let through = |x: f64, y: f64| [DVec3::new(x, y, -1.0), DVec3::new(x, y, 1.0)];
        assert!(cross(through(0.25, 0.25), triangle));
        assert!(cross(through(0.5, 0.5), triangle), "on its border");
        assert!(!cross(through(0.5 + 1e-15, 0.5 + 1e-15), triangle), "just outside");
        assert!(!cross([DVec3::new(0.25, 0.25, 1e-300), DVec3::new(0.25, 0.25, 1.0)], triangle), "just above");
        assert!(!cross([DVec3::new(-1.0, 0.2, 0.0), DVec3::new(1.0, 0.2, 0.0)], triangle), "in its plane");
    }
}
