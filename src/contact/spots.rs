//! Where an edge or a triangle is nearest to a form, or deepest inside it.
//!
//! The distance is sampled on the edge or triangle, and refined about the smallest sample. Bounds rule most features out before: the distance to a convex form lies above
//! its tangents, that to any form changes by no more than the way.

use super::Form;
use glam::DVec3;

/// Largest number of parts into which an edge is divided by samples.
const EDGE_PARTS: usize = 32;
/// Largest number of parts into which a side of a triangle is divided by samples.
const FACE_PARTS: usize = 16;
/// Number of times that a refinement halves its steps.
const HALVINGS: u32 = 10;
/// Distance between two spots of a feature, as a share of its length.
const APART: f64 = 0.05;
/// Largest weight of a corner at a spot. Beyond it, the contact of the corner itself counts.
const MOST_WEIGHT: f64 = 0.95;
/// Smallest weight of a corner at a spot of a triangle. Below it, the contact of the edge counts.
const LEAST_WEIGHT: f64 = 0.02;
/// Largest slope of the interpolated distances of a mesh that bounds count on.
const SLOPE: f64 = 1.2;

/// A point of an edge or triangle near a form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spot {
    /// Weights of the corners; the last one is 0 on an edge.
    pub weights: [f64; 3],
    /// Signed distance, m.
    pub distance: f64,
}

/// A corner of an edge or triangle, in the frame of a form.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Corner {
    /// m
    pub point: DVec3,
    /// Signed distance from the form, m.
    distance: f64,
    /// Gradient of the distance; of convex forms only.
    slope: DVec3,
}

impl Corner {
    pub fn of(form: &Form, point: DVec3) -> Self {
        let (distance, slope) = if form.is_convex() { form.distance(point) } else { (form.depth(point), DVec3::ZERO) };
        Self { point, distance, slope }
    }

    /// A point of which nothing more is known than that it is far away.
    pub fn far(point: DVec3) -> Self {
        Self { point, distance: f64::INFINITY, slope: DVec3::ZERO }
    }
}

/// An edge or triangle in the frame of a form.
#[derive(Debug, Clone, Copy)]
pub(super) struct Feature {
    pub corners: [Corner; 3],
    /// 2 for an edge, 3 for a triangle.
    pub count: usize,
}

impl Feature {
    pub fn at(&self, weights: &[f64; 3]) -> DVec3 {
        (0..self.count).map(|k| weights[k] * self.corners[k].point).sum()
    }

    /// The feature at a share of its way to another place.
    pub fn towards(&self, end: &Self, share: f64, form: &Form) -> Self {
        let corner = |k: usize| Corner::of(form, self.corners[k].point.lerp(end.corners[k].point, share));
        let corners = std::array::from_fn(|k| if k < self.count { corner(k) } else { Corner::default() });
        Self { corners, count: self.count }
    }

    /// Length of the longest side, m.
    pub fn length(&self) -> f64 {
        let [a, b, c] = self.corners.map(|corner| corner.point);
        if self.count == 2 { a.distance(b) } else { a.distance(b).max(b.distance(c)).max(c.distance(a)) }
    }

    /// Lower bound of the distance of all points from a form.
    pub fn bound(&self, form: &Form) -> f64 {
        let corners = &self.corners[..self.count];
        if !form.is_convex() {
            let depths = corners.iter().map(|corner| corner.distance);
            let (low, high) =
                depths.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), depth| (low.min(depth), high.max(depth)));
            let way = SLOPE * self.length();
            return if self.count == 2 { 0.5 * (low + high - way) } else { (low - 0.58 * way).max(high - way) };
        }
        let tangent = |corner: &Corner| {
            let along = corners.iter().map(|other| corner.slope.dot(other.point - corner.point));
            corner.distance + along.fold(f64::INFINITY, f64::min)
        };
        corners.iter().map(tangent).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Smallest distance of a corner, m.
    pub fn least_corner(&self) -> f64 {
        self.corners[..self.count].iter().map(|corner| corner.distance).fold(f64::INFINITY, f64::min)
    }

    /// The point of smallest distance. Samples lie `spacing` apart or more, m.
    pub fn nearest(&self, form: &Form, spacing: f64) -> Spot {
        let samples = self.samples(form, spacing);
        let least = samples.iter().copied().reduce(|a, b| if b.distance < a.distance { b } else { a });
        let least = least.unwrap_or(Spot { weights: [1.0, 0.0, 0.0], distance: f64::INFINITY });
        self.refine(form, least, 1.0 / self.parts(spacing) as f64)
    }

    /// The spots of a feature that is near a form: the point of smallest distance, and points far from it that are nearly as near, or nearer than `floor`, m.
    pub fn spots(&self, form: &Form, spacing: f64, nearest: Spot, floor: f64) -> Vec<Spot> {
        let most = floor.max(nearest.distance + 0.1 * spacing);
        let mut spots = vec![nearest];
        let samples: Vec<Spot> = self.samples(form, spacing).into_iter().filter(|spot| spot.distance <= most).collect();
        let apart = APART * self.length();
        while spots.len() < self.count {
            let places: Vec<DVec3> = spots.iter().map(|spot| self.at(&spot.weights)).collect();
            let away = |spot: &Spot| {
                let place = self.at(&spot.weights);
                places.iter().map(|other| other.distance(place)).fold(f64::INFINITY, f64::min)
            };
            let farthest = samples.iter().filter(|spot| self.is_own(spot)).max_by(|a, b| away(a).total_cmp(&away(b)));
            match farthest {
                Some(spot) if away(spot) > apart => spots.push(*spot),
                _ => break,
            }
        }
        spots.retain(|spot| self.is_own(spot));
        spots
    }

    /// Whether a spot belongs to the feature itself, not to a corner or a side of it.
    fn is_own(&self, spot: &Spot) -> bool {
        let weights = &spot.weights[..self.count];
        weights.iter().all(|weight| *weight <= MOST_WEIGHT && (self.count == 2 || *weight >= LEAST_WEIGHT))
    }

    /// Number of parts of each side.
    fn parts(&self, spacing: f64) -> usize {
        let most = if self.count == 2 { EDGE_PARTS } else { FACE_PARTS };
        ((self.length() / spacing).ceil() as usize).clamp(4, most)
    }

    fn samples(&self, form: &Form, spacing: f64) -> Vec<Spot> {
        let parts = self.parts(spacing);
        let share = |ix: usize| ix as f64 / parts as f64;
        let spot = |weights: [f64; 3]| Spot { weights, distance: form.depth(self.at(&weights)) };
        if self.count == 2 {
            return (0..=parts).map(|ix| spot([1.0 - share(ix), share(ix), 0.0])).collect();
        }
        let row = |i: usize| (0..=parts - i).map(move |j| spot([share(i), share(j), share(parts - i - j)]));
        (0..=parts).flat_map(row).collect()
    }

    /// Searches about a spot with steps that halve; `step` is the first, as a share of a side.
    fn refine(&self, form: &Form, mut spot: Spot, mut step: f64) -> Spot {
        let ways: &[[f64; 3]] = if self.count == 2 {
            &[[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0]]
        } else {
            &[
                [1.0, -1.0, 0.0],
                [-1.0, 1.0, 0.0],
                [0.0, 1.0, -1.0],
                [0.0, -1.0, 1.0],
                [1.0, 0.0, -1.0],
                [-1.0, 0.0, 1.0],
            ]
        };
        for _ in 0..HALVINGS {
            step *= 0.5;
            loop {
                let moved = ways.iter().filter_map(|way| {
                    let weights = std::array::from_fn(|k| spot.weights[k] + step * way[k]);
                    let inside = weights.iter().all(|weight: &f64| *weight >= 0.0);
                    inside.then(|| Spot { weights, distance: form.depth(self.at(&weights)) })
                });
                match moved.reduce(|a, b| if b.distance < a.distance { b } else { a }) {
                    Some(better) if better.distance < spot.distance - 1e-12 => spot = better,
                    _ => break,
                }
            }
        }
        spot
    }

    /// Direction out of the form at a spot: the gradient of the distance, without its part along the feature where the spot is the nearest point; and its length before it
    /// became a unit vector.
    pub fn way_out(&self, form: &Form, spot: &Spot) -> (DVec3, f64) {
        let normal = form.distance(self.at(&spot.weights)).1;
        let [a, b, c] = self.corners.map(|corner| corner.point);
        let across = if self.count == 2 {
            let along = (b - a).normalize_or_zero();
            normal - normal.dot(along) * along
        } else {
            let face = (b - a).cross(c - a).normalize_or_zero();
            normal.dot(face) * face
        };
        let length = across.length();
        if length > LEAST_ACROSS { (across / length, length) } else { (normal, 1.0) }
    }
}

/// Smallest part of a gradient across a feature that counts as its direction.
const LEAST_ACROSS: f64 = 0.3;

#[cfg(test)]
mod tests {
    use super::*;

    fn feature<const N: usize>(form: &Form, corners: [[f64; 3]; N]) -> Feature {
        let corner =
            |k: usize| corners.get(k).map_or_else(Corner::default, |corner| Corner::of(form, (*corner).into()));
        Feature { corners: std::array::from_fn(corner), count: N }
    }

    #[test]
    fn an_edge_over_the_corner_of_a_box() {
        let form = Form::Box { half: DVec3::splat(0.5) };
        let edge = feature(&form, [[0.3, 0.6, 0.0], [0.6, 0.3, 0.0]]);
        let bound = edge.bound(&form);
        let spot = edge.nearest(&form, 0.01);
        assert!((spot.weights[0] - 0.5).abs() < 1e-3, "{spot:?}");
        assert!((spot.distance + 0.05).abs() < 1e-4 && bound <= spot.distance, "{spot:?} {bound}");
        let (normal, length) = edge.way_out(&form, &spot);
        assert!(normal.distance(DVec3::new(1.0, 1.0, 0.0).normalize()) < 1e-9, "{normal}");
        // Half of the diagonal by which the corner stands out.
        assert!((spot.distance / length + 0.05 * 2f64.sqrt()).abs() < 1e-4, "{}", spot.distance / length);
    }

    #[test]
    fn flat_features_have_spots_at_their_ends() {
        let form = Form::Box { half: DVec3::new(0.2, 0.5, 0.2) };
        let edge = feature(&form, [[-1.0, 0.501, 0.0], [1.0, 0.501, 0.0]]);
        let nearest = edge.nearest(&form, 0.005);
        let spots = edge.spots(&form, 0.005, nearest, 0.0);
        assert_eq!(spots.len(), 2);
        assert!(spots.iter().all(|spot| (spot.distance - 0.001).abs() < 1e-9), "{spots:?}");
        let face = feature(&form, [[-1.0, 0.501, -1.0], [1.0, 0.501, -1.0], [0.0, 0.501, 1.5]]);
        let nearest = face.nearest(&form, 0.005);
        assert!(face.spots(&form, 0.005, nearest, 0.0).len() >= 2);
        assert!(face.bound(&form) <= nearest.distance);
    }

    #[test]
    fn a_face_on_a_ball_touches_at_one_spot() {
        let form = Form::Sphere { radius: 0.1 };
        let face = feature(&form, [[-1.0, 0.102, -1.0], [1.0, 0.102, -1.0], [0.0, 0.102, 1.5]]);
        let nearest = face.nearest(&form, 0.005);
        assert!((nearest.distance - 0.002).abs() < 1e-6 && face.at(&nearest.weights).length() < 0.1021);
        assert_eq!(face.spots(&form, 0.005, nearest, 0.0).len(), 1);
        assert!(face.way_out(&form, &nearest).0.distance(DVec3::Y) < 1e-9);
    }
}
