//! Where a straight way first meets a form grown by a thickness.

use super::Form;
use glam::DVec3;

/// This near is there, m.
const NEAR: f64 = 1e-9;
/// Convex forms need some 30 steps at worst, where the way just touches.
const MOST_STEPS: usize = 64;
/// Past a mesh steps do not get shorter than this part of a cell; what it misses by that is a graze of about a thousandth of one.
const SHORTEST_PART: f64 = 0.125;
/// So many of the shortest steps cross the longest diagonal of a grid.
const MOST_SHORT_STEPS: usize = 4096;

/// The first point of a way on the surface, in the form's frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub point: DVec3,
    /// Out of the form, unit.
    pub normal: DVec3,
    /// What is left to the surface at the thickness, m: next to nothing.
    pub rest: f64,
}

/// From a point outside, or at most a little inside, to another; nothing where the way leads along the surface or out of it.
pub(super) fn trace(form: &Form, thickness: f64, from: DVec3, to: DVec3) -> Option<Hit> {
    match form {
        Form::Mesh(grid) => march(form, thickness, from, to, SHORTEST_PART * grid.cell()),
        _ => descend(form, thickness, from, to),
    }
}

/// Newton's method. The distance to a convex form is convex along the way: its tangents lie below it, so no step passes the surface,
/// and where it grows it will never fall again.
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

/// From a place outside to one that is there: the latter, as near to the first as it gets.
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
