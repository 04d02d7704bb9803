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
const APART: f64 = 0.2;
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

/// Corners of an edge or triangle, in the frame of a form, m.
#[derive(Debug, Clone, Copy)]
pub(super) struct Feature {
    pub corners: [DVec3; 3],
    /// 2 for an edge, 3 for a triangle.
    pub count: usize,
}

impl Feature {
    pub fn at(&self, weights: &[f64; 3]) -> DVec3 {
        (0..self.count).map(|k| weights[k] * self.corners[k]).sum()
    }

    /// Length of the longest side, m.
    pub fn length(&self) -> f64 {
        let [a, b, c] = self.corners;
        if self.count == 2 { a.distance(b) } else { a.distance(b).max(b.distance(c)).max(c.distance(a)) }
    }

    /// Lower bound of the distance of all points from a form.
    pub fn bound(&self, form: &Form) -> f64 {
        let corners = &self.corners[..self.count];
        if !form.is_convex() {
            let depths = corners.iter().map(|corner| form.depth(*corner));
            let (low, high) =
                depths.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), depth| (low.min(depth), high.max(depth)));
            let way = SLOPE * self.length();
            return if self.count == 2 { 0.5 * (low + high - way) } else { (low - 0.58 * way).max(high - way) };
        }
        let tangent = |corner: &DVec3| {
            let (distance, normal) = form.distance(*corner);
            corners.iter().map(|other| distance + normal.dot(*other - *corner)).fold(f64::INFINITY, f64::min)
        };
        corners.iter().map(tangent).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Smallest distance of a corner, m.
    pub fn least_corner(&self, form: &Form) -> f64 {
        self.corners[..self.count].iter().map(|corner| form.depth(*corner)).fold(f64::INFINITY, f64::min)
    }

    /// The point of smallest distance, if that is below `most`, m. Samples lie `spacing` apart or more, m.
    pub fn nearest(&self, form: &Form, spacing: f64, most: f64) -> Option<Spot> {
        let samples = self.samples(form, spacing);
        let least = samples.iter().copied().reduce(|a, b| if b.distance < a.distance { b } else { a })?;
        let parts = self.parts(spacing) as f64;
        let spot = self.refine(form, least, 1.0 / parts);
        (spot.distance < most).then_some(spot)
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
        let [a, b, c] = self.corners;
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

    fn edge(a: [f64; 3], b: [f64; 3]) -> Feature {
        Feature { corners: [DVec3::from(a), DVec3::from(b), DVec3::ZERO], count: 2 }
    }

    #[test]
    fn an_edge_over_the_corner_of_a_box() {
        let form = Form::Box { half: DVec3::splat(0.5) };
        let edge = edge([0.3, 0.6, 0.0], [0.6, 0.3, 0.0]);
        let bound = edge.bound(&form);
        let spot = edge.nearest(&form, 0.01, 1.0).unwrap();
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
        let edge = edge([-1.0, 0.501, 0.0], [1.0, 0.501, 0.0]);
        let nearest = edge.nearest(&form, 0.005, 1.0).unwrap();
        let spots = edge.spots(&form, 0.005, nearest, 0.0);
        assert_eq!(spots.len(), 2);
        assert!(spots.iter().all(|spot| (spot.distance - 0.001).abs() < 1e-9), "{spots:?}");
        let face = Feature {
            corners: [DVec3::new(-1.0, 0.501, -1.0), DVec3::new(1.0, 0.501, -1.0), DVec3::new(0.0, 0.501, 1.5)],
            count: 3,
        };
        let nearest = face.nearest(&form, 0.005, 1.0).unwrap();
        assert_eq!(face.spots(&form, 0.005, nearest, 0.0).len(), 3);
        assert!(face.bound(&form) <= nearest.distance);
    }

    #[test]
    fn a_face_on_a_ball_touches_at_one_spot() {
        let form = Form::Sphere { radius: 0.1 };
        let face = Feature {
            corners: [DVec3::new(-1.0, 0.102, -1.0), DVec3::new(1.0, 0.102, -1.0), DVec3::new(0.0, 0.102, 1.5)],
            count: 3,
        };
        let nearest = face.nearest(&form, 0.005, 1.0).unwrap();
        assert!((nearest.distance - 0.002).abs() < 1e-6 && face.at(&nearest.weights).length() < 0.1021);
        assert_eq!(face.spots(&form, 0.005, nearest, 0.0).len(), 1);
        assert!(face.way_out(&form, &nearest).0.distance(DVec3::Y) < 1e-9);
    }
}
