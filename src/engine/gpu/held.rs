//! Constraints of the next step on the GPU: pins, contacts, ties.

use super::contacts::LastMotion;
use crate::{
    Scene,
    topology::{Constraint, TieGroups, Topology},
};

/// Constraints of the next step, as uploaded to the GPU.
#[derive(Debug)]
pub(super) struct Held {
    /// Pins, then the contacts of the next step.
    pub constraints: Vec<Constraint>,
    /// Groups of tied particles.
    pub groups: TieGroups,
    /// Number of particles in contact with a collider in the next step.
    pub touch_count: u32,
    /// Number of edges and triangles that may touch colliders in the next step.
    pub support_count: u32,
    /// Whether the host tests contacts between steps: the scene has colliders.
    pub tested_by_host: bool,
    /// Largest number of rigid bodies.
    pub rigid_capacity: usize,
    /// Motion read back with the last step, where contacts are tested.
    pub last_motion: Option<LastMotion>,
}

impl Held {
    pub fn new(topology: &Topology, scene: &Scene) -> Self {
        Self {
            constraints: topology.constraints.clone(),
            groups: TieGroups::default(),
            touch_count: 0,
            support_count: 0,
            tested_by_host: !scene.colliders.is_empty(),
            rigid_capacity: scene.rigid_count(),
            last_motion: None,
        }
    }
}
