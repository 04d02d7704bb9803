//! The picture of a state.

use super::{folder::Folder, image_size::ImageSize};
use crate::{
    Body, Error, PinId, SceneFile, Simulation,
    picture::{PictureOptions, Solid, Surface, render},
};
use glam::{Vec2, Vec3};
use std::io;

/// Colours of bodies in linear light, one after the other and round again.
const COLOURS: [[f32; 3]; 5] =
    [[0.75, 0.16, 0.12], [0.12, 0.33, 0.62], [0.80, 0.52, 0.10], [0.16, 0.45, 0.25], [0.45, 0.20, 0.50]];

/// Draws the state and writes it as PNG.
pub fn write(
    folder: &Folder,
    name: &str,
    file: &SceneFile,
    simulation: &mut Simulation,
    positions: &[Vec3],
    size: ImageSize,
) -> Result<(), Error> {
    let mut surfaces = Vec::new();
    let mut beads: Vec<Vec3> = pinned(simulation).filter_map(|particle| positions.get(particle).copied()).collect();
    let weave: Vec<Vec<Vec2>> = file.scene.bodies.iter().map(rest_coordinates).collect();
    let mut first = 0;
    for (ix, body) in file.scene.bodies.iter().enumerate() {
        let end = first + body.mesh.positions.len();
        let positions = positions.get(first..end).unwrap_or_default();
        first = end;
        if body.mesh.triangles.is_empty() {
            // Nothing to shade: show where the particles are.
            beads.extend(positions);
        }
        surfaces.push(Surface {
            positions,
            triangles: &body.mesh.triangles,
            colour: COLOURS[ix % COLOURS.len()],
            rest_coordinates: &weave[ix],
        });
    }
    let ImageSize { width, height } = size;
    let colliders = file.scene.colliders.iter().zip(simulation.collider_poses()?);
    let solids: Vec<Solid<'_>> = colliders
        .map(|(collider, pose)| Solid { shape: &collider.shape, pose, thickness: collider.thickness })
        .collect();
    let options = PictureOptions { width, height, pins: &beads, solids: &solids, ..Default::default() };
    let image = render(&surfaces, &options);
    let mut png = io::Cursor::new(Vec::new());
    let encoded = image.write_to(&mut png, image::ImageFormat::Png);
    folder.write(name, |writer| {
        encoded.map_err(io::Error::other)?;
        writer.write_all(png.get_ref())
    })
}

/// Particles that are held.
fn pinned(simulation: &Simulation) -> impl Iterator<Item = usize> + '_ {
    let topology = simulation.topology();
    let held = (0..topology.pins.len()).filter(|&pin| simulation.pin_holds(PinId(pin)).unwrap_or(false));
    held.flat_map(|pin| &topology.pins[pin])
        .map(|&ix| topology.order[topology.constraints[ix as usize].row as usize] as usize)
}

/// Where the vertices of a grid lie in the flat cloth, m; nothing for other meshes.
fn rest_coordinates(body: &Body) -> Vec<Vec2> {
    let positions = &body.mesh.positions;
    let (Some(grid), Some(corner)) = (body.mesh.grid, positions.first()) else { return Vec::new() };
    let distance = |ix: u32| positions.get(ix as usize).map_or(0.0, |p| p.distance(*corner));
    let column = |ix: u32| distance(ix % grid.columns);
    let row = |ix: u32| distance(ix / grid.columns * grid.columns);
    (0..positions.len() as u32).map(|ix| Vec2::new(column(ix), row(ix))).collect()
}
