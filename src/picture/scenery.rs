//! GPU resources of a model: buffers, passes bound to them, and per-frame updates.

use super::{
    Picture, Positions, beads, colour_map,
    model::{Key, Model},
    painter::Drawings,
    solids,
    targets::Targets,
};
use crate::{
    Error, Pose,
    gpu::{
        BoundDrawing, BufferPlan, Buffers, Constants, Dispatch, Gpu, Readback,
        layout::picture::{Block, Finish, Frame, Map, Survey},
        shader,
    },
};
use glam::Vec3;
use std::time::Duration;

/// Time limit for reading positions.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Threads of a workgroup, equal to that in `shaders/picture/rows.wgsl`.
const WORKGROUP_SIZE: usize = 64;
/// Largest number of workgroups of a dispatch; kernels loop over further rows.
const MOST_WORKGROUPS: usize = 65_535;

/// GPU resources that depend on the drawn objects but not on their positions.
pub(super) struct Scenery {
    pub key: Key,
    pub model: Model,
    buffers: Buffers,
    /// Passes from positions to normals.
    pub shape: Vec<Dispatch>,
    /// Passes from normals to the projections of depth maps.
    pub aim: Vec<Dispatch>,
    /// Passes from depth maps to ambient light.
    pub gather: Vec<Dispatch>,
    pub heights: BoundDrawing,
    pub shadow: BoundDrawing,
    pub depth: BoundDrawing,
    pub cloth: BoundDrawing,
    pub floor: BoundDrawing,
    pub compose: BoundDrawing,
    /// Poses of solids at their last upload.
    poses: Vec<Pose>,
    /// Whether the details of each surface contain values.
    has_values: Vec<bool>,
}

impl Scenery {
    pub fn new(gpu: &Gpu, targets: &Targets, drawings: &Drawings, key: Key, model: Model) -> Result<Self, Error> {
        let vertices = model.vertex_count + model.prop_count;
        let triangles = model.triangles.len();
        let marks = model.prop_count.div_ceil(beads::VERTICES as usize).max(1);
        let maps = targets.size.axes() as usize + 1;
        let sky = sky_cells(gpu)?;
        let plan = [
            BufferPlan::uniform("view", size_of::<crate::gpu::layout::picture::View>()),
            BufferPlan::storage("sources", model.vertex_count, 16),
            BufferPlan::storage("vertices", vertices, 16),
            BufferPlan::storage("plain_normals", model.vertex_count, 16),
            BufferPlan::storage("normals", vertices, 16),
            BufferPlan::storage("gathered", 2 * vertices, 16),
            BufferPlan::storage("ambient", 2 * vertices, 16),
            BufferPlan::storage("details", vertices, 16),
            BufferPlan::storage("corners", 3 * triangles, 4),
            BufferPlan::storage("indices", 3 * triangles, 4).for_indices(),
            BufferPlan::storage("faces", triangles, 16),
            BufferPlan::storage("fans", model.fans.len(), 4),
            BufferPlan::storage("blocks", model.blocks.len(), size_of::<Block>()),
            BufferPlan::storage("surveys", model.blocks.len(), size_of::<Survey>()),
            BufferPlan::storage("finishes", model.finishes.len(), size_of::<Finish>()),
            BufferPlan::storage("marks", 2 * marks, 16),
            BufferPlan::storage("frame", 1, size_of::<Frame>()),
            BufferPlan::storage("maps", maps, size_of::<Map>()),
            BufferPlan::storage("sky", sky, 4),
            BufferPlan::storage("blurred", sky, 4),
        ];
        let buffers = Buffers::create(&plan, gpu)?;
        buffers.write(gpu, "corners", 0, &model.triangles)?;
        buffers.write(gpu, "fans", 0, &model.fans)?;
        buffers.write(gpu, "blocks", 0, &model.blocks)?;
        buffers.write(gpu, "finishes", 0, &model.finishes)?;
        buffers.write(gpu, "details", 0, &model.details)?;

        let find = |name: &str| match name {
            "heights" => Some(wgpu::BindingResource::TextureView(&targets.heights)),
            "shadow" => Some(wgpu::BindingResource::TextureView(&targets.shadow)),
            "first_layer" => Some(wgpu::BindingResource::TextureView(&targets.layers[0])),
            "second_layer" => Some(wgpu::BindingResource::TextureView(&targets.layers[1])),
            "nearest" => Some(wgpu::BindingResource::Sampler(&targets.nearest)),
            other => buffers.get(other).map(wgpu::Buffer::as_entire_binding),
        };
        let run = |name: &'static str, rows: usize| gpu.kernel(name)?.bind_named(gpu, find, workgroups(rows));
        let blur = |stride: usize, source: &'static str, destination: &'static str| {
            let constants: Constants = vec![("STRIDE", stride as u32)];
            let kernel = gpu.kernel_with("picture/blur", &constants)?;
            let renamed = |name: &str| match name {
                "source" => find(source),
                "destination" => find(destination),
                other => find(other),
            };
            kernel.bind_named(gpu, renamed, workgroups(sky))
        };
        let side = sky.isqrt();
        let scenery = Self {
            shape: vec![
                run("picture/place", model.vertex_count)?,
                run("picture/faces", triangles)?,
                run("picture/normals", model.vertex_count)?,
                run("picture/round", model.vertex_count)?,
            ],
            aim: vec![
                run("picture/survey", model.blocks.len())?,
                run("picture/settle", model.finishes.len())?,
                run("picture/aim", maps)?,
                run("picture/props", model.prop_count)?,
                // The pass runs again for the triangles of props.
                run("picture/faces", triangles)?,
            ],
            gather: vec![
                run("picture/ambient", vertices)?,
                run("picture/soften", vertices)?,
                run("picture/sky", sky)?,
                blur(1, "sky", "blurred")?,
                blur(side, "blurred", "sky")?,
            ],
            heights: drawings.heights.bind(gpu, find)?,
            shadow: drawings.shadow.bind(gpu, find)?,
            depth: drawings.depth.bind(gpu, find)?,
            cloth: drawings.cloth.bind(gpu, find)?,
            floor: drawings.floor.bind(gpu, find)?,
            compose: drawings.compose.bind(gpu, find)?,
            poses: Vec::new(),
            has_values: Vec::new(),
            key,
            buffers,
            model,
        };
        Ok(scenery)
    }

    /// Uploads everything that has changed; positions on the GPU are copied there.
    pub fn update(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        picture: &Picture<'_>,
    ) -> Result<(), Error> {
        let sources = self.buffers.named("sources")?;
        for (surface, &start) in picture.surfaces.iter().zip(&self.model.firsts) {
            match surface.positions {
                Positions::Slice(positions) => {
                    let places: Vec<[f32; 4]> = positions.iter().map(|place| place.extend(1.0).to_array()).collect();
                    self.buffers.write(gpu, "sources", start, &places)?;
                }
                Positions::Buffer { buffer, first, .. } => {
                    let bytes = 16 * surface.positions.len() as u64;
                    if bytes > 0 {
                        encoder.copy_buffer_to_buffer(buffer, 16 * u64::from(first), sources, 16 * start as u64, bytes);
                    }
                }
            }
        }
        self.update_solids(gpu, picture)?;
        self.update_values(gpu, picture)?;
        let mut marks: Vec<[f32; 4]> =
            beads::places(picture.pins).iter().map(|place| place.extend(0.0).to_array()).collect();
        let planes = solids::leaning_planes(picture.solids);
        marks.extend(
            planes.iter().flat_map(|(point, normal)| [point.extend(0.0).to_array(), normal.extend(0.0).to_array()]),
        );
        self.buffers.write(gpu, "marks", 0, &marks)
    }

    fn update_solids(&mut self, gpu: &Gpu, picture: &Picture<'_>) -> Result<(), Error> {
        let poses: Vec<Pose> = solids::bodies(picture.solids).map(|solid| solid.pose).collect();
        let starts = &self.model.firsts[picture.surfaces.len()..];
        for (ix, ((hull, pose), &start)) in self.model.hulls.iter().zip(&poses).zip(starts).enumerate() {
            if self.poses.get(ix) != Some(pose) {
                let place = |place: &Vec3| (pose.position + pose.rotation * *place).extend(1.0).to_array();
                let places: Vec<[f32; 4]> = hull.positions.iter().map(place).collect();
                self.buffers.write(gpu, "sources", start, &places)?;
            }
        }
        self.poses = poses;
        Ok(())
    }

    fn update_values(&mut self, gpu: &Gpu, picture: &Picture<'_>) -> Result<(), Error> {
        self.has_values.resize(picture.surfaces.len(), false);
        for (ix, surface) in picture.surfaces.iter().enumerate() {
            let range = self.model.firsts[ix]..self.model.firsts[ix + 1];
            let has_values = !surface.values.is_empty() && surface.values.len() == range.len();
            if has_values || self.has_values[ix] {
                let details = &mut self.model.details[range.clone()];
                for (vertex, detail) in details.iter_mut().enumerate() {
                    detail[2] = if has_values { colour_map::sane(surface.values[vertex]) } else { -1.0 };
                }
                self.buffers.write(gpu, "details", range.start, &self.model.details[range.clone()])?;
            }
            self.has_values[ix] = has_values;
        }
        Ok(())
    }

    /// Uploads the view parameters.
    pub fn set_view(&self, gpu: &Gpu, view: &crate::gpu::layout::picture::View) -> Result<(), Error> {
        self.buffers.write(gpu, "view", 0, std::slice::from_ref(view))
    }

    /// Index buffer of the drawn triangles.
    pub fn indices(&self) -> Result<&wgpu::Buffer, Error> {
        self.buffers.named("indices")
    }

    /// Reads back all drawn positions, for framing.
    pub fn drawn_positions(&self, gpu: &Gpu) -> Result<Vec<Vec3>, Error> {
        if self.model.vertex_count == 0 {
            return Ok(Vec::new());
        }
        let vertices = self.buffers.named("vertices")?;
        let mut readback = Readback::new(gpu, "tenter.picture.positions", 16 * self.model.vertex_count as u64)?;
        let bytes = readback.fetch_now(gpu, vertices, |_| {}, "the positions of a picture", TIMEOUT)?;
        let vertices = bytes.chunks_exact(16).map(bytemuck::pod_read_unaligned::<[f32; 4]>);
        Ok(vertices.filter(|place| place[3] > 0.0).map(|[x, y, z, _]| Vec3::new(x, y, z)).collect())
    }
}

fn workgroups(rows: usize) -> u32 {
    rows.div_ceil(WORKGROUP_SIZE).clamp(1, MOST_WORKGROUPS) as u32
}

/// Number of points of the sky grid on the ground.
fn sky_cells(gpu: &Gpu) -> Result<usize, Error> {
    let module = shader::parse("picture/sky", gpu.launch()).map_err(Error::Gpu)?;
    let side = shader::constant(&module, "SKY_SIDE").ok_or_else(|| Error::Gpu("no side of the sky".to_owned()))?;
    Ok((side * side) as usize)
}
