//! What links particles to others and to rigid bodies in a solve.

use super::{CgState, State, rigid, ties};
use crate::topology::{Constraint, Contact, Rigid, TieGroups};

/// Ties and rigid bodies of a scene; the default has none.
#[derive(Debug, Default)]
pub struct Links<'a> {
    /// Particles that are one.
    pub ties: Option<&'a TieGroups>,
    /// Those that move as they are pushed.
    pub rigids: &'a mut [Rigid],
    /// Constraints that are no pins, and what they are about.
    pub constraints: &'a [Constraint],
    /// Of each.
    pub contacts: &'a [Contact],
}

impl Links<'_> {
    /// After everything that changes u: what is linked moves together.
    pub fn act(&mut self, state: &mut State, cg: &CgState) {
        if cg.done {
            return;
        }
        if let Some(groups) = self.ties {
            ties::ties(groups, state);
        }
        for body in self.rigids.iter_mut() {
            let range = body.constraints.clone();
            rigid::act(body, &self.constraints[range.clone()], &self.contacts[range], state, cg);
        }
        if let (Some(groups), false) = (self.ties, self.rigids.is_empty()) {
            ties::tie_copies(groups, state);
        }
    }

    /// What rigid bodies add to γ and δ.
    pub fn sums(&self) -> (f64, f64) {
        self.rigids.iter().map(rigid::sums).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1))
    }
}
