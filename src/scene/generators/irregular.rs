//! Unstructured cloth: rectangles and disks.

use super::delaunay::make_delaunay;
use crate::Mesh;
use crate::random::Random;
use glam::{DVec2, Vec3};

/// How far a vertex is moved along each axis, in cells. Below a quarter no triangle can turn over.
const JITTER: f32 = 0.24;

impl Mesh {
    /// A flat rectangle like [`Mesh::grid`], but unstructured: its `columns` × `rows` vertices are moved at random, those of the border only
    /// along it, the corners not at all, and joined by Delaunay's triangles. Vertices have from three to nine or so neighbours. The same
    /// `seed` gives the same mesh.
    ///
    /// ```
    /// let cloth = tenter::Mesh::irregular(1.0, 2.0, 20, 40, 7);
    /// assert_eq!(cloth.positions.len(), 800);
    /// assert_eq!(cloth.triangles.len(), 2 * 19 * 39);
    /// assert_eq!(cloth, tenter::Mesh::irregular(1.0, 2.0, 20, 40, 7));
    /// ```
    pub fn irregular(width: f32, depth: f32, columns: u32, rows: u32, seed: u64) -> Self {
        let mut mesh = Mesh::grid(width, depth, columns, rows);
        mesh.grid = None;
        let mut random = Random(seed);
        let cell = |length: f32, count: u32| length / count.saturating_sub(1).max(1) as f32;
        let (cell_x, cell_z) = (cell(width, columns), cell(depth, rows));
        for (ix, position) in mesh.positions.iter_mut().enumerate() {
            let (column, row) = (ix as u32 % columns, ix as u32 / columns);
            let inner = |place: u32, count: u32| place > 0 && place + 1 < count;
            // Both are drawn for every vertex: what one does must not change the next.
            let (x, z) = (random.signed(), random.signed());
            let x = if inner(column, columns) { JITTER * cell_x * x } else { 0.0 };
            let z = if inner(row, rows) { JITTER * cell_z * z } else { 0.0 };
            *position += Vec3::new(x, 0.0, z);
        }
        mesh.triangles_by_delaunay();
        mesh
    }

    /// A flat disk like [`Mesh::disk`], but unstructured: its vertices are moved at random, but for the middle and the rim, and joined by
    /// Delaunay's triangles. The same `seed` gives the same mesh.
    ///
    /// ```
    /// let cloth = tenter::Mesh::irregular_disk(0.5, 10, 7);
    /// assert_eq!(cloth.positions.len(), tenter::Mesh::disk(0.5, 10).positions.len());
    /// assert_eq!(cloth, tenter::Mesh::irregular_disk(0.5, 10, 7));
    /// ```
    pub fn irregular_disk(radius: f32, rings: u32, seed: u64) -> Self {
        let mut mesh = Mesh::disk(radius, rings);
        let mut random = Random(seed);
        let cell = radius / rings.max(1) as f32;
        // Vertices before the rim, which has 6 · rings of them.
        let inner = mesh.positions.len().saturating_sub(6 * rings as usize);
        for position in mesh.positions.iter_mut().take(inner).skip(1) {
            let outward = position.normalize_or_zero();
            let (out, along) = (random.signed(), random.signed());
            *position += JITTER * cell * (out * outward + along * outward.cross(Vec3::Y));
        }
        mesh.triangles_by_delaunay();
        mesh
    }

    /// Joins the vertices of a flat mesh in the xz-plane by Delaunay's triangles.
    fn triangles_by_delaunay(&mut self) {
        // Seen from above, where z runs downwards.
        let points: Vec<DVec2> = self.positions.iter().map(|p| DVec2::new(p.x.into(), (-p.z).into())).collect();
        make_delaunay(&points, &mut self.triangles);
    }
}
