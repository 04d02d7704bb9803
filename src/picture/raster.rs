//! Which samples a triangle covers.
//!
//! Corners are snapped to a grid much finer than a pixel and edges are then tested in integers:
//! two triangles that share an edge agree on it to the bit, so no pinhole opens between them.

use std::ops::Range;

use glam::Vec3;

/// Grid steps per pixel.
pub(super) const SUBPIXELS: i64 = 256;
/// Corners are kept this close to the picture (in grid steps) so that products fit in 64 bits.
const FARTHEST: f32 = (1_i64 << 29) as f32;

/// A triangle ready to be tested against samples; both windings are covered.
pub(super) struct RasterTriangle {
    x: [i64; 3],
    y: [i64; 3],
    depth: [f32; 3],
    inverse_area: f32,
}

impl RasterTriangle {
    /// Snaps corners whose x and y are in pixels; z is any quantity linear across the picture.
    /// `None` when nothing is left to cover.
    pub fn new(mut corners: [Vec3; 3]) -> Option<Self> {
        if !corners.iter().all(|corner| corner.is_finite()) {
            return None;
        }
        let snap = |value: f32| (value * SUBPIXELS as f32).round().clamp(-FARTHEST, FARTHEST) as i64;
        let double_area = |corners: &[Vec3; 3]| {
            let [a, b, c] = corners.map(|corner| (snap(corner.x), snap(corner.y)));
            (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
        };
        let mut area = double_area(&corners);
        if area < 0 {
            corners.swap(1, 2);
            area = -area;
        }
        (area != 0).then(|| Self {
            x: corners.map(|corner| snap(corner.x)),
            y: corners.map(|corner| snap(corner.y)),
            depth: corners.map(|corner| corner.z),
            inverse_area: 1.0 / area as f32,
        })
    }

    /// Rows of pixels the triangle can touch, within `0..count`.
    pub fn rows(&self, count: u32) -> Range<u32> {
        let [least, most] = ends(&self.y).map(|end| end.div_euclid(SUBPIXELS));
        within(least..most + 1, 0..count)
    }

    /// Visits every pixel of `columns` × `rows` whose sample, at `sample` grid steps from the
    /// pixel's corner, is inside; passes column, row and depth there.
    pub fn cover(&self, columns: Range<u32>, rows: Range<u32>, sample: [i64; 2], mut visit: impl FnMut(u32, u32, f32)) {
        // Only samples between the triangle's ends: for one smaller than a pixel, often none.
        let columns = within(samples_between(ends(&self.x), sample[0]), columns);
        let rows = within(samples_between(ends(&self.y), sample[1]), rows);
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        let start_x = i64::from(columns.start) * SUBPIXELS + sample[0];
        let start_y = i64::from(rows.start) * SUBPIXELS + sample[1];
        // Edge k faces corner k, so that its value over the area is that corner's weight.
        let edges: [[i64; 3]; 3] = std::array::from_fn(|k| {
            let (from, to) = ((k + 1) % 3, (k + 2) % 3);
            let along_x = self.x[to] - self.x[from];
            let along_y = self.y[to] - self.y[from];
            let value = along_x * (start_y - self.y[from]) - along_y * (start_x - self.x[from]);
            [value, -along_y * SUBPIXELS, along_x * SUBPIXELS]
        });
        let mut row_values = edges.map(|edge| edge[0]);
        for row in rows {
            let mut values = row_values;
            for column in columns.clone() {
                if values[0] | values[1] | values[2] >= 0 {
                    let weight_b = values[1] as f32 * self.inverse_area;
                    let weight_c = values[2] as f32 * self.inverse_area;
                    let depth = self.depth[0]
                        + weight_b * (self.depth[1] - self.depth[0])
                        + weight_c * (self.depth[2] - self.depth[0]);
                    visit(column, row, depth);
                }
                for k in 0..3 {
                    values[k] += edges[k][1];
                }
            }
            for k in 0..3 {
                row_values[k] += edges[k][2];
            }
        }
    }
}

/// Least and most of three coordinates.
fn ends([a, b, c]: &[i64; 3]) -> [i64; 2] {
    [*a.min(b).min(c), *a.max(b).max(c)]
}

/// Pixels whose sample lies from `least` to `most`.
fn samples_between([least, most]: [i64; 2], sample: i64) -> Range<i64> {
    // Rounded up at the start, down at the end: the sample itself has to be inside.
    let start = -(sample - least).div_euclid(SUBPIXELS);
    let end = (most - sample).div_euclid(SUBPIXELS) + 1;
    start..end
}

/// The part of `range` inside `limits`.
fn within(range: Range<i64>, limits: Range<u32>) -> Range<u32> {
    let clamp = |value: i64| value.clamp(i64::from(limits.start), i64::from(limits.end.max(limits.start))) as u32;
    clamp(range.start)..clamp(range.end)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::{RasterTriangle, SUBPIXELS};

    const SIDE: u32 = 40;

    fn covered(corners: [Vec3; 3]) -> Vec<u32> {
        let mut counts = vec![0; (SIDE * SIDE) as usize];
        if let Some(triangle) = RasterTriangle::new(corners) {
            let sample = [SUBPIXELS / 2; 2];
            triangle.cover(0..SIDE, 0..SIDE, sample, |column, row, depth| {
                // Depth was chosen as x + 2 y.
                let expected = (column as f32 + 0.5) + 2.0 * (row as f32 + 0.5);
                assert!((depth - expected).abs() < 0.05, "{depth} is not {expected}");
                counts[(row * SIDE + column) as usize] += 1;
            });
        }
        counts
    }

    fn corner(x: f32, y: f32) -> Vec3 {
        Vec3::new(x, y, x + 2.0 * y)
    }

    #[test]
    fn a_fan_leaves_no_hole() {
        // Spokes at awkward angles around a point inside the picture; the rim is outside.
        let centre = corner(17.31, 21.77);
        let rim = |index: usize| {
            let angle = std::f32::consts::TAU * index as f32 / 37.0;
            corner(20.0 + 60.0 * angle.cos(), 20.0 + 60.0 * angle.sin())
        };
        let mut counts = vec![0; (SIDE * SIDE) as usize];
        for index in 0..37 {
            let fan = covered([centre, rim(index), rim((index + 1) % 37)]);
            for (count, more) in counts.iter_mut().zip(fan) {
                *count += more;
            }
        }
        assert!(counts.iter().all(|count| *count >= 1));
        let twice = counts.iter().filter(|count| **count > 1).count();
        assert!(twice < 20, "{twice} samples are covered twice");
    }

    #[test]
    fn coverage_is_the_area_for_either_winding() {
        let corners = [corner(2.3, 3.1), corner(35.2, 8.4), corner(11.7, 33.9)];
        let area = 0.5 * (corners[1] - corners[0]).truncate().perp_dot((corners[2] - corners[0]).truncate());
        let total: u32 = covered(corners).iter().sum();
        assert!((total as f32 - area).abs() < 0.03 * area, "{total} for {area}");
        let [a, b, c] = corners;
        assert_eq!(covered([a, c, b]), covered(corners));
    }

    #[test]
    fn what_has_no_area_covers_nothing() {
        let line = [corner(1.0, 1.0), corner(9.0, 9.0), corner(5.0, 5.0)];
        assert!(RasterTriangle::new(line).is_none());
        assert!(RasterTriangle::new([Vec3::NAN; 3]).is_none());
    }
}
