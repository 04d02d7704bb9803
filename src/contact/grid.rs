//! A closed mesh as a grid of signed distances: exact at the nodes, trilinear between them.

use super::tree::SurfaceTree;
use crate::Mesh;
use crate::parallel::*;
use glam::{DVec3, UVec3};

/// Accepted numbers of cells along the longest side; 257³ nodes of f32 take 65 MiB.
pub(crate) const CELLS: std::ops::RangeInclusive<u32> = 4..=256;

/// Signed distances at the nodes of a grid about a mesh, in the mesh's frame.
#[derive(Debug, Clone)]
pub(crate) struct DistanceGrid {
    /// Position of the first node, m.
    low: DVec3,
    /// Side of a cell, m.
    cell: f64,
    /// Cells along x, y and z.
    cells: UVec3,
    /// Signed distances at the nodes, x fastest, m.
    values: Vec<f32>,
    /// Radius of the mesh's bounding sphere about the origin, m.
    radius: f64,
}

/// A point within the grid, ready for trilinear interpolation.
struct CellPoint {
    /// Distances at the eight nodes of the point's cell, x fastest, m.
    corners: [f64; 8],
    /// Coordinates of the point in its cell, 0 to 1.
    share: DVec3,
}

impl DistanceGrid {
    /// Lipschitz constant of the interpolated distance. Along each axis distances at neighbouring nodes differ by at most a cell,
    /// so the slope between them is up to √3.
    pub const STEEPNESS: f64 = 1.732_050_807_568_877_2;

    /// The grid of a valid mesh. It includes the surface offset by `thickness`, m.
    pub fn new(mesh: &Mesh, cells: u32, thickness: f64) -> Self {
        let corners = || mesh.triangles.iter().flatten().map(|&vertex| mesh.positions[vertex as usize].as_dvec3());
        let low = corners().fold(DVec3::INFINITY, DVec3::min) - thickness;
        let high = corners().fold(DVec3::NEG_INFINITY, DVec3::max) + thickness;
        let longest = f64::from(cells.clamp(*CELLS.start(), *CELLS.end()));
        // One more cell on each side keeps the offset surface inside despite rounding.
        let cell = (high - low).max_element() / (longest - 2.0);
        let along = |length: f64| ((length / cell - 1e-6).ceil().max(1.0) + 2.0).min(longest) as u32;
        let sides = high - low;
        let cells = UVec3::new(along(sides.x), along(sides.y), along(sides.z));
        let low = 0.5 * (low + high) - 0.5 * cell * cells.as_dvec3();
        let tree = SurfaceTree::new(mesh);
        let nodes = cells + 1;
        let (row, rows) = (nodes.x as usize, nodes.y as usize);
        let mut values = vec![0f32; row * rows * nodes.z as usize];
        values.par_chunks_mut(row).enumerate().for_each(|(line, values)| {
            let mut size = f64::INFINITY;
            for (x, value) in values.iter_mut().enumerate() {
                let point = low + cell * DVec3::new(x as f64, (line % rows) as f64, (line / rows) as f64);
                let distance = tree.distance(point, size + 1.001 * cell);
                size = distance.abs();
                *value = distance as f32;
            }
        });
        let radius = corners().map(DVec3::length).fold(0.0, f64::max);
        Self { low, cell, cells, values, radius }
    }

    /// Signed distance, negative inside, and the unit direction of its steepest ascent. Outside the grid the distance is a lower
    /// bound, and the direction points away from the grid.
    pub fn distance(&self, point: DVec3) -> (f64, DVec3) {
        let inside = self.clamp(point);
        let (value, slope) = self.locate(inside).value_and_slope();
        let slope = slope / self.cell;
        let out = point - inside;
        if out == DVec3::ZERO {
            return (value, slope.normalize_or(DVec3::Y));
        }
        let bound = self.bound(value, out);
        // Along an axis where the point was clamped the interpolated value is constant.
        let kept = DVec3::select(out.cmpeq(DVec3::ZERO), slope, DVec3::ZERO);
        (bound, (out + kept * value.max(0.0)).normalize_or(DVec3::Y))
    }

    /// Signed distance without its gradient, m.
    pub fn depth(&self, point: DVec3) -> f64 {
        let inside = self.clamp(point);
        let value = self.locate(inside).value();
        let out = point - inside;
        if out == DVec3::ZERO { value } else { self.bound(value, out) }
    }

    /// Side of a cell, m.
    pub fn cell(&self) -> f64 {
        self.cell
    }

    pub fn bounding_radius(&self) -> f64 {
        self.radius
    }

    /// Lower bound of the distance outside the grid, by Pythagoras: the surface lies beyond the grid's border, at a right angle
    /// to `out` or more.
    fn bound(&self, value: f64, out: DVec3) -> f64 {
        out.length().hypot(value.max(0.0))
    }

    fn clamp(&self, point: DVec3) -> DVec3 {
        point.max(self.low).min(self.low + self.cell * self.cells.as_dvec3())
    }

    /// Finds the cell of a point within the grid.
    fn locate(&self, point: DVec3) -> CellPoint {
        let scaled = (point - self.low) / self.cell;
        // NaN becomes 0 in this conversion.
        let first = scaled.as_uvec3().min(self.cells - 1);
        let (row, layer) = (self.cells.x as usize + 1, (self.cells.x as usize + 1) * (self.cells.y as usize + 1));
        let start = first.x as usize + row * first.y as usize + layer * first.z as usize;
        let offsets = [0, 1, row, row + 1, layer, layer + 1, layer + row, layer + row + 1];
        let corners = offsets.map(|offset| f64::from(self.values[start + offset]));
        CellPoint { corners, share: scaled - first.as_dvec3() }
    }
}

impl CellPoint {
    fn value(&self) -> f64 {
        let mix = |a: f64, b: f64, share: f64| a + (b - a) * share;
        let v = &self.corners;
        let along_x = [0, 2, 4, 6].map(|k| mix(v[k], v[k + 1], self.share.x));
        let along_y = [0, 2].map(|k| mix(along_x[k], along_x[k + 1], self.share.y));
        mix(along_y[0], along_y[1], self.share.z)
    }

    /// Interpolated distance, m, and its gradient per cell.
    fn value_and_slope(&self) -> (f64, DVec3) {
        let v = &self.corners;
        let DVec3 { x, y, z } = self.share;
        let mix = |a: f64, b: f64, share: f64| a + (b - a) * share;
        let flat = |v: [f64; 4], first: f64, second: f64| mix(mix(v[0], v[1], first), mix(v[2], v[3], first), second);
        let differences = |pairs: [[usize; 2]; 4]| pairs.map(|[from, to]| v[to] - v[from]);
        let slope = DVec3::new(
            flat(differences([[0, 1], [2, 3], [4, 5], [6, 7]]), y, z),
            flat(differences([[0, 2], [1, 3], [4, 6], [5, 7]]), x, z),
            flat(differences([[0, 4], [1, 5], [2, 6], [3, 7]]), x, y),
        );
        (self.value(), slope)
    }
}
