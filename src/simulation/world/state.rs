//! Time-dependent state of the world, for checkpoints.

use super::{Body, ColliderPoses, DPose, Start, Touched, World};
use crate::simulation::{archive::stored, rigid::BodyState};
use std::collections::BTreeMap;

/// Time-dependent state of the world between steps.
#[derive(Debug, Clone)]
pub(in crate::simulation) struct WorldState {
    places: Vec<ColliderPoses>,
    bodies: Vec<BodyState>,
    goals: BTreeMap<u32, DPose>,
    last: Option<Start>,
    touched: Vec<Touched>,
    watched: Vec<Touched>,
    steps: u64,
}

stored!(WorldState { places, bodies, goals, last, touched, watched, steps });
stored!(ColliderPoses { before, now });
stored!(Start { positions, velocities, time_step });
stored!(Touched { row, normal, colliders, age });
stored!(DPose { position, rotation });

impl World {
    /// State between two steps, with none in flight.
    pub fn state(&self) -> WorldState {
        WorldState {
            places: self.places.clone(),
            bodies: self.bodies.iter().map(Body::state).collect(),
            goals: self.goals.iter().map(|(&ix, &pose)| (ix as u32, pose)).collect(),
            last: self.last.clone(),
            touched: self.touched.clone(),
            watched: self.watched.clone(),
            steps: self.steps,
        }
    }

    /// Whether a state matches this world.
    pub fn fits(&self, state: &WorldState, rows: usize) -> bool {
        let listed = |list: &[Touched]| list.iter().all(|touched| (touched.row as usize) < rows);
        state.places.len() == self.places.len()
            && state.bodies.len() == self.bodies.len()
            && state.goals.keys().all(|&ix| (ix as usize) < self.colliders.len())
            && state.last.as_ref().is_none_or(|last| last.positions.len() == rows && last.velocities.len() == rows)
            && listed(&state.touched)
            && listed(&state.watched)
    }

    pub fn restore(&mut self, state: WorldState) {
        self.places = state.places;
        self.bodies.iter_mut().zip(state.bodies).for_each(|(body, state)| body.restore(state));
        self.goals = state.goals.into_iter().map(|(ix, pose)| (ix as usize, pose)).collect();
        (self.last, self.touched, self.watched) = (state.last, state.touched, state.watched);
        self.steps = state.steps;
        self.kept = None;
    }
}
