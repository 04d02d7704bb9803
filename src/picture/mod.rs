//! Pictures of cloth, drawn on the GPU without a window, straight from where the positions are: `tenter run` draws what it simulates.
//!
//! [`Painter`] has the passes in order; the shaders are in `shaders/picture/`. The steps, one file each:
//!
//! * `model`: surfaces, solids and marks joined into one mesh, as far as it does not move;
//! * `solids`, `beads`: what has a shape of its own, as triangles;
//! * `camera`, `framing`, `bounds`: where to look from, so that everything is inside the picture;
//! * `light`, `weave`, `colour_map`: what the shaders are told of light and colour;
//! * `scenery`: the model on the GPU, with every pass bound to it;
//! * `targets`: what is drawn to;
//! * `painter`: the passes;
//! * `legend`: what colours mean, drawn over the picture.

mod beads;
mod bounds;
mod camera;
mod colour_map;
mod framing;
mod legend;
mod light;
mod model;
mod painter;
#[cfg(test)]
mod robustness_tests;
mod scenery;
mod solids;
mod targets;
#[cfg(test)]
mod tests;
mod weave;

use glam::{Vec2, Vec3};

pub use camera::Camera;
pub use painter::Painter;
pub use solids::Solid;

/// The longest side of a picture, in pixels: larger requests are cut down to it.
pub const MAXIMUM_SIDE: u32 = 8192;

/// What is in a picture, standing on a studio ground. What cannot be drawn is left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Picture<'a> {
    /// The meshes.
    pub surfaces: &'a [Surface<'a>],
    /// Points to mark with a small bead, such as pinned particles.
    pub pins: &'a [Vec3],
    /// What the surfaces meet. A level plane becomes the ground.
    pub solids: &'a [Solid<'a>],
    /// The viewpoint; `None`, or one that makes no sense, frames everything automatically.
    pub camera: Option<Camera>,
    /// What the colours of values mean.
    pub legend: Option<Legend<'a>>,
}

/// One triangle mesh to draw, in metres with y up.
///
/// Triangles that name a missing, non-finite or absurdly far vertex are skipped.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// Where each vertex is.
    pub positions: Positions<'a>,
    /// Corners of each triangle, counter-clockwise seen from the front.
    pub triangles: &'a [[u32; 3]],
    /// Albedo of the front in linear light; the back is a darker, slightly shifted version of it.
    pub colour: [f32; 3],
    /// Where each vertex lies in the flat fabric, in any unit: a faint woven check follows it.
    ///
    /// Empty (or of another length than `positions`) leaves the surface plain.
    pub rest_coordinates: &'a [Vec2],
    /// From 0 to 1 per vertex, shown through the colour map instead of the colour; empty (or of another length): not.
    pub values: &'a [f32],
}

/// Positions, wherever they are.
#[derive(Clone, Copy, Debug)]
pub enum Positions<'a> {
    /// On the processor.
    Slice(&'a [Vec3]),
    /// On the painter's own device, as [`Simulation::position_buffer`](crate::Simulation::position_buffer) has them: a vec4 each.
    Buffer {
        /// Has to allow copies from it.
        buffer: &'a wgpu::Buffer,
        /// Vertex in the buffer.
        first: u32,
        /// Vertices.
        count: u32,
    },
}

impl Positions<'_> {
    /// How many there are; of a buffer those that it really has.
    fn len(&self) -> usize {
        match *self {
            Positions::Slice(positions) => positions.len(),
            Positions::Buffer { buffer, first, count } => {
                let room = (buffer.size() / 16).saturating_sub(u64::from(first));
                u64::from(count).min(room) as usize
            }
        }
    }
}

/// What the colours of values mean.
#[derive(Clone, Copy, Debug)]
pub struct Legend<'a> {
    /// What is shown.
    pub title: &'a str,
    /// What a value of 0 stands for.
    pub low: f32,
    /// What a value of 1 stands for.
    pub high: f32,
    /// Of both.
    pub unit: &'a str,
}
