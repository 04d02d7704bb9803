//! Skins on the GPU: upload of their bindings to particles, and read-back of their vertices.

use super::{GpuEngine, inputs::vectors};
use crate::{
    Error,
    engine::Skinned,
    gpu::{BufferPlan, Buffers, Gpu, Readback, Timeline, layout},
    stage::Skin,
    topology::Skins,
};
use glam::DVec3;
use std::ops::Range;

/// Kernels and read-back of skins.
pub(super) struct SkinEngine {
    pub stage: Skin,
    /// Staging buffer with room for the largest buffer of skins.
    readback: Readback,
}

/// Plans the buffers of skins; empty without skins.
pub(super) fn plan(skins: &Skins) -> Vec<BufferPlan> {
    if skins.is_empty() {
        return Vec::new();
    }
    let count = skins.points.len();
    let words = skins.fans.offsets.len() + 2 * skins.fans.corners.len();
    vec![
        BufferPlan::storage("skin_points", count, size_of::<layout::SkinPoint>()),
        BufferPlan::storage("skin_fans", words, 4),
        BufferPlan::storage(buffer_name(Skinned::Positions), count, 16).as_vertices(),
        BufferPlan::storage(buffer_name(Skinned::Normals), count, 16).as_vertices(),
    ]
}

/// Name of the buffer in the shaders.
pub(super) fn buffer_name(what: Skinned) -> &'static str {
    match what {
        Skinned::Positions => "skin_positions",
        Skinned::Normals => "skin_normals",
    }
}

/// Writes the buffers of skins that never change.
pub(super) fn upload(skins: &Skins, gpu: &Gpu, buffers: &Buffers) -> Result<(), Error> {
    if skins.is_empty() {
        return Ok(());
    }
    let points = skins.points.iter().map(|point| layout::SkinPoint {
        particles: point.particles,
        weights: point.weights.as_vec3().to_array(),
        solid: point.solid.into(),
    });
    buffers.write(gpu, "skin_points", 0, &points.collect::<Vec<_>>())?;
    buffers.write(gpu, "skin_fans", 0, &[skins.fans.offsets.as_slice(), skins.fans.corners.as_flattened()].concat())
}

impl SkinEngine {
    /// Binds the kernels of skins; `None` without skins.
    pub fn new(skins: &Skins, gpu: &Gpu, buffers: &Buffers) -> Result<Option<Self>, Error> {
        if skins.is_empty() {
            return Ok(None);
        }
        let workgroups = Skin::workgroups(gpu, skins)?;
        let most = skins.ranges.iter().map(Range::len).max().unwrap_or(0);
        Ok(Some(Self {
            stage: Skin::new(gpu, buffers, workgroups)?,
            readback: Readback::new(gpu, "tenter.skin", 16 * most as u64)?,
        }))
    }
}

impl GpuEngine {
    pub async fn read_skin(&mut self, what: Skinned, range: Range<usize>) -> Result<Vec<DVec3>, Error> {
        self.finish().await?;
        let Some(skins) = &mut self.stages.skins else { return Ok(Vec::new()) };
        let source = self.device.buffers.named(buffer_name(what))?;
        let stage = &skins.stage;
        let dispatches = |timeline: &mut Timeline<'_>| stage.encode(timeline, what == Skinned::Normals);
        let offset = 16 * range.start as u64;
        let gpu = &self.device.gpu;
        let bytes = skins.readback.fetch(gpu, source, offset, dispatches, "a copy of a skin").await?;
        Ok(vectors(&bytes[..bytes.len().min(16 * range.len())]))
    }
}
