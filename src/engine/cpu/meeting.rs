//! Contact between bodies as the host reads it.

use super::CpuEngine;
use crate::reference::collision::pressure::pressures;

impl CpuEngine {
    /// Forces of contact between bodies by row, in size, in the last step, N.
    pub fn meeting_forces(&self) -> Vec<f64> {
        pressures(&self.state)
    }
}
