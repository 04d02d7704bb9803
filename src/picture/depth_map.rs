//! How far parallel light from one direction, and from its opposite, gets before it meets cloth.

use glam::{Vec2, Vec3};

use super::mesh::Mesh;
use super::raster::{RasterTriangle, SUBPIXELS};

/// Heights along a direction of the first surface met from either end, on a square grid.
pub(super) struct DepthMap {
    pub right: Vec3,
    pub up: Vec3,
    /// Towards the light, at unit length.
    pub toward: Vec3,
    /// Width of a texel in metres.
    pub texel: f32,
    corner: Vec2,
    side: u32,
    /// Height seen first from the light; −∞ where nothing is.
    highest: Vec<f32>,
    /// Height seen first from the opposite direction; +∞ where nothing is.
    lowest: Vec<f32>,
}

impl DepthMap {
    /// Draws `mesh` as seen from far along `toward`, on `side` × `side` texels.
    pub fn new(mesh: &Mesh, toward: Vec3, side: u32, keep_lowest: bool) -> Self {
        let (right, up) = toward.any_orthonormal_pair();
        let flat = |point: Vec3| Vec2::new(point.dot(right), point.dot(up));
        let mut minimum = Vec2::INFINITY;
        let mut maximum = Vec2::NEG_INFINITY;
        for position in mesh.drawn_positions() {
            minimum = minimum.min(flat(position));
            maximum = maximum.max(flat(position));
        }
        if minimum.x > maximum.x {
            (minimum, maximum) = (Vec2::ZERO, Vec2::ZERO);
        }
        // A border of two texels lets lookups blend towards "nothing there".
        let extent = (maximum - minimum).max_element().max(1.0e-4);
        let texel = extent / (side.max(8) - 4) as f32;
        let corner = minimum.midpoint(maximum) - 0.5 * texel * side as f32;

        let texel_count = side as usize * side as usize;
        let mut highest = vec![f32::NEG_INFINITY; texel_count];
        let mut lowest = vec![f32::INFINITY; if keep_lowest { texel_count } else { 0 }];
        let places: Vec<Vec3> = mesh
            .positions
            .iter()
            .map(|position| ((flat(*position) - corner) / texel).extend(position.dot(toward)))
            .collect();
        for triangle in &mesh.triangles {
            if !mesh.materials[triangle.material].casts_shadow {
                continue;
            }
            let corners = triangle.corners.map(|corner| places[corner]);
            let Some(raster) = RasterTriangle::new(corners) else {
                continue;
            };
            let centre = [SUBPIXELS / 2; 2];
            raster.cover(0..side, 0..side, centre, |column, row, height| {
                let index = row as usize * side as usize + column as usize;
                highest[index] = highest[index].max(height);
                if keep_lowest {
                    lowest[index] = lowest[index].min(height);
                }
            });
        }
        Self { right, up, toward, texel, corner, side, highest, lowest }
    }

    /// Where a point falls on the map, in texels.
    pub fn locate(&self, point: Vec3) -> Vec2 {
        (Vec2::new(point.dot(self.right), point.dot(self.up)) - self.corner) / self.texel
    }

    /// Whether a point is on the map, or at most `margin` metres beside it.
    pub fn is_near(&self, point: Vec3, margin: f32) -> bool {
        let margin = Vec2::splat(margin / self.texel);
        let place = self.locate(point);
        place.cmpge(-margin).all() && place.cmple(margin + self.side as f32).all()
    }

    /// First height met from the light in the texel around `place`; −∞ outside the map.
    pub fn highest_at(&self, place: Vec2) -> f32 {
        self.index(place.x.floor(), place.y.floor()).map_or(f32::NEG_INFINITY, |index| self.highest[index])
    }

    /// How much light from the map's direction is kept from `height` at `place`: 0 to 1, blended
    /// between texels, and growing over `softness` metres.
    pub fn blocked(&self, place: Vec2, height: f32, softness: f32) -> f32 {
        self.blend(place, |index| (self.highest[index] - height) / softness)
    }

    /// The same for light from the opposite direction. The map must have kept both.
    pub fn blocked_opposite(&self, place: Vec2, height: f32, softness: f32) -> f32 {
        self.blend(place, |index| (height - self.lowest[index]) / softness)
    }

    fn blend(&self, place: Vec2, excess: impl Fn(usize) -> f32) -> f32 {
        let shifted = place - 0.5;
        let base = shifted.floor();
        let part = shifted - base;
        let blocked =
            |x: f32, y: f32| self.index(base.x + x, base.y + y).map_or(0.0, |index| excess(index).clamp(0.0, 1.0));
        let near = blocked(0.0, 0.0) * (1.0 - part.x) + blocked(1.0, 0.0) * part.x;
        let far = blocked(0.0, 1.0) * (1.0 - part.x) + blocked(1.0, 1.0) * part.x;
        near * (1.0 - part.y) + far * part.y
    }

    fn index(&self, column: f32, row: f32) -> Option<usize> {
        let side = self.side as f32;
        let is_inside = column >= 0.0 && row >= 0.0 && column < side && row < side;
        is_inside.then(|| row as usize * self.side as usize + column as usize)
    }
}
