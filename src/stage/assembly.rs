//! Forces and system matrix.
//!
//! Reads pattern, slots, elements, incidences, materials, positions, velocities. Writes pattern (signs), values, diagonal, residual.
//! A = M - h D - h² K and b = h (f + h K v) - M (v - v₀).

use super::{LaunchPlan, Timeline, element_kernel, matrix_kernel};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu},
};

#[derive(Debug)]
pub(crate) struct Assembly {
    edges: Vec<Dispatch>,
    elements: Vec<Dispatch>,
}

impl Assembly {
    pub fn new(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan) -> Result<Self, Error> {
        Ok(Self {
            edges: matrix_kernel(gpu, buffers, launch, "assembly/edges")?,
            elements: element_kernel(gpu, buffers, launch, "assembly/elements")?,
        })
    }

    pub fn encode(&self, timeline: &mut Timeline<'_>) {
        timeline.run_all(&self.edges);
        timeline.run_all(&self.elements);
    }
}
