//! The whole state as bytes, and back: the buffers that a step changes and later ones see, and what the host knows besides.

use super::{Clock, Engine, GpuEngine, Motion, Readback, counts::Counts, upload};
use crate::{
    Error,
    simulation::archive::{Damaged, Stored, stored},
};

/// What the host knows.
struct Host {
    step: u64,
    clock: Clock,
    before: Option<f64>,
    last_stage_step: f64,
    counts: Counts,
    batches: u64,
    /// Where contacts are tested: what the last step has left.
    motion: Option<Motion>,
}

stored!(Host { step, clock, before, last_stage_step, counts, batches, motion });
stored!(Motion { positions, velocities, forces, rigids });

/// Buffers of the state, by name: those that a step may be taken back by, and the reactions it ended with.
fn names() -> impl Iterator<Item = &'static str> {
    upload::SAVED.iter().map(|(name, _)| *name).chain(["residual"])
}

impl GpuEngine {
    pub(super) fn put_state(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        self.finish()?;
        let motion = if self.last_motion.is_some() { Some(self.read_motion()?) } else { None };
        let host = Host {
            step: self.step,
            clock: self.clock,
            before: self.before,
            last_stage_step: self.last_stage_step,
            counts: self.counts.clone(),
            batches: self.batches,
            motion,
        };
        host.put(bytes);
        for buffer in self.state_buffers() {
            let mut readback = Readback::new(&self.gpu, "tenter.checkpoint", buffer.size())?;
            let timeout = self.options.timeout;
            readback.fetch(&self.gpu, buffer, |_| {}, "a copy of the state", timeout)?.put(bytes);
        }
        Ok(())
    }

    /// Puts a state back. No step is on its way, and pins and ties are as they were then.
    pub(super) fn take_state(&mut self, bytes: &mut &[u8]) -> Result<(), Error> {
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
        self.clear_records()?;
        self.gpu.checked(|| {
            for (buffer, state) in self.state_buffers().iter().zip(&states) {
                self.gpu.queue().write_buffer(buffer, 0, state);
            }
        })?;
        self.unfinished = None;
        self.cut_short = 0;
        self.step = host.step;
        self.clock = host.clock;
        self.before = host.before;
        self.last_stage_step = host.last_stage_step;
        self.counts = host.counts;
        self.batches = host.batches;
        self.last_motion = host.motion.map(super::contacts::LastMotion::Whole);
        Ok(())
    }

    fn state_buffers(&self) -> Vec<&wgpu::Buffer> {
        let mut buffers = Vec::new();
        for name in names() {
            match self.buffers.get(name) {
                Some(buffer) => buffers.push(buffer),
                None => buffers.extend((0..self.launch.chunks).filter_map(|ix| self.buffers.of_chunk(name, Some(ix)))),
            }
        }
        buffers
    }
}
