//! Holes of a triangle surface: found as closed walks along edges that have a triangle on one side only, closed by the triangulation that is flattest and best shaped.
//!
//! The weight of a triangle is its area and a share of the squares of its sides, and ∞ if it has no area or a side that the surface has already. The triangulation of least
//! total weight follows from those of parts of the walk:
//!
//! ```text
//! W(i, j) = min over i < k < j of  W(i, k) + W(k, j) + weight(i, k, j)
//! ```

use crate::Mesh;
use glam::{DVec3, Vec3};
use std::collections::{BTreeMap, HashSet};

/// Largest number of edges around a hole that is closed: the work grows with the cube.
const MOST_EDGES: usize = 500;
/// Share of squared sides in the weight of a triangle.
const SLENDER: f64 = 0.01;
/// Twice the area of a triangle without area, as a fraction of the square of its longest side.
const LEAST_AREA: f64 = 1e-6;

/// A hole of a triangle surface.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Hole {
    /// Vertices around the hole, so that triangles in this order have the orientation of the surface.
    pub vertices: Vec<u32>,
    /// Mean of the vertices, m.
    pub centre: Vec3,
    /// Diagonal of the box about the vertices, m.
    pub across: f32,
}

impl Mesh {
    /// Holes of the surface, in the order of their first triangles. A surface without any is closed, if neighbouring triangles have the same orientation. The border of a sheet
    /// is a hole, too.
    ///
    /// ```
    /// use tenter::Mesh;
    /// let tube = Mesh::tube(0.1, 0.3, 12, 5);
    /// let holes = tube.holes();
    /// assert_eq!(holes.len(), 2);
    /// assert_eq!(holes[0].vertices.len(), 12);
    /// ```
    pub fn holes(&self) -> Vec<Hole> {
        let sides = || self.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let known: HashSet<[u32; 2]> = sides().collect();
        // The way round a hole is opposite to that of the triangles about it.
        let mut ways: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut starts = Vec::new();
        for [from, to] in sides().filter(|&[from, to]| !known.contains(&[to, from])) {
            ways.entry(to).or_default().push(from);
            starts.push(to);
        }
        let mut holes = Vec::new();
        for start in starts {
            let mut walk = vec![start];
            while let Some(next) = walk.last().and_then(|last| ways.get_mut(last)).and_then(Vec::pop) {
                // Holes that touch at a vertex are taken apart there.
                if let Some(place) = walk.iter().position(|&vertex| vertex == next) {
                    holes.push(self.hole(walk.split_off(place)));
                }
                walk.push(next);
            }
        }
        holes
    }

    fn hole(&self, vertices: Vec<u32>) -> Hole {
        let places = || vertices.iter().map(|&vertex| self.place(vertex));
        let low = places().fold(DVec3::INFINITY, DVec3::min);
        let high = places().fold(DVec3::NEG_INFINITY, DVec3::max);
        let centre = (places().sum::<DVec3>() / vertices.len() as f64).as_vec3();
        Hole { centre, across: (high - low).length() as f32, vertices }
    }

    /// Position of a vertex, m; the origin for one that does not exist.
    fn place(&self, vertex: u32) -> DVec3 {
        self.positions.get(vertex as usize).copied().unwrap_or_default().as_dvec3()
    }

    /// Closes the holes that are at most this far across, m, without new vertices, and returns them. A hole of more than 500 edges, or one that no triangles without
    /// overlap can close, stays.
    ///
    /// ```
    /// use tenter::Mesh;
    /// let mut tube = Mesh::tube(0.1, 0.3, 12, 5);
    /// assert!(Mesh::filled(&tube, 0.05).is_err());
    /// assert_eq!(tube.close_holes(0.3).len(), 2);
    /// assert!(Mesh::filled(&tube, 0.05).is_ok());
    /// ```
    pub fn close_holes(&mut self, across: f32) -> Vec<Hole> {
        let mut sides: HashSet<[u32; 2]> =
            self.triangles.iter().flat_map(|&[a, b, c]| [sorted(a, b), sorted(b, c), sorted(c, a)]).collect();
        let mut closed = Vec::new();
        for hole in self.holes().into_iter().filter(|hole| hole.across <= across) {
            let Some(triangles) = self.triangulate(&hole.vertices, &sides) else { continue };
            sides.extend(triangles.iter().flat_map(|&[a, b, c]| [sorted(a, b), sorted(b, c), sorted(c, a)]));
            self.triangles.extend(triangles);
            closed.push(hole);
        }
        closed
    }

    /// Triangles of least weight inside a walk; `None` if there are none.
    fn triangulate(&self, walk: &[u32], sides: &HashSet<[u32; 2]>) -> Option<Vec<[u32; 3]>> {
        let count = walk.len();
        if !(3..=MOST_EDGES).contains(&count) {
            return None;
        }
        let at = |ix: usize| self.place(walk[ix]);
        // The sides of the walk itself are there; others must not be.
        let is_new =
            |a: usize, b: usize| b - a == 1 || b - a == count - 1 || !sides.contains(&sorted(walk[a], walk[b]));
        let weight = |a: usize, b: usize, c: usize| {
            let squares = [at(a) - at(b), at(b) - at(c), at(c) - at(a)].map(DVec3::length_squared);
            let doubled = (at(b) - at(a)).cross(at(c) - at(a)).length();
            let usable = doubled > LEAST_AREA * squares.into_iter().fold(0.0, f64::max);
            if usable && is_new(a, b) && is_new(b, c) && is_new(a, c) {
                0.5 * doubled + SLENDER * squares.iter().sum::<f64>()
            } else {
                f64::INFINITY
            }
        };
        // Least weight between two places of the walk, and the place of the third corner.
        let mut least = vec![(0.0f64, 0usize); count * count];
        for apart in 2..count {
            for first in 0..count - apart {
                let last = first + apart;
                let total = |k: usize| least[first * count + k].0 + least[k * count + last].0 + weight(first, k, last);
                let best = (first + 1..last).map(|k| (total(k), k)).min_by(|a, b| a.0.total_cmp(&b.0));
                least[first * count + last] = best?;
            }
        }
        if !least[count - 1].0.is_finite() {
            return None;
        }
        let mut triangles = Vec::with_capacity(count - 2);
        let mut parts = vec![(0, count - 1)];
        while let Some((first, last)) = parts.pop() {
            if last - first >= 2 {
                let (_, middle) = least[first * count + last];
                triangles.push([first, middle, last].map(|ix| walk[ix]));
                parts.extend([(first, middle), (middle, last)]);
            }
        }
        Some(triangles)
    }
}

fn sorted(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// Most holes that a message lists.
const MOST_LISTED: usize = 3;

/// The largest holes in words: how many, how large, where.
pub(crate) fn listed(holes: &[Hole]) -> String {
    let mut largest: Vec<&Hole> = holes.iter().collect();
    largest.sort_by(|a, b| b.across.total_cmp(&a.across));
    let one = |hole: &&Hole| {
        format!("{:.3} m across and of {} edges, about {:.3}", hole.across, hole.vertices.len(), hole.centre)
    };
    let words: Vec<String> = largest.iter().take(MOST_LISTED).map(one).collect();
    let more = if largest.len() > MOST_LISTED {
        format!("; and {} smaller ones", largest.len() - MOST_LISTED)
    } else {
        String::new()
    };
    let count = if holes.len() == 1 { "1 hole".to_owned() } else { format!("{} holes", holes.len()) };
    format!("{count}: {}{more}", words.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{check_surface, test_shapes::icosphere};

    fn area(mesh: &Mesh) -> f64 {
        let at = |ix: u32| mesh.positions[ix as usize].as_dvec3();
        mesh.triangles.iter().map(|&[a, b, c]| 0.5 * (at(b) - at(a)).cross(at(c) - at(a)).length()).sum()
    }

    #[test]
    fn closed_surfaces_have_no_holes() {
        assert!(icosphere(2).holes().is_empty());
        let mut block = Mesh::block(Vec3::ONE, [3, 3, 3]);
        assert!(block.holes().is_empty() && block.close_holes(f32::INFINITY).is_empty());
    }

    #[test]
    fn flat_ends_are_closed_flat_and_by_well_shaped_triangles() {
        // Squares whose sides have several edges: many triangulations have triangles without area.
        let mut block = Mesh::block(Vec3::ONE, [6, 6, 6]);
        let whole = area(&block);
        let flat = |ix: u32| block.positions[ix as usize].y > 0.499;
        let open: Vec<[u32; 3]> = block.triangles.iter().copied().filter(|t| !t.iter().all(|&ix| flat(ix))).collect();
        assert!(open.len() < block.triangles.len());
        block.triangles = open;
        let holes = block.holes();
        assert_eq!((holes.len(), holes[0].vertices.len()), (1, 20));
        assert!(
            (holes[0].across - 2f32.sqrt()).abs() < 1e-5
                && (holes[0].centre - Vec3::new(0.0, 0.5, 0.0)).length() < 1e-5
        );
        assert!(check_surface(&block).is_err() && block.close_holes(1.4).is_empty());
        assert_eq!(block.close_holes(1.5), holes);
        check_surface(&block).unwrap();
        assert!((area(&block) - whole).abs() < 1e-6 && block.holes().is_empty());
    }

    #[test]
    fn holes_of_a_ball_are_closed_whatever_they_look_like() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..60 {
            let whole = icosphere(3);
            let mut mesh = whole.clone();
            // Patches of triangles; some touch each other.
            for _ in 0..random.usize(1..6) {
                let centre = mesh.positions[random.usize(..mesh.positions.len())];
                let radius = random.f32() * 0.5;
                let at = |ix: u32| whole.positions[ix as usize];
                mesh.triangles.retain(|t| t.iter().any(|&ix| at(ix).distance(centre) > radius));
            }
            for _ in 0..random.usize(..10) {
                mesh.triangles.swap_remove(random.usize(..mesh.triangles.len()));
            }
            let holes = mesh.holes();
            let edges: usize = holes.iter().map(|hole| hole.vertices.len()).sum();
            let closed = mesh.close_holes(f32::INFINITY);
            assert_eq!(closed.len(), holes.len());
            if edges > 0 {
                assert!(mesh.holes().is_empty());
                check_surface(&mesh).unwrap();
            }
        }
    }

    #[test]
    fn pieces_have_holes_of_their_own() {
        let (mut pair, other) = (Mesh::tube(0.1, 0.3, 8, 3), Mesh::tube(0.2, 0.3, 30, 3).translated(Vec3::X));
        let first = pair.positions.len() as u32;
        pair.positions.extend(&other.positions);
        pair.triangles.extend(other.triangles.iter().map(|t| t.map(|ix| ix + first)));
        let text = listed(&pair.holes());
        assert!(text.starts_with("4 holes: 0.564 m across and of 30 edges, about [1.000, "), "{text}");
        assert!(text.ends_with("; and 1 smaller ones"), "{text}");
        assert_eq!(pair.close_holes(0.3).len(), 2);
        assert!(check_surface(&pair).unwrap_err().contains("2 holes: 0.564 m across"));
        assert_eq!(pair.close_holes(f32::INFINITY).len(), 2);
        check_surface(&pair).unwrap();
    }

    #[test]
    fn what_cannot_be_closed_stays() {
        // One triangle: its own hole is the triangle again, on the same vertices.
        let mut flat = Mesh::from_triangles(vec![Vec3::ZERO, Vec3::X, Vec3::Z], vec![[0, 1, 2]]);
        flat.close_holes(f32::INFINITY);
        assert!(check_surface(&flat).is_err());
        // All on a line.
        let line = (0..5).map(|ix| Vec3::X * ix as f32).chain([Vec3::Y]).collect();
        let mut fan = Mesh::from_triangles(line, vec![[0, 1, 5], [1, 2, 5], [2, 3, 5], [3, 4, 5]]);
        fan.close_holes(f32::INFINITY);
        let mut huge = Mesh::tube(1.0, 1.0, 501, 2);
        assert!(huge.close_holes(f32::INFINITY).is_empty());
        // Triangles that disagree, and indices that occur twice.
        let mut odd =
            Mesh::from_triangles(vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z], vec![[0, 1, 2], [0, 1, 3], [2, 2, 3]]);
        odd.close_holes(f32::INFINITY);
    }
}
