//! Edges and triangles that may touch a collider in the next step, between their corners.
//!
//! Corners have contacts of their own. An edge or triangle counts where a collider reaches further between the corners than at them: over the edge of a box, a tip or a
//! horn, or where cells are large against a ball.

use super::{
    Form, Obstacle,
    spots::{Feature, Spot},
};
use crate::parallel::*;
use glam::DVec3;

/// Distance that edges and triangles keep from a surface, as a share of the thickness.
pub(crate) const KEPT: f64 = 0.5;
/// Share of the thickness by which a collider has to reach further between the corners of a feature than at them.
const SAG: f64 = 0.25;
/// Share of the thickness by which a feature may be nearer than it should without being moved.
const SLACK: f64 = 0.05;
/// Part of the remaining distance that an advancement covers.
const ADVANCE: f64 = 0.9;
/// Largest number of advancements.
const MOST_ADVANCES: usize = 32;
/// Smallest thickness that distances between samples follow, as a share of the length of a feature.
const THINNEST: f64 = 1e-3;

/// Edges and triangles of all bodies, by row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Features {
    pub edges: Vec<[u32; 2]>,
    pub triangles: Vec<[u32; 3]>,
}

/// Positions of particles at the start of a step, and where they go, m.
#[derive(Clone, Copy)]
pub(crate) struct Course<'a> {
    pub now: &'a [DVec3],
    pub ahead: &'a [DVec3],
}

/// A spot of an edge or triangle that may touch a collider in the next step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Prop {
    /// Rows of the corners; an edge repeats its first one.
    pub rows: [u32; 3],
    /// Weights of the corners; 0 for a repeated one.
    pub weights: [f64; 3],
    pub collider: u32,
    /// Unit normal out of the collider, in the world at the end of the step.
    pub normal: DVec3,
    /// Distance now from the tangent plane of the surface, m.
    pub gap: f64,
    /// Displacement over the step of the surface point there, m.
    pub surface: DVec3,
}

impl Features {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty() && self.triangles.is_empty()
    }

    /// Finds all props for colliders over a step, in the order of colliders, edges and triangles.
    pub fn props(&self, obstacles: &[Obstacle<'_>], course: Course<'_>) -> Vec<Prop> {
        self.visit(obstacles, course, |near, rows, found| near.props(rows, course, found))
    }

    /// First feature that the last step moved deeper into a collider than half of its thickness, with its rows. Features with held particles do not count.
    pub fn pierced(&self, obstacles: &[Obstacle<'_>], before: &[DVec3], now: &[DVec3], held: &[bool]) -> Option<u32> {
        let course = Course { now: before, ahead: now };
        let found = self.visit(obstacles, course, |near, rows, found| {
            if rows.iter().all(|&row| !held[row as usize]) && near.has_pierced(rows, course) {
                found.push(rows[0]);
            }
        });
        found.first().copied()
    }

    /// Visits all features for every obstacle that may have contacts between corners.
    fn visit<T: Send>(
        &self,
        obstacles: &[Obstacle<'_>],
        course: Course<'_>,
        visit: impl Fn(&Near<'_>, &[u32], &mut Vec<T>) + Sync,
    ) -> Vec<T> {
        const CHUNK: usize = 256;
        let mut all = Vec::new();
        for obstacle in obstacles.iter().filter(|obstacle| !matches!(obstacle.form, Form::Plane)) {
            let near = Near { obstacle, local: obstacle.local(course.now) };
            let edges = self.edges.par_chunks(CHUNK).map(|chunk| {
                let mut found = Vec::new();
                chunk.iter().for_each(|rows| visit(&near, rows, &mut found));
                found
            });
            let edges: Vec<Vec<T>> = edges.collect();
            let triangles = self.triangles.par_chunks(CHUNK).map(|chunk| {
                let mut found = Vec::new();
                chunk.iter().for_each(|rows| visit(&near, rows, &mut found));
                found
            });
            let triangles: Vec<Vec<T>> = triangles.collect();
            all.extend(edges.into_iter().chain(triangles).flatten());
        }
        all
    }
}

/// An obstacle that features may be near.
struct Near<'a> {
    obstacle: &'a Obstacle<'a>,
    /// Particles at the start of the step in the collider's frame, carried along with its surface, m.
    local: Vec<DVec3>,
}

impl Obstacle<'_> {
    /// Particles at the start of the step in the collider's frame. Where the surface deforms, those near it are carried along.
    fn local(&self, positions: &[DVec3]) -> Vec<DVec3> {
        let reach = self.form.bounding_radius() + self.thickness + self.margin;
        let one = |position: &DVec3| {
            let local = self.start.to_local(*position);
            if local.length_squared() > reach * reach { local } else { self.local_at_start(*position) }
        };
        positions.par_iter().with_min_len(256).map(one).collect()
    }
}

impl Near<'_> {
    /// The feature in the collider's frame at the start and at the end of a step.
    fn ends(&self, rows: &[u32], course: Course<'_>) -> [Feature; 2] {
        let feature = |corner: &dyn Fn(usize) -> DVec3| {
            let corner = |k: usize| rows.get(k).map_or(DVec3::ZERO, |row| corner(*row as usize));
            Feature { corners: std::array::from_fn(corner), count: rows.len() }
        };
        let end = |row: usize| self.obstacle.end.to_local(course.ahead[row]);
        [feature(&|row| self.local[row]), feature(&end)]
    }

    /// Whether a feature is too far away, by its bounding sphere. Also true of positions that are not finite.
    fn is_far(&self, ends: &[Feature; 2], way: f64, most: f64) -> bool {
        let (size, radius) = (ends[0].length(), self.obstacle.form.bounding_radius());
        let to = ends[0].corners[0].length() - radius;
        !(to <= size + way + most)
    }

    fn has_pierced(&self, rows: &[u32], course: Course<'_>) -> bool {
        let &Obstacle { form, thickness, .. } = self.obstacle;
        let depth = -KEPT * thickness;
        let ends = self.ends(rows, course);
        if self.is_far(&ends, way(&ends), 0.0) || ends[1].bound(form) >= depth {
            return false;
        }
        // Corners inside are the matter of their own contacts.
        let spacing = spacing(thickness, ends[1].length());
        let is_inside = |feature: &Feature| {
            feature
                .nearest(form, spacing, depth)
                .is_some_and(|spot| spot.distance < feature.least_corner(form) - SAG * thickness)
        };
        is_inside(&ends[1]) && !is_inside(&ends[0])
    }

    /// Adds the props of a feature.
    fn props(&self, rows: &[u32], course: Course<'_>, found: &mut Vec<Prop>) {
        let &Obstacle { form, thickness, margin, .. } = self.obstacle;
        let floor = KEPT * thickness;
        let most = floor + margin.max(thickness);
        let ends = self.ends(rows, course);
        let way = way(&ends);
        let length = ends[0].length().max(ends[1].length());
        if self.is_far(&ends, way, most) {
            return;
        }
        if let Form::Sphere { radius } | Form::Capsule { radius, .. } = form
            && length * length < 8.0 * SAG * thickness * radius
        {
            return;
        }
        let at = |share: f64| Feature {
            corners: std::array::from_fn(|k| ends[0].corners[k].lerp(ends[1].corners[k], share)),
            count: rows.len(),
        };
        let least = |feature: &Feature| most.min(feature.least_corner(form) - SAG * thickness);
        // Features that lie flat, and those that go by, need nothing.
        let flat = |feature: &Feature| feature.bound(form) >= least(feature);
        if flat(&ends[1])
            && (flat(&ends[0]) || ends[0].bound(form) >= floor)
            && (way < thickness || ends[0].bound(form) - way >= floor)
        {
            return;
        }
        let spacing = spacing(thickness, length);
        let nearest = |feature: &Feature| feature.nearest(form, spacing, f64::INFINITY);
        let slack = SLACK * thickness;
        let mut share = 0.0;
        let mut feature = ends[0];
        let Some(mut spot) = nearest(&feature) else { return };
        for _ in 0..MOST_ADVANCES {
            if spot.distance <= floor + slack || share >= 1.0 {
                break;
            }
            let advance = ADVANCE * (spot.distance - floor).max(slack);
            share = if advance >= way { 1.0 } else { (share + advance / way).min(1.0) };
            feature = at(share);
            let Some(next) = nearest(&feature) else { return };
            spot = next;
        }
        if spot.distance >= least(&feature) {
            return;
        }
        found.extend(
            feature
                .spots(form, spacing, spot, floor)
                .iter()
                .map(|spot| self.prop(rows, course, &ends[0], &feature, spot)),
        );
    }

    /// The prop at a spot of a feature on its way.
    fn prop(&self, rows: &[u32], course: Course<'_>, start: &Feature, feature: &Feature, spot: &Spot) -> Prop {
        let Obstacle { form, end, collider, .. } = self.obstacle;
        let (normal, length) = feature.way_out(form, spot);
        // Inside a form, the tangent plane is further away than the nearest surface.
        let distance = if spot.distance < 0.0 { spot.distance / length } else { spot.distance };
        let moved = start.at(&spot.weights) - feature.at(&spot.weights);
        let point: DVec3 = rows.iter().zip(spot.weights).map(|(row, share)| share * course.now[*row as usize]).sum();
        Prop {
            rows: [rows[0], rows[1], rows.get(2).copied().unwrap_or(rows[0])],
            weights: spot.weights,
            collider: *collider,
            normal: end.direction_to_world(normal),
            gap: distance + normal.dot(moved),
            surface: end.to_world(start.at(&spot.weights)) - point,
        }
    }
}

/// Largest displacement of a corner, m.
fn way(ends: &[Feature; 2]) -> f64 {
    (0..ends[0].count).map(|k| ends[0].corners[k].distance(ends[1].corners[k])).fold(0.0, f64::max)
}

/// Distance between samples on a feature of a length, m.
fn spacing(thickness: f64, length: f64) -> f64 {
    thickness.max(THINNEST * length).max(f64::MIN_POSITIVE)
}
