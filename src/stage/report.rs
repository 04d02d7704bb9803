//! What a step has to say: energies if asked for, and its record in a ring on the GPU.
//!
//! Reads positions, velocities, pattern, slots, checks, status. Writes measures, records, status.

use super::{Launch, Timeline, row_kernel};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu},
};

#[derive(Debug)]
pub(crate) struct Report {
    measure: Option<Dispatch>,
    record: Dispatch,
}

impl Report {
    pub fn new(gpu: &Gpu, buffers: &Buffers, launch: Launch, measure: bool) -> Result<Self, Error> {
        let measure = measure.then(|| row_kernel(gpu, buffers, launch, "report/measure")).transpose()?;
        Ok(Self { measure, record: gpu.kernel("report/record")?.bind(gpu, buffers, 1)? })
    }

    pub fn encode(&self, timeline: &mut Timeline<'_>) {
        if let Some(measure) = &self.measure {
            timeline.run(measure);
        }
        timeline.run(&self.record);
    }
}
