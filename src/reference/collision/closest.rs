//! Closest points of a vertex and a triangle or of two edges, and directions that separate them. Twin of `shaders/collision/closest.wgsl`.

use glam::DVec3;

/// Kind of a pair, which says how its four points are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PairKind {
    /// The first point is a vertex, the others are the corners of a triangle.
    VertexTriangle,
    /// The first two points are an edge, the others are another.
    EdgeEdge,
}

/// Squared sine of the angle between two edges below which they count as parallel.
const PARALLEL: f64 = 1e-6;

/// Closest points of a pair.
#[derive(Debug, Clone, Copy)]
pub struct Closest {
    /// Weights of the four points in the offset between both closest points; those of either side add up to 1 and −1.
    pub weights: [f64; 4],
    /// Offset from the second side to the first, m.
    pub offset: DVec3,
}

impl Closest {
    /// Closest points of a pair at four positions.
    pub fn of(kind: PairKind, x: &[DVec3; 4]) -> Self {
        let weights = match kind {
            PairKind::VertexTriangle => {
                let [a, b, c] = on_triangle(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
                [1.0, -a, -b, -c]
            }
            PairKind::EdgeEdge => {
                let [s, t] = on_edges(x[1] - x[0], x[3] - x[2], x[0] - x[2]);
                [1.0 - s, s, t - 1.0, -t]
            }
        };
        Self { weights, offset: weighted(&weights, x) }
    }
}

/// Σ w x of four points, from differences to the first, so that large coordinates round away little.
pub fn weighted(weights: &[f64; 4], x: &[DVec3; 4]) -> DVec3 {
    (1..4).map(|k| weights[k] * (x[k] - x[0])).sum()
}

/// Barycentric weights of the point of a triangle that is closest to the origin.
fn on_triangle(a: DVec3, b: DVec3, c: DVec3) -> [f64; 3] {
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (-ab.dot(a), -ac.dot(a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let (d3, d4) = (-ab.dot(b), -ac.dot(b));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return [1.0 - t, t, 0.0];
    }
    let (d5, d6) = (-ab.dot(c), -ac.dot(c));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return [1.0 - t, 0.0, t];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - t, t];
    }
    let whole = 1.0 / (va + vb + vc);
    let (v, w) = (vb * whole, vc * whole);
    [1.0 - v - w, v, w]
}

/// Parameters of the closest points of two edges: the first from the origin of `offset` along `first`, the second along `second`.
fn on_edges(first: DVec3, second: DVec3, offset: DVec3) -> [f64; 2] {
    let (a, e) = (first.length_squared(), second.length_squared());
    let (b, c, f) = (first.dot(second), first.dot(offset), second.dot(offset));
    let unit = |value: f64| if value > 0.0 { value.min(1.0) } else { 0.0 };
    let determinant = a * e - b * b;
    let s = if determinant > PARALLEL * a * e { unit((b * f - c * e) / determinant) } else { 0.5 };
    let t = (b * s + f) / e;
    if t > 1.0 {
        [unit((b - c) / a), 1.0]
    } else if t > 0.0 {
        [s, t]
    } else {
        [unit(-c / a), 0.0]
    }
}

/// Separation of both sides of a pair along a direction, m: positive if a plane across it parts them.
pub fn separation(kind: PairKind, x: &[DVec3; 4], direction: DVec3) -> f64 {
    let along = |k: usize| direction.dot(x[k] - x[0]);
    match kind {
        PairKind::VertexTriangle => -along(1).max(along(2)).max(along(3)),
        PairKind::EdgeEdge => along(1).min(0.0) - along(2).max(along(3)),
    }
}

/// Normal of the triangle, or common perpendicular of the edges, towards the first side; zero if there is none.
pub fn natural(kind: PairKind, x: &[DVec3; 4]) -> DVec3 {
    let across = match kind {
        PairKind::VertexTriangle => (x[2] - x[1]).cross(x[3] - x[1]),
        PairKind::EdgeEdge => (x[1] - x[0]).cross(x[3] - x[2]),
    };
    let normal = across.try_normalize().unwrap_or(DVec3::ZERO);
    if separation(kind, x, normal) < 0.0 { -normal } else { normal }
}

/// Directions that may separate a pair: between its closest points and across its features, at the start and at the end, and the mean of the first and the third. Zero
/// where there is none.
pub fn directions(kind: PairKind, start: &[DVec3; 4], end: &[DVec3; 4]) -> [DVec3; 5] {
    let towards = |x: &[DVec3; 4]| Closest::of(kind, x).offset.try_normalize().unwrap_or(DVec3::ZERO);
    let (first, last) = (towards(start), towards(end));
    let mean = (first + last).try_normalize().unwrap_or(DVec3::ZERO);
    [first, natural(kind, start), last, natural(kind, end), mean]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest distance over a fine grid of weights.
    fn brute(kind: PairKind, x: &[DVec3; 4]) -> f64 {
        let steps = 60;
        let share = |ix: i32| f64::from(ix) / f64::from(steps);
        let mut best = f64::INFINITY;
        for i in 0..=steps {
            let most = if kind == PairKind::EdgeEdge { steps } else { steps - i };
            for j in 0..=most {
                let (s, t) = (share(i), share(j));
                let weights = match kind {
                    PairKind::EdgeEdge => [1.0 - s, s, t - 1.0, -t],
                    PairKind::VertexTriangle => [1.0, s + t - 1.0, -s, -t],
                };
                best = best.min(weighted(&weights, x).length());
            }
        }
        best
    }

    #[test]
    fn closest_points_are_the_closest() {
        let mut random = fastrand::Rng::with_seed(7);
        for kind in [PairKind::VertexTriangle, PairKind::EdgeEdge] {
            for _ in 0..300 {
                let x: [DVec3; 4] = std::array::from_fn(|_| DVec3::new(random.f64(), random.f64(), random.f64()));
                let found = Closest::of(kind, &x);
                let (own, best) = (found.offset.length(), brute(kind, &x));
                assert!(own <= best + 1e-12 && own >= best - 0.05, "{kind:?} {x:?}: {own} {best}");
                assert!(found.weights.iter().sum::<f64>().abs() < 1e-12);
                // The direction between closest points separates by their distance.
                let apart = separation(kind, &x, found.offset / own);
                assert!((apart - own).abs() < 1e-9, "{apart} {own}");
            }
        }
    }

    #[test]
    fn degenerate_pairs_have_finite_weights() {
        let p = DVec3::X;
        for x in [[p; 4], [p, p, p, DVec3::ZERO], [DVec3::ZERO, p, DVec3::ZERO, p], [DVec3::ZERO, p, 2.0 * p, 3.0 * p]]
        {
            for kind in [PairKind::VertexTriangle, PairKind::EdgeEdge] {
                let found = Closest::of(kind, &x);
                assert!(found.weights.iter().all(|weight| weight.is_finite()), "{kind:?} {x:?} {found:?}");
                assert!(directions(kind, &x, &x).iter().all(|direction| direction.is_finite()));
            }
        }
    }
}
