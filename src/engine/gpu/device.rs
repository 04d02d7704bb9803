//! Device and buffers of a simulation, and the parameters that its kernels read.

use super::{collision::CollisionPlan, plan::Plan};
use crate::{
    Error,
    gpu::{Buffers, Gpu, Readback, into_hosts, layout},
    stage::LaunchPlan,
    topology::Topology,
};

/// Device, buffers and parameters of a simulation.
pub(super) struct Device {
    pub gpu: Gpu,
    pub buffers: Buffers,
    pub launch: LaunchPlan,
    /// Contact between bodies, in scenes that have it.
    pub collision: Option<CollisionPlan>,
    /// Launches of steps in which edges or triangles may touch colliders, in scenes where bodies do not meet.
    pub supported: Option<LaunchPlan>,
    pub params: layout::Params,
    /// Staging buffer for one vec4 per row.
    pub state_readback: Readback,
    /// Size of all buffers, bytes.
    pub buffer_bytes: u64,
    /// Number of blocks of the matrix: compact ones of edges, full ones of elements.
    pub slot_count: u64,
    pub full_count: u64,
    /// Size of the binding that the chunks of the matrix fit, bytes.
    pub largest_binding: u64,
}

impl Device {
    /// Allocates the planned buffers on the chosen device.
    pub fn new(
        gpu: Gpu,
        plan: &Plan,
        params: layout::Params,
        topology: &Topology,
        largest_binding: u64,
    ) -> Result<Self, Error> {
        Ok(Self {
            buffers: Buffers::create(&plan.buffers, &gpu)?,
            state_readback: Readback::new(&gpu, "tenter.state", 16 * topology.particle_count() as u64)?,
            gpu,
            launch: plan.launch,
            collision: plan.collision,
            supported: plan.supported,
            params,
            buffer_bytes: plan.buffers.iter().map(|buffer| buffer.bytes).sum(),
            slot_count: plan.matrix.compact.slot_count() as u64,
            full_count: plan.matrix.full.slot_count() as u64,
            largest_binding,
        })
    }

    pub fn write_params(&self) -> Result<(), Error> {
        self.buffers.write(&self.gpu, "params", 0, &[self.params])
    }

    /// Writes to a buffer: before the next submission, or at its place among the commands of an encoder.
    pub fn put(
        &self,
        name: &'static str,
        offset: u64,
        bytes: &[u8],
        encoder: Option<&mut wgpu::CommandEncoder>,
    ) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        let buffer = self.buffers.named(name)?;
        self.gpu.issue(|| match encoder {
            None => {
                self.gpu.queue().write_buffer(buffer, offset, bytes);
                Ok(())
            }
            Some(encoder) => {
                let size = bytes.len() as u64;
                let staging = self.gpu.device().create_buffer(&wgpu::BufferDescriptor {
                    label: Some("tenter.pins"),
                    size,
                    usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                });
                // The queue fills the staging buffer when the host submits; nothing else writes to it.
                self.gpu.queue().write_buffer(&staging, 0, bytes);
                into_hosts(|| encoder.copy_buffer_to_buffer(&staging, 0, buffer, offset, size))
            }
        })?
    }
}
