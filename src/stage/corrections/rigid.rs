//! Rigid bodies: u_p = Q r + S R u_b of the particles in contact with a body, whose six velocities are unknowns of their own.
//!
//! Reads preconditioner, residual, contacts, status. Writes rigids, rigid_contacts, u, partials.

use super::Correction;
use crate::{
    Error,
    gpu::{Buffers, Gpu},
    stage::LaunchPlan,
};

/// Binds the correction that gives particles in contact with a rigid body its velocity, one workgroup per body.
pub(super) fn rigid(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, bodies: u32) -> Result<Correction, Error> {
    Correction::new(launch, |constants| {
        Ok(vec![gpu.kernel_with("solve/rigid", constants)?.bind(gpu, buffers, bodies)?])
    })
}
