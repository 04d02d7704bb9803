//! Pairs of a vertex and a triangle or of two edges that may come near each other in a step. Twin of `shaders/collision/pairs.wgsl`.
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

/// A hashed grid of boxes.
pub(super) struct Grid {
    boxes: Vec<Bounds>,
    cell: f64,
    /// First entry of each bucket, and the end.
    offsets: Vec<u32>,
    entries: Vec<u32>,
}

impl Grid {
    pub fn build(boxes: Vec<Bounds>) -> Self {
        let extent = |b: &Bounds| (b.high - b.low).max_element();
        let cell = (CELL * boxes.iter().map(extent).sum::<f64>() / boxes.len().max(1) as f64).max(f64::MIN_POSITIVE);
        let buckets = (2 * boxes.len()).next_power_of_two();
        let mut grid = Self { boxes, cell, offsets: vec![0; buckets + 1], entries: Vec::new() };
        let mut all: Vec<(u32, u32)> = Vec::new();
        for (ix, bounds) in grid.boxes.iter().enumerate() {
            grid.for_cells(bounds, |bucket| all.push((bucket as u32, ix as u32)));
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
        let mut found = Vec::new();
        self.for_cells(bounds, |bucket| {
            let entries = &self.entries[self.offsets[bucket] as usize..self.offsets[bucket + 1] as usize];
            found.extend(entries.iter().filter(|&&item| self.boxes[item as usize].overlaps(bounds)));
        });
        found.sort_unstable();
        found.dedup();
        found
    }
}
