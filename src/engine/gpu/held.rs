//! Constraints: pins, contacts, ties.

use super::contacts::LastMotion;
use crate::topology::{Constraint, TieGroups, Topology};

/// What holds particles in the next step, as the GPU knows it.
#[derive(Debug)]
pub(super) struct Held {
    /// Pins, then the contacts of the next step.
    pub constraints: Vec<Constraint>,
    /// Groups of tied particles.
    pub groups: TieGroups,
    /// Particles that touch a collider in the next step.
    pub touch_count: u32,
    /// Largest number of rigid bodies.
    pub rigid_capacity: usize,
    /// Motion that came back with the last step, where contacts are tested.
    pub last_motion: Option<LastMotion>,
}

impl Held {
    pub fn new(topology: &Topology, rigid_capacity: usize) -> Self {
        Self {
            constraints: topology.constraints.clone(),
            groups: TieGroups::default(),
            touch_count: 0,
            rigid_capacity,
            last_motion: None,
        }
    }
}
