//! Tied particles: u = T Q Tᵀ r, where T copies the value of a master to the particles tied to it.
//!
//! Reads ties, preconditioner, status. Writes residual, u.

use super::Correction;
use crate::{
    Error,
    gpu::{Buffers, Gpu},
    stage::LaunchPlan,
};

/// Binds the correction that sums the residuals of each group and gives the u of its master to the whole group.
pub(super) fn ties(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan) -> Result<Correction, Error> {
    rows(gpu, buffers, launch, "solve/ties")
}

/// Binds the correction that copies the u of masters, which rigid bodies may have changed, to the particles tied to them.
pub(super) fn tie_copies(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan) -> Result<Correction, Error> {
    rows(gpu, buffers, launch, "solve/tie_copies")
}

fn rows(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, name: &'static str) -> Result<Correction, Error> {
    Correction::new(launch, |constants| {
        Ok(vec![gpu.kernel_with(name, constants)?.bind(gpu, buffers, launch.workgroups)?])
    })
}
