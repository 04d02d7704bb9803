//! Ways to name some vertices of a mesh.

use super::{GridShape, Mesh};
use glam::Vec3;

/// Some vertices of a mesh.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Vertices {
    /// Every one.
    All,
    /// The two corners at the far side of a grid, -z: what a hanging cloth hangs from.
    Corners,
    /// One side of a grid.
    Side(Side),
    /// By number.
    List(Vec<u32>),
    /// Whatever lies in a box at rest, borders included, m.
    Box {
        /// Smallest coordinates.
        low: Vec3,
        /// Largest coordinates.
        high: Vec3,
    },
}

/// A side of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// First row, at -z.
    Far,
    /// Last row, at +z.
    Near,
    /// First column, at -x.
    Left,
    /// Last column, at +x.
    Right,
}

impl Vertices {
    /// The two far corners of a grid.
    pub fn corners() -> Self {
        Vertices::Corners
    }

    /// Vertices by number.
    pub fn list(indices: impl Into<Vec<u32>>) -> Self {
        Vertices::List(indices.into())
    }

    /// The numbers, ascending and each once; or what is wrong.
    pub fn select(&self, mesh: &Mesh) -> Result<Vec<u32>, String> {
        let count = mesh.positions.len() as u32;
        let grid = || -> Result<GridShape, String> {
            let grid = mesh.grid.ok_or("only a grid has corners and sides: name the vertices by list or box")?;
            if grid.columns.checked_mul(grid.rows) != Some(count) {
                return Err(format!("a grid of {}×{} does not have {count} vertices", grid.columns, grid.rows));
            }
            Ok(grid)
        };
        let mut selected: Vec<u32> = match self {
            Vertices::All => (0..count).collect(),
            Vertices::Corners => vec![0, grid()?.columns.saturating_sub(1)],
            Vertices::Side(side) => {
                let GridShape { columns, rows } = grid()?;
                match side {
                    Side::Far => (0..columns).collect(),
                    Side::Near => (count.saturating_sub(columns)..count).collect(),
                    Side::Left => (0..rows).map(|row| row * columns).collect(),
                    Side::Right => (0..rows).map(|row| row * columns + columns.saturating_sub(1)).collect(),
                }
            }
            Vertices::List(list) => list.clone(),
            Vertices::Box { low, high } => (0..count)
                .filter(|&ix| {
                    let p = mesh.positions[ix as usize];
                    p.cmpge(*low).all() && p.cmple(*high).all()
                })
                .collect(),
        };
        selected.sort_unstable();
        selected.dedup();
        match selected.iter().find(|&&ix| ix >= count) {
            Some(ix) => Err(format!("vertex {ix} is out of range: the mesh has {count} vertices")),
            None if selected.is_empty() => Err("selects no vertex".to_owned()),
            None => Ok(selected),
        }
    }
}
