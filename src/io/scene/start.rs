//! Start of a grid in folds or slight waves. Its rest shape is flat.
//!
//! A flat sheet under load in its own plane is a bifurcation: without a disturbance, rounding decides how it buckles.

use crate::{Mesh, scene::GridShape};
use glam::{Vec2, Vec3};
use std::f32::consts::PI;

/// Start shape of a grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Start {
    /// Amplitude of the waves, m.
    pub waviness: f32,
    /// Fraction of the length of its rows that the grid is gathered to.
    pub gather: f32,
}

/// Smallest accepted fraction. Below it neighbouring folds touch.
pub const MIN_GATHER: f32 = 0.3;

/// Number of folds of a gathered grid.
const FOLDS: f32 = 4.0;

impl Start {
    /// A start in the shape of the mesh.
    pub const FLAT: Self = Self { waviness: 0.0, gather: 1.0 };

    /// Start positions of a grid's vertices, m; `None` for other meshes.
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

/// Sum of two waves without common symmetry, zero at the sides.
fn wave(u: f32, v: f32) -> f32 {
    0.5 * ((3.0 * u).sin() * (2.0 * v).sin() + (2.0 * u).sin() * v.sin())
}

/// A polyline of unit length with equal segments, folded between the origin and `(gather, 0)`.
fn fold(pieces: u32, gather: f32) -> Vec<Vec2> {
    // Steeper folds are narrower: bisection finds the slope.
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
