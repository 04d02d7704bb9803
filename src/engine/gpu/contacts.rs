//! Upload of the contacts that the host has found, and read-back of the inputs of contact tests after each step: positions, velocities and constraint impulses, in
//! one copy with the record.

use super::{GpuEngine, inputs::vectors};
use crate::{
    Error,
    engine::{Motion, upload},
    gpu::{Readback, Timer, layout},
    topology::{Constraint, Contact, Contacts, Rigid},
};
use glam::DVec3;

const VEC4: u64 = 16;

/// The motion at the end of the last step.
#[derive(Debug)]
pub(super) enum LastMotion {
    /// Bytes read back with the step.
    Copied(Vec<u8>),
    /// Motion from a checkpoint.
    Whole(Motion),
}

impl GpuEngine {
    /// Whether the host tests contacts between steps. The host then needs the motion of every step, so that a submission has one step. Contacts found on the device
    /// will need neither: the contact stage treats both alike.
    pub(super) fn host_tests_contacts(&self) -> bool {
        self.held.tested_by_host
    }

    pub(super) fn contact_count(&self) -> usize {
        self.held.constraints.len() - self.topology.constraints.len()
    }

    /// Replaces the contacts of the next step.
    pub fn set_contacts(&mut self, contacts: &Contacts) -> Result<(), Error> {
        let pins = self.topology.constraints.len();
        let rows = |constraints: &[Constraint]| constraints.iter().map(|constraint| constraint.row).collect::<Vec<_>>();
        let same = rows(&self.held.constraints[pins..]) == rows(&contacts.constraints);
        self.held.constraints.truncate(pins);
        self.held.constraints.extend(&contacts.constraints);
        self.held.touch_count = contacts.touching() as u32;
        self.write_rigids(&contacts.rigids)?;
        self.write_supports(&contacts.supports)?;
        let constraints: Vec<_> = contacts.constraints.iter().map(upload::constraint).collect();
        self.device.buffers.write(&self.device.gpu, "constraints", pins, &constraints)?;
        let about = |(constraint, contact): (&Constraint, &Contact)| upload::contact(constraint, contact);
        let contacts: Vec<_> = contacts.constraints.iter().zip(&contacts.contacts).map(about).collect();
        self.device.buffers.write(&self.device.gpu, "contacts", pins, &contacts)?;
        // Explicit steps apply contacts at their end, without constraints.
        if !same && !self.options.integrator.is_explicit() {
            self.write_constraint_ix(None)?;
        } else if !contacts.is_empty() {
            self.forget_coarse_matrix(None)?;
        }
        self.device.params.constraint_count = self.held.constraints.len() as u32;
        self.device.params.contact_passes = if self.touching().is_some() { self.options.safe_passes() } else { 0 };
        self.device.write_params()
    }

    fn write_rigids(&mut self, bodies: &[Rigid]) -> Result<(), Error> {
        let pins = self.topology.constraints.len();
        let (mut rigids, mut contacts) = (Vec::new(), Vec::new());
        for body in bodies {
            rigids.push(upload::rigid(body, pins, contacts.len()));
            contacts.extend(body.contacts.iter().map(upload::rigid_contact));
        }
        self.device.params.rigid_count = rigids.len() as u32;
        self.device.buffers.write(&self.device.gpu, "rigids", 0, &rigids)?;
        self.device.buffers.write(&self.device.gpu, "rigid_contacts", 0, &contacts)
    }

    fn rigid_bytes(&self) -> u64 {
        u64::from(self.device.params.rigid_count) * size_of::<layout::Rigid>() as u64
    }

    /// Writes pins as entries of `contacts`: their state never changes, but kernels read their rows there.
    pub(super) fn write_pins_as_contacts(&self) -> Result<(), Error> {
        let about = |constraint: &Constraint| upload::contact(constraint, &Contact::default());
        let pins: Vec<_> = self.topology.constraints.iter().map(about).collect();
        self.device.buffers.write(&self.device.gpu, "contacts", 0, &pins)
    }

    /// Offset of the motion in the read-back of a step, bytes.
    fn motion_offset(&self) -> u64 {
        size_of::<layout::Record>() as u64 + self.stages.timer.as_ref().map_or(0, Timer::bytes)
    }

    /// Size of the read-back of a step, bytes.
    pub(super) fn readback_bytes(&self) -> u64 {
        let rows = self.topology.particle_count() as u64;
        let constraints = self.topology.constraints.len() as u64 + rows;
        let rigids = (self.held.rigid_capacity * size_of::<layout::Rigid>()) as u64;
        self.motion_offset() + if self.host_tests_contacts() { rigids + VEC4 * (2 * rows + constraints) } else { 0 }
    }

    /// Encodes the copy of the motion behind the record.
    pub(super) fn copy_motion(&self, encoder: &mut wgpu::CommandEncoder, to: &Readback) -> Result<(), Error> {
        if !self.host_tests_contacts() {
            return Ok(());
        }
        let rows = VEC4 * self.topology.particle_count() as u64;
        let constraints = if self.contact_count() > 0 { VEC4 * self.held.constraints.len() as u64 } else { 0 };
        let parts =
            [("rigids", self.rigid_bytes()), ("positions", rows), ("velocities", rows), ("impulses", constraints)];
        let mut place = self.motion_offset();
        for (name, bytes) in parts.into_iter().filter(|(_, bytes)| *bytes > 0) {
            encoder.copy_buffer_to_buffer(self.device.buffers.named(name)?, 0, to.destination(), place, bytes);
            place += bytes;
        }
        Ok(())
    }

    /// Keeps the motion that was read back with a record.
    pub(super) fn keep_motion(&mut self, bytes: &[u8]) {
        if self.host_tests_contacts() {
            let motion = bytes.get(self.motion_offset() as usize..).map(<[u8]>::to_vec);
            self.held.last_motion = motion.map(LastMotion::Copied);
        }
    }

    /// Reads the inputs of contact tests: those of the last read-back, or a new copy if the host has changed the state since.
    pub(super) async fn read_motion(&mut self) -> Result<Motion, Error> {
        let bytes = match self.held.last_motion.take() {
            Some(LastMotion::Copied(bytes)) => bytes,
            Some(LastMotion::Whole(motion)) => {
                self.held.last_motion = Some(LastMotion::Whole(motion.clone()));
                return Ok(motion);
            }
            None => {
                let positions = self.read_rows("positions").await?;
                let velocities = self.read_rows("velocities").await?;
                let forces = vec![DVec3::ZERO; positions.len()];
                return Ok(Motion { positions, velocities, forces, rigids: Vec::new() });
            }
        };
        let rows = self.topology.particle_count();
        let (bodies, rest) = bytes.split_at(self.rigid_bytes() as usize);
        let change = |body: &[u8]| {
            let body: layout::Rigid = bytemuck::pod_read_unaligned(body);
            std::array::from_fn(|ix| f64::from(body.total[ix]) + f64::from(body.x[ix]))
        };
        let rigids = bodies.chunks_exact(size_of::<layout::Rigid>()).map(change).collect();
        let vectors = vectors(rest);
        let mut forces = vec![DVec3::ZERO; rows];
        if self.contact_count() > 0 {
            for (constraint, impulse) in self.held.constraints.iter().zip(&vectors[2 * rows..]) {
                forces[constraint.row as usize] = *impulse / self.time.last_stage_step;
            }
            if self.options.integrator.is_explicit() && !self.held.groups.is_empty() {
                // The impulse of a master acts on its whole group; `impulses` has the master's own share.
                let (own, whole) = (&self.topology.masses, self.held.groups.masses(&self.topology.masses));
                forces.iter_mut().zip(own).zip(whole).for_each(|((force, own), whole)| *force *= whole / own);
            }
        }
        let motion = Motion {
            positions: vectors[..rows].to_vec(),
            velocities: vectors[rows..2 * rows].to_vec(),
            forces,
            rigids,
        };
        self.held.last_motion = Some(LastMotion::Copied(bytes));
        Ok(motion)
    }
}
