//! Corrections of u = Q r, in the order of `stage::corrections`, which defines them and describes how to add one.

use super::{CgState, Fresh, State, rigid, ties};
use crate::topology::{Aggregates, Constraint, Contact, Rigid, TieGroups};

/// One correction of u = Q r.
#[derive(Debug)]
pub enum Correction<'a> {
    /// Tied particles share the u of their group, see [`ties::ties`].
    Ties(&'a TieGroups),
    /// Rigid bodies move the particles in contact with them, see [`rigid::act`].
    Rigids {
        /// Rigid bodies that forces move.
        bodies: &'a mut [Rigid],
        /// Constraints of all contacts.
        constraints: &'a [Constraint],
        /// The contact of each constraint.
        contacts: &'a [Contact],
    },
    /// Tied particles copy the u of their master after rigid bodies may have changed it, see [`ties::tie_copies`].
    TieCopies(&'a TieGroups),
    /// The coarse level adds its part, see [`Coarse::act`](super::coarse::Coarse::act).
    Coarse(&'a Aggregates),
}

/// Corrections of a scene, in the order in which they act; the default has none.
#[derive(Debug, Default)]
pub struct Corrections<'a>(Vec<Correction<'a>>);

impl<'a> Corrections<'a> {
    /// Lists the corrections for groups of tied particles, for rigid bodies, with all constraints and contacts but pins, and for the aggregates of a coarse level.
    pub fn new(
        groups: &'a TieGroups,
        bodies: &'a mut [Rigid],
        constraints: &'a [Constraint],
        contacts: &'a [Contact],
        aggregates: Option<&'a Aggregates>,
    ) -> Self {
        let (tied, has_rigids) = (!groups.is_empty(), !bodies.is_empty());
        let mut list = Vec::new();
        if tied {
            list.push(Correction::Ties(groups));
        }
        if has_rigids {
            list.push(Correction::Rigids { bodies, constraints, contacts });
        }
        if tied && has_rigids {
            list.push(Correction::TieCopies(groups));
        }
        list.extend(aggregates.map(Correction::Coarse));
        Self(list)
    }

    /// Corrects u where a solve begins or resumes, and after every iteration, unless the solve has ended.
    pub fn act(&mut self, state: &mut State, cg: &CgState) {
        if cg.done || cg.fresh == Fresh::Warm {
            return;
        }
        for correction in &mut self.0 {
            match correction {
                Correction::Ties(groups) => ties::ties(groups, state),
                Correction::Rigids { bodies, constraints, contacts } => {
                    for body in bodies.iter_mut() {
                        let range = body.constraints.clone();
                        rigid::act(body, &constraints[range.clone()], &contacts[range], state, cg);
                    }
                }
                Correction::TieCopies(groups) => ties::tie_copies(groups, state),
                Correction::Coarse(aggregates) => {
                    let State { coarse, residual, u, .. } = state;
                    if cg.coarse_off {
                        coarse.share = 0.0;
                    } else {
                        coarse.act(aggregates, residual, u);
                    }
                }
            }
        }
    }

    /// Sums that corrections with unknowns of their own add to γ and δ: those of rigid bodies.
    pub fn sums(&self) -> (f64, f64) {
        let bodies = self.0.iter().flat_map(|correction| match correction {
            Correction::Rigids { bodies, .. } => &**bodies,
            _ => &[],
        });
        bodies.map(rigid::sums).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1))
    }
}
