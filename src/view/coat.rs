//! Colours and materials of drawn bodies, of stills and of live views alike.

use crate::Body;
use glam::{Vec2, Vec3};
use std::collections::HashSet;

/// Fraction of the key light transmitted through cloth.
pub(crate) const TRANSMISSION: f32 = 0.16;

/// Colours of bodies in linear light, used in turn.
pub(crate) const COLOURS: [[f32; 3]; 5] =
    [[0.75, 0.16, 0.12], [0.12, 0.33, 0.62], [0.80, 0.52, 0.10], [0.16, 0.45, 0.25], [0.45, 0.20, 0.50]];

/// Colour of the back of a fabric: darker, less saturated, and shifted in hue.
pub(crate) fn back_of(front: Vec3) -> Vec3 {
    let luminance = front.dot(Vec3::new(0.2126, 0.7152, 0.0722));
    let turned = front.lerp(Vec3::new(front.z, front.x, front.y), 0.10);
    let greyed = turned.lerp(Vec3::splat(luminance), 0.22);
    greyed * Vec3::new(0.60, 0.62, 0.70)
}

/// Whether every edge has a triangle on each side.
pub(crate) fn is_closed(triangles: &[[u32; 3]]) -> bool {
    let edges = || triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
    let known: HashSet<(u32, u32)> = edges().collect();
    !known.is_empty() && known.iter().all(|&(a, b)| known.contains(&(b, a)))
}

/// Coordinates of a grid's vertices in the flat cloth, m; of other meshes their texture coordinates, if any.
pub(crate) fn rest_coordinates(body: &Body) -> Vec<Vec2> {
    let positions = &body.mesh.positions;
    let (Some(grid), Some(corner)) = (body.mesh.grid, positions.first()) else { return body.mesh.texture.clone() };
    let distance = |ix: u32| positions.get(ix as usize).map_or(0.0, |p| p.distance(*corner));
    let column = |ix: u32| distance(ix % grid.columns);
    let row = |ix: u32| distance(ix / grid.columns * grid.columns);
    (0..positions.len() as u32).map(|ix| Vec2::new(column(ix), row(ix))).collect()
}
