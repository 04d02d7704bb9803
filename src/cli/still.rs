//! Pictures of a simulation.

use super::{colouring::Shown, image_size::ImageSize};
use crate::{
    BodyId, Collider, Error, Gpu, Mesh, PinId, SceneFile, Shape, Simulation,
    gpu::WITHOUT_PICTURES,
    io::Draft,
    picture::{Camera, Painter, Picture, Positions, Solid, Surface},
    view::coat::{COLOURS, rest_coordinates},
};
use clap::ValueEnum;
use glam::{Vec2, Vec3};
use image::RgbImage;
use std::{
    borrow::Cow,
    io::{self, Write},
    path::Path,
};

/// Quantity that the colour of cloth shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Colouring {
    /// One colour per body
    #[default]
    Plain,
    /// Largest |l/L − 1| of a particle's edges
    Strain,
    /// Speed of particles
    Velocity,
    /// Contact force on particles: of colliders and, on the CPU, of other bodies
    Contact,
}

/// Renderer of a simulation's states.
pub struct Studio {
    /// Outermost points of the sequence so far.
    seen: Vec<Vec3>,
    painter: Painter,
    /// Whether the painter uses the simulation's device, which holds the positions.
    shares_device: bool,
    bodies: Vec<DrawnBody>,
    colliders: Vec<Collider>,
    /// Scale of the last picture; that of a sequence never shrinks.
    scale: Option<(Colouring, f32)>,
}

/// A body as it is drawn in every frame.
struct DrawnBody {
    /// Body whose skin is drawn in its place.
    skin: Option<BodyId>,
    first: usize,
    count: usize,
    triangles: Vec<[u32; 3]>,
    colour: [f32; 3],
    rest_coordinates: Vec<Vec2>,
}

impl Studio {
    /// The GPU to draw on: that of the simulation or, without one, another. The error names what is missing to draw.
    pub fn gpu(simulation: &Simulation) -> Result<Gpu, Error> {
        let gpu = match simulation.gpu() {
            Some(gpu) => gpu.clone(),
            None => Gpu::headless().map_err(|error| match error {
                Error::Unsuitable { adapter, lacks, .. } => {
                    Error::Unsuitable { adapter, lacks, task: "draw pictures", remedy: WITHOUT_PICTURES }
                }
                other => other,
            })?,
        };
        Painter::check(&gpu).map(|()| gpu)
    }

    /// A renderer for pictures of one size, on the GPU that [`Studio::gpu`] has found.
    pub fn new(gpu: &Gpu, file: &SceneFile, simulation: &Simulation, size: ImageSize) -> Result<Self, Error> {
        let mut first = 0;
        let mut bodies = Vec::new();
        for (ix, body) in file.scene.bodies.iter().enumerate() {
            let count = body.mesh.positions.len();
            let drawn = body.skin.as_ref().unwrap_or(&body.mesh);
            bodies.push(DrawnBody {
                skin: body.skin.as_ref().map(|_| BodyId(ix)),
                first,
                count,
                triangles: drawn.triangles.clone(),
                colour: COLOURS[ix % COLOURS.len()],
                rest_coordinates: if body.skin.is_some() { Vec::new() } else { rest_coordinates(body) },
            });
            first += count;
        }
        Ok(Self {
            seen: Vec::new(),
            painter: Painter::new(gpu, size.width, size.height)?,
            shares_device: simulation.gpu().is_some(),
            scale: None,
            bodies,
            colliders: file.scene.colliders.clone(),
        })
    }

    /// Draws the current state. Without a camera the view includes everything. Waits for all steps.
    pub fn draw(
        &mut self,
        simulation: &mut Simulation,
        camera: Option<Camera>,
        colouring: Colouring,
    ) -> Result<RgbImage, Error> {
        self.compose(simulation, camera, colouring, false)
    }

    /// Draws the current state as a frame of a sequence. Without a camera of its own the view widens as needed and never narrows.
    pub fn draw_in_sequence(
        &mut self,
        simulation: &mut Simulation,
        camera: Option<Camera>,
        colouring: Colouring,
    ) -> Result<RgbImage, Error> {
        self.compose(simulation, camera, colouring, true)
    }

    fn compose(
        &mut self,
        simulation: &mut Simulation,
        camera: Option<Camera>,
        colouring: Colouring,
        in_sequence: bool,
    ) -> Result<RgbImage, Error> {
        let poses = simulation.collider_poses()?;
        let held = pinned(simulation);
        // Bodies without triangles have nothing to shade: their particles are shown instead.
        let loose = self.bodies.iter().filter(|body| body.triangles.is_empty());
        let marked = held.iter().copied().chain(loose.flat_map(|body| body.first..body.first + body.count));
        let beads = simulation.positions_of(&marked.map(|particle| particle as u32).collect::<Vec<_>>())?;
        // On a shared device no other position leaves the GPU.
        let positions = if self.shares_device { Vec::new() } else { simulation.positions()?.to_vec() };
        let shown = Shown::of(simulation, &held, colouring, self.scale(colouring))?;
        if let Some(shown) = &shown {
            self.scale = Some((colouring, shown.high()));
        }
        let values = shown.as_ref().map(Shown::values).unwrap_or_default();
        let skins = self.move_skins(simulation)?;
        let shared = if self.shares_device { Some(&*simulation) } else { None };
        let mut surfaces = Vec::new();
        for (body, skin) in self.bodies.iter().zip(&skins) {
            let own = body.first..body.first + body.count;
            let places = match (body.skin, shared) {
                (None, Some(simulation)) => in_buffer(simulation.position_buffer()?, own.clone()),
                (None, None) => Positions::Slice(positions.get(own.clone()).unwrap_or_default()),
                (Some(id), Some(simulation)) => in_buffer(simulation.skin_buffer()?, simulation.skin_range(id)?),
                (Some(_), None) => Positions::Slice(skin),
            };
            surfaces.push(Surface {
                positions: places,
                triangles: &body.triangles,
                colour: body.colour,
                rest_coordinates: &body.rest_coordinates,
                // Values belong to particles, not to vertices of the skin.
                values: if body.skin.is_some() { &[] } else { values.get(own).unwrap_or_default() },
            });
        }
        let shapes: Vec<Cow<'_, Shape>> =
            self.colliders.iter().map(|collider| shape_at(&collider.shape, simulation.time())).collect();
        let placed = self.colliders.iter().zip(&shapes).zip(poses);
        let solids: Vec<Solid<'_>> =
            placed.map(|((collider, shape), pose)| Solid { shape, pose, thickness: collider.thickness }).collect();
        let legend = shown.as_ref().map(Shown::legend);
        let mut picture = Picture { surfaces: &surfaces, pins: &beads, solids: &solids, camera, legend };
        if in_sequence && camera.is_none() {
            let (camera, points) = self.painter.camera(&picture, &self.seen)?;
            self.seen = outermost(self.seen.iter().chain(&points).copied());
            picture.camera = Some(camera);
        }
        self.painter.draw(&picture)
    }

    /// Updates skins from their bodies, on the GPU or in lists.
    fn move_skins(&self, simulation: &mut Simulation) -> Result<Vec<Vec<Vec3>>, Error> {
        // A failed step is repeated first.
        simulation.finish()?;
        let skins = self.bodies.iter().map(|body| body.skin);
        if !self.shares_device {
            let positions = |skin: Option<BodyId>| skin.map_or(Ok(Vec::new()), |id| simulation.skin_positions(id));
            return skins.map(positions).collect();
        }
        if let (true, Some(gpu)) = (skins.flatten().next().is_some(), simulation.gpu().cloned()) {
            let mut encoder = gpu.device().create_command_encoder(&Default::default());
            simulation.encode_skins(&mut encoder)?;
            gpu.issue(|| gpu.queue().submit([encoder.finish()]))?;
        }
        Ok(vec![Vec::new(); self.bodies.len()])
    }

    fn scale(&self, colouring: Colouring) -> f32 {
        self.scale.filter(|(known, _)| *known == colouring).map_or(0.0, |(_, high)| high)
    }
}

/// Indices of pinned particles.
fn pinned(simulation: &Simulation) -> Vec<usize> {
    let topology = simulation.topology();
    let held = (0..topology.pins.len()).filter(|&pin| simulation.pin_holds(PinId(pin)).unwrap_or(false));
    held.flat_map(|pin| &topology.pins[pin])
        .map(|&ix| topology.order[topology.constraints[ix as usize].row as usize] as usize)
        .collect()
}

fn in_buffer(buffer: &wgpu::Buffer, range: std::ops::Range<usize>) -> Positions<'_> {
    Positions::Buffer { buffer, first: range.start as u32, count: range.len() as u32 }
}

/// Extreme points of a set in 26 directions.
fn outermost(points: impl Iterator<Item = Vec3> + Clone) -> Vec<Vec3> {
    let steps = || [-1.0, 0.0, 1.0].into_iter();
    let directions = steps().flat_map(|x| steps().flat_map(move |y| steps().map(move |z| Vec3::new(x, y, z))));
    let farthest = |direction: Vec3| {
        points.clone().filter(|point| point.is_finite()).max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction)))
    };
    directions.filter(|direction| *direction != Vec3::ZERO).filter_map(farthest).collect()
}

/// Camera of the scene file.
pub fn camera(file: &SceneFile) -> Option<Camera> {
    let table = file.camera?;
    let angle = table.angle.to_radians();
    Some(Camera { eye: table.eye, target: table.target, up: Vec3::Y, vertical_field_of_view: angle })
}

/// Writes an image as PNG.
pub fn encode(writer: &mut dyn Write, image: &RgbImage) -> io::Result<()> {
    let mut png = io::Cursor::new(Vec::new());
    image.write_to(&mut png, image::ImageFormat::Png).map_err(io::Error::other)?;
    writer.write_all(png.get_ref())
}

/// Writes an image to a file.
pub fn write(path: &Path, image: &RgbImage) -> Result<(), Error> {
    Draft::write_file(path, |writer| encode(writer, image))
}

/// A shape as it is at a time, s: of a deforming mesh its present surface.
fn shape_at(shape: &Shape, time: f64) -> Cow<'_, Shape> {
    match shape {
        Shape::Deforming(mesh) => {
            let surface = Mesh::from_triangles(mesh.positions(time), mesh.triangles.clone());
            Cow::Owned(Shape::Mesh { surface, cells: 0 })
        }
        still => Cow::Borrowed(still),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outermost_points_are_kept() {
        let inside = (0..100).map(|ix| Vec3::splat(ix as f32 / 200.0));
        let corners = [Vec3::new(-2.0, 0.0, 0.0), Vec3::new(3.0, 1.0, 0.0), Vec3::new(0.0, -1.0, 4.0)];
        let kept = outermost(inside.chain(corners).chain([Vec3::NAN]));
        assert!(kept.len() <= 26 && corners.iter().all(|corner| kept.contains(corner)), "{kept:?}");
        assert!(outermost(std::iter::empty()).is_empty());
    }
}
