//! Pairs of a vertex and a triangle or of two edges that may come near each other in a step. Twin of `shaders/collision/query.wgsl`.
//!
//! Boxes around the motion of triangles and edges are entered into a hashed grid of cubic cells; vertices and edges look their own boxes up in it. A pair stays if its
//! boxes overlap and its closest points may come within reach.

use super::closest::{Closest, PairKind};
use crate::{parallel::*, topology::Surface};
use glam::{DVec3, IVec3};

/// A pair of a vertex and a triangle or of two edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// How the rows are to be read.
    pub kind: PairKind,
    /// Number of the vertex or first edge in the surface, and of the triangle or second edge.
    pub features: [u32; 2],
    /// Rows of the four particles.
    pub rows: [u32; 4],
}

impl Pair {
    /// Gathers the values of its four rows.
    pub fn gather(&self, values: &[DVec3]) -> [DVec3; 4] {
        self.rows.map(|row| values[row as usize])
    }
}

/// Motion of all rows in a step, in which pairs are looked for.
#[derive(Clone, Copy)]
pub struct Sweep<'a> {
    /// Positions at the start, m.
    pub start: &'a [DVec3],
    /// Positions at the end, m.
    pub end: &'a [DVec3],
    /// For each row the row that it is tied to, or itself.
    pub masters: &'a [u32],
    /// Distance within which pairs are found, as a share of their thickness.
    pub reach: f64,
    /// Positions from which particles move any part of the way to the end, which differs from one to the next; `None` if all move together from the start to the end.
    pub led: Option<&'a [DVec3]>,
}

/// Length of a cell, relative to the mean extent of the boxes in it.
const CELL: f64 = 1.2;
/// Extent above which a box counts as less in the mean, relative to the median; number of boxes of which the median is taken.
const LARGEST: f64 = 64.0;
const SAMPLES: usize = 1024;

/// An axis-aligned box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub low: DVec3,
    pub high: DVec3,
}

impl Bounds {
    pub fn join(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }
}

/// Pairs of a step, sorted.
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    /// Pairs, in the order of vertices and triangles, then of edges.
    pub list: Vec<Pair>,
}

impl Pairs {
    /// Finds all pairs of a surface that may come within reach.
    pub fn find(surface: &Surface, sweep: &Sweep<'_>) -> Self {
        let bounds: Vec<Bounds> = (0..sweep.start.len())
            .into_par_iter()
            .with_min_len(1024)
            .map(|row| {
                let margin = sweep.reach * surface.skins[surface.bodies[row] as usize].radius;
                let (a, b) = (sweep.start[row], sweep.end[row]);
                let led = sweep.led.map_or(a, |led| led[row]);
                Bounds { low: a.min(b).min(led) - margin, high: a.max(b).max(led) + margin }
            })
            .collect();
        let of = |rows: &[u32]| {
            let first = bounds[rows[0] as usize];
            rows[1..].iter().fold(first, |joined, &row| joined.join(bounds[row as usize]))
        };
        let triangles = Grid::build(surface.triangles.iter().map(|rows| of(rows)).collect());
        let edges = Grid::build(surface.edges.iter().map(|rows| of(rows)).collect());
        let near = |pair: Pair| near(surface, sweep, &pair).then_some(pair);
        let with_triangles = surface.vertices.par_iter().with_min_len(64).enumerate().map(|(ix, &row)| {
            let pair = |triangle: u32| {
                let [a, b, c] = surface.triangles[triangle as usize];
                near(Pair { kind: PairKind::VertexTriangle, features: [ix as u32, triangle], rows: [row, a, b, c] })
            };
            triangles.overlapping(&bounds[row as usize]).into_iter().filter_map(pair).collect::<Vec<_>>()
        });
        let with_edges = surface.edges.par_iter().with_min_len(64).enumerate().map(|(ix, &[a, b])| {
            let pair = |edge: u32| {
                let [c, d] = surface.edges[edge as usize];
                near(Pair { kind: PairKind::EdgeEdge, features: [ix as u32, edge], rows: [a, b, c, d] })
            };
            let found = edges.overlapping(&edges.boxes[ix]);
            found.into_iter().filter(|&edge| edge as usize > ix).filter_map(pair).collect::<Vec<_>>()
        });
        let mut lists: Vec<Vec<Pair>> = with_triangles.collect();
        let further: Vec<Vec<Pair>> = with_edges.collect();
        lists.extend(further);
        Self { list: lists.concat() }
    }
}

/// Whether the sides of a pair belong to bodies that meet, share no particle, and may come within reach.
fn near(surface: &Surface, sweep: &Sweep<'_>, pair: &Pair) -> bool {
    let masters = pair.rows.map(|row| sweep.masters[row as usize]);
    let own = if pair.kind == PairKind::EdgeEdge { 2 } else { 1 };
    if masters[..own].iter().any(|master| masters[own..].contains(master)) {
        return false;
    }
    if pair.rows[..own].iter().any(|&a| pair.rows[own..].iter().any(|&b| surface.are_sewn(a, b))) {
        return false;
    }
    let Some(thickness) = surface.thickness(pair.rows[0], pair.rows[3]) else { return false };
    let (start, end) = (pair.gather(sweep.start), pair.gather(sweep.end));
    let gap = Closest::of(pair.kind, &start).offset.length();
    let way = match sweep.led {
        None => 2.0 * relative_motion(&start, &end),
        Some(led) => {
            let longest = |k: usize| (end[k] - start[k]).length().max((led[pair.rows[k] as usize] - start[k]).length());
            let side = |range: std::ops::Range<usize>| range.map(longest).fold(0.0, f64::max);
            side(0..own) + side(own..4)
        }
    };
    gap <= sweep.reach * thickness + way
}

/// Largest motion of a pair's particles relative to the first, m.
pub fn relative_motion(start: &[DVec3; 4], end: &[DVec3; 4]) -> f64 {
    (1..4).map(|k| ((end[k] - start[k]) - (end[0] - start[0])).length()).fold(0.0, f64::max)
}

/// Largest number of cells of a box that is entered into them. Larger boxes are compared one by one, so that one fast particle does not fill the grid.
const MOST_CELLS: f64 = 512.0;

/// A hashed grid of boxes.
pub(super) struct Grid {
    boxes: Vec<Bounds>,
    /// Boxes too large for the cells.
    large: Vec<u32>,
    cell: f64,
    /// First entry of each bucket, and the end.
    offsets: Vec<u32>,
    entries: Vec<u32>,
}

impl Grid {
    pub fn build(boxes: Vec<Bounds>) -> Self {
        let extent = |b: &Bounds| (b.high - b.low).max_element();
        let mut some: Vec<f64> = boxes.iter().step_by(boxes.len() / SAMPLES + 1).map(extent).collect();
        some.sort_unstable_by(f64::total_cmp);
        let most = some.get(some.len() / 2).map_or(0.0, |median| LARGEST * median);
        let mean = boxes.iter().map(|b| extent(b).min(most)).sum::<f64>() / boxes.len().max(1) as f64;
        let cell = (CELL * mean).max(f64::MIN_POSITIVE);
        let buckets = (2 * boxes.len()).next_power_of_two();
        let mut grid = Self { boxes, large: Vec::new(), cell, offsets: vec![0; buckets + 1], entries: Vec::new() };
        let mut all: Vec<(u32, u32)> = Vec::new();
        for (ix, bounds) in grid.boxes.iter().enumerate() {
            if grid.is_large(bounds) {
                grid.large.push(ix as u32);
            } else {
                grid.for_cells(bounds, |bucket| all.push((bucket as u32, ix as u32)));
            }
        }
        all.iter().for_each(|(bucket, _)| grid.offsets[*bucket as usize + 1] += 1);
        for bucket in 0..buckets {
            grid.offsets[bucket + 1] += grid.offsets[bucket];
        }
        let mut next = grid.offsets.clone();
        grid.entries = vec![0; all.len()];
        for (bucket, item) in all {
            grid.entries[next[bucket as usize] as usize] = item;
            next[bucket as usize] += 1;
        }
        grid
    }

    /// Whether a box covers too many cells. One that is not finite does.
    fn is_large(&self, bounds: &Bounds) -> bool {
        let cells = ((bounds.high - bounds.low) / self.cell + 1.0).element_product();
        let within = (bounds.low.abs().max(bounds.high.abs()) / self.cell).max_element() < f64::from(i32::MAX);
        !(cells <= MOST_CELLS && within)
    }

    fn for_cells(&self, bounds: &Bounds, mut visit: impl FnMut(usize)) {
        let cell = |at: DVec3| (at / self.cell).floor().as_ivec3();
        let (low, high) = (cell(bounds.low), cell(bounds.high));
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                for z in low.z..=high.z {
                    visit(self.bucket(IVec3::new(x, y, z)));
                }
            }
        }
    }

    fn bucket(&self, cell: IVec3) -> usize {
        let mixed = (cell.x as u32).wrapping_mul(73_856_093)
            ^ (cell.y as u32).wrapping_mul(19_349_663)
            ^ (cell.z as u32).wrapping_mul(83_492_791);
        mixed as usize & (self.offsets.len() - 2)
    }

    /// Items whose boxes overlap a box, in ascending order.
    pub fn overlapping(&self, bounds: &Bounds) -> Vec<u32> {
        let overlaps = |item: &u32| self.boxes[*item as usize].overlaps(bounds);
        if self.is_large(bounds) {
            return (0..self.boxes.len() as u32).filter(overlaps).collect();
        }
        let mut found: Vec<u32> = self.large.iter().copied().filter(overlaps).collect();
        self.for_cells(bounds, |bucket| {
            let entries = &self.entries[self.offsets[bucket] as usize..self.offsets[bucket + 1] as usize];
            found.extend(entries.iter().copied().filter(overlaps));
        });
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_of_any_size_are_found() {
        let at = |x: f64, size: f64| Bounds { low: DVec3::splat(x), high: DVec3::splat(x + size) };
        let mut boxes: Vec<Bounds> = (0..200).map(|ix| at(0.01 * f64::from(ix), 0.01)).collect();
        boxes.push(at(-1e12, 2e12));
        boxes.push(at(1e300, f64::INFINITY));
        boxes.push(at(0.5, f64::NAN));
        let grid = Grid::build(boxes.clone());
        for bounds in [at(0.5, 0.02), at(-1e9, 2e9), at(3.0, 1.0), at(f64::NAN, 1.0), at(1e300, 0.0)] {
            let brute: Vec<u32> = (0..boxes.len() as u32).filter(|&ix| boxes[ix as usize].overlaps(&bounds)).collect();
            assert_eq!(grid.overlapping(&bounds), brute, "{bounds:?}");
        }
    }
}
