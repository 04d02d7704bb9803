//! Skins: finer surfaces that follow bodies, for drawing and export. See [`Body::with_skin`](crate::Body::with_skin).

use super::Simulation;
use crate::{BodyId, Error, engine::Skinned};
use glam::Vec3;
use std::ops::Range;

impl Simulation {
    /// Range of a body's skin vertices among those of all skins.
    pub fn skin_range(&self, body: BodyId) -> Result<Range<usize>, Error> {
        match self.topology.skins.ranges.get(body.0) {
            Some(range) if !range.is_empty() => Ok(range.clone()),
            Some(_) => Err(Error::Usage(format!("body {} has no skin", body.0))),
            None => Err(Error::Usage(format!("there is no body {}", body.0))),
        }
    }

    /// Encodes the update of all skins into the host's encoder: positions from the current bodies, and normals. Draw them from
    /// [`skin_buffer`](Self::skin_buffer) and [`skin_normal_buffer`](Self::skin_normal_buffer) in the same submission. Only this
    /// call and those that read skins update them. Not on the CPU backend.
    pub fn encode_skins(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        self.check_skins()?;
        self.engine.encode_skins(encoder)
    }

    /// Buffer of all skin vertices on the GPU, m: one `vec4<f32>` each, w = 1, stride 16, usable as a vertex buffer and as
    /// storage. [`skin_range`](Self::skin_range) gives a body's part of it. It is zero before the first
    /// [`encode_skins`](Self::encode_skins), and stays the same buffer for the lifetime of the simulation. Not on the CPU
    /// backend.
    pub fn skin_buffer(&self) -> Result<&wgpu::Buffer, Error> {
        self.find_skin_buffer(Skinned::Positions)
    }

    /// Buffer of unit normals of all skin vertices on the GPU: one `vec4<f32>` each, w = 0, laid out as
    /// [`skin_buffer`](Self::skin_buffer).
    pub fn skin_normal_buffer(&self) -> Result<&wgpu::Buffer, Error> {
        self.find_skin_buffer(Skinned::Normals)
    }

    pub(super) async fn read_skin(&mut self, body: BodyId, what: Skinned) -> Result<Vec<Vec3>, Error> {
        let range = self.skin_range(body)?;
        self.finish_async().await?;
        let values = self.engine.skin(what, range).await?;
        Ok(values.iter().map(|value| value.as_vec3()).collect())
    }

    fn find_skin_buffer(&self, what: Skinned) -> Result<&wgpu::Buffer, Error> {
        self.check_skins()?;
        let buffer = self.engine.skin_buffer(what);
        buffer.ok_or_else(|| Error::Usage("the CPU backend has no buffer of skins".to_owned()))
    }

    fn check_skins(&self) -> Result<(), Error> {
        if self.topology.skins.is_empty() {
            return Err(Error::Usage("no body of the scene has a skin".to_owned()));
        }
        Ok(())
    }
}
