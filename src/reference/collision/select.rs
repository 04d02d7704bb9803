//! Which pairs get a strut, along which normal and between which points. Twin of `shaders/collision/choose.wgsl`.

use super::{
    Pair, PairKind, Strut,
    closest::{Closest, directions, separation},
    guard::{floor, is_safe},
};
use crate::topology::{NOBODY, Surface};
use glam::DVec3;

/// Share of the separation at the start that a direction has to keep there.
const KEPT_AT_START: f64 = 0.5;
/// Share of the way to a crossing at which the points of a pair that would cross are taken.
const BEFORE_CROSSING: f64 = 0.95;
/// Largest sine of the angle by which a normal may lean over a feature beside the touched one.
const LEAN: f64 = 0.02;
/// Share of the rest gap that features of one body keep where it is less than their thickness.
const REST_SHARE: f64 = 0.9;
/// Stiffness of a strut over its effective mass, times the step squared.
const STIFFNESS: f64 = 100.0;
/// Largest factor by which a strut that is compressed at the start is stiffer.
const MOST_STIFFENING: f64 = 100.0;
/// Rate at which a strut restores a missing gap, 1/s, and the largest share of it in a step.
const RECOVERY_RATE: f64 = 20.0;
const MOST_RECOVERY: f64 = 0.5;

/// Motion in a step, and what a strut needs of it.
#[derive(Clone, Copy)]
pub struct Course<'a> {
    /// Positions at the start of the step, m.
    pub start: &'a [DVec3],
    /// Predicted or present positions at its end, m.
    pub end: &'a [DVec3],
    /// Whether the end is that of a solve, not of a prediction.
    pub solved: bool,
    /// Time step, s.
    pub time_step: f64,
    /// Inverse mass of each row, 1/kg; 0 for held particles.
    pub inverse_masses: &'a [f64],
}

/// Distance that the features of a pair keep, m.
pub fn thickness(surface: &Surface, pair: &Pair) -> f64 {
    let [a, b] = [pair.rows[0], pair.rows[3]];
    let full = surface.thickness(a, b).unwrap_or(0.0);
    if surface.bodies[a as usize] != surface.bodies[b as usize] {
        return full;
    }
    let rest = Closest::of(pair.kind, &pair.gather(&surface.rest)).offset.length();
    full.min(REST_SHARE * rest)
}

/// The strut of a pair, if its sides would come closer than their thickness. A pair that has one `already` gets another if its sides pass through each other nevertheless.
pub fn select(surface: &Surface, course: &Course<'_>, pair: &Pair, already: bool) -> Option<Strut> {
    let kind = pair.kind;
    let (start, end) = (pair.gather(course.start), pair.gather(course.end));
    let thickness = thickness(surface, pair);
    let gap = Closest::of(kind, &start).offset.length();
    let least = KEPT_AT_START * gap.min(thickness);
    let (mut apart, mut normal) = (f64::NEG_INFINITY, DVec3::ZERO);
    for direction in directions(kind, &start, &end) {
        let after = separation(kind, &end, direction);
        if after > apart && separation(kind, &start, direction) > least {
            (apart, normal) = (after, direction);
        }
    }
    if normal == DVec3::ZERO || apart >= thickness {
        return None;
    }
    // Shares of the step after which the sides touch, at most.
    let mut time = 1.0;
    if apart < 0.0 {
        let before = separation(kind, &start, normal);
        time = BEFORE_CROSSING * before / (before - apart);
    }
    let touching = |row: u32| course.start[row as usize].lerp(course.end[row as usize], time);
    let closest = Closest::of(kind, &pair.rows.map(touching));
    if apart < 0.0 {
        let direction = closest.offset.normalize_or_zero();
        if separation(kind, &start, direction) > least {
            normal = direction;
        }
    }
    let spare = already || leans(surface, pair, &closest.weights, normal, &touching);
    if spare && (!course.solved || is_safe(kind, &start, &end, floor(thickness, gap))) {
        return None;
    }
    let inverse: f64 = (0..4).map(|k| closest.weights[k].powi(2) * course.inverse_masses[pair.rows[k] as usize]).sum();
    if inverse <= 0.0 {
        return None;
    }
    let mass = 1.0 / inverse;
    let stiffening = (thickness / gap).powi(2).clamp(1.0, MOST_STIFFENING);
    Some(Strut {
        rows: pair.rows,
        weights: closest.weights,
        normal,
        mass,
        stiffness: STIFFNESS * mass * stiffening,
        target: if gap < thickness {
            gap + (RECOVERY_RATE * course.time_step).min(MOST_RECOVERY) * (thickness - gap)
        } else {
            thickness
        },
        thickness,
        friction: surface.friction(pair.rows[0], pair.rows[3]),
        on: false,
        drag: 0.0,
        flips: 0,
        surface_velocity: None,
        pressed: None,
    })
}

/// Whether a normal leans over a feature beside the touched one, so that another pair has the closest points.
fn leans(surface: &Surface, pair: &Pair, weights: &[f64; 4], normal: DVec3, at: &impl Fn(u32) -> DVec3) -> bool {
    let [a, b] = pair.features;
    match pair.kind {
        PairKind::VertexTriangle => {
            vertex_leans(surface, pair.rows[0], -normal, at) || triangle_leans(surface, b, &weights[1..], normal, at)
        }
        PairKind::EdgeEdge => {
            edge_leans(surface, a, &weights[..2], -normal, at) || edge_leans(surface, b, &weights[2..], normal, at)
        }
    }
}

/// Whether an edge from a vertex rises along a direction.
fn vertex_leans(surface: &Surface, row: u32, out: DVec3, at: &impl Fn(u32) -> DVec3) -> bool {
    let own = at(row);
    surface.neighbours_of(row).iter().any(|&other| {
        let along = at(other) - own;
        along.dot(out) > LEAN * along.length()
    })
}

/// Whether a face beside an edge rises along a direction, or, where an end is touched, an edge from there.
fn edge_leans(surface: &Surface, edge: u32, weights: &[f64], out: DVec3, at: &impl Fn(u32) -> DVec3) -> bool {
    let ends = surface.edges[edge as usize];
    for (end, other) in [(0, 1), (1, 0)] {
        if weights[other] == 0.0 {
            return vertex_leans(surface, ends[end], out, at);
        }
    }
    surface.wings[edge as usize].iter().any(|&wing| beside_leans(ends, wing, out, at))
}

/// Whether, where a border of a triangle is touched, the face beyond it rises along a direction, or, where a corner is touched, an edge from there.
fn triangle_leans(surface: &Surface, triangle: u32, weights: &[f64], out: DVec3, at: &impl Fn(u32) -> DVec3) -> bool {
    let corners = surface.triangles[triangle as usize];
    if let Some(only) = (0..3).find(|k| weights[(k + 1) % 3] == 0.0 && weights[(k + 2) % 3] == 0.0) {
        return vertex_leans(surface, corners[only], out, at);
    }
    (0..3).any(|k| {
        let ends = [corners[(k + 1) % 3], corners[(k + 2) % 3]];
        weights[k] == 0.0 && beside_leans(ends, surface.beyond[triangle as usize][k], out, at)
    })
}

/// Whether the face between an edge and a vertex rises along a direction.
fn beside_leans([a, b]: [u32; 2], across: u32, out: DVec3, at: &impl Fn(u32) -> DVec3) -> bool {
    if across == NOBODY {
        return false;
    }
    let (along, towards) = (at(b) - at(a), at(across) - at(a));
    let inward = towards - towards.dot(along) / along.length_squared() * along;
    inward.dot(out) > LEAN * inward.length()
}
