//! Rigid bodies: u_p = Q r + S R u_b of the particles in contact with a body, whose six velocities are unknowns of their own.
//!
//! Reads preconditioner, residual, contacts, status. Writes rigids, rigid_contacts, u, partials.

use super::Correction;
use crate::{
    Error,
    gpu::{Buffers, Gpu},
};

/// Binds the correction that gives particles in contact with a rigid body its velocity, one workgroup per body. Between rounds it skips a solve under way, because
/// the body has already followed the last iteration.
pub(super) fn rigid(gpu: &Gpu, buffers: &Buffers, bodies: u32) -> Result<Correction, Error> {
    let after = gpu.kernel("solve/rigid")?.bind(gpu, buffers, bodies)?;
    let between = gpu.kernel_with("solve/rigid", &vec![("BETWEEN_ROUNDS", 1)])?.bind(gpu, buffers, bodies)?;
    Ok(Correction { dispatches: vec![after], between_rounds: Some(vec![between]) })
}
