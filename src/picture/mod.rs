//! Pictures of cloth, rendered on the GPU without a window, from the simulation's own position buffer.
//!
//! [`Painter`] runs the render passes; the shaders are in `shaders/picture/`. The files:
//!
//! * `model`: surfaces, solids and marks joined into one mesh, without positions;
//! * `solids`, `beads`: triangles of colliders and of marks;
//! * `camera`, `framing`, `bounds`: the camera, and one that shows everything;
//! * `light`: directions of the lights;
//! * `scenery`: GPU resources of the model;
//! * `targets`: render targets;
//! * `painter`: the render passes;
//! * `legend`: the legend of the colour map.

mod beads;
mod bounds;
mod camera;
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

use crate::view::{colour_map, weave};
use glam::{Vec2, Vec3};

pub use camera::Camera;
pub use painter::Painter;
pub use solids::Solid;

/// The longest side of a picture, in pixels: larger requests are cut down to it.
pub const MAXIMUM_SIDE: u32 = 8192;

/// Contents of a picture, on a studio ground. Invalid objects are left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Picture<'a> {
    /// Surfaces to draw.
    pub surfaces: &'a [Surface<'a>],
    /// Points to mark with a small bead, such as pinned particles.
    pub pins: &'a [Vec3],
    /// Colliders to draw. A horizontal plane becomes the ground.
    pub solids: &'a [Solid<'a>],
    /// Camera; `None`, or an invalid one, frames everything automatically.
    pub camera: Option<Camera>,
    /// Legend of the colour map.
    pub legend: Option<Legend<'a>>,
}

/// One triangle mesh to draw, in metres with y up.
///
/// Triangles that name a missing, non-finite or absurdly far vertex are skipped.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// Positions of the vertices, m.
    pub positions: Positions<'a>,
    /// Corners of each triangle, counter-clockwise seen from the front.
    pub triangles: &'a [[u32; 3]],
    /// Albedo of the front in linear light; the back is a darker, slightly shifted version of it.
    pub colour: [f32; 3],
    /// Coordinates of each vertex in the flat fabric, in any unit, for a faint woven check.
    ///
    /// Without them, or with another length than `positions`, the surface is plain.
    pub rest_coordinates: &'a [Vec2],
    /// Values from 0 to 1 per vertex, shown by the colour map instead of the colour; ignored if empty or of another length.
    pub values: &'a [f32],
}

/// Positions in memory or on the GPU.
#[derive(Clone, Copy, Debug)]
pub enum Positions<'a> {
    /// Positions in memory.
    Slice(&'a [Vec3]),
    /// Positions on the painter's own device, in the format of
    /// [`Simulation::position_buffer`](crate::Simulation::position_buffer): one vec4 each.
    Buffer {
        /// Buffer with usage `COPY_SRC`.
        buffer: &'a wgpu::Buffer,
        /// Index of the first vertex in the buffer.
        first: u32,
        /// Number of vertices.
        count: u32,
    },
}

impl Positions<'_> {
    /// Number of positions; for a buffer, at most those inside it.
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

/// Legend of the colour map.
#[derive(Clone, Copy, Debug)]
pub struct Legend<'a> {
    /// Name of the quantity.
    pub title: &'a str,
    /// Quantity at value 0.
    pub low: f32,
    /// Quantity at value 1.
    pub high: f32,
    /// Unit of the quantity.
    pub unit: &'a str,
}
