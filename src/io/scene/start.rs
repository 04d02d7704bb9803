//! Where a grid starts: gathered in folds, or in slight waves. At rest it is flat.
//!
//! A flat sheet under load inside its own plane could give way to either side, and so gives way to neither until rounding decides.

use crate::{Mesh, scene::GridShape};
use glam::{Vec2, Vec3};
use std::f32::consts::PI;

/// How a grid starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Start {
    /// How high the waves are, m.
    pub waviness: f32,
    /// Part of the length of its rows that the grid is gathered to.
    pub gather: f32,
}

/// Narrowest a grid can be gathered to. Below it neighbouring folds touch.
pub const MIN_GATHER: f32 = 0.3;

/// Folds of a gathered grid.
const FOLDS: f32 = 4.0;

impl Start {
    /// In the shape of the mesh.
    pub const FLAT: Self = Self { waviness: 0.0, gather: 1.0 };

    /// Start positions for the vertices of a grid; nothing for other meshes.
    pub fn positions(&self, mesh: &Mesh) -> Option<Vec<Vec3>> {
        let GridShape { columns, rows } = mesh.grid?;
        let at = |column: u32, row: u32| mesh.positions.get((row * columns + column) as usize).copied();
        let (last_column, last_row) = (columns.checked_sub(1)?, rows.checked_sub(1)?);
        let corner = at(0, 0)?;
        let (across, down) = (at(last_column, 0)? - corner, at(0, last_row)? - corner);
        let normal = down.cross(across).normalize_or_zero();
        let length = across.length();
        let folds = fold(last_column, self.gather);
        let place = |ix: usize| {
            let (column, row) = (ix as u32 % columns, ix as u32 / columns);
            let u = column as f32 / last_column.max(1) as f32;
            let v = row as f32 / last_row.max(1) as f32;
            let folded = folds[column as usize];
            let squeezed = across * (folded.x - u + 0.5 * (1.0 - self.gather));
            squeezed + normal * (folded.y * length + self.waviness * wave(PI * u, PI * v))
        };
        Some(mesh.positions.iter().enumerate().map(|(ix, p)| *p + place(ix)).collect())
    }
}

/// Two waves that share no symmetry, neither of left and right nor of far and near; none at the sides.
fn wave(u: f32, v: f32) -> f32 {
    0.5 * ((3.0 * u).sin() * (2.0 * v).sin() + (2.0 * u).sin() * v.sin())
}

/// A line of unit length, cut into equal pieces that keep their length and laid in folds: from the origin to `(gather, 0)`.
fn fold(pieces: u32, gather: f32) -> Vec<Vec2> {
    // The steeper the folds, the narrower: halve the interval until nothing changes.
    let (mut low, mut high) = (0.0, 0.75 * PI);
    for _ in 0..32 {
        let steepness = 0.5 * (low + high);
        let end = lay(pieces, steepness).last().map_or(0.0, |end| end.x);
        if end > gather { low = steepness } else { high = steepness }
    }
    if gather < 1.0 { lay(pieces, low) } else { lay(pieces, 0.0) }
}

fn lay(pieces: u32, steepness: f32) -> Vec<Vec2> {
    let count = pieces.max(1) as f32;
    let direction = |ix: u32| steepness * (2.0 * PI * FOLDS * (ix as f32 + 0.5) / count).cos();
    let mut end = Vec2::ZERO;
    let pieces = (0..pieces).map(|ix| {
        end += Vec2::from_angle(direction(ix)) / count;
        end
    });
    std::iter::once(Vec2::ZERO).chain(pieces).collect()
}
