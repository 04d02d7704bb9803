//! Constraints that change between steps: on the queue, or in the host's encoder, so that each step encoded there has its own.

use super::{GpuEngine, PinChanges, upload};
use crate::{Error, gpu::layout};
use std::ops::Range;

impl GpuEngine {
    /// Leads constraints elsewhere, lets them go, or holds them again.
    pub(super) fn write_pins(
        &mut self,
        changes: &PinChanges,
        mut encoder: Option<&mut wgpu::CommandEncoder>,
    ) -> Result<(), Error> {
        changes.apply(&mut self.constraints, &self.topology.constraints);
        let touched = || {
            let targets = changes.targets.iter().map(|(ix, _)| *ix as usize);
            targets.chain(changes.held.iter().map(|(ix, _)| *ix as usize))
        };
        let (Some(first), Some(last)) = (touched().min(), touched().max()) else { return Ok(()) };
        self.write_constraints(first..last + 1, encoder.as_deref_mut())?;
        if changes.held.is_empty() {
            return Ok(());
        }
        self.write_constraint_ix(encoder.as_deref_mut())?;
        self.before = None;
        self.write_scheme_to(encoder)
    }

    pub(super) fn write_constraints(
        &self,
        range: Range<usize>,
        encoder: Option<&mut wgpu::CommandEncoder>,
    ) -> Result<(), Error> {
        let offset = (range.start * size_of::<layout::Constraint>()) as u64;
        let constraints: Vec<_> = self.constraints[range].iter().map(upload::constraint).collect();
        self.put("constraints", offset, bytemuck::cast_slice(&constraints), encoder)
    }

    /// Which constraint holds each row. Those that were let go are not named: their rows are as free as any, to the bit.
    pub(super) fn write_constraint_ix(&self, encoder: Option<&mut wgpu::CommandEncoder>) -> Result<(), Error> {
        let mut constraint_ix = vec![layout::UNCONSTRAINED; self.topology.particle_count()];
        let pins = self.topology.constraints.len();
        // Explicit steps react to contacts afterwards.
        let acts =
            |ix: usize| if ix < pins { self.constraints[ix].holds() } else { !self.options.integrator.is_explicit() };
        for (ix, constraint) in self.constraints.iter().enumerate().filter(|(ix, _)| acts(*ix)) {
            constraint_ix[constraint.row as usize] = ix as u32;
        }
        for (master, others) in self.groups.iter() {
            others.iter().for_each(|&row| constraint_ix[row as usize] = constraint_ix[master as usize]);
        }
        self.put("constraint_ix", 0, bytemuck::cast_slice(&constraint_ix), encoder)
    }

    /// Writes to a buffer: before the next submission, or in its place among the commands of an encoder.
    pub(super) fn put(
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
        self.gpu.checked(|| match encoder {
            None => self.gpu.queue().write_buffer(buffer, offset, bytes),
            Some(encoder) => {
                let size = bytes.len() as u64;
                let staging = self.gpu.device().create_buffer(&wgpu::BufferDescriptor {
                    label: Some("tenter.pins"),
                    size,
                    usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                });
                // Filled when the host submits; nobody else writes to it.
                self.gpu.queue().write_buffer(&staging, 0, bytes);
                encoder.copy_buffer_to_buffer(&staging, 0, buffer, offset, size);
            }
        })
    }
}
