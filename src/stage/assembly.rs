//! The assembly stage: forces and system matrix.
//!
//! Reads pattern, slots, elements, incidences, materials, loads, positions, velocities. Writes pattern (signs), values, normals,
//! diagonal, residual.
//! A = M - γhD - (γh)²K and b = γh (f + lead Kv) - M (v - v̂); without a matrix, the forces alone.

use super::{LaunchPlan, Timeline, inner_forces, matrix_kernel, row_kernel};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu},
};

#[derive(Debug)]
pub(crate) struct Assembly {
    /// Kernels of edges and elements.
    inner: Vec<Dispatch>,
    /// Kernels of the constant matrix of the IMEX schemes; empty for others.
    scalars: Vec<Dispatch>,
    /// The kernel of vertex normals, in scenes with forces that need them.
    normals: Option<Dispatch>,
    air: Option<Dispatch>,
    loads: Dispatch,
}

/// Whether a scene needs vertex normals, and whether it has wind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings {
    pub normals: bool,
    pub air: bool,
}

impl Assembly {
    pub fn new(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, surroundings: Surroundings) -> Result<Self, Error> {
        let kernel = |name| row_kernel(gpu, buffers, launch, name);
        let constant = launch.models.scalar_matrix && !launch.models.forces_only;
        // With a constant matrix, edges and elements give their forces alone.
        let inner = if constant { launch.forces_only() } else { launch };
        Ok(Self {
            inner: inner_forces(gpu, buffers, inner)?,
            scalars: if constant { matrix_kernel(gpu, buffers, launch, "assembly/scalars")? } else { Vec::new() },
            normals: surroundings.normals.then(|| kernel("assembly/normals")).transpose()?,
            air: surroundings.air.then(|| kernel("assembly/air")).transpose()?,
            loads: kernel("assembly/loads")?,
        })
    }

    /// Encodes the vertex normals, once a step, before its first linearisation.
    pub fn encode_normals(&self, timeline: &mut Timeline<'_>) {
        self.normals.iter().for_each(|normals| timeline.run(normals));
    }

    pub fn encode(&self, timeline: &mut Timeline<'_>, loads: bool) {
        timeline.run_all(&self.inner);
        timeline.run_all(&self.scalars);
        self.air.iter().for_each(|air| timeline.run(air));
        if loads {
            timeline.run(&self.loads);
        }
    }
}
