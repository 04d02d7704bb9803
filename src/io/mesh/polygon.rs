//! Triangulation of polygons.

use glam::{DVec2, DVec3};

/// Largest number of corners of a non-convex polygon: ear clipping takes quadratic time.
pub(super) const MOST_CORNERS: usize = 128;

/// Triangles of a polygon by the indices of its corners; `None` for a non-convex one with too many corners. Polygons may be
/// concave; they should be nearly flat and not intersect themselves.
pub(super) fn cut(corners: &[DVec3]) -> Option<Vec<[usize; 3]>> {
    match corners.len() {
        0..=2 => return Some(Vec::new()),
        3 => return Some(vec![[0, 1, 2]]),
        _ => {}
    }
    let flat = flatten(corners);
    let count = flat.len();
    let turn = |a: usize, b: usize, c: usize| (flat[b] - flat[a]).perp_dot(flat[c] - flat[a]);
    let convex = (0..count).all(|ix| turn(ix, (ix + 1) % count, (ix + 2) % count) > 0.0);
    // A fan is correct if the polygon is convex and winds once around.
    if convex && (1..count - 1).all(|ix| turn(0, ix, ix + 1) > 0.0) {
        if count == 4 && corners[0].distance_squared(corners[2]) > corners[1].distance_squared(corners[3]) {
            return Some(vec![[1, 2, 3], [1, 3, 0]]);
        }
        return Some((1..count - 1).map(|ix| [0, ix, ix + 1]).collect());
    }
    (count <= MOST_CORNERS).then(|| clip_ears(&flat))
}

/// Corners projected to the best-fitting plane, counter-clockwise.
fn flatten(corners: &[DVec3]) -> Vec<DVec2> {
    // Newell's normal: the projected areas in the three coordinate planes.
    let first = corners[0];
    let normal: DVec3 = (1..corners.len() - 1).map(|ix| (corners[ix] - first).cross(corners[ix + 1] - first)).sum();
    let normal = normal.try_normalize().unwrap_or(DVec3::Y);
    let (across, along) = normal.any_orthonormal_pair();
    corners.iter().map(|corner| DVec2::new((corner - first).dot(across), (corner - first).dot(along))).collect()
}

fn clip_ears(flat: &[DVec2]) -> Vec<[usize; 3]> {
    let mut left: Vec<usize> = (0..flat.len()).collect();
    let around = |left: &[usize], ix: usize| {
        let count = left.len();
        [left[(ix + count - 1) % count], left[ix], left[(ix + 1) % count]]
    };
    // Quality of each corner as an ear; negative infinity for corners that are no ear. Clipping an ear changes only its two
    // neighbours.
    let quality = |left: &[usize], ix: usize| {
        let ear = around(left, ix);
        if is_ear(flat, left, ear) { shape(ear.map(|corner| flat[corner])) } else { f64::NEG_INFINITY }
    };
    let mut qualities: Vec<f64> = (0..left.len()).map(|ix| quality(&left, ix)).collect();
    let mut triangles = Vec::with_capacity(flat.len() - 2);
    while left.len() > 3 {
        // The best ear is clipped. Without an ear the polygon intersects itself, and any corner is clipped.
        let ear = (0..left.len()).max_by(|&a, &b| qualities[a].total_cmp(&qualities[b])).unwrap_or(0);
        triangles.push(around(&left, ear));
        left.remove(ear);
        qualities.remove(ear);
        for ix in [ear.checked_sub(1).unwrap_or(left.len() - 1), ear % left.len()] {
            qualities[ix] = quality(&left, ix);
        }
    }
    triangles.push([left[0], left[1], left[2]]);
    triangles
}

fn area([a, b, c]: [DVec2; 3]) -> f64 {
    (b - a).perp_dot(c - a)
}

/// Area relative to the squared edges.
fn shape(corners: [DVec2; 3]) -> f64 {
    let [a, b, c] = corners;
    area(corners) / (a.distance_squared(b) + b.distance_squared(c) + c.distance_squared(a))
}

/// Whether three consecutive corners form a triangle without other corners inside.
fn is_ear(flat: &[DVec2], left: &[usize], ear: [usize; 3]) -> bool {
    let [a, b, c] = ear.map(|corner| flat[corner]);
    if area([a, b, c]) <= 0.0 {
        return false;
    }
    let inside = |p: DVec2| area([a, b, p]) >= 0.0 && area([b, c, p]) >= 0.0 && area([c, a, p]) >= 0.0;
    // Corners of a polygon that touches itself share a position.
    let others = left.iter().filter(|corner| !ear.contains(corner)).map(|&corner| flat[corner]);
    !others.filter(|&p| p != a && p != b && p != c).any(inside)
}
