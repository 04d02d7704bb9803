//! The render passes of a picture.
//!
//! ```text
//! positions ─► shape ─► aim ─► depth maps ─► soft light ─► layers ─► compose ─► read back
//!              normals  bounds  axes, key     per vertex,   MSAA, each  ground,
//!                                             on the ground  shifted    tone
//! ```

use super::{
    Camera, Picture, beads,
    bounds::Bounds,
    camera, colour_map, legend, light,
    model::{Key, Model},
    scenery::Scenery,
    solids,
    targets::{self, BYTE_FORMAT, HEIGHT_FORMAT, LIGHT_FORMAT, MAP_SIDE, SAMPLES, SHADOW_SIDE, Size, Targets},
};
use crate::{
    Error,
    gpu::{
        Dispatch, Drawing, DrawingPlan, Gpu,
        layout::picture::{LAYERS, TAPS, View, ground},
        wait,
    },
};
use glam::{Vec2, Vec3};
use image::RgbImage;
use std::{sync::Arc, time::Duration};

/// Time limit of a tile: software drivers take seconds.
const TIMEOUT: Duration = Duration::from_secs(300);

/// Renderer for pictures of one size. It keeps pipelines, targets and the last model.
pub struct Painter {
    gpu: Gpu,
    targets: Targets,
    drawings: Drawings,
    scenery: Option<Scenery>,
}

/// Render pipelines by shader.
pub(super) struct Drawings {
    pub heights: Arc<Drawing>,
    pub shadow: Arc<Drawing>,
    pub depth: Arc<Drawing>,
    pub cloth: Arc<Drawing>,
    pub floor: Arc<Drawing>,
    pub compose: Arc<Drawing>,
}

impl Drawings {
    fn new(gpu: &Gpu) -> Result<Self, Error> {
        let larger = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Max,
        };
        let colour = |format, blend| Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL });
        let drawing = |name, topology, colour, depth, samples| {
            Drawing::new(gpu, &DrawingPlan { name, topology, colour, depth, samples })
        };
        let light = || colour(LIGHT_FORMAT, None);
        let nearer = Some(wgpu::CompareFunction::Greater);
        let as_near = Some(wgpu::CompareFunction::GreaterEqual);
        let triangles = wgpu::PrimitiveTopology::TriangleList;
        let strip = wgpu::PrimitiveTopology::TriangleStrip;
        let keep_larger = Some(wgpu::BlendState { color: larger, alpha: larger });
        Ok(Self {
            heights: drawing("picture/heights", triangles, colour(HEIGHT_FORMAT, keep_larger), None, 1)?,
            shadow: drawing("picture/shadow", triangles, None, nearer, 1)?,
            cloth: drawing("picture/cloth", triangles, light(), as_near, SAMPLES)?,
            depth: drawing("picture/depth", triangles, light(), nearer, SAMPLES)?,
            floor: drawing("picture/floor", strip, light(), nearer, SAMPLES)?,
            compose: drawing("picture/compose", triangles, colour(BYTE_FORMAT, None), None, 1)?,
        })
    }
}

impl Painter {
    /// Checks that a GPU can draw pictures, before anything is made; the error names what it lacks.
    pub fn check(gpu: &Gpu) -> Result<(), Error> {
        gpu.check_drawing(&targets::NEEDS)
    }

    /// Creates pipelines and targets. Sides are clamped to `1..=`[`MAXIMUM_SIDE`](super::MAXIMUM_SIDE).
    pub fn new(gpu: &Gpu, width: u32, height: u32) -> Result<Self, Error> {
        Self::check(gpu)?;
        let drawings = Drawings::new(gpu)?;
        let targets = Targets::new(gpu, Size::new(width, height))?;
        Ok(Self { gpu: gpu.clone(), targets, drawings, scenery: None })
    }

    /// Camera that shows all of a picture and the points `besides`, and the drawn points of the picture. Without `besides` it is
    /// the default camera of the picture. A sequence should keep one camera.
    pub fn camera(&mut self, picture: &Picture<'_>, besides: &[Vec3]) -> Result<(Camera, Vec<Vec3>), Error> {
        let (_, mut encoder) = self.prepare(picture)?;
        let points = self.drawn(&mut encoder)?;
        let all: Vec<Vec3> = points.iter().chain(besides).copied().collect();
        Ok((frame(&all, picture, &self.targets.size), points))
    }

    /// Draws a picture and waits for it.
    pub fn draw(&mut self, picture: &Picture<'_>) -> Result<RgbImage, Error> {
        let (mut view, mut encoder) = self.prepare(picture)?;
        let camera = match picture.camera.filter(Camera::is_usable) {
            Some(camera) => camera,
            None => frame(&self.drawn(&mut encoder)?, picture, &self.targets.size),
        };
        let (gpu, size) = (&self.gpu, self.targets.size);
        let scenery = self.scenery.as_ref().ok_or_else(nothing_prepared)?;
        see(&mut view, &camera::View::new(&camera, size.width, size.height));
        // The passes encoded above do not read the camera.
        scenery.set_view(gpu, &view)?;
        run(&mut encoder, &scenery.aim);
        draw_maps(&mut encoder, &self.targets, scenery)?;
        run(&mut encoder, &scenery.gather);
        submit(gpu, encoder)?;

        let has_floor = view.ground_kind != ground::STUDIO;
        let mut image = RgbImage::new(size.width, size.height);
        for (tile, corner) in (0_u32..).zip(size.tiles()) {
            draw_tile(gpu, &mut self.targets, scenery, tile, has_floor)?;
            let bytes = wait::drive(TIMEOUT, self.targets.readback.wait(gpu, "a picture"))?;
            take_tile(&mut image, &bytes, &size, corner);
        }
        if let Some(legend) = &picture.legend {
            legend::draw(&mut image, legend);
        }
        Ok(image)
    }

    /// Uploads a picture's contents and encodes the passes that need no camera.
    fn prepare(&mut self, picture: &Picture<'_>) -> Result<(View, wgpu::CommandEncoder), Error> {
        let key = Key::of(picture);
        let scenery = match self.scenery.take().filter(|scenery| scenery.key == key) {
            Some(scenery) => scenery,
            None => Scenery::new(&self.gpu, &self.targets, &self.drawings, key, Model::new(picture))?,
        };
        let scenery = self.scenery.insert(scenery);
        let mut encoder = encoder(&self.gpu);
        scenery.update(&self.gpu, &mut encoder, picture)?;
        let view = unseen(&self.targets.size, &scenery.model, picture);
        scenery.set_view(&self.gpu, &view)?;
        run(&mut encoder, &scenery.shape);
        Ok((view, encoder))
    }

    /// Submits the encoded passes and reads back all drawn positions.
    fn drawn(&self, encoder: &mut wgpu::CommandEncoder) -> Result<Vec<Vec3>, Error> {
        let scenery = self.scenery.as_ref().ok_or_else(nothing_prepared)?;
        submit(&self.gpu, std::mem::replace(encoder, self::encoder(&self.gpu)))?;
        scenery.drawn_positions(&self.gpu)
    }
}

fn nothing_prepared() -> Error {
    Error::Gpu("a picture was not prepared".to_owned())
}

fn encoder(gpu: &Gpu) -> wgpu::CommandEncoder {
    gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("tenter.picture") })
}

fn submit(gpu: &Gpu, encoder: wgpu::CommandEncoder) -> Result<wgpu::SubmissionIndex, Error> {
    gpu.checked(|| gpu.queue().submit([encoder.finish()]))
}

fn run(encoder: &mut wgpu::CommandEncoder, dispatches: &[Dispatch]) {
    let descriptor = wgpu::ComputePassDescriptor { label: Some("tenter.picture"), timestamp_writes: None };
    let mut pass = encoder.begin_compute_pass(&descriptor);
    dispatches.iter().for_each(|dispatch| dispatch.run(&mut pass));
}

/// Camera that shows everything.
fn frame(drawn: &[Vec3], picture: &Picture<'_>, size: &Size) -> Camera {
    let beads = beads::places(picture.pins);
    let points = || drawn.iter().chain(&beads).copied();
    let radius = beads::part(picture, beads.len()) * Bounds::of(points()).radius();
    let sides = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [radius * axis, -radius * axis]);
    let around = beads.iter().flat_map(|bead| sides.clone().map(move |side| *bead + side));
    Camera::framing(points().chain(around), solids::level_ground(picture.solids), size.width, size.height)
}

/// View parameters that do not depend on the camera.
fn unseen(size: &Size, model: &Model, picture: &Picture<'_>) -> View {
    let beads = beads::places(picture.pins).len();
    let level = solids::level_ground(picture.solids);
    let leaning = !solids::leaning_planes(picture.solids).is_empty();
    View {
        width: size.width as f32,
        height: size.height as f32,
        tile_width: size.tile_width as f32,
        tile_height: size.tile_height as f32,
        tiles_across: size.tiles_across(),
        ground: level.unwrap_or_default(),
        ground_kind: match level {
            Some(_) => ground::LEVEL,
            None if leaning => ground::UNDER,
            None => ground::STUDIO,
        },
        vertex_count: model.vertex_count as u32,
        prop_count: model.prop_count as u32,
        triangle_count: model.triangles.len() as u32,
        block_count: model.blocks.len() as u32,
        finish_count: model.finishes.len() as u32,
        bead_count: beads as u32,
        bead_part: beads::part(picture, beads),
        axis_count: size.axes(),
        layer_count: LAYERS as u32,
        map_side: MAP_SIDE,
        maps_across: size.maps_across(),
        shadow_side: SHADOW_SIDE,
        shifts: shifts(),
        taps: taps(),
        colours: colour_map::linear(),
        ..Default::default()
    }
}

/// Adds the parameters of the camera and of the lights, which follow it.
fn see(view: &mut View, camera: &camera::View) {
    let toward_key = light::key_direction(camera);
    let (key_right, key_up) = toward_key.any_orthonormal_pair();
    view.eye = camera.eye.to_array();
    view.right = camera.right.to_array();
    view.up = camera.up.to_array();
    view.forward = camera.forward.to_array();
    view.focal_length = camera.focal_length;
    view.toward_key = toward_key.to_array();
    view.key_right = key_right.to_array();
    view.key_up = key_up.to_array();
    view.toward_rim = light::rim_direction(camera).to_array();
}

/// Subpixel offsets of the layers. With the usual four samples, a quarter of a pixel apart in rows and columns, no two samples of
/// a pixel share a row or a column, so nearly horizontal and vertical edges get as many steps as there are samples.
fn shifts() -> [[f32; 4]; LAYERS] {
    [[-0.0625, 0.0625, 0.0, 0.0], [0.0625, -0.0625, 0.0, 0.0]]
}

/// Sample positions in a spiral that fills the unit disc. Each layer uses every other one, so that a penumbra has as many levels
/// as there are taps, without noise.
fn taps() -> [[f32; 4]; TAPS] {
    std::array::from_fn(|ix| {
        let radius = ((ix as f32 + 0.5) / TAPS as f32).sqrt();
        let place = radius * Vec2::from_angle(ix as f32 * 2.399_963_2);
        [place.x, place.y, radius, 0.0]
    })
}

/// Draws the depth maps along all axes and along the key light.
fn draw_maps(encoder: &mut wgpu::CommandEncoder, targets: &Targets, scenery: &Scenery) -> Result<(), Error> {
    let indices = scenery.indices()?;
    let corners = 3 * scenery.model.casting as u32;
    let nothing = wgpu::Color { r: -60_000.0, g: -60_000.0, b: 0.0, a: 0.0 };
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("tenter.picture.heights"),
        color_attachments: &[Some(colour(&targets.heights, None, nothing))],
        ..Default::default()
    });
    scenery.heights.set(&mut pass);
    pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
    pass.draw_indexed(0..corners, 0, 0..targets.size.axes());
    drop(pass);

    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("tenter.picture.shadow"),
        depth_stencil_attachment: Some(depth(&targets.shadow, wgpu::StoreOp::Store)),
        ..Default::default()
    });
    scenery.shadow.set(&mut pass);
    pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
    pass.draw_indexed(0..corners, 0, 0..1);
    Ok(())
}

/// Draws the layers of a tile, composites them over the ground, and starts their read-back.
fn draw_tile(gpu: &Gpu, targets: &mut Targets, scenery: &Scenery, tile: u32, has_floor: bool) -> Result<(), Error> {
    let mut encoder = encoder(gpu);
    let corners = 3 * scenery.model.triangles.len() as u32;
    let indices = scenery.indices()?;
    for (layer, resolved) in (tile * LAYERS as u32..).zip(&targets.layers) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("tenter.picture.cloth"),
            color_attachments: &[Some(colour(&targets.samples, Some(resolved), wgpu::Color::TRANSPARENT))],
            depth_stencil_attachment: Some(depth(&targets.depth, wgpu::StoreOp::Discard)),
            ..Default::default()
        });
        if has_floor {
            scenery.floor.set(&mut pass);
            pass.draw(0..4, layer..layer + 1);
        }
        scenery.depth.set(&mut pass);
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..corners, 0, layer..layer + 1);
        scenery.cloth.set(&mut pass);
        pass.draw(0..corners, layer..layer + 1);
    }
    let bytes = targets.bytes.create_view(&Default::default());
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("tenter.picture.compose"),
        color_attachments: &[Some(colour(&bytes, None, wgpu::Color::BLACK))],
        ..Default::default()
    });
    scenery.compose.set(&mut pass);
    pass.draw(0..3, tile..tile + 1);
    drop(pass);

    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(targets.size.row_bytes()),
        rows_per_image: Some(targets.size.tile_height),
    };
    let destination = wgpu::TexelCopyBufferInfo { buffer: targets.readback.destination(), layout };
    encoder.copy_texture_to_buffer(targets.bytes.as_image_copy(), destination, targets.bytes.size());
    let submission = submit(gpu, encoder)?;
    targets.readback.request(gpu, submission)
}

fn colour<'a>(
    view: &'a wgpu::TextureView,
    resolve_target: Option<&'a wgpu::TextureView>,
    clear: wgpu::Color,
) -> wgpu::RenderPassColorAttachment<'a> {
    // Multisampled targets are discarded after they are resolved.
    let store = if resolve_target.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
    let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store };
    wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target, ops }
}

fn depth(view: &wgpu::TextureView, store: wgpu::StoreOp) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store }),
        stencil_ops: None,
    }
}

/// Copies a tile's rows without their padding.
fn take_tile(image: &mut RgbImage, bytes: &[u8], size: &Size, (left, top): (u32, u32)) {
    let rows = bytes.chunks_exact(size.row_bytes() as usize);
    for (row, texels) in (top..size.height).zip(rows) {
        for (column, texel) in (left..size.width).zip(texels.chunks_exact(4).take(size.tile_width as usize)) {
            image.put_pixel(column, row, image::Rgb([texel[0], texel[1], texel[2]]));
        }
    }
}
