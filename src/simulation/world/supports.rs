//! Edges and triangles that may touch colliders between their corners, as struts of the next step.

use super::{World, response::fall};
use crate::{
    Scene,
    contact::{Course, DPose, Features, KEPT, Prop},
    engine::Motion,
    topology::{Support, Topology},
};
use glam::DVec3;
use std::collections::BTreeSet;

/// Rate at which a strut restores a missing distance, 1/s, and the largest share of it in a step.
const RECOVERY_RATE: f64 = 20.0;
const MOST_RECOVERY: f64 = 0.5;
/// Largest factor by which a strut that is compressed at the start is stiffer.
const MOST_STIFFENING: f64 = 100.0;

/// Edges and triangles of all bodies of a scene with colliders that keep away from them.
pub(super) fn features(scene: &Scene, topology: &Topology) -> Features {
    let mut features = Features::default();
    if !scene.colliders.iter().any(|collider| collider.edges) {
        return features;
    }
    let mut edges = BTreeSet::new();
    let mut first = 0u32;
    for body in &scene.bodies {
        let row = |vertex: u32| topology.row_of[(first + vertex) as usize];
        let sorted = |a: u32, b: u32| [a.min(b), a.max(b)];
        for &[a, b, c] in &body.mesh.triangles {
            let [a, b, c] = [a, b, c].map(row);
            features.triangles.push([a, b, c]);
            edges.extend([sorted(a, b), sorted(b, c), sorted(c, a)]);
        }
        edges.extend(body.mesh.wires.iter().map(|&[a, b]| sorted(row(a), row(b))));
        first += body.mesh.positions.len() as u32;
    }
    features.edges = edges.into_iter().collect();
    features
}

impl World {
    /// Struts between edges and triangles and the colliders that they may touch in the next step. `held`: particles whose pins leave them no choice; `ahead`: positions at
    /// its end without contact.
    pub(super) fn supports(
        &self,
        ends: &[DPose],
        margin: f64,
        (now, ahead): (&[DVec3], &[DVec3]),
        (masses, held): (&[f64], &[bool]),
        h: f64,
    ) -> Vec<Support> {
        if self.features.is_empty() {
            return Vec::new();
        }
        let mut obstacles = self.obstacles(ends, margin);
        obstacles.retain(|obstacle| self.keeps_edges_away(obstacle.collider as usize));
        let props = self.features.props(&obstacles, Course { now, ahead });
        props.iter().filter_map(|prop| self.support(prop, masses, held, h)).collect()
    }

    /// Whether a collider keeps edges and triangles away.
    fn keeps_edges_away(&self, collider: usize) -> bool {
        self.colliders[collider].edges && self.body_of(collider).is_none()
    }

    /// The strut of a prop; `None` if nothing of it can move.
    fn support(&self, prop: &Prop, masses: &[f64], held: &[bool], h: f64) -> Option<Support> {
        let collider = &self.colliders[prop.collider as usize];
        let thickness = KEPT * f64::from(collider.thickness);
        let inverse = |k: usize| {
            let row = prop.rows[k] as usize;
            if held[row] { 0.0 } else { prop.weights[k].powi(2) / masses[row] }
        };
        let inverse: f64 = (0..3).map(inverse).sum();
        if inverse <= 0.0 {
            return None;
        }
        let lacking = thickness - prop.gap;
        let out = if lacking > 0.0 {
            let share = (RECOVERY_RATE * h).min(MOST_RECOVERY);
            // No faster than a fall over that depth.
            (share * lacking).min(h * fall(lacking))
        } else {
            lacking
        };
        let [a, b, c] = prop.rows;
        let [u, v, w] = prop.weights;
        Some(Support {
            rows: [a, b, c, a],
            weights: [u, v, w, 0.0],
            normal: prop.normal,
            rise: out + prop.normal.dot(prop.surface),
            thickness,
            stiffening: (thickness / prop.gap.max(f64::MIN_POSITIVE)).powi(2).clamp(1.0, MOST_STIFFENING),
            mass: 1.0 / inverse,
            friction: collider.friction.into(),
            surface_velocity: prop.surface / h,
        })
    }

    /// A row of the first edge or triangle that the last step moved deeper into a collider than half of its thickness.
    pub(super) fn pierced(&self, motion: &Motion, pinned: &[bool]) -> Option<u32> {
        let last = self.last.as_ref().filter(|_| !self.features.is_empty())?;
        let mut obstacles = self.passed();
        obstacles.retain(|obstacle| self.keeps_edges_away(obstacle.collider as usize));
        self.features.pierced(&obstacles, &last.positions, &motion.positions, pinned)
    }
}
