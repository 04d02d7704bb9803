//! Finer surfaces that move with bodies, for those who draw or export them. See [`Body::with_skin`](crate::Body::with_skin).

use super::Simulation;
use crate::{BodyId, Error, engine::Skinned};
use glam::Vec3;
use std::ops::Range;

impl Simulation {
    /// Where the vertices of a body's skin are, m, in the order of its mesh. Waits for all steps.
    ///
    /// ```
    /// # use tenter::{Backend, Body, Mass, Material, Mesh, Options, Scene, Simulation};
    /// # fn main() -> Result<(), tenter::Error> {
    /// let (coarse, fine) = (Mesh::grid(1.0, 1.0, 4, 4), Mesh::grid(1.0, 1.0, 31, 31));
    /// let mut scene = Scene::new();
    /// let cloth = scene.add(Body::cloth(coarse, Material::cotton()).with_skin(fine));
    /// let mut simulation = Simulation::new(Backend::Cpu, &scene, Options::default())?;
    /// simulation.step()?;
    /// assert_eq!(simulation.skin_positions(cloth)?.len(), 31 * 31);
    /// # Ok(()) }
    /// ```
    pub fn skin_positions(&mut self, body: BodyId) -> Result<Vec<Vec3>, Error> {
        self.read_skin(body, Skinned::Positions)
    }

    /// Unit normals of a body's skin at its vertices: those of the triangles around each, by their areas; zero where there are none.
    /// Waits for all steps.
    pub fn skin_normals(&mut self, body: BodyId) -> Result<Vec<Vec3>, Error> {
        self.read_skin(body, Skinned::Normals)
    }

    /// Where the vertices of a body's skin are among those of all skins.
    pub fn skin_range(&self, body: BodyId) -> Result<Range<usize>, Error> {
        match self.topology.skins.ranges.get(body.0) {
            Some(range) if !range.is_empty() => Ok(range.clone()),
            Some(_) => Err(Error::Usage(format!("body {} has no skin", body.0))),
            None => Err(Error::Usage(format!("there is no body {}", body.0))),
        }
    }

    /// Adds to the host's encoder what moves all skins to where their bodies are then, and computes their normals: to be drawn from
    /// [`skin_buffer`](Self::skin_buffer) and [`skin_normal_buffer`](Self::skin_normal_buffer) in the same submission. Nothing moves
    /// them otherwise, but for the calls that read them. Not on the CPU backend.
    pub fn encode_skins(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        self.check_skins()?;
        self.engine.encode_skins(encoder)
    }

    /// Vertices of all skins on the GPU, m: one `vec4<f32>` each, w = 1, stride 16, usable as a vertex buffer and as storage;
    /// [`skin_range`](Self::skin_range) says which are a body's. Zeros before the first [`encode_skins`](Self::encode_skins). The
    /// same buffer as long as the simulation lives. Not on the CPU backend.
    pub fn skin_buffer(&self) -> Result<&wgpu::Buffer, Error> {
        self.find_skin_buffer(Skinned::Positions)
    }

    /// The same for unit normals, w = 0.
    pub fn skin_normal_buffer(&self) -> Result<&wgpu::Buffer, Error> {
        self.find_skin_buffer(Skinned::Normals)
    }

    fn read_skin(&mut self, body: BodyId, what: Skinned) -> Result<Vec<Vec3>, Error> {
        let range = self.skin_range(body)?;
        self.finish()?;
        let values = self.engine.skin(what, range)?;
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
