//! Checkpoints of the GPU engine: the buffers that a step changes and later steps read, and the state of the host.

use super::{GpuEngine, Timekeeping, collision::Room, contacts::LastMotion, counts::Counts};
use crate::{
    Error,
    engine::{Clock, Motion, upload},
    gpu::Readback,
    simulation::archive::{Damaged, Stored, stored},
};

/// Largest number of parts of a search that a checkpoint may ask for.
const MOST_PARTS: u64 = 1 << 12;

/// State of the host in a checkpoint.
struct Host {
    step: u64,
    clock: Clock,
    before: Option<f64>,
    last_stage_step: f64,
    counts: Counts,
    batches: u64,
    /// Motion after the last step, for contact tests.
    motion: Option<Motion>,
    /// Room for contact between bodies: a step that has to make room first is made again, with other bits.
    room: Option<Room>,
}

stored!(Host { step, clock, before, last_stage_step, counts, batches, motion, room });
stored!(Motion { positions, velocities, forces, rigids });

/// Names of the buffers of a checkpoint: those that a rejected step restores, and the constraint impulses of the last step.
fn names() -> impl Iterator<Item = &'static str> {
    upload::SAVED.iter().map(|(name, _)| *name).chain(["residual"])
}

impl GpuEngine {
    /// Appends the whole state to `bytes`, after all steps under way.
    pub async fn checkpoint(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        self.finish().await?;
        let motion = if self.held.last_motion.is_some() { Some(self.read_motion().await?) } else { None };
        let host = Host {
            step: self.time.step,
            clock: self.time.clock,
            before: self.time.before,
            last_stage_step: self.time.last_stage_step,
            counts: self.under_way.counts.clone(),
            batches: self.under_way.batches,
            motion,
            room: self.room(),
        };
        host.put(bytes);
        for buffer in self.state_buffers() {
            let mut readback = Readback::new(&self.device.gpu, "tenter.checkpoint", buffer.size())?;
            readback.fetch(&self.device.gpu, buffer, 0, |_| {}, "a copy of the state").await?.put(bytes);
        }
        Ok(())
    }

    /// Restores the state from `bytes`. No step may be under way; pins, ties, loads and the time step must be those of the checkpoint.
    pub fn restore(&mut self, bytes: &mut &[u8]) -> Result<(), Error> {
        let foreign = |_: Damaged| Error::Usage("the checkpoint's state is not one of this scene".to_owned());
        let host = Host::take(bytes).map_err(foreign)?;
        let rows = self.topology.particle_count();
        let fits =
            |motion: &Motion| [&motion.positions, &motion.velocities, &motion.forces].iter().all(|v| v.len() == rows);
        if !host.motion.as_ref().is_none_or(fits) {
            return Err(foreign(Damaged));
        }
        let mut states: Vec<Vec<u8>> = Vec::new();
        for buffer in self.state_buffers() {
            let state = Vec::<u8>::take(bytes).map_err(foreign)?;
            if state.len() as u64 != buffer.size() {
                let message =
                    "the checkpoint was made on an adapter with other limits, where buffers are cut differently";
                return Err(Error::Usage(message.to_owned()));
            }
            states.push(state);
        }
        if let Some(room) = host.room {
            // Numbers out of a file may be any.
            if room.parts == 0
                || !room.parts.is_power_of_two()
                || room.parts > MOST_PARTS
                || !(1..=u64::from(u32::MAX)).contains(&room.capacity)
            {
                return Err(foreign(Damaged));
            }
            self.provide(room, 0)?;
        }
        self.clear_records()?;
        self.device.gpu.issue(|| {
            for (buffer, state) in self.state_buffers().iter().zip(&states) {
                self.device.gpu.queue().write_buffer(buffer, 0, state);
            }
        })?;
        self.forget_coarse_matrix(None)?;
        self.under_way.unfinished = None;
        self.under_way.cut_short = 0;
        let Host { step, clock, before, last_stage_step, .. } = host;
        self.time = Timekeeping { step, clock, before, last_stage_step };
        self.under_way.counts = host.counts;
        self.under_way.batches = host.batches;
        self.held.last_motion = host.motion.map(LastMotion::Whole);
        Ok(())
    }

    fn state_buffers(&self) -> Vec<&wgpu::Buffer> {
        let mut buffers = Vec::new();
        // Shortened motion is state where bodies meet. Struts to colliders alone bring the buffer too, but no guard that writes it.
        for name in names().filter(|name| *name != "fractions" || self.collides()) {
            match self.device.buffers.get(name) {
                Some(buffer) => buffers.push(buffer),
                None => buffers.extend(
                    (0..self.device.launch.chunks).filter_map(|ix| self.device.buffers.of_chunk(name, Some(ix))),
                ),
            }
        }
        buffers
    }
}
