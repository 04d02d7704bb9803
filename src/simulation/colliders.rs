//! What cloth meets, as it moves.

use super::Simulation;
use crate::Pose;

impl Simulation {
    /// Where each collider of the scene is at the end of the last submitted step.
    pub fn collider_poses(&self) -> Vec<Pose> {
        let time = self.time();
        self.motions.iter().map(|motion| motion.pose_at(time)).collect()
    }
}
