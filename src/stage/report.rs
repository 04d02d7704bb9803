//! The report stage: energies if asked for, and the record of a step in a ring on the GPU.
//!
//! Reads positions, velocities, pattern, slots, checks, status. Writes measures, records, status.

use super::{LaunchPlan, Timeline, matrix_kernel};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu},
};

#[derive(Debug)]
pub(crate) struct Report {
    measure: Vec<Dispatch>,
    record: Dispatch,
}

impl Report {
    pub fn new(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan, measure: bool) -> Result<Self, Error> {
        let measure = if measure { Self::measures(gpu, buffers, launch)? } else { Vec::new() };
        Ok(Self { measure, record: gpu.kernel("report/record")?.bind(gpu, buffers, 1)? })
    }

    fn measures(gpu: &Gpu, buffers: &Buffers, launch: LaunchPlan) -> Result<Vec<Dispatch>, Error> {
        let mut measures = matrix_kernel(gpu, buffers, launch, "report/measure")?;
        if launch.element_partials > 0 {
            let kernel = gpu.kernel_with("report/measure_elements", &launch.models.constants())?;
            measures.push(kernel.bind(gpu, buffers, launch.element_workgroups)?);
        }
        Ok(measures)
    }

    pub fn encode(&self, timeline: &mut Timeline<'_>) {
        timeline.run_all(&self.measure);
        timeline.run(&self.record);
    }
}
