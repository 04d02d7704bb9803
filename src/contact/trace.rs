//! First intersection of a segment with the surface of a form, offset by a thickness.

use super::Form;
use glam::DVec3;

/// Distance from the surface that counts as on it, m.
const NEAR: f64 = 1e-9;
/// Largest number of Newton steps; convex forms need about 30 at worst, where the segment is tangent.
const MOST_STEPS: usize = 64;
/// Shortest step of sphere tracing, as a fraction of a cell. A graze of about a thousandth of a cell may be missed.
const SHORTEST_PART: f64 = 0.125;
/// Shortest step of sphere tracing of an exact distance, m.
const SHORTEST: f64 = 1e-5;
/// Number of shortest steps that cross the longest diagonal of a grid.
const MOST_SHORT_STEPS: usize = 4096;

/// First point of a segment on the surface, in the form's frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub point: DVec3,
    /// Unit normal out of the form.
    pub normal: DVec3,
    /// Remaining signed distance from the surface at the thickness, m: nearly 0.
    pub rest: f64,
}

/// First intersection of the segment from a point outside, or slightly inside, to another. `None` where the segment runs along
/// the surface or out of it.
pub(super) fn trace(form: &Form, thickness: f64, from: DVec3, to: DVec3) -> Option<Hit> {
    match form {
        Form::Mesh(grid) => march(form, thickness, from, to, SHORTEST_PART * grid.cell()),
        Form::Deforming(_) => march(form, thickness, from, to, (SHORTEST_PART * thickness).max(SHORTEST)),
        _ => descend(form, thickness, from, to),
    }
}

/// Newton's method for convex forms. The distance along the segment is convex and lies above its tangents, so no step passes the
/// surface, and once it grows it never falls again.
fn descend(form: &Form, thickness: f64, from: DVec3, to: DVec3) -> Option<Hit> {
    let way = to - from;
    let mut share = 0.0;
    for _ in 0..MOST_STEPS {
        let point = from + way * share;
        let (distance, normal) = form.distance(point);
        let (rest, slope) = (distance - thickness, normal.dot(way));
        if slope >= 0.0 || slope.is_nan() {
            return None;
        }
        if rest <= NEAR {
            return Some(Hit { point, normal, rest });
        }
        share -= rest / slope;
        if share > 1.0 || share.is_nan() {
            return None;
        }
    }
    None
}

/// Sphere tracing (Hart 1996), with steps shortened by the steepness of the grid, then bisection.
fn march(form: &Form, thickness: f64, from: DVec3, to: DVec3, shortest: f64) -> Option<Hit> {
    let (way, length) = (to - from, from.distance(to));
    let rest = |at: f64| form.depth(from + way * (at / length)) - thickness;
    let (mut last, mut at) = (0.0, 0.0);
    for _ in 0..MOST_SHORT_STEPS {
        let here = rest(at);
        if here <= NEAR {
            let at = bisect(rest, last, at);
            let point = from + way * (at / length);
            let (distance, normal) = form.distance(point);
            let meets = normal.dot(way) < 0.0 || at > 0.0;
            return meets.then_some(Hit { point, normal, rest: distance - thickness });
        }
        if at >= length || here.is_nan() {
            return None;
        }
        last = at;
        at = (at + (here / form.steepness()).max(shortest)).min(length);
    }
    None
}

/// Bisects between a parameter outside and one on or below the surface; returns the latter, as close to the former as possible.
fn bisect(rest: impl Fn(f64) -> f64, mut outside: f64, mut there: f64) -> f64 {
    for _ in 0..64 {
        let middle = 0.5 * (outside + there);
        if there - outside <= NEAR || middle <= outside || middle >= there {
            break;
        }
        if rest(middle) <= NEAR { there = middle } else { outside = middle }
    }
    there
}
