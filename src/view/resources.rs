//! The GPU's side of a view: buffers, the kernels that fill them, and the drawings.

use super::{Orbit, Pick, Ray, colour_map, light::KeyLight, model::Model, pick, probe::Probe};
use crate::{
    Error, Gpu, Pose, Scene, Simulation,
    gpu::{
        BoundDrawing, BufferPlan, Buffers, DEPTH_FORMAT, Dispatch, Drawing, DrawingPlan,
        layout::view::{Coat, Eye, Ray as PickRay},
    },
};
use glam::{Mat3, Vec3};
use std::sync::Arc;

/// Threads of a workgroup, as in `shaders/picture/rows.wgsl`.
const WORKGROUP_SIZE: usize = 64;
/// Largest number of workgroups of a dispatch; kernels loop over further rows.
const MOST_WORKGROUPS: usize = 65_535;
/// Workgroups of a probe; each of their threads gives one answer.
const PROBE_WORKGROUPS: u32 = 4;
/// Vertices of a bead, as in `shaders/view/beads.wgsl`.
const BEAD_VERTICES: u32 = 6 * 12 * 6;

/// What a view draws.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Shown {
    /// Surfaces of bodies, skins and colliders.
    pub surfaces: bool,
    /// Edges of bodies.
    pub wires: bool,
    /// Beads at pinned and loose particles.
    pub beads: bool,
}

impl Default for Shown {
    /// Surfaces and beads.
    fn default() -> Self {
        Self { surfaces: true, wires: false, beads: true }
    }
}

/// Draws a simulation into a render pass of the host, as often as the host likes, and finds what is under the mouse.
///
/// A view belongs to a scene. It keeps a copy of the positions on the GPU, which [`encode_update`](Self::encode_update) takes between two steps: while a step is under
/// way, the position buffer of the simulation holds whatever the solver tries.
pub struct View {
    gpu: Gpu,
    model: Model,
    buffers: Buffers,
    eye: Eye,
    place: Dispatch,
    normals: Dispatch,
    drawings: Drawings,
    shadow_map: wgpu::TextureView,
    /// Number of beads: pinned particles and loose ones.
    marks: u32,
    picker: Probe,
    /// The ray of the pick under way.
    picking: Option<Ray>,
    surveyor: Probe,
    bounds: [Vec3; 2],
    poses: Vec<Pose>,
    values: Vec<f32>,
}

struct Drawings {
    shadow: BoundDrawing,
    backdrop: BoundDrawing,
    surface: BoundDrawing,
    beads: BoundDrawing,
    wires: BoundDrawing,
}

impl View {
    /// Format of the depth target: reversed, cleared to 0.
    pub const DEPTH_FORMAT: wgpu::TextureFormat = DEPTH_FORMAT;

    /// A view of a scene for targets of this format and number of samples. Colours are linear light, so that the format should be an sRGB one.
    pub fn new(gpu: &Gpu, scene: &Scene, format: wgpu::TextureFormat, samples: u32) -> Result<Self, Error> {
        let model = Model::new(scene);
        let vertices = model.details.len();
        let probes = PROBE_WORKGROUPS as usize * WORKGROUP_SIZE;
        let plan = [
            BufferPlan::uniform("eye", size_of::<Eye>()),
            BufferPlan::uniform("ray", size_of::<PickRay>()),
            BufferPlan::storage("published", model.particle_count, 16),
            BufferPlan::storage("skin_positions", model.skin_count, 16),
            BufferPlan::storage("hulls", model.hulls.len(), 16),
            BufferPlan::storage("poses", 3 * model.poses.len(), 16),
            BufferPlan::storage("vertices", vertices, 16),
            BufferPlan::storage("normals", vertices, 16),
            BufferPlan::storage("details", vertices, 16),
            BufferPlan::storage("fans", model.fans.len(), 4),
            BufferPlan::storage("coats", model.coats.len(), size_of::<Coat>()),
            BufferPlan::storage("items", model.items.len(), 12),
            BufferPlan::storage("marks", model.particle_count, 4),
            BufferPlan::storage("hits", probes, 16),
            BufferPlan::storage("boxes", 2 * probes, 16),
            BufferPlan::storage("indices", model.triangles.len(), 12).for_indices(),
            BufferPlan::storage("wires", model.wires.len(), 8).for_indices(),
        ];
        let buffers = Buffers::create(&plan, gpu)?;
        buffers.write(gpu, "hulls", 0, &model.hulls)?;
        buffers.write(gpu, "details", 0, &model.details)?;
        buffers.write(gpu, "fans", 0, &model.fans)?;
        buffers.write(gpu, "coats", 0, &model.coats)?;
        buffers.write(gpu, "items", 0, &model.items)?;
        buffers.write(gpu, "indices", 0, &model.triangles)?;
        buffers.write(gpu, "wires", 0, &model.wires)?;

        let side = if gpu.is_software() { 1024 } else { 2048 };
        let shadow_map = shadow_map(gpu, side)?;
        let nearest = gpu.checked(|| gpu.device().create_sampler(&wgpu::SamplerDescriptor::default()))?;
        let find = |name: &str| match name {
            "shadow" => Some(wgpu::BindingResource::TextureView(&shadow_map)),
            "nearest" => Some(wgpu::BindingResource::Sampler(&nearest)),
            other => buffers.get(other).map(wgpu::Buffer::as_entire_binding),
        };
        let probe = |name: &'static str, answer: &'static str| {
            let dispatch = gpu.kernel(name)?.bind_named(gpu, find, PROBE_WORKGROUPS)?;
            Probe::new(gpu, dispatch, buffers.named(answer)?)
        };
        let drawings = Drawings::new(gpu, format, samples, &find)?;
        let mut view = Self {
            eye: Eye {
                particle_count: model.particle_count as u32,
                skin_count: model.skin_count as u32,
                vertex_count: vertices as u32,
                bead_radius: model.bead_radius,
                shadow_side: side as f32,
                value_scale: -1.0,
                wire: 0.04,
                colours: colour_map::linear(),
                ..Default::default()
            },
            place: bind_place(gpu, &buffers, None, vertices)?,
            normals: gpu.kernel("view/normals")?.bind_named(gpu, find, workgroups(vertices))?,
            drawings,
            picker: probe("view/pick", "hits")?,
            surveyor: probe("view/survey", "boxes")?,
            picking: None,
            marks: 0,
            bounds: model.bounds,
            poses: Vec::new(),
            values: Vec::new(),
            gpu: gpu.clone(),
            shadow_map,
            model,
            buffers,
        };
        let start: Vec<Vec3> = scene.bodies.iter().flat_map(|body| body.start_positions()).copied().collect();
        view.write_positions(&start)?;
        view.write_skins(scene)?;
        view.set_poses(&view.model.poses.clone())?;
        view.set_beads(&[])?;
        view.look(&Orbit::framing(view.bounds), 1, 1)?;
        Ok(view)
    }

    /// Draws from the position buffer of a simulation on the same device, and from its skins. Positions of the CPU backend come by
    /// [`write_positions`](Self::write_positions).
    pub fn follow(&mut self, simulation: &Simulation) -> Result<(), Error> {
        let positions = simulation.position_buffer()?;
        let skins = if self.model.skin_count > 0 { Some(simulation.skin_buffer()?) } else { None };
        self.place = bind_place(&self.gpu, &self.buffers, Some((positions, skins)), self.model.details.len())?;
        Ok(())
    }

    /// Sets the positions to draw, in the user's order, m, in place of those of a simulation on the GPU.
    pub fn write_positions(&mut self, positions: &[Vec3]) -> Result<(), Error> {
        let count = positions.len().min(self.model.particle_count);
        let places: Vec<[f32; 4]> = positions[..count].iter().map(|place| place.extend(1.0).to_array()).collect();
        self.buffers.write(&self.gpu, "published", 0, &places)
    }

    /// Skins at their start, before the first step.
    fn write_skins(&self, scene: &Scene) -> Result<(), Error> {
        let skins = scene.bodies.iter().filter_map(|body| body.skin.as_ref());
        let places: Vec<[f32; 4]> =
            skins.flat_map(|skin| &skin.positions).map(|place| place.extend(1.0).to_array()).collect();
        self.buffers.write(&self.gpu, "skin_positions", 0, &places)
    }

    /// Sets the poses of all colliders, as [`Simulation::collider_poses`] gives them.
    pub fn set_poses(&mut self, poses: &[Pose]) -> Result<(), Error> {
        if self.poses == poses {
            return Ok(());
        }
        let count = poses.len().min(self.model.poses.len());
        let rows = poses[..count].iter().flat_map(|pose| {
            let turn = Mat3::from_quat(pose.rotation);
            (0..3).map(move |row| turn.row(row).extend(pose.position[row]).to_array())
        });
        self.buffers.write(&self.gpu, "poses", 0, &rows.collect::<Vec<_>>())?;
        self.poses = poses.to_vec();
        Ok(())
    }

    /// Sets the particles with a bead, such as pinned ones; loose particles of bodies without triangles have one anyway.
    pub fn set_beads(&mut self, particles: &[u32]) -> Result<(), Error> {
        let count = self.model.particle_count;
        let mut marks: Vec<u32> = particles.iter().copied().filter(|particle| (*particle as usize) < count).collect();
        marks.extend(&self.model.loose);
        marks.truncate(count);
        self.marks = marks.len() as u32;
        self.buffers.write(&self.gpu, "marks", 0, &marks)
    }

    /// Sets the values that colours show, one per particle, and the value of the brightest colour; no values: plain colours. Values belong to particles: skins keep their
    /// plain colours.
    pub fn set_values(&mut self, values: &[f32], most: f32) -> Result<(), Error> {
        let usable = values.len() == self.model.particle_count && most > 0.0 && most.is_finite();
        self.eye.value_scale = if usable { 1.0 / most } else { -1.0 };
        if usable {
            self.values = values.to_vec();
            for (detail, value) in self.model.details.iter_mut().zip(values) {
                detail[2] = if value.is_finite() { value.max(0.0) } else { 0.0 };
            }
            self.buffers.write(&self.gpu, "details", 0, &self.model.details[..self.model.particle_count])?;
        }
        Ok(())
    }

    /// Looks through a camera, for a picture of this size in pixels.
    pub fn look(&mut self, orbit: &Orbit, width: u32, height: u32) -> Result<(), Error> {
        let ratio = width.max(1) as f32 / height.max(1) as f32;
        let [least, most] = self.bounds;
        let centre = 0.5 * (least + most);
        let radius = (0.5 * (most - least).length()).max(1e-3);
        // The shadow map covers what the camera sees, and at most what there is, with its colliders.
        let seen = 1.5 * orbit.distance * (0.5 * orbit.field_of_view).tan() * ratio.max(1.0);
        let (middle, reach) = if seen < 2.0 * radius { (orbit.target, seen) } else { (centre, 2.0 * radius) };
        let (key, toward_rim) = KeyLight::over(middle, reach, orbit);
        let tangent = (0.5 * orbit.field_of_view).tan();
        let [right, up] = orbit.axes();
        let eye = &mut self.eye;
        eye.clip = orbit.clip(ratio).to_cols_array_2d();
        eye.shadow_clip = key.clip.to_cols_array_2d();
        eye.place = orbit.eye().to_array();
        eye.toward_key = key.toward.to_array();
        eye.toward_rim = toward_rim.to_array();
        eye.right = (tangent * ratio * right).to_array();
        eye.up = (tangent * up).to_array();
        eye.forward = orbit.forward().to_array();
        eye.height = height as f32;
        // Without a level plane the studio's ground lies slightly below everything.
        eye.ground = self.model.ground.unwrap_or(least.y - 0.006 * radius);
        eye.centre = centre.to_array();
        eye.radius = radius;
        eye.shadow_texel = key.width / eye.shadow_side;
        self.buffers.write(&self.gpu, "eye", 0, std::slice::from_ref(eye))
    }

    /// Takes the positions of the last step: copies vertices, computes normals. To be submitted between two steps, after the first [`look`](Self::look).
    pub fn encode_update(&self, encoder: &mut wgpu::CommandEncoder) {
        let descriptor = wgpu::ComputePassDescriptor { label: Some("tenter.view"), timestamp_writes: None };
        let mut pass = encoder.begin_compute_pass(&descriptor);
        self.place.run(&mut pass);
        self.normals.run(&mut pass);
    }

    /// Draws the shadow map, after an update or when the camera has moved.
    pub fn encode_shadow(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("tenter.view.shadow"),
            depth_stencil_attachment: Some(Self::depth_attachment(&self.shadow_map)),
            ..Default::default()
        });
        self.drawings.shadow.set(&mut pass);
        self.draw_indexed(&mut pass, "indices", 3 * self.model.triangles.len());
    }

    /// The depth attachment that [`draw`](Self::draw) needs: cleared to 0.
    pub fn depth_attachment(depth: &wgpu::TextureView) -> wgpu::RenderPassDepthStencilAttachment<'_> {
        let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Store };
        wgpu::RenderPassDepthStencilAttachment { view: depth, depth_ops: Some(ops), stencil_ops: None }
    }

    /// Draws into a pass of the host, with a target as given to [`new`](Self::new) and a [`depth_attachment`](Self::depth_attachment). The backdrop covers the whole target.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, shown: &Shown) {
        self.drawings.backdrop.set(pass);
        pass.draw(0..3, 0..1);
        if shown.surfaces {
            self.drawings.surface.set(pass);
            self.draw_indexed(pass, "indices", 3 * self.model.triangles.len());
        }
        let only_wires = self.model.items.len() == self.model.item_colliders.len() + self.model.loose.len();
        if shown.wires || only_wires {
            self.drawings.wires.set(pass);
            self.draw_indexed(pass, "wires", 2 * self.model.wires.len());
        }
        if shown.beads && self.marks > 0 {
            self.drawings.beads.set(pass);
            pass.draw(0..BEAD_VERTICES, 0..self.marks);
        }
    }

    fn draw_indexed(&self, pass: &mut wgpu::RenderPass<'_>, name: &str, count: usize) {
        if let (Some(indices), true) = (self.buffers.get(name), count > 0) {
            pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..count as u32, 0, 0..1);
        }
    }

    /// Asks what a ray hits first: [`picked`](Self::picked) has the answer some frames later. While one is under way others are dropped.
    pub fn pick(&mut self, ray: Ray) -> Result<(), Error> {
        if self.picker.is_under_way() {
            return Ok(());
        }
        let uniform = PickRay {
            origin: ray.origin.to_array(),
            item_count: self.model.items.len() as u32,
            direction: ray.direction.to_array(),
            bead_radius: 1.5 * self.model.bead_radius,
        };
        self.buffers.write(&self.gpu, "ray", 0, &[uniform])?;
        self.picking = Some(ray);
        self.picker.ask(&self.gpu)
    }

    /// The answer to [`pick`](Self::pick), once, when it has arrived: `Some(None)` if the ray hits nothing. Never waits; natively the device must be polled, as
    /// [`Gpu::poll`] does.
    pub fn picked(&mut self) -> Result<Option<Option<Pick>>, Error> {
        let Some(ray) = self.picking else { return Ok(None) };
        let Some(hits) = self.picker.answer(&self.gpu)? else { return Ok(None) };
        self.picking = None;
        Ok(Some(pick::nearest(&self.model, &hits, ray.origin, ray.direction)))
    }

    /// Measures the bounds anew if no measurement is under way, and takes in the last one. Never waits.
    pub fn survey(&mut self) -> Result<(), Error> {
        if let Some(boxes) = self.surveyor.answer(&self.gpu)? {
            let corner = |ix: usize, join: fn(Vec3, Vec3) -> Vec3| {
                boxes.iter().skip(ix).step_by(2).map(|place| Vec3::new(place[0], place[1], place[2])).reduce(join)
            };
            if let (Some(least), Some(most)) = (corner(0, Vec3::min), corner(1, Vec3::max))
                && least.cmple(most).all()
                && (most - least).is_finite()
            {
                self.bounds = [least, most];
            }
        }
        self.surveyor.ask(&self.gpu)
    }

    /// Corners of the box around all bodies, m: as last measured, or at the start.
    pub fn bounds(&self) -> [Vec3; 2] {
        self.bounds
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Positions that are drawn: one `vec4<f32>` per particle, then per vertex of skins and of colliders.
    pub fn vertex_buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffers.get("vertices")
    }

    /// Unit normals of all vertices, laid out as [`vertex_buffer`](Self::vertex_buffer).
    pub fn normal_buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffers.get("normals")
    }

    /// Corners of all drawn triangles, as indices of 32 bits into [`vertex_buffer`](Self::vertex_buffer), and their number.
    pub fn index_buffer(&self) -> Option<(&wgpu::Buffer, u32)> {
        self.buffers.get("indices").map(|indices| (indices, 3 * self.model.triangles.len() as u32))
    }
}

impl Drawings {
    fn new<'a>(
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        samples: u32,
        find: &impl Fn(&str) -> Option<wgpu::BindingResource<'a>>,
    ) -> Result<Self, Error> {
        let draw = |name, topology, colour: Option<wgpu::TextureFormat>, samples| {
            let depth = Some(wgpu::CompareFunction::GreaterEqual);
            let plan = DrawingPlan { name, topology, colour: colour.map(Into::into), depth, samples };
            let drawing: Arc<Drawing> = Drawing::new(gpu, &plan)?;
            drawing.bind(gpu, find)
        };
        let (triangles, lines) = (wgpu::PrimitiveTopology::TriangleList, wgpu::PrimitiveTopology::LineList);
        Ok(Self {
            shadow: draw("view/shadow", triangles, None, 1)?,
            backdrop: draw("view/backdrop", triangles, Some(format), samples)?,
            surface: draw("view/surface", triangles, Some(format), samples)?,
            beads: draw("view/beads", triangles, Some(format), samples)?,
            wires: draw("view/wires", lines, Some(format), samples)?,
        })
    }
}

/// Positions of particles, and of skins.
type Sources<'a> = (&'a wgpu::Buffer, Option<&'a wgpu::Buffer>);

fn bind_place(gpu: &Gpu, buffers: &Buffers, from: Option<Sources<'_>>, vertices: usize) -> Result<Dispatch, Error> {
    let find = |name: &str| {
        let foreign = match (name, from) {
            ("published", Some((positions, _))) => Some(positions),
            ("skin_positions", Some((_, skins))) => skins,
            _ => None,
        };
        foreign.or_else(|| buffers.get(name)).map(wgpu::Buffer::as_entire_binding)
    };
    gpu.kernel("view/place")?.bind_named(gpu, find, workgroups(vertices))
}

fn shadow_map(gpu: &Gpu, side: u32) -> Result<wgpu::TextureView, Error> {
    gpu.checked(|| {
        let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("tenter.view.shadow"),
            size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH_FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        texture.create_view(&Default::default())
    })
}

fn workgroups(rows: usize) -> u32 {
    rows.div_ceil(WORKGROUP_SIZE).clamp(1, MOST_WORKGROUPS) as u32
}
