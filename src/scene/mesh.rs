//! Meshes: vertices, triangles, tetrahedra and wires.

use glam::{Quat, Vec2, Vec3};

/// Vertices, and the triangles, tetrahedra and wires that join them. Vertices keep their numbers everywhere outside the solver.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Positions of the vertices, m.
    pub positions: Vec<Vec3>,
    /// Triangles, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Tetrahedra of a solid; [`Mesh::triangles`] are then its surface.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Edges that belong to no triangle: chains, nets.
    pub wires: Vec<[u32; 2]>,
    /// Set when the vertices form a regular grid, row after row: springs then follow rows and columns.
    pub grid: Option<GridShape>,
    /// Named sets of vertices, as files have them: see [`Vertices::Group`](crate::Vertices::Group).
    pub groups: Vec<Group>,
    /// Where each vertex lies in the flat pattern, in any unit; empty if that is not known.
    pub texture: Vec<Vec2>,
}

/// A named set of vertices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// Name of the group; several groups may share one.
    pub name: String,
    /// Numbers of its vertices.
    pub vertices: Vec<u32>,
}

/// Size of a grid, in vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GridShape {
    /// Number of vertices in a row.
    pub columns: u32,
    /// Number of rows.
    pub rows: u32,
}

impl Mesh {
    /// A flat rectangular grid in the xz-plane around the origin, `width` along x and `depth` along z, in metres;
    /// `columns` × `rows` *vertices*, row after row from the corner at -x, -z. The diagonals of the cells alternate.
    ///
    /// ```
    /// let mesh = tenter::Mesh::grid(1.0, 2.0, 3, 5);
    /// assert_eq!(mesh.positions.len(), 15);
    /// assert_eq!(mesh.triangles.len(), 2 * 2 * 4);
    /// ```
    pub fn grid(width: f32, depth: f32, columns: u32, rows: u32) -> Self {
        let step = |length: f32, count: u32, ix: u32| {
            if count < 2 { 0.0 } else { length * (ix as f32 / (count - 1) as f32 - 0.5) }
        };
        let mut mesh = Mesh { grid: Some(GridShape { columns, rows }), ..Default::default() };
        for row in 0..rows {
            for column in 0..columns {
                mesh.positions.push(Vec3::new(step(width, columns, column), 0.0, step(depth, rows, row)));
            }
        }
        for row in 1..rows {
            for column in 1..columns {
                let d = row * columns + column;
                let (a, b, c) = (d - columns - 1, d - columns, d - 1);
                if (row + column) % 2 == 0 {
                    mesh.triangles.extend([[a, c, d], [a, d, b]]);
                } else {
                    mesh.triangles.extend([[a, c, b], [b, c, d]]);
                }
            }
        }
        mesh
    }

    /// A straight chain of `count` vertices from one point to another, joined by wires.
    pub fn chain(from: Vec3, to: Vec3, count: u32) -> Self {
        let last = count.saturating_sub(1).max(1) as f32;
        Mesh {
            positions: (0..count).map(|ix| from.lerp(to, ix as f32 / last)).collect(),
            wires: (1..count).map(|ix| [ix - 1, ix]).collect(),
            ..Default::default()
        }
    }

    /// Vertices without any edge.
    pub fn points(positions: Vec<Vec3>) -> Self {
        Mesh { positions, ..Default::default() }
    }

    /// A mesh of triangles.
    pub fn from_triangles(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        Mesh { positions, triangles, ..Default::default() }
    }

    /// Returns the mesh, rotated about the origin.
    pub fn rotated(mut self, rotation: Quat) -> Self {
        self.positions.iter_mut().for_each(|p| *p = rotation * *p);
        self
    }

    /// Returns the mesh, moved by an offset, m.
    pub fn translated(mut self, offset: Vec3) -> Self {
        self.positions.iter_mut().for_each(|p| *p += offset);
        self
    }
}
