//! Swept collision detection: which particles touch which colliders in the next step.

use super::{DPose, Form, bounds::Bounds, deforming::Moment, trace::trace};
use crate::parallel::*;
use glam::DVec3;

/// Largest number of touches per particle: three planes leave it no freedom.
pub(crate) const MOST_TOUCHES: usize = 3;
/// Particles per parallel task.
const CHUNK: usize = 2048;
/// Cosine of the angle, about 25°, below which two normals count as one. A particle constrained by both would be sent to the
/// distant intersection of the two planes.
const SAME_NORMAL: f64 = 0.9;
/// Cosine below which two normals oppose each other. No small displacement leaves a wedge this narrow, so a particle keeps the
/// touch in which it is deeper.
const OPPOSITE_NORMAL: f64 = -0.7;
/// Smallest cosine between the normals at entry and at the nearest surface point for which both belong to the same side of the
/// collider.
const SAME_SIDE: f64 = 0.5;
/// Cosine between the normals at entry and exit below which a particle has passed through the collider; cutting a corner stays
/// above it.
const OTHER_SIDE: f64 = -0.1;

/// A collider with its poses over one step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Obstacle<'a> {
    pub form: &'a Form,
    /// Pose at the start of the last step.
    pub before: DPose,
    /// Pose at the start of the step.
    pub start: DPose,
    /// Pose at the end of the step.
    pub end: DPose,
    /// Distance that particles keep from the surface, m.
    pub thickness: f64,
    /// Distance from the surface below which particles are watched whatever their path, m.
    pub margin: f64,
    /// Index of the collider.
    pub collider: u32,
}

impl Obstacle<'_> {
    /// Signed distance of a point at the start of the last step, m.
    pub fn depth_before(&self, point: DVec3) -> f64 {
        self.form.depth(self.form.carried(self.before.to_local(point), Moment::Before))
    }

    /// A point at the start of the step in the collider's frame, where it is at the end if it moves with the surface.
    pub fn local_at_start(&self, point: DVec3) -> DVec3 {
        self.form.carried(self.start.to_local(point), Moment::Start)
    }
}

/// Positions of a particle over the last step and the next, without contact, m.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Path {
    /// Position at the start of the last step.
    pub before: DVec3,
    /// Position at the start of the step.
    pub now: DVec3,
    /// Position at the end of the step with the acceleration of the last step.
    pub ahead: DVec3,
    /// Position at the end of the step at constant velocity: stiff forces may have changed by then.
    pub steady: DVec3,
}

/// A contact between a particle and a collider in the next step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Touch {
    pub row: u32,
    pub collider: u32,
    /// Unit contact normal out of the collider, in the world at the end of the step.
    pub normal: DVec3,
    /// Signed distance now from the surface at the thickness, along the normal in the collider's frame; negative inside, m.
    pub gap: f64,
    /// Displacement over the step of the surface point at the particle, m.
    pub surface: DVec3,
    /// Displacement of the particle relative to the surface until impact, m; it may have a tangential part.
    pub approach: DVec3,
    /// Whether the particle entered in the last step and is now nearer to another side than the one it entered by, or has left by
    /// another side.
    pub crossed: bool,
    /// Whether the particle is near the surface while neither of its predicted paths reaches it. Forces in the step may still
    /// bring it there.
    pub watched: bool,
}

/// Finds all touches, sorted by row and then by gap, independent of the number of threads. Each particle keeps its deepest
/// touches; of several with nearly the same normal it keeps the deepest.
pub(crate) fn touches(obstacles: &[Obstacle<'_>], count: usize, path: impl Fn(usize) -> Path + Sync) -> Vec<Touch> {
    let bounds: Vec<Bounds<'_>> = obstacles.iter().map(Bounds::new).collect();
    let chunk = |chunk: usize| {
        let (mut kept, mut candidates) = (Vec::new(), Vec::new());
        for row in chunk * CHUNK..count.min((chunk + 1) * CHUNK) {
            let path = path(row);
            let ways = [path.before, path.ahead, path.steady].map(|end| end.distance_squared(path.now));
            // The sum is NaN or infinite if one displacement is.
            let reach = if ways.iter().sum::<f64>().is_finite() {
                ways.into_iter().fold(0.0, f64::max).sqrt()
            } else {
                f64::NAN
            };
            // A particle that is not finite has no touches; the step itself reports it.
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

/// Moves the touches of one particle that count from `candidates` to `kept`.
fn keep_deepest(candidates: &mut Vec<Touch>, kept: &mut Vec<Touch>) {
    // A particle with a touch needs no watched ones.
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

/// Whether two normals differ enough, and oppose each other little enough, to constrain a particle together.
fn apart(a: DVec3, b: DVec3) -> bool {
    (OPPOSITE_NORMAL..SAME_NORMAL).contains(&a.dot(b))
}

/// Touch of a particle near an obstacle. `now`: its position in the collider's frame; `rest`: its signed distance from the
/// surface at the thickness, m.
fn touch(bounds: &Bounds<'_>, row: u32, path: &Path, now: DVec3, rest: f64) -> Option<Touch> {
    let Obstacle { form, before, start, end, collider, .. } = *bounds.obstacle;
    let ends = [end.to_local(path.ahead), end.to_local(path.steady)];
    let last = form.carried(before.to_local(path.before), Moment::Before);
    let found = meet(bounds, last, now, ends, rest)?;
    Some(Touch {
        row,
        collider,
        normal: end.direction_to_world(found.normal),
        gap: found.gap,
        surface: match form {
            Form::Deforming(_) => end.to_world(now) - path.now,
            _ => end.to_world(now) - start.to_world(now),
        },
        approach: end.direction_to_world(found.approach),
        crossed: found.crossed,
        watched: found.watched,
    })
}

/// A touch in the collider's frame.
struct LocalTouch {
    normal: DVec3,
    gap: f64,
    approach: DVec3,
    crossed: bool,
    watched: bool,
}

impl LocalTouch {
    /// Touch of a particle that is already at or inside the surface.
    fn here(normal: DVec3, gap: f64, crossed: bool) -> Self {
        Self { normal, gap, approach: DVec3::ZERO, crossed, watched: false }
    }
}

/// Finds a touch along either predicted path; all arguments are in the collider's frame. The solve releases superfluous contacts,
/// but a missed contact lets the particle penetrate.
fn meet(bounds: &Bounds<'_>, before: DVec3, now: DVec3, ends: [DVec3; 2], rest: f64) -> Option<LocalTouch> {
    let &Obstacle { form, thickness, .. } = bounds.obstacle;
    let skin = bounds.skin;
    let normal = form.distance(now).1;
    if let Some(touch) = crossing(bounds, before, now, rest, normal) {
        return Some(touch);
    }
    if rest < 0.0 {
        return Some(LocalTouch::here(normal, rest, false));
    }
    if let Some(hit) = ends.iter().find_map(|end| trace(form, thickness, now, *end)) {
        let gap = (now - hit.point).dot(hit.normal) + hit.rest;
        let approach = hit.point - now;
        return Some(LocalTouch { approach, ..LocalTouch::here(hit.normal, gap.max(0.0), false) });
    }
    // The particle rests on the surface or slides along it.
    let leaves = ends.iter().all(|end| (*end - now).dot(normal) > skin);
    let watched = rest >= skin || leaves;
    Some(LocalTouch { watched, ..LocalTouch::here(normal, rest, false) })
}

/// Penetration in the last step: a particle that entered is sent back to the side by which it entered.
fn crossing(bounds: &Bounds<'_>, before: DVec3, now: DVec3, rest: f64, normal: DVec3) -> Option<LocalTouch> {
    let &Obstacle { form, thickness, .. } = bounds.obstacle;
    // Most particles near a collider have moved too little to have crossed its surface.
    let too_far = rest > before.distance(now) * form.steepness();
    if too_far || form.depth(before) - thickness < -bounds.skin {
        return None;
    }
    let entry = trace(form, thickness, before, now)?;
    let other = if rest < 0.0 { SAME_SIDE } else { OTHER_SIDE };
    let gap = (now - entry.point).dot(entry.normal) + entry.rest;
    (entry.normal.dot(normal) < other && gap < 0.0).then_some(LocalTouch::here(entry.normal, gap, true))
}
