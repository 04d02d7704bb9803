//! The coarse level: u += P Z (E⁻¹ - F⁻¹) Zᵀ P r, with motions that are linear in rest coordinates on each aggregate.
//!
//! Reads constraints, residual, coarse_rows, coarse_lists, coarse_matrix, status. Writes coarse_right, u, partials.

use super::Correction;
use crate::{
    Error,
    gpu::{Buffers, Gpu},
    stage::LaunchPlan,
    topology::Aggregates,
};

/// Binds the correction that adds the coarse level, one workgroup per aggregate.
pub(super) fn coarse(
    gpu: &Gpu,
    buffers: &Buffers,
    launch: LaunchPlan,
    aggregates: &Aggregates,
) -> Result<Correction, Error> {
    let count = aggregates.count as u32;
    Correction::new(launch, |constants| {
        Ok(vec![
            // One more workgroup for the rows without an aggregate.
            gpu.kernel_with("coarse/restrict", constants)?.bind(gpu, buffers, count + 1)?,
            gpu.kernel_with("coarse/prolong", constants)?.bind(gpu, buffers, count)?,
        ])
    })
}
