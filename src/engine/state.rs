//! The state of an engine: read, saved, restored.

use super::{Engine, Motion, Skinned, either};
use crate::{Costs, Error, Gpu};
use glam::DVec3;
use std::ops::Range;

impl Engine {
    /// Reads positions by row, after all steps under way, m.
    pub async fn positions(&mut self) -> Result<Vec<DVec3>, Error> {
        match self {
            Self::Gpu(engine) => engine.read_rows("positions").await,
            Self::Cpu(engine) => engine.positions(),
        }
    }

    /// Reads positions in the user's order, after all steps under way, m.
    pub async fn published(&mut self) -> Result<Vec<DVec3>, Error> {
        match self {
            Self::Gpu(engine) => engine.published().await,
            Self::Cpu(engine) => engine.published(),
        }
    }

    /// Reads positions of some particles, by the user's numbers, after all steps under way, m.
    pub async fn published_of(&mut self, particles: &[u32]) -> Result<Vec<DVec3>, Error> {
        match self {
            Self::Gpu(engine) => engine.published_of(particles).await,
            Self::Cpu(engine) => engine.published_of(particles),
        }
    }

    /// Reads velocities by row, after all steps under way, m/s.
    pub async fn velocities(&mut self) -> Result<Vec<DVec3>, Error> {
        match self {
            Self::Gpu(engine) => engine.read_rows("velocities").await,
            Self::Cpu(engine) => engine.velocities(),
        }
    }

    /// Reads forces of the constraints by row, averaged over the last step, N.
    pub async fn constraint_forces(&mut self) -> Result<Vec<DVec3>, Error> {
        match self {
            Self::Gpu(engine) => engine.constraint_forces().await,
            Self::Cpu(engine) => engine.constraint_forces(),
        }
    }

    /// Reads forces of contact between bodies by row, in size, in the last step, N.
    #[cfg(feature = "cli")]
    pub async fn meeting_forces(&mut self) -> Result<Vec<f64>, Error> {
        match self {
            Self::Gpu(engine) => engine.meeting_forces().await,
            Self::Cpu(engine) => Ok(engine.meeting_forces()),
        }
    }

    /// Reads the inputs of contact tests, in one copy, after all steps under way.
    pub async fn motion(&mut self) -> Result<Motion, Error> {
        match self {
            Self::Gpu(engine) => engine.motion().await,
            Self::Cpu(engine) => engine.motion(),
        }
    }

    /// Reads the memory of edges, in the order of the topology.
    pub async fn edge_history(&mut self) -> Result<Vec<[f64; 4]>, Error> {
        match self {
            Self::Gpu(engine) => engine.read_history().await,
            Self::Cpu(engine) => engine.edge_history(),
        }
    }

    /// Reads positions or normals of some skin vertices, after all steps under way. Only for scenes with skins.
    pub async fn skin(&mut self, what: Skinned, range: Range<usize>) -> Result<Vec<DVec3>, Error> {
        match self {
            Self::Gpu(engine) => engine.read_skin(what, range).await,
            Self::Cpu(engine) => engine.skin(what, range),
        }
    }

    /// Encodes the kernels that place skins and compute their normals into the host's encoder. Only for scenes with skins.
    pub fn encode_skins(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        match self {
            Self::Gpu(engine) => engine.encode_skins(encoder),
            Self::Cpu(_) => Err(Error::Usage("the CPU backend has nothing to encode: use skin_positions()".to_owned())),
        }
    }

    /// Buffer of positions or normals of skin vertices on the GPU.
    pub fn skin_buffer(&self, what: Skinned) -> Option<&wgpu::Buffer> {
        self.on_gpu().and_then(|engine| engine.skin_buffer(what))
    }

    /// Buffer of positions on the GPU, in the user's order.
    pub fn position_buffer(&self) -> Option<&wgpu::Buffer> {
        self.on_gpu().and_then(|engine| engine.buffer("published"))
    }

    /// The GPU that the engine runs on.
    pub fn gpu(&self) -> Option<&Gpu> {
        self.on_gpu().map(|engine| engine.gpu())
    }

    /// Costs of a step.
    pub fn costs(&self) -> Costs {
        self.on_gpu().map(|engine| engine.costs()).unwrap_or_default()
    }

    fn on_gpu(&self) -> Option<&super::GpuEngine> {
        match self {
            Self::Gpu(engine) => Some(engine),
            Self::Cpu(_) => None,
        }
    }

    /// Saves the state, for adaptive steps and for safe steps in scenes with colliders. No step may be under way.
    pub fn save(&mut self) -> Result<(), Error> {
        either!(self, engine => engine.save())
    }

    /// Restores the saved state, with everything that later steps read.
    pub fn rollback(&mut self) -> Result<(), Error> {
        either!(self, engine => engine.rollback())
    }

    /// Appends the whole state to `bytes`, after all steps under way.
    pub async fn checkpoint(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        match self {
            Self::Gpu(engine) => engine.checkpoint(bytes).await,
            Self::Cpu(engine) => engine.checkpoint(bytes),
        }
    }

    /// Restores the state from `bytes`. No step may be under way; pins, ties, loads and the time step must be those of the checkpoint.
    pub fn restore(&mut self, bytes: &mut &[u8]) -> Result<(), Error> {
        either!(self, engine => engine.restore(bytes))
    }

    /// Resets the engine to the start of the simulation.
    pub async fn reset(&mut self) -> Result<(), Error> {
        match self {
            Self::Gpu(engine) => engine.reset().await,
            Self::Cpu(engine) => engine.reset(),
        }
    }
}
