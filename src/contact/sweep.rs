//! Which particles meet which colliders in the next step.

use super::{DPose, Form, bounds::Bounds, trace::trace};
use crate::parallel::*;
use glam::DVec3;

/// Touches of a particle, at most: three planes leave it no freedom.
pub(crate) const MOST_TOUCHES: usize = 3;
/// Particles to a task.
const CHUNK: usize = 2048;
/// Cosine of the angle, about 25°, up to which two normals count as one: a particle held by both would be sent to where the planes meet, far away.
const SAME_NORMAL: f64 = 0.9;
/// Cosine below which two normals are against each other: in a wedge this narrow no small move gets out of both, and a particle keeps to the
/// side that it is deeper in.
const OPPOSITE_NORMAL: f64 = -0.7;
/// A way out that turns from the way in by more than this cosine leads to another side.
const SAME_SIDE: f64 = 0.5;
/// A particle that is outside again has gone through where the way out there opposes the way in: a corner that was cut does not.
const OTHER_SIDE: f64 = -0.1;

/// A collider over one step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Obstacle<'a> {
    pub form: &'a Form,
    /// At the start of the last step.
    pub before: DPose,
    /// Now, at the start of the step.
    pub start: DPose,
    /// At the end of the step.
    pub end: DPose,
    /// Distance that particles keep, m.
    pub thickness: f64,
    /// How near those are that are watched whatever their own way is, m.
    pub margin: f64,
    /// Its number.
    pub collider: u32,
}

/// Where a particle was, is, and will be if nothing stops it, m.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Path {
    /// At the start of the last step.
    pub before: DVec3,
    /// At the start of the step.
    pub now: DVec3,
    /// At its end, as it was accelerated in the last step.
    pub ahead: DVec3,
    /// At its end, as fast as it is now: stiff forces may be others by then.
    pub steady: DVec3,
}

/// A particle meets a collider in the next step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Touch {
    pub row: u32,
    pub collider: u32,
    /// Unit, out of the collider, in the world at the end of the step.
    pub normal: DVec3,
    /// From the surface at the thickness to the particle now, along the normal and in the collider's frame: negative inside, m.
    pub gap: f64,
    /// How far the touched surface moves over the step, at the particle, m.
    pub surface: DVec3,
    /// How far the particle goes relative to that before it arrives, m: not only along the normal.
    pub approach: DVec3,
    /// It entered in the last step and is now nearer to another side than to the one it came from, or out on the other side.
    pub crossed: bool,
    /// It is near, but its ways lead elsewhere: what pulls at it may change that.
    pub watched: bool,
}

/// All touches, by row and then by gap, whatever the number of threads. Of those of a particle the deepest are kept, and of
/// several with nearly the same normal the deepest.
pub(crate) fn touches(obstacles: &[Obstacle<'_>], count: usize, path: impl Fn(usize) -> Path + Sync) -> Vec<Touch> {
    let bounds: Vec<Bounds<'_>> = obstacles.iter().map(Bounds::new).collect();
    let chunk = |chunk: usize| {
        let (mut kept, mut candidates) = (Vec::new(), Vec::new());
        for row in chunk * CHUNK..count.min((chunk + 1) * CHUNK) {
            let path = path(row);
            let ways = [path.before, path.ahead, path.steady].map(|end| end.distance_squared(path.now));
            // Not a number if one of them is none.
            let reach = if ways.iter().sum::<f64>().is_finite() {
                ways.into_iter().fold(0.0, f64::max).sqrt()
            } else {
                f64::NAN
            };
            // Of what is not finite nothing can be said; the step itself reports it.
            if !reach.is_finite() {
                continue;
            }
            for bounds in &bounds {
                if let Some((local, rest)) = bounds.near(path.now, reach) {
                    candidates.extend(touch(bounds, row as u32, &path, local, rest));
                }
            }
            if !candidates.is_empty() {
                keep_deepest(&mut candidates, &mut kept);
            }
        }
        kept
    };
    let chunks: Vec<Vec<Touch>> = (0..count.div_ceil(CHUNK)).into_par_iter().map(chunk).collect();
    chunks.concat()
}

/// Empties the touches of one particle into those that are kept.
fn keep_deepest(candidates: &mut Vec<Touch>, kept: &mut Vec<Touch>) {
    // What is only watched says nothing where something is met.
    if candidates.iter().any(|touch| !touch.watched) {
        candidates.retain(|touch| !touch.watched);
    }
    candidates.sort_by(|a, b| a.gap.total_cmp(&b.gap).then(a.collider.cmp(&b.collider)));
    let first = kept.len();
    for touch in candidates.drain(..) {
        let taken = &kept[first..];
        if taken.len() < MOST_TOUCHES && taken.iter().all(|other| apart(other.normal, touch.normal)) {
            kept.push(touch);
        }
    }
}

/// Whether two normals can hold a particle together.
fn apart(a: DVec3, b: DVec3) -> bool {
    (OPPOSITE_NORMAL..SAME_NORMAL).contains(&a.dot(b))
}

/// Of a particle that is near: where it is in the collider's frame, and how far from the surface at the thickness.
fn touch(bounds: &Bounds<'_>, row: u32, path: &Path, now: DVec3, rest: f64) -> Option<Touch> {
    let Obstacle { before, start, end, collider, .. } = *bounds.obstacle;
    let ends = [end.to_local(path.ahead), end.to_local(path.steady)];
    let meeting = meet(bounds, before.to_local(path.before), now, ends, rest)?;
    Some(Touch {
        row,
        collider,
        normal: end.direction_to_world(meeting.normal),
        gap: meeting.gap,
        surface: end.to_world(now) - start.to_world(now),
        approach: end.direction_to_world(meeting.approach),
        crossed: meeting.crossed,
        watched: meeting.watched,
    })
}

/// A touch in the collider's frame.
struct Meeting {
    normal: DVec3,
    gap: f64,
    approach: DVec3,
    crossed: bool,
    watched: bool,
}

impl Meeting {
    /// Of a particle that is there.
    fn here(normal: DVec3, gap: f64, crossed: bool) -> Self {
        Self { normal, gap, approach: DVec3::ZERO, crossed, watched: false }
    }
}

/// All in the collider's frame. A particle that meets nothing on one of its ways may do so on the other: contacts that are none are let go
/// of in the solve, but those that are missed go in.
fn meet(bounds: &Bounds<'_>, before: DVec3, now: DVec3, ends: [DVec3; 2], rest: f64) -> Option<Meeting> {
    let &Obstacle { form, thickness, .. } = bounds.obstacle;
    let skin = bounds.skin;
    let normal = form.distance(now).1;
    if let Some(meeting) = crossing(bounds, before, now, rest, normal) {
        return Some(meeting);
    }
    if rest < 0.0 {
        return Some(Meeting::here(normal, rest, false));
    }
    if let Some(hit) = ends.iter().find_map(|end| trace(form, thickness, now, *end)) {
        let gap = (now - hit.point).dot(hit.normal) + hit.rest;
        let approach = hit.point - now;
        return Some(Meeting { approach, ..Meeting::here(hit.normal, gap.max(0.0), false) });
    }
    // Resting, or sliding along.
    let leaves = ends.iter().all(|end| (*end - now).dot(normal) > skin);
    let watched = rest >= skin || leaves;
    Some(Meeting { watched, ..Meeting::here(normal, rest, false) })
}

/// What the last step did: a particle that entered goes back to the side it came from.
fn crossing(bounds: &Bounds<'_>, before: DVec3, now: DVec3, rest: f64, normal: DVec3) -> Option<Meeting> {
    let &Obstacle { form, thickness, .. } = bounds.obstacle;
    // Most particles near a collider have not come far enough to have met anything.
    let too_far = rest > before.distance(now) * form.steepness();
    if too_far || form.depth(before) - thickness < -bounds.skin {
        return None;
    }
    let entry = trace(form, thickness, before, now)?;
    let other = if rest < 0.0 { SAME_SIDE } else { OTHER_SIDE };
    let gap = (now - entry.point).dot(entry.normal) + entry.rest;
    (entry.normal.dot(normal) < other && gap < 0.0).then_some(Meeting::here(entry.normal, gap, true))
}
