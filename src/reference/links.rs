//! What links particles to others and to rigid bodies in a solve.

use super::{CgState, State};

/// Ties and rigid bodies of a scene; the default has none.
#[derive(Debug, Default)]
pub struct Links<'a> {
    links: std::marker::PhantomData<&'a ()>,
}

impl Links<'_> {
    /// After everything that changes u: what is linked moves together.
    pub fn act(&mut self, _: &mut State, _: &CgState) {}

    /// What rigid bodies add to γ and δ.
    pub fn sums(&self) -> (f64, f64) {
        (0.0, 0.0)
    }
}
