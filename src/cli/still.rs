//! Pictures of a simulation.

use super::{colouring::Shown, folder::Folder, image_size::ImageSize};
use crate::{
    Body, Collider, Error, Gpu, PinId, SceneFile, Simulation,
    picture::{Camera, Painter, Picture, Positions, Solid, Surface},
};
use glam::{Vec2, Vec3};
use image::RgbImage;
use std::io;

/// Colours of bodies in linear light, one after the other and round again.
const COLOURS: [[f32; 3]; 5] =
    [[0.75, 0.16, 0.12], [0.12, 0.33, 0.62], [0.80, 0.52, 0.10], [0.16, 0.45, 0.25], [0.45, 0.20, 0.50]];

/// What the colour of cloth shows.
// The program draws plain pictures so far.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colouring {
    /// Which body it is.
    #[default]
    Plain,
    /// Largest |l/L − 1| of a particle's edges.
    Strain,
    /// Speed.
    Velocity,
    /// The force that colliders hold particles with.
    Contact,
}

/// Draws the states of a simulation.
pub struct Studio {
    painter: Painter,
    /// Whether the painter works on the simulation's device, where positions are.
    shares_device: bool,
    bodies: Vec<Part>,
    colliders: Vec<Collider>,
    /// The end of the last picture's scale: that of a sequence grows only.
    scale: Option<(Colouring, f32)>,
}

/// A body as it stays from frame to frame.
struct Part {
    first: usize,
    count: usize,
    triangles: Vec<[u32; 3]>,
    colour: [f32; 3],
    rest_coordinates: Vec<Vec2>,
}

impl Studio {
    /// For pictures of one size, on the simulation's GPU or, if it has none, on another. `None` where there is no
    /// adapter.
    pub fn new(file: &SceneFile, simulation: &Simulation, size: ImageSize) -> Result<Option<Self>, Error> {
        let gpu = match simulation.gpu() {
            Some(gpu) => gpu.clone(),
            None => match Gpu::headless() {
                Ok(gpu) => gpu,
                // A run on the CPU does not fail for want of a picture.
                Err(error @ (Error::NoAdapter | Error::NoSuchAdapter { .. } | Error::NoDevice { .. })) => {
                    log::warn!("no picture: {error}");
                    return Ok(None);
                }
                Err(error) => return Err(error),
            },
        };
        let mut first = 0;
        let mut bodies = Vec::new();
        for (ix, body) in file.scene.bodies.iter().enumerate() {
            let count = body.mesh.positions.len();
            bodies.push(Part {
                first,
                count,
                triangles: body.mesh.triangles.clone(),
                colour: COLOURS[ix % COLOURS.len()],
                rest_coordinates: rest_coordinates(body),
            });
            first += count;
        }
        Ok(Some(Self {
            painter: Painter::new(&gpu, size.width, size.height)?,
            shares_device: simulation.gpu().is_some(),
            scale: None,
            bodies,
            colliders: file.scene.colliders.clone(),
        }))
    }

    /// The state as it is. Without a camera everything is framed. Waits for all steps.
    pub fn draw(
        &mut self,
        simulation: &mut Simulation,
        camera: Option<Camera>,
        colouring: Colouring,
    ) -> Result<RgbImage, Error> {
        self.show(simulation, camera, colouring, Painter::draw)
    }

    /// The camera that frames the state as it is: that of a sequence should stay. Waits for all steps.
    // The program draws no sequences so far.
    #[allow(dead_code)]
    pub fn camera(&mut self, simulation: &mut Simulation) -> Result<Camera, Error> {
        self.show(simulation, None, Colouring::Plain, Painter::camera)
    }

    /// Puts a state into a picture, and the picture before the painter.
    fn show<T>(
        &mut self,
        simulation: &mut Simulation,
        camera: Option<Camera>,
        colouring: Colouring,
        paint: fn(&mut Painter, &Picture<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let poses = simulation.collider_poses()?;
        let held = pinned(simulation);
        let loose = self.bodies.iter().any(|body| body.triangles.is_empty());
        let has_beads = !held.is_empty() || loose;
        // Where nothing is marked positions need not leave the GPU.
        let positions = if has_beads || !self.shares_device { simulation.positions()?.to_vec() } else { Vec::new() };
        let mut beads: Vec<Vec3> = held.iter().filter_map(|particle| positions.get(*particle).copied()).collect();
        for body in self.bodies.iter().filter(|body| body.triangles.is_empty()) {
            // Nothing to shade: show where the particles are.
            beads.extend(positions.get(body.first..body.first + body.count).unwrap_or_default());
        }
        let shown = Shown::of(simulation, &held, colouring, self.scale(colouring))?;
        if let Some(shown) = &shown {
            self.scale = Some((colouring, shown.high()));
        }
        let values = shown.as_ref().map(Shown::values).unwrap_or_default();
        if self.shares_device {
            // A step that failed is undone first.
            simulation.finish()?;
        }
        let buffer = if self.shares_device { Some(simulation.position_buffer()?) } else { None };
        let surfaces = self.bodies.iter().map(|body| Surface {
            positions: match buffer {
                Some(buffer) => Positions::Buffer { buffer, first: body.first as u32, count: body.count as u32 },
                None => Positions::Slice(positions.get(body.first..body.first + body.count).unwrap_or_default()),
            },
            triangles: &body.triangles,
            colour: body.colour,
            rest_coordinates: &body.rest_coordinates,
            values: values.get(body.first..body.first + body.count).unwrap_or_default(),
        });
        let surfaces: Vec<Surface<'_>> = surfaces.collect();
        let solids: Vec<Solid<'_>> = self
            .colliders
            .iter()
            .zip(poses)
            .map(|(collider, pose)| Solid { shape: &collider.shape, pose, thickness: collider.thickness })
            .collect();
        let legend = shown.as_ref().map(Shown::legend);
        let picture = Picture { surfaces: &surfaces, pins: &beads, solids: &solids, camera, legend };
        paint(&mut self.painter, &picture)
    }

    fn scale(&self, colouring: Colouring) -> f32 {
        self.scale.filter(|(known, _)| *known == colouring).map_or(0.0, |(_, high)| high)
    }
}

/// Particles that are held.
fn pinned(simulation: &Simulation) -> Vec<usize> {
    let topology = simulation.topology();
    let held = (0..topology.pins.len()).filter(|&pin| simulation.pin_holds(PinId(pin)).unwrap_or(false));
    held.flat_map(|pin| &topology.pins[pin])
        .map(|&ix| topology.order[topology.constraints[ix as usize].row as usize] as usize)
        .collect()
}

/// Where the vertices of a grid lie in the flat cloth, m; for other meshes what they say themselves, if anything.
fn rest_coordinates(body: &Body) -> Vec<Vec2> {
    let positions = &body.mesh.positions;
    let (Some(grid), Some(corner)) = (body.mesh.grid, positions.first()) else { return body.mesh.texture.clone() };
    let distance = |ix: u32| positions.get(ix as usize).map_or(0.0, |p| p.distance(*corner));
    let column = |ix: u32| distance(ix % grid.columns);
    let row = |ix: u32| distance(ix / grid.columns * grid.columns);
    (0..positions.len() as u32).map(|ix| Vec2::new(column(ix), row(ix))).collect()
}

/// Draws the state and writes it as PNG. Returns whether there is an adapter to draw on; without one nothing is written.
pub fn write(
    folder: &Folder,
    name: &str,
    file: &SceneFile,
    simulation: &mut Simulation,
    size: ImageSize,
) -> Result<bool, Error> {
    let Some(mut studio) = Studio::new(file, simulation, size)? else { return Ok(false) };
    let image = studio.draw(simulation, None, Colouring::Plain)?;
    let mut png = io::Cursor::new(Vec::new());
    let encoded = image.write_to(&mut png, image::ImageFormat::Png);
    folder.write(name, |writer| {
        encoded.map_err(io::Error::other)?;
        writer.write_all(png.get_ref())
    })?;
    Ok(true)
}
