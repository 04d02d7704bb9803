//! Live views: what a host with a window needs to draw a simulation, to look at it and to pull at it.
//!
//! Nothing here opens a window or waits. A [`View`] draws into the host's own render pass, from the position buffer of the simulation, with smooth normals computed on
//! the GPU; an [`Orbit`] is a camera; [`View::pick`] finds what is under the mouse without stalling the device; a [`Grip`] pulls at it. The viewer of this project uses
//! these and nothing else.
//!
//! | item | does |
//! |---|---|
//! | [`View`] | draws bodies, skins, colliders and ground; picks; measures bounds |
//! | [`Shown`], [`Colouring`] | what is drawn, and what the colour of cloth shows |
//! | [`Orbit`], [`Ray`] | a camera that turns about a point; the ray under a pixel |
//! | [`Pick`], [`Target`] | what a ray hit |
//! | [`Grip`] | pulls at a picked point, spread over a patch of the body, with a force that the body can bear |
//! | [`Pace`](crate::Pace) | cuts steps into short submissions, so that frames go in between |
//!
//! A frame is: let the simulation go on ([`Simulation::poll`](crate::Simulation::poll), the async calls, or [`encode_step`](crate::Simulation::encode_step));
//! [`View::encode_update`] after a step; [`View::encode_shadow`]; [`View::draw`].
//!
//! ```
//! use tenter::{Body, Gpu, Material, Mesh, Options, Scene, Simulation, Vertices, view::{Orbit, Shown, View}, wgpu};
//! # fn main() -> Result<(), tenter::Error> {
//! let mut scene = Scene::new();
//! let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 16, 16), Material::cotton()));
//! scene.pin(cloth, Vertices::corners());
//! // The host's device and target; here without a window.
//! let gpu = Gpu::headless()?;
//! let format = wgpu::TextureFormat::Rgba8UnormSrgb;
//! let texture = |format| {
//!     let size = wgpu::Extent3d { width: 64, height: 64, depth_or_array_layers: 1 };
//!     let (usage, dimension) = (wgpu::TextureUsages::RENDER_ATTACHMENT, wgpu::TextureDimension::D2);
//!     let descriptor = wgpu::TextureDescriptor { label: None, size, mip_level_count: 1, sample_count: 1, dimension, format, usage, view_formats: &[] };
//!     gpu.device().create_texture(&descriptor).create_view(&Default::default())
//! };
//! let (colour, depth) = (texture(format), texture(View::DEPTH_FORMAT));
//!
//! let mut simulation = Simulation::new(&gpu, &scene, Options::default())?;
//! let mut view = View::new(&gpu, &scene, format, 1)?;
//! view.follow(&simulation)?;
//! let orbit = Orbit::framing(view.bounds());
//! for _frame in 0..3 {
//!     let mut encoder = gpu.device().create_command_encoder(&Default::default());
//!     simulation.encode_step(&mut encoder)?;
//!     view.look(&orbit, 64, 64)?;
//!     view.encode_update(&mut encoder);
//!     view.encode_shadow(&mut encoder);
//!     let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
//!         color_attachments: &[Some(wgpu::RenderPassColorAttachment { view: &colour, depth_slice: None, resolve_target: None, ops: Default::default() })],
//!         depth_stencil_attachment: Some(View::depth_attachment(&depth)),
//!         ..Default::default()
//!     });
//!     view.draw(&mut pass, &Shown::default());
//!     drop(pass);
//!     gpu.queue().submit([encoder.finish()]);
//! }
//! // Records of the steps, when they have arrived, without waiting.
//! simulation.poll()?;
//! # Ok(()) }
//! ```

pub(crate) mod coat;
pub(crate) mod colour_map;
mod colouring;
mod grip;
pub(crate) mod hull;
mod light;
mod model;
mod orbit;
mod pick;
mod probe;
mod ray;
mod resources;
#[cfg(test)]
mod tests;
pub(crate) mod weave;

pub use colouring::Colouring;
pub use grip::Grip;
pub use orbit::Orbit;
pub use pick::{Pick, Target};
pub use ray::{Crossing, Ray};
pub use resources::{Shown, View};
