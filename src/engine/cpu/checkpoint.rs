//! Checkpoints of the CPU engine: the whole state as bytes.

use super::CpuEngine;
use crate::{
    Error,
    engine::{Clock, Motion},
    simulation::archive::{Damaged, Stored, stored},
};
use glam::DVec3;

/// State that later steps read.
struct Kept {
    step: u64,
    clock: Clock,
    before: Option<f64>,
    wind_phase: f64,
    /// Whether the first linearisation of the last safe step was poor.
    hard: bool,
    /// Energy rises of the last safe steps.
    rises: Vec<f64>,
    /// Rows that the guard stopped short in the last step.
    shortened: Vec<bool>,
    /// Positions and velocities, those at the start of the last step, the memory of Verlet schemes, and the residual.
    vectors: Vec<Vec<DVec3>>,
    history: Vec<[f64; 4]>,
    motion: Motion,
}

stored!(Kept { step, clock, before, wind_phase, hard, rises, shortened, vectors, history, motion });

impl CpuEngine {
    /// Appends the whole state to `bytes`.
    pub fn checkpoint(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let motion = self.motion()?;
        let kept = Kept {
            step: self.step,
            clock: self.clock,
            before: self.before,
            wind_phase: self.state.wind_phase,
            hard: self.hard,
            rises: self.rises.clone(),
            shortened: self.shortened.clone(),
            vectors: self.state_vectors().map(|vector| vector.clone()).to_vec(),
            history: self.state.history.clone(),
            motion,
        };
        kept.put(bytes);
        Ok(())
    }

    /// Restores the state from `bytes`.
    pub fn restore(&mut self, bytes: &mut &[u8]) -> Result<(), Error> {
        let foreign = |_: Damaged| Error::Usage("the checkpoint's state is not one of this scene".to_owned());
        let kept = Kept::take(bytes).map_err(foreign)?;
        let rows = self.topology.particle_count();
        let motion = [&kept.motion.positions, &kept.motion.velocities, &kept.motion.forces];
        let fits = kept.vectors.iter().chain(motion).all(|vector| vector.len() == rows)
            && kept.vectors.len() == self.state_vectors().len()
            && kept.history.len() == self.state.history.len();
        if !fits {
            return Err(foreign(Damaged));
        }
        for (to, from) in self.state_vectors().into_iter().zip(kept.vectors) {
            *to = from;
        }
        self.state.history = kept.history;
        self.state.wind_phase = kept.wind_phase;
        self.hard = kept.hard;
        self.rises = kept.rises;
        self.shortened = kept.shortened;
        (self.step, self.clock, self.before) = (kept.step, kept.clock, kept.before);
        self.restored = Some(kept.motion);
        Ok(())
    }

    fn state_vectors(&mut self) -> [&mut Vec<DVec3>; 7] {
        let state = &mut self.state;
        [
            &mut state.positions,
            &mut state.velocities,
            &mut state.previous_positions,
            &mut state.previous_velocities,
            &mut state.p,
            &mut state.s,
            &mut state.residual,
        ]
    }
}
