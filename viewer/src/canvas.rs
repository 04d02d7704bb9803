//! The picture of the scene: a texture of the interface, drawn by the library.

use eframe::{egui, egui_wgpu::RenderState, wgpu};
use tenter::{
    Error,
    view::{Orbit, Shown, View},
};

/// Format that is drawn to: linear light in, sRGB bytes out.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// The same bytes as the interface reads them: it blends in sRGB.
const BYTES: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// A texture of the size of the scene's part of the window.
pub struct Canvas {
    render: RenderState,
    samples: u32,
    targets: Option<Targets>,
    texture_id: Option<egui::TextureId>,
}

struct Targets {
    size: [u32; 2],
    texture: wgpu::Texture,
    target: wgpu::TextureView,
    samples: Option<wgpu::TextureView>,
    depth: wgpu::TextureView,
}

impl Canvas {
    pub fn new(render: RenderState, samples: u32) -> Self {
        Self { render, samples, targets: None, texture_id: None }
    }

    /// The texture in a size, in pixels.
    fn targets(&mut self, size: [u32; 2]) -> &Targets {
        let size = size.map(|side| side.clamp(1, 8192));
        if self.targets.as_ref().is_none_or(|targets| targets.size != size) {
            let device = &self.render.device;
            let make = |format, samples, usage: wgpu::TextureUsages, views: &[wgpu::TextureFormat]| {
                device.create_texture(&wgpu::TextureDescriptor {
                    label: Some("viewer.canvas"),
                    size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                    mip_level_count: 1,
                    sample_count: samples,
                    dimension: wgpu::TextureDimension::D2,
                    format,
                    usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                    view_formats: views,
                })
            };
            let texture =
                make(BYTES, 1, wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC, &[FORMAT]);
            let as_light = wgpu::TextureViewDescriptor { format: Some(FORMAT), ..Default::default() };
            let as_bytes = texture.create_view(&Default::default());
            let samples = (self.samples > 1).then(|| {
                make(FORMAT, self.samples, wgpu::TextureUsages::empty(), &[]).create_view(&Default::default())
            });
            let depth = make(View::DEPTH_FORMAT, self.samples, wgpu::TextureUsages::empty(), &[]);
            let mut renderer = self.render.renderer.write();
            match self.texture_id {
                Some(id) => {
                    renderer.update_egui_texture_from_wgpu_texture(device, &as_bytes, wgpu::FilterMode::Linear, id);
                }
                None => {
                    let id = renderer.register_native_texture(device, &as_bytes, wgpu::FilterMode::Linear);
                    self.texture_id = Some(id);
                }
            }
            drop(renderer);
            let target = texture.create_view(&as_light);
            let depth = depth.create_view(&Default::default());
            self.targets = Some(Targets { size, target, samples, depth, texture });
        }
        self.targets.as_ref().unwrap_or_else(|| unreachable!("made above"))
    }

    /// Draws a view.
    pub fn draw(&mut self, view: &mut View, orbit: &Orbit, shown: &Shown, size: [u32; 2]) -> Result<(), Error> {
        let (device, queue) = (self.render.device.clone(), self.render.queue.clone());
        let targets = self.targets(size);
        view.look(orbit, targets.size[0], targets.size[1])?;
        let mut encoder = device.create_command_encoder(&Default::default());
        view.encode_shadow(&mut encoder);
        let (target, resolve_target) = match &targets.samples {
            Some(samples) => (samples, Some(&targets.target)),
            None => (&targets.target, None),
        };
        let store = if resolve_target.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("viewer.canvas"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store },
            })],
            depth_stencil_attachment: Some(View::depth_attachment(&targets.depth)),
            ..Default::default()
        });
        view.draw(&mut pass, shown);
        drop(pass);
        queue.submit([encoder.finish()]);
        Ok(())
    }

    /// The texture of the interface.
    pub fn texture(&self) -> Option<egui::TextureId> {
        self.texture_id
    }

    /// The texture and its size, to be read back.
    pub fn pixels(&self) -> Option<(&wgpu::Texture, [u32; 2])> {
        self.targets.as_ref().map(|targets| (&targets.texture, targets.size))
    }
}
