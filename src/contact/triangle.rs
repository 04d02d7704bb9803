//! Nearest point of a triangle, and intersection of a triangle with a box.

use glam::DVec3;

/// Feature of a triangle that contains a point. Edge k goes from corner k to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feature {
    Corner(usize),
    Edge(usize),
    Inside,
}

/// Nearest point of a triangle and the feature that contains it. A triangle without area consists of its edges.
pub(crate) fn nearest([a, b, c]: [DVec3; 3], point: DVec3) -> (DVec3, Feature) {
    let corners = [a, b, c];
    let normal = (b - a).cross(c - a);
    let square = normal.length_squared();
    // The point projects into the triangle if it is on the inner side of all three edges.
    let above = |k: usize| {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        normal.cross(to - from).dot(point - from) > 0.0
    };
    if square > 0.0 && (0..3).all(above) {
        return (point - normal * (normal.dot(point - a) / square), Feature::Inside);
    }
    let mut best = (DVec3::NAN, Feature::Corner(0), f64::INFINITY);
    for k in 0..3 {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        let (way, length) = ((point - from).dot(to - from), (to - from).length_squared());
        let (nearest, part) = if way <= 0.0 {
            (from, Feature::Corner(k))
        } else if way >= length {
            (to, Feature::Corner((k + 1) % 3))
        } else {
            (from + (to - from) * (way / length), Feature::Edge(k))
        };
        let distance = point.distance_squared(nearest);
        if distance < best.2 {
            best = (nearest, part, distance);
        }
    }
    (best.0, best.1)
}

/// Whether a triangle intersects an axis-aligned box about a centre, by the separating axis theorem: the box's axes, the
/// triangle's normal, and the cross products of their edges.
pub(super) fn meets_box(corners: [DVec3; 3], centre: DVec3, half: DVec3) -> bool {
    let corners = corners.map(|corner| corner - centre);
    let [a, b, c] = corners;
    let edges = [b - a, c - b, a - c];
    let separates = |normal: DVec3| {
        let along = corners.map(|corner| corner.dot(normal));
        let reach = half.dot(normal.abs());
        along.iter().all(|&way| way > reach) || along.iter().all(|&way| way < -reach)
    };
    let axes = DVec3::AXES;
    !axes.into_iter().any(separates)
        && !separates(edges[0].cross(edges[1]))
        && !axes.into_iter().any(|axis| edges.into_iter().any(|edge| separates(axis.cross(edge))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [DVec3; 3] = [DVec3::ZERO, DVec3::new(2.0, 0.0, 0.0), DVec3::new(0.0, 2.0, 0.0)];

    #[test]
    fn every_part() {
        let cases = [
            ([0.5, 0.5, 3.0], [0.5, 0.5, 0.0], Feature::Inside),
            ([0.5, 0.5, -3.0], [0.5, 0.5, 0.0], Feature::Inside),
            ([-1.0, -2.0, 1.0], [0.0, 0.0, 0.0], Feature::Corner(0)),
            ([3.0, -0.5, 1.0], [2.0, 0.0, 0.0], Feature::Corner(1)),
            ([-1.0, 4.0, 1.0], [0.0, 2.0, 0.0], Feature::Corner(2)),
            ([0.75, -1.0, 1.0], [0.75, 0.0, 0.0], Feature::Edge(0)),
            ([2.0, 2.0, 1.0], [1.0, 1.0, 0.0], Feature::Edge(1)),
            ([-1.0, 0.25, 1.0], [0.0, 0.25, 0.0], Feature::Edge(2)),
        ];
        for (point, expected, part) in cases {
            let (found, found_part) = nearest(TRIANGLE, point.into());
            assert!(found.distance(expected.into()) < 1e-15, "{point:?}: {found}");
            assert_eq!(found_part, part, "{point:?}");
        }
    }

    /// No sampled point of the triangle is nearer.
    #[test]
    fn nothing_is_nearer() {
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..200 {
            let mut random = || DVec3::from_array([(); 3].map(|()| 2.0 * rng.f64() - 1.0));
            let (triangle, point) = ([random(), random(), random()], 2.0 * random());
            let distance = nearest(triangle, point).0.distance(point);
            for i in 0..=40 {
                for j in 0..=40 - i {
                    let (u, v) = (f64::from(i) / 40.0, f64::from(j) / 40.0);
                    let sample = triangle[0] * (1.0 - u - v) + triangle[1] * u + triangle[2] * v;
                    assert!(sample.distance(point) > distance - 1e-12);
                }
            }
        }
    }

    #[test]
    fn without_area() {
        let line = [DVec3::ZERO, DVec3::X, DVec3::X * 2.0];
        assert!(nearest(line, DVec3::new(1.5, 1.0, 0.0)).0.distance(DVec3::X * 1.5) < 1e-15);
        let (point, part) = nearest([DVec3::X; 3], DVec3::ZERO);
        assert_eq!((point, matches!(part, Feature::Corner(_))), (DVec3::X, true));
    }

    /// A triangle intersects a box if one of its sampled points is inside. It does not if all samples are further from the box
    /// than they are from each other.
    #[test]
    fn boxes_that_meet() {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut counts = [0, 0];
        for _ in 0..2000 {
            let mut random = || DVec3::from_array([(); 3].map(|()| 2.0 * rng.f64() - 1.0));
            let (triangle, centre, half) = ([random(), random(), random()], random(), 0.4 * random().abs());
            let mut distance = f64::INFINITY;
            for i in 0..=60 {
                for j in 0..=60 - i {
                    let (u, v) = (f64::from(i) / 60.0, f64::from(j) / 60.0);
                    let sample = triangle[0] * (1.0 - u - v) + triangle[1] * u + triangle[2] * v;
                    distance = distance.min(((sample - centre).abs() - half).max(DVec3::ZERO).length());
                }
            }
            let meets = meets_box(triangle, centre, half);
            if distance == 0.0 {
                assert!(meets, "{triangle:?} {centre} {half}");
                counts[0] += 1;
            } else if distance > 0.06 {
                assert!(!meets, "{triangle:?} {centre} {half}: {distance}");
                counts[1] += 1;
            }
        }
        assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
    }
}
