//! How much of the sky the ground sees: the soft, wide shadow under the mesh.

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::depth_map::DepthMap;
use super::mesh::Mesh;

/// Grid points along each side.
const SIDE: usize = 160;
/// Half the width of the grid, in radii of the mesh; the ground has faded out before its end.
const REACH: f32 = 3.0;
/// Rounds of blurring: each direction alone casts a hard shadow, and their edges would show.
const BLUR_COUNT: usize = 10;

/// Openness of the ground to the sky, from 0 to 1, on a square grid.
pub(super) struct GroundSky {
    corner: Vec2,
    cell: f32,
    height: f32,
    /// While gathering, the light that is blocked; once finished, the part that is open.
    values: Vec<f32>,
    weight: f32,
}

impl GroundSky {
    /// A grid under `mesh` with nothing gathered.
    pub fn new(mesh: &Mesh) -> Self {
        let radius = mesh.bounds.radius();
        let centre = mesh.bounds.centre();
        Self {
            corner: Vec2::new(centre.x, centre.z) - REACH * radius,
            cell: 2.0 * REACH * radius / (SIDE - 1) as f32,
            height: mesh.ground_height(),
            values: vec![0.0; SIDE * SIDE],
            weight: 0.0,
        }
    }

    /// Takes account of light from the upper end of each map's axis.
    pub fn gather(&mut self, maps: &[DepthMap]) {
        let (corner, cell, height) = (self.corner, self.cell, self.height);
        let rows = self.values.par_chunks_exact_mut(SIDE).enumerate();
        rows.for_each(|(row, values)| {
            for (column, value) in values.iter_mut().enumerate() {
                let flat = corner + cell * Vec2::new(column as f32, row as f32);
                let point = Vec3::new(flat.x, height, flat.y);
                for map in maps {
                    let blocked = map.blocked(map.locate(point), point.dot(map.toward), map.texel);
                    *value += map.toward.y * blocked;
                }
            }
        });
        self.weight += maps.iter().map(|map| map.toward.y).sum::<f32>();
    }

    /// Turns what was gathered into openness.
    pub fn finish(mut self) -> Self {
        let scale = 1.0 / self.weight.max(1.0e-6);
        for value in &mut self.values {
            *value = 1.0 - *value * scale;
        }
        for _ in 0..BLUR_COUNT {
            self.values = blurred(&self.values, 1);
            self.values = blurred(&self.values, SIDE);
        }
        self
    }

    /// Part of the sky that a point of the ground sees.
    pub fn openness(&self, point: Vec3) -> f32 {
        let place = (Vec2::new(point.x, point.z) - self.corner) / self.cell;
        let last_cell = (SIDE - 2) as f32;
        let base = place.floor().max(Vec2::ZERO).min(Vec2::splat(last_cell));
        let part = (place - base).max(Vec2::ZERO).min(Vec2::ONE);
        let index = base.y as usize * SIDE + base.x as usize;
        let at = |offset: usize| self.values[index + offset];
        let near = at(0) * (1.0 - part.x) + at(1) * part.x;
        let far = at(SIDE) * (1.0 - part.x) + at(SIDE + 1) * part.x;
        near * (1.0 - part.y) + far * part.y
    }
}

/// Averages each value with those `stride` before and after it; the border stays as it is.
fn blurred(values: &[f32], stride: usize) -> Vec<f32> {
    let average = |index: usize| {
        let (row, column) = (index / SIDE, index % SIDE);
        if row.min(column) == 0 || row.max(column) == SIDE - 1 {
            return values[index];
        }
        0.5 * values[index] + 0.25 * (values[index - stride] + values[index + stride])
    };
    (0..values.len()).map(average).collect()
}
