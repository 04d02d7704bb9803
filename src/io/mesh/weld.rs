//! Welding of coincident vertices.

use super::Weld;
use glam::{DVec3, I64Vec3, Vec3};
use std::collections::HashMap;

/// For each vertex the first vertex it is welded to, or itself. Positions must be finite and without negative zeros.
pub(super) fn weld(positions: &[Vec3], weld: Weld, notes: &mut Vec<String>) -> Vec<u32> {
    let welded: Vec<u32> = match weld {
        Weld::Never => return (0..positions.len() as u32).collect(),
        Weld::Exact => exact(positions),
        Weld::Within(distance) => within(positions, distance.into()),
    };
    let mut shared = vec![false; positions.len()];
    let mut gone = 0;
    for (ix, &to) in welded.iter().enumerate() {
        if to != ix as u32 {
            shared[to as usize] = true;
            gone += 1;
        }
    }
    if gone > 0 {
        let left = shared.iter().filter(|shared| **shared).count();
        notes.push(format!("welded {} vertices into {left}", gone + left));
    }
    welded
}

fn exact(positions: &[Vec3]) -> Vec<u32> {
    let mut first: HashMap<[u32; 3], u32> = HashMap::with_capacity(positions.len());
    let place = |position: &Vec3| position.to_array().map(f32::to_bits);
    positions.iter().zip(0..).map(|(position, ix)| *first.entry(place(position)).or_insert(ix)).collect()
}

fn within(positions: &[Vec3], distance: f64) -> Vec<u32> {
    // Cells of this size, so that near vertices lie in the same cell or in a neighbouring one. The lower limit keeps indices in
    // range.
    let largest = positions.iter().fold(0f32, |largest, position| largest.max(position.abs().max_element()));
    let size = distance.max(f64::from(largest) * 1e-12);
    let cell = |position: DVec3| (position / size).floor().as_i64vec3();
    // Vertices that others are welded to are further apart than the distance, so that a cell has few of them.
    let mut cells: HashMap<I64Vec3, Vec<u32>> = HashMap::new();
    let mut welded = Vec::with_capacity(positions.len());
    for (position, ix) in positions.iter().zip(0u32..) {
        let point = position.as_dvec3();
        let here = cell(point);
        let mut near: Option<u32> = None;
        for step in 0..27 {
            let place = here + I64Vec3::new(step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1);
            for &other in cells.get(&place).into_iter().flatten() {
                if positions[other as usize].as_dvec3().distance(point) <= distance && near.is_none_or(|n| other < n) {
                    near = Some(other);
                }
            }
        }
        if near.is_none() {
            cells.entry(here).or_default().push(ix);
        }
        welded.push(near.unwrap_or(ix));
    }
    welded
}
