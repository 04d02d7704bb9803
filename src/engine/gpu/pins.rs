//! Changes of pins between steps: on the queue, or in the host's encoder, so that each step encoded there has its own pins.

use super::GpuEngine;
use crate::{
    Error,
    engine::{PinChanges, upload},
    gpu::layout,
};
use std::ops::Range;

impl GpuEngine {
    /// Sets targets of pins, releases pins, or activates them again.
    pub fn write_pins(
        &mut self,
        changes: &PinChanges,
        mut encoder: Option<&mut wgpu::CommandEncoder>,
    ) -> Result<(), Error> {
        changes.apply(&mut self.held.constraints, &self.topology.constraints);
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
        self.time.before = None;
        self.write_scheme_to(encoder)
    }

    pub(super) fn write_constraints(
        &self,
        range: Range<usize>,
        encoder: Option<&mut wgpu::CommandEncoder>,
    ) -> Result<(), Error> {
        let offset = (range.start * size_of::<layout::Constraint>()) as u64;
        let constraints: Vec<_> = self.held.constraints[range].iter().map(upload::constraint).collect();
        self.device.put("constraints", offset, bytemuck::cast_slice(&constraints), encoder)
    }

    /// Writes the constraint of each row. Released pins are not named, so that their rows equal unconstrained rows to the bit.
    pub(super) fn write_constraint_ix(&self, mut encoder: Option<&mut wgpu::CommandEncoder>) -> Result<(), Error> {
        let mut constraint_ix = vec![layout::UNCONSTRAINED; self.topology.particle_count()];
        let pins = self.topology.constraints.len();
        // Explicit steps apply contacts at their end.
        let acts = |ix: usize| {
            if ix < pins { self.held.constraints[ix].holds() } else { !self.options.integrator.is_explicit() }
        };
        for (ix, constraint) in self.held.constraints.iter().enumerate().filter(|(ix, _)| acts(*ix)) {
            constraint_ix[constraint.row as usize] = ix as u32;
        }
        for (master, others) in self.held.groups.iter() {
            others.iter().for_each(|&row| constraint_ix[row as usize] = constraint_ix[master as usize]);
        }
        self.device.put("constraint_ix", 0, bytemuck::cast_slice(&constraint_ix), encoder.as_deref_mut())?;
        self.forget_coarse_matrix(encoder)
    }

    /// Notes that the constant coarse matrix of the IMEX schemes no longer holds; those of other schemes are built in every step.
    pub(super) fn forget_coarse_matrix(&self, encoder: Option<&mut wgpu::CommandEncoder>) -> Result<(), Error> {
        let offset = std::mem::offset_of!(layout::Status, coarse_step) as u64;
        self.device.put("status", offset, bytemuck::bytes_of(&0f32), encoder)
    }
}
