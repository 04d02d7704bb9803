//! Tied particles: u = T Q Tᵀ r, where T copies the value of a master to the particles tied to it.
//!
//! Reads ties, preconditioner, status. Writes residual, u.

use super::Correction;
use crate::{
    Error,
    gpu::{Buffers, Gpu},
    stage::{LaunchPlan, row_kernel},
};

/// Binds the correction that sums the residuals of each group and gives the u of its master to the whole group.
pub(super) fn ties(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan) -> Result<Correction, Error> {
    let dispatches = vec![row_kernel(gpu, buffers, launch, "solve/ties")?];
    Ok(Correction { dispatches, between_rounds: None })
}

/// Binds the correction that copies the u of masters, which rigid bodies may have changed, to the particles tied to them.
pub(super) fn tie_copies(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan) -> Result<Correction, Error> {
    let dispatches = vec![row_kernel(gpu, buffers, launch, "solve/tie_copies")?];
    Ok(Correction { dispatches, between_rounds: None })
}
