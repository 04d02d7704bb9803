//! A picture of cloth, drawn on the processor: `tenter run` writes one of its last frame.
//!
//! Nothing here needs a window or a graphics adapter, so a run on a headless machine still ends
//! with something to look at. The steps, one file each:
//!
//! * `mesh`, `beads`, `solids`: surfaces, marks and colliders become one clean triangle mesh with smooth normals;
//! * `camera`, `framing`: where to look from, so that everything is inside the picture;
//! * `raster`: which samples a triangle covers, exactly;
//! * `depth_map`: how far light from one direction reaches;
//! * `light`, `ambient`, `ground_sky`, `key_shadow`: the studio, its soft light and its hard light;
//! * `backdrop`: background and ground;
//! * `weave`: the faint check that lets the eye follow the fabric;
//! * `hit`, `shade`, `frame`, `tone`: colour per sample, and samples to pixels.

mod ambient;
mod backdrop;
mod beads;
mod camera;
mod depth_map;
mod frame;
mod framing;
mod ground_sky;
mod hit;
mod key_shadow;
mod light;
mod mesh;
mod raster;
#[cfg(test)]
mod robustness_tests;
mod shade;
mod solids;
#[cfg(test)]
mod tests;
mod tone;
mod weave;

use glam::{Vec2, Vec3};

pub use camera::Camera;
pub use solids::Solid;

/// The longest side of a picture, in pixels: larger requests are cut down to it.
pub const MAXIMUM_SIDE: u32 = 8192;

/// One triangle mesh to draw, in metres with y up.
///
/// Triangles that name a missing, non-finite or absurdly far vertex are skipped.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// Where each vertex is.
    pub positions: &'a [Vec3],
    /// Corners of each triangle, counter-clockwise seen from the front.
    pub triangles: &'a [[u32; 3]],
    /// Albedo of the front in linear light; the back is a darker, slightly shifted version of it.
    pub colour: [f32; 3],
    /// Where each vertex lies in the flat fabric, in any unit: a faint woven check follows it.
    ///
    /// Empty (or of another length than `positions`) leaves the surface plain.
    pub rest_coordinates: &'a [Vec2],
}

/// How large a picture is, from where it is taken, and what is marked in it.
#[derive(Clone, Copy, Debug)]
pub struct PictureOptions<'a> {
    /// Pixels across; clamped to `1..=`[`MAXIMUM_SIDE`].
    pub width: u32,
    /// Pixels down; clamped to `1..=`[`MAXIMUM_SIDE`].
    pub height: u32,
    /// The viewpoint; `None`, or one that makes no sense, frames the surfaces automatically.
    pub camera: Option<Camera>,
    /// Points to mark with a small bead, such as pinned particles.
    pub pins: &'a [Vec3],
    /// What the surfaces meet. A level plane becomes the ground.
    pub solids: &'a [Solid<'a>],
}

impl Default for PictureOptions<'_> {
    fn default() -> Self {
        Self { width: 1280, height: 960, camera: None, pins: &[], solids: &[] }
    }
}

/// Draws `surfaces` standing on a studio ground. Never panics: what cannot be drawn is left out.
pub fn render(surfaces: &[Surface<'_>], options: &PictureOptions<'_>) -> image::RgbImage {
    let width = options.width.clamp(1, MAXIMUM_SIDE);
    let height = options.height.clamp(1, MAXIMUM_SIDE);

    let mut mesh = mesh::Mesh::new(surfaces);
    solids::add(&mut mesh, options.solids);
    beads::add(&mut mesh, options.pins);
    mesh.finish();
    mesh.ground = solids::ground(&mesh, options.solids);

    let camera = options
        .camera
        .filter(Camera::is_usable)
        .unwrap_or_else(|| Camera::framing(mesh.drawn_positions(), mesh.ground, width, height));
    solids::add_planes(&mut mesh, options.solids, camera.eye);
    let view = camera::View::new(&camera, width, height);
    let studio = light::Studio::new(&view);
    let ambient = ambient::Ambient::new(&mesh, &studio);
    let key_shadow = key_shadow::KeyShadow::new(&mesh, &studio);
    let backdrop = backdrop::Backdrop::new(&mesh, &view);
    let scene = shade::Scene {
        mesh: &mesh,
        view: &view,
        studio: &studio,
        ambient: &ambient,
        key_shadow: &key_shadow,
        backdrop: &backdrop,
    };
    frame::draw(&scene)
}
