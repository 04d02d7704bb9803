//! Edges and triangles that may touch a collider in the next step, between their corners.
//!
//! Corners have contacts of their own. An edge or triangle counts where a collider reaches further between the corners than at them: over the edge of a box, a tip or a
//! horn, or where cells are large against a ball.

use super::{
    Form, Obstacle,
    spots::{Corner, Feature, Spot},
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
/// Features per parallel task.
const CHUNK: usize = 256;

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
        let found = self.visit(obstacles, Course { now: before, ahead: now }, |near, rows, found| {
            if rows.iter().all(|&row| !held[row as usize]) && near.has_pierced(rows) {
                found.push(rows[0]);
            }
        });
        found.first().copied()
    }

    /// Visits the features near every obstacle that may have contacts between corners.
    fn visit<T: Send>(
        &self,
        obstacles: &[Obstacle<'_>],
        course: Course<'_>,
        visit: impl Fn(&Near<'_>, &[u32], &mut Vec<T>) + Sync,
    ) -> Vec<T> {
        let mut all = Vec::new();
        let solids = obstacles.iter().filter(|obstacle| !matches!(obstacle.form, Form::Plane));
        let length_of = |&[a, b]: &[u32; 2]| course.now[a as usize].distance_squared(course.now[b as usize]);
        let mut longest = None;
        for obstacle in solids {
            let length = *longest.get_or_insert_with(|| self.edges.iter().map(length_of).fold(0.0, f64::max).sqrt());
            let Some(near) = Near::of(obstacle, course, length) else { continue };
            fn chunks<T: Send, const N: usize>(
                near: &Near<'_>,
                features: &[[u32; N]],
                visit: &(impl Fn(&Near<'_>, &[u32], &mut Vec<T>) + Sync),
            ) -> Vec<Vec<T>> {
                let chunk = |features: &[[u32; N]]| {
                    let mut found = Vec::new();
                    let rows = features.iter().filter(|rows| near.has(*rows));
                    rows.for_each(|rows| visit(near, rows, &mut found));
                    found
                };
                features.par_chunks(CHUNK).map(chunk).collect()
            }
            let edges = chunks(&near, &self.edges, &visit);
            all.extend(edges.into_iter().chain(chunks(&near, &self.triangles, &visit)).flatten());
        }
        all
    }
}

/// An obstacle, and the particles near it.
struct Near<'a> {
    obstacle: &'a Obstacle<'a>,
    /// Particles at the start of the step in the collider's frame, carried along with its surface.
    now: Vec<Corner>,
    /// Particles at the end of the step in the collider's frame.
    ahead: Vec<Corner>,
    /// Whether features of each particle may be near.
    near: Vec<bool>,
}

impl<'a> Near<'a> {
    /// Particles near an obstacle, if there are any, for features up to a length, m.
    fn of(obstacle: &'a Obstacle<'a>, course: Course<'_>, length: f64) -> Option<Self> {
        let &Obstacle { form, start, end, thickness, margin, .. } = obstacle;
        let reach = form.bounding_radius() + form.way() + thickness + margin.max(thickness);
        let places = course.now.par_iter().with_min_len(1024).zip(course.ahead);
        let places: Vec<(DVec3, DVec3)> =
            places.map(|(now, ahead)| (start.to_local(*now), end.to_local(*ahead))).collect();
        // Distances from the bounding sphere; positions that are not finite are far away.
        let gap = |(now, ahead): &(DVec3, DVec3)| now.length() - now.distance(*ahead) - reach;
        let near: Vec<bool> = places.iter().map(|place| gap(place) < length).collect();
        if !near.contains(&true) {
            return None;
        }
        let farthest = places.iter().map(|(now, ahead)| now.distance_squared(*ahead)).fold(0.0, f64::max).sqrt();
        // Corners of features of near particles.
        let counts = |place: &(DVec3, DVec3)| gap(place) < 2.0 * length + farthest;
        let corner = |point: DVec3, counts: bool| if counts { Corner::of(form, point) } else { Corner::far(point) };
        let (now, ahead) = places
            .par_iter()
            .with_min_len(256)
            .zip(course.now)
            .map(|(place, now)| {
                let counts = counts(place);
                let carried = if counts && form.way() > 0.0 { obstacle.local_at_start(*now) } else { place.0 };
                (corner(carried, counts), corner(place.1, counts))
            })
            .collect::<Vec<_>>()
            .into_iter()
            .unzip();
        Some(Self { obstacle, now, ahead, near })
    }

    /// Whether a feature may be near.
    fn has(&self, rows: &[u32]) -> bool {
        rows.iter().any(|&row| self.near[row as usize])
    }

    /// The feature in the collider's frame at the start and at the end of a step.
    fn ends(&self, rows: &[u32]) -> [Feature; 2] {
        let feature = |corners: &[Corner]| {
            let corner = |k: usize| rows.get(k).map_or_else(Corner::default, |row| corners[*row as usize]);
            Feature { corners: std::array::from_fn(corner), count: rows.len() }
        };
        [feature(&self.now), feature(&self.ahead)]
    }

    fn has_pierced(&self, rows: &[u32]) -> bool {
        let &Obstacle { form, thickness, .. } = self.obstacle;
        let depth = -KEPT * thickness;
        let ends = self.ends(rows);
        if ends[1].bound(form) >= depth {
            return false;
        }
        // Corners inside are the matter of their own contacts.
        let spacing = spacing(thickness, ends[1].length());
        let is_inside = |feature: &Feature| {
            let nearest = feature.nearest(form, spacing);
            nearest.distance < depth.min(feature.least_corner() - SAG * thickness)
        };
        is_inside(&ends[1]) && !is_inside(&ends[0])
    }

    /// Adds the props of a feature.
    fn props(&self, rows: &[u32], course: Course<'_>, found: &mut Vec<Prop>) {
        let &Obstacle { form, thickness, margin, .. } = self.obstacle;
        let floor = KEPT * thickness;
        let most = floor + margin.max(thickness);
        let ends = self.ends(rows);
        let length = ends[0].length().max(ends[1].length());
        if let Form::Sphere { radius } | Form::Capsule { radius, .. } = form
            && length * length < 8.0 * SAG * thickness * radius
        {
            return;
        }
        let way = way(&ends);
        let least = |feature: &Feature| most.min(feature.least_corner() - SAG * thickness);
        // Features that lie flat, and those that go by, need nothing.
        let bounds = ends.map(|end| end.bound(form));
        let flat = [0, 1].map(|k: usize| bounds[k] >= least(&ends[k]));
        if flat[1] && (flat[0] || bounds[0] >= floor) && (way < thickness || bounds[0] - way >= floor) {
            return;
        }
        let spacing = spacing(thickness, length);
        let slack = SLACK * thickness;
        let mut share = 0.0;
        let mut feature = ends[0];
        let mut spot = feature.nearest(form, spacing);
        for _ in 0..MOST_ADVANCES {
            if spot.distance <= floor + slack || share >= 1.0 {
                break;
            }
            let advance = ADVANCE * (spot.distance - floor).max(slack);
            share = if advance >= way { 1.0 } else { (share + advance / way).min(1.0) };
            feature = if share >= 1.0 { ends[1] } else { ends[0].towards(&ends[1], share, form) };
            spot = feature.nearest(form, spacing);
        }
        if spot.distance < least(&feature) {
            let spots = feature.spots(form, spacing, spot, floor);
            found.extend(spots.iter().map(|spot| self.prop(rows, course, &ends[0], &feature, spot)));
        }
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
    let [from, to] = ends;
    (0..from.count).map(|k| from.corners[k].point.distance(to.corners[k].point)).fold(0.0, f64::max)
}

/// Distance between samples on a feature of a length, m.
fn spacing(thickness: f64, length: f64) -> f64 {
    thickness.max(THINNEST * length).max(f64::MIN_POSITIVE)
}
