//! The state: read, kept, put back.

use super::{Engine, Motion, Skinned, either};
use crate::{Costs, Error, Gpu};
use glam::DVec3;
use std::ops::Range;

impl Engine {
    /// Positions by row, all steps done.
    pub async fn positions(&mut self) -> Result<Vec<DVec3>, Error> {
        match self {
            Self::Gpu(engine) => engine.read_rows("positions").await,
            Self::Cpu(engine) => engine.positions(),
        }
    }

    /// Positions in the user's order, all steps done.
    pub async fn published(&mut self) -> Result<Vec<DVec3>, Error> {
        match self {
            Self::Gpu(engine) => engine.published().await,
            Self::Cpu(engine) => engine.published(),
        }
    }

    /// Positions of some particles, by the user's numbers, all steps done.
    pub async fn published_of(&mut self, particles: &[u32]) -> Result<Vec<DVec3>, Error> {
        match self {
            Self::Gpu(engine) => engine.published_of(particles).await,
            Self::Cpu(engine) => engine.published_of(particles),
        }
    }

    /// Velocities by row, all steps done.
    pub async fn velocities(&mut self) -> Result<Vec<DVec3>, Error> {
        match self {
            Self::Gpu(engine) => engine.read_rows("velocities").await,
            Self::Cpu(engine) => engine.velocities(),
        }
    }

    /// Forces of the constraints by row, averaged over the last step, N.
    pub async fn constraint_forces(&mut self) -> Result<Vec<DVec3>, Error> {
        match self {
            Self::Gpu(engine) => engine.constraint_forces().await,
            Self::Cpu(engine) => engine.constraint_forces(),
        }
    }

    /// Everything that contact tests need, in one copy, all steps done.
    pub async fn motion(&mut self) -> Result<Motion, Error> {
        match self {
            Self::Gpu(engine) => engine.motion().await,
            Self::Cpu(engine) => engine.motion(),
        }
    }

    /// What edges remember, in the order of the topology.
    pub async fn edge_history(&mut self) -> Result<Vec<[f64; 4]>, Error> {
        match self {
            Self::Gpu(engine) => engine.read_history().await,
            Self::Cpu(engine) => engine.edge_history(),
        }
    }

    /// Some vertices of all skins, or their normals, all steps done. Only where the scene has skins.
    pub async fn skin(&mut self, what: Skinned, range: Range<usize>) -> Result<Vec<DVec3>, Error> {
        match self {
            Self::Gpu(engine) => engine.read_skin(what, range).await,
            Self::Cpu(engine) => engine.skin(what, range),
        }
    }

    /// Adds to the host's encoder what moves skins and computes their normals. Only where the scene has skins.
    pub fn encode_skins(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        match self {
            Self::Gpu(engine) => engine.encode_skins(encoder),
            Self::Cpu(_) => Err(Error::Usage("the CPU backend has nothing to encode: use skin_positions()".to_owned())),
        }
    }

    /// Vertices of skins, or their normals, on the GPU.
    pub fn skin_buffer(&self, what: Skinned) -> Option<&wgpu::Buffer> {
        self.on_gpu().and_then(|engine| engine.skin_buffer(what))
    }

    /// Positions on the GPU, in the user's order.
    pub fn position_buffer(&self) -> Option<&wgpu::Buffer> {
        self.on_gpu().and_then(|engine| engine.buffer("published"))
    }

    /// The device that the engine runs on.
    pub fn gpu(&self) -> Option<&Gpu> {
        self.on_gpu().map(|engine| engine.gpu())
    }

    /// What a step costs.
    pub fn costs(&self) -> Costs {
        self.on_gpu().map(|engine| engine.costs()).unwrap_or_default()
    }

    fn on_gpu(&self) -> Option<&super::GpuEngine> {
        match self {
            Self::Gpu(engine) => Some(engine),
            Self::Cpu(_) => None,
        }
    }

    /// Keeps the state, where steps are adaptive or safe among colliders. No step is under way.
    pub fn save(&mut self) -> Result<(), Error> {
        either!(self, engine => engine.save())
    }

    /// Goes back to the state that was kept, as if nothing had happened since.
    pub fn rollback(&mut self) -> Result<(), Error> {
        either!(self, engine => engine.rollback())
    }

    /// Adds the whole state to some bytes, all steps done.
    pub async fn checkpoint(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        match self {
            Self::Gpu(engine) => engine.checkpoint(bytes).await,
            Self::Cpu(engine) => engine.checkpoint(bytes),
        }
    }

    /// Takes the state from there. No step is under way; pins, ties, loads and the length of a step are what they were then.
    pub fn restore(&mut self, bytes: &mut &[u8]) -> Result<(), Error> {
        either!(self, engine => engine.restore(bytes))
    }

    /// Goes back to the start.
    pub async fn reset(&mut self) -> Result<(), Error> {
        match self {
            Self::Gpu(engine) => engine.reset().await,
            Self::Cpu(engine) => engine.reset(),
        }
    }
}
