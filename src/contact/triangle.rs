//! The nearest point of a triangle.

use glam::DVec3;

/// What part of a triangle a point belongs to; corners and edges by number, edge k from corner k to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Corner(usize),
    Edge(usize),
    Inside,
}

/// The point of a triangle nearest to another, and the part it lies on. Triangles without area are their edges.
pub(crate) fn nearest([a, b, c]: [DVec3; 3], point: DVec3) -> (DVec3, Part) {
    let corners = [a, b, c];
    let normal = (b - a).cross(c - a);
    let square = normal.length_squared();
    // Above the triangle: on the inner side of all three edges.
    let above = |k: usize| {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        normal.cross(to - from).dot(point - from) > 0.0
    };
    if square > 0.0 && (0..3).all(above) {
        return (point - normal * (normal.dot(point - a) / square), Part::Inside);
    }
    let mut best = (DVec3::NAN, Part::Corner(0), f64::INFINITY);
    for k in 0..3 {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        let (way, length) = ((point - from).dot(to - from), (to - from).length_squared());
        let (nearest, part) = if way <= 0.0 {
            (from, Part::Corner(k))
        } else if way >= length {
            (to, Part::Corner((k + 1) % 3))
        } else {
            (from + (to - from) * (way / length), Part::Edge(k))
        };
        let distance = point.distance_squared(nearest);
        if distance < best.2 {
            best = (nearest, part, distance);
        }
    }
    (best.0, best.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [DVec3; 3] = [DVec3::ZERO, DVec3::new(2.0, 0.0, 0.0), DVec3::new(0.0, 2.0, 0.0)];

    #[test]
    fn every_part() {
        let cases = [
            ([0.5, 0.5, 3.0], [0.5, 0.5, 0.0], Part::Inside),
            ([0.5, 0.5, -3.0], [0.5, 0.5, 0.0], Part::Inside),
            ([-1.0, -2.0, 1.0], [0.0, 0.0, 0.0], Part::Corner(0)),
            ([3.0, -0.5, 1.0], [2.0, 0.0, 0.0], Part::Corner(1)),
            ([-1.0, 4.0, 1.0], [0.0, 2.0, 0.0], Part::Corner(2)),
            ([0.75, -1.0, 1.0], [0.75, 0.0, 0.0], Part::Edge(0)),
            ([2.0, 2.0, 1.0], [1.0, 1.0, 0.0], Part::Edge(1)),
            ([-1.0, 0.25, 1.0], [0.0, 0.25, 0.0], Part::Edge(2)),
        ];
        for (point, expected, part) in cases {
            let (found, found_part) = nearest(TRIANGLE, point.into());
            assert!(found.distance(expected.into()) < 1e-15, "{point:?}: {found}");
            assert_eq!(found_part, part, "{point:?}");
        }
    }

    /// No point of the triangle, sampled, is nearer.
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
        assert_eq!((point, matches!(part, Part::Corner(_))), (DVec3::X, true));
    }
}
