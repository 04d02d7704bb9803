//! A host with its own device: it simulates on it, encodes steps into its own command encoder, and uses the position buffer as
//! vertex buffer, without a copy.
//!
//! `cargo run --release --example own_device` writes `out/own_device.png`.

use glam::{
    Vec3,
    camera::rh::{proj::directx::perspective, view::look_at_mat4},
};
use tenter::{Body, Gpu, Material, Mesh, Options, Scene, Simulation, SolverOptions, Vertices};
use wgpu::util::DeviceExt;

const SIZE: u32 = 512;
const FRAMES: u32 = 27;
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The normal comes from screen-space derivatives of the position, as there is only one vertex buffer.
const SHADER: &str = "
@group(0) @binding(0) var<uniform> camera: mat4x4<f32>;

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
}

@vertex
fn vertex(@location(0) position: vec3<f32>) -> Fragment {
    return Fragment(camera * vec4(position, 1.0), position);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    let normal = normalize(cross(dpdx(in.world), dpdy(in.world)));
    let light = abs(dot(normal, normalize(vec3(0.5, 0.8, 0.6))));
    return vec4(vec3(0.75, 0.2, 0.15) * (0.25 + 0.75 * light), 1.0);
}
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The host's own set-up: any device with the default limits suffices.
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default()))?;
    let (device, queue) = pollster::block_on(adapter.request_device(&Default::default()))?;

    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 48, 48), Material::cotton()));
    scene.pin(cloth, Vertices::corners());
    let gpu = Gpu::from_wgpu(device.clone(), queue.clone());
    let options = Options { solver: SolverOptions { tolerance: 1e-3, ..Default::default() }, ..Default::default() };
    let mut simulation = Simulation::new(&gpu, &scene, options)?;

    let painter = Painter::new(&device, &scene);
    let readback = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("picture"),
        size: u64::from(SIZE * SIZE * 4),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });

    // Each frame is one submission: two steps and one draw call.
    for frame in 0..FRAMES {
        let mut encoder = device.create_command_encoder(&Default::default());
        for _ in 0..2 {
            simulation.encode_step(&mut encoder)?;
        }
        painter.draw(&mut encoder, simulation.position_buffer()?);
        if frame == FRAMES - 1 {
            painter.copy(&mut encoder, &readback);
        }
        queue.submit([encoder.finish()]);
        // Records and errors are read occasionally; drawing does not need them.
        if frame % 9 == 8
            && let Some(record) = simulation.finish()?
        {
            println!("{:.2} s: {} iterations, {:?}", record.time, record.iterations, record.outcome);
        }
    }

    readback.map_async(wgpu::MapMode::Read, .., |_| {});
    device.poll(wgpu::PollType::wait_indefinitely())?;
    let pixels = readback.get_mapped_range(..)?.to_vec();
    std::fs::create_dir_all("out")?;
    image::save_buffer("out/own_device.png", &pixels, SIZE, SIZE, image::ColorType::Rgba8)?;
    println!("out/own_device.png");
    Ok(())
}

struct Painter {
    pipeline: wgpu::RenderPipeline,
    camera: wgpu::BindGroup,
    indices: wgpu::Buffer,
    index_count: u32,
    colour: wgpu::Texture,
    depth: wgpu::Texture,
}

impl Painter {
    fn new(device: &wgpu::Device, scene: &Scene) -> Self {
        let triangles = scene.triangles();
        let indices = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("triangles"),
            contents: bytemuck::cast_slice(&triangles),
            usage: wgpu::BufferUsages::INDEX,
        });
        let view = look_at_mat4(Vec3::new(0.9, -0.1, 1.3), Vec3::new(0.0, -0.5, -0.5), Vec3::Y);
        let camera = perspective(0.9, 1.0, 0.1, 10.0) * view;
        let uniform = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("camera"),
            contents: bytemuck::bytes_of(&camera.to_cols_array()),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("cloth"),
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
        // Stride 16: one vec4 per particle, of which the shader reads three components.
        let attributes = wgpu::vertex_attr_array![0 => Float32x3];
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("cloth"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &[Some(wgpu::VertexBufferLayout {
                    array_stride: 16,
                    step_mode: wgpu::VertexStepMode::Vertex,
                    attributes: &attributes,
                })],
            },
            primitive: Default::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Less),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: Default::default(),
                targets: &[Some(FORMAT.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let camera = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("camera"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() }],
        });
        let texture = |format, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("target"),
                size: wgpu::Extent3d { width: SIZE, height: SIZE, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            })
        };
        Self {
            pipeline,
            camera,
            indices,
            index_count: 3 * triangles.len() as u32,
            colour: texture(FORMAT, wgpu::TextureUsages::COPY_SRC),
            depth: texture(DEPTH_FORMAT, wgpu::TextureUsages::empty()),
        }
    }

    fn draw(&self, encoder: &mut wgpu::CommandEncoder, positions: &wgpu::Buffer) {
        let colour = self.colour.create_view(&Default::default());
        let depth = self.depth.create_view(&Default::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("cloth"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &colour,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color { r: 0.85, g: 0.87, b: 0.9, a: 1.0 }),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Discard }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.camera, &[]);
        pass.set_vertex_buffer(0, positions.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..self.index_count, 0, 0..1);
    }

    fn copy(&self, encoder: &mut wgpu::CommandEncoder, to: &wgpu::Buffer) {
        encoder.copy_texture_to_buffer(
            self.colour.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: to,
                layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * SIZE), rows_per_image: None },
            },
            self.colour.size(),
        );
    }
}
