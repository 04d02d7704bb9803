//! Edges of a flat triangulation flipped until it is Delaunay's (Lawson 1977).

use glam::DVec2;

/// No triangle on the other side.
const NONE: u32 = u32::MAX;
/// Part of a product's size that counts as rounding: four corners on a circle are as good either way.
const ROUNDING: f64 = 1e-10;

/// Flips edges. All triangles must be counter-clockwise, and stay so.
pub(super) fn make_delaunay(points: &[DVec2], triangles: &mut [[u32; 3]]) {
    let mut neighbours = neighbours(triangles);
    let mut waiting: Vec<u32> = (0..triangles.len() as u32).rev().collect();
    // In exact arithmetic it ends by itself; some hundred flips a triangle are never needed.
    let mut left = 256 * triangles.len();
    while let Some(t) = waiting.pop() {
        for k in 0..3 {
            let u = neighbours[t as usize][k];
            if u == NONE || left == 0 || !should_flip(points, triangles, &neighbours, t, k) {
                continue;
            }
            left -= 1;
            flip(triangles, &mut neighbours, t, k);
            waiting.extend([u, t]);
            break;
        }
    }
}

/// Across the edge from corner k to the next, per triangle.
fn neighbours(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut neighbours = vec![[NONE; 3]; triangles.len()];
    let mut open = std::collections::HashMap::new();
    for (t, triangle) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
            match open.remove(&(to, from)) {
                Some((u, l)) => {
                    let u: usize = u;
                    let l: usize = l;
                    neighbours[t][k] = u as u32;
                    neighbours[u][l] = t as u32;
                }
                None => {
                    open.insert((from, to), (t, k));
                }
            }
        }
    }
    neighbours
}

/// Corners a, b of edge k of t, the third corner c, the corner d across, and the edge's number over there.
fn around(triangles: &[[u32; 3]], neighbours: &[[u32; 3]], t: u32, k: usize) -> ([u32; 4], usize) {
    let triangle = triangles[t as usize];
    let u = neighbours[t as usize][k] as usize;
    let l = neighbours[u].iter().position(|&other| other == t).unwrap_or(0);
    ([triangle[k], triangle[(k + 1) % 3], triangle[(k + 2) % 3], triangles[u][(l + 2) % 3]], l)
}

fn should_flip(points: &[DVec2], triangles: &[[u32; 3]], neighbours: &[[u32; 3]], t: u32, k: usize) -> bool {
    let (corners, _) = around(triangles, neighbours, t, k);
    let [a, b, c, d] = corners.map(|vertex| points[vertex as usize]);
    // Both new triangles must be real ones.
    let area = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p);
    let least = ROUNDING * (c - d).length_squared();
    if area(a, d, c) <= least || area(d, b, c) <= least {
        return false;
    }
    // d within the circle through a, b and c: the angles opposite to the edge are more than 180 degrees together.
    let (sin_c, cos_c) = ((a - c).perp_dot(b - c), (a - c).dot(b - c));
    let (sin_d, cos_d) = ((b - d).perp_dot(a - d), (b - d).dot(a - d));
    let size = (a - c).length() * (b - c).length() * (b - d).length() * (a - d).length();
    sin_c * cos_d + cos_c * sin_d < -ROUNDING * size
}

fn flip(triangles: &mut [[u32; 3]], neighbours: &mut [[u32; 3]], t: u32, k: usize) {
    let ([a, b, c, d], l) = around(triangles, neighbours, t, k);
    let u = neighbours[t as usize][k];
    let [across_bc, across_ca] = [1, 2].map(|step| neighbours[t as usize][(k + step) % 3]);
    let [across_ad, across_db] = [1, 2].map(|step| neighbours[u as usize][(l + step) % 3]);
    triangles[t as usize] = [a, d, c];
    triangles[u as usize] = [d, b, c];
    neighbours[t as usize] = [across_ad, u, across_ca];
    neighbours[u as usize] = [across_db, across_bc, t];
    for (other, was, now) in [(across_ad, u, t), (across_bc, t, u)] {
        if other != NONE {
            neighbours[other as usize].iter_mut().filter(|to| **to == was).for_each(|to| *to = now);
        }
    }
}
