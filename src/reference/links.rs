//! What links particles to others and to rigid bodies in a solve.

use super::{CgState, State, ties};
use crate::topology::TieGroups;

/// Ties and rigid bodies of a scene; the default has none.
#[derive(Debug, Default)]
pub struct Links<'a> {
    /// Particles that are one.
    pub ties: Option<&'a TieGroups>,
}

impl Links<'_> {
    /// After everything that changes u: what is linked moves together.
    pub fn act(&mut self, state: &mut State, cg: &CgState) {
        if let (Some(groups), false) = (self.ties, cg.done) {
            ties::ties(groups, state);
        }
    }

    /// What rigid bodies add to γ and δ.
    pub fn sums(&self) -> (f64, f64) {
        (0.0, 0.0)
    }
}
