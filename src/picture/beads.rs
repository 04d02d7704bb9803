//! Small spheres that mark chosen points, such as pinned particles.

use glam::Vec3;

use super::mesh::{Bounds, Material, Mesh, is_drawable};

/// More marks than this are thinned out: each costs as many triangles as a patch of cloth.
const MOST_BEADS: usize = 1024;

const MERIDIANS: u32 = 14;
const PARALLELS: u32 = 8;

/// Adds a bead at every drawable point of `pins`.
pub(super) fn add(mesh: &mut Mesh, pins: &[Vec3]) {
    let drawable: Vec<Vec3> = pins.iter().copied().filter(|pin| is_drawable(*pin)).collect();
    if drawable.is_empty() {
        return;
    }
    // Only vertices that triangles use may set the size, so the mesh is asked, not its arrays.
    mesh.finish();
    let around = mesh.drawn_positions().chain(drawable.iter().copied());
    let scene_radius = Bounds::of(around).radius();
    // A whole pinned edge should read as a row of small beads, a few corners as clear marks.
    let radius = scene_radius * if drawable.len() > 16 { 0.004 } else { 0.010 };
    let step = drawable.len().div_ceil(MOST_BEADS);

    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for centre in drawable.into_iter().step_by(step) {
        push_sphere(centre, radius, &mut positions, &mut triangles);
    }
    let colour = Vec3::new(0.035, 0.036, 0.042);
    mesh.add(
        &positions,
        &triangles,
        Material { front: colour, back: colour, casts_shadow: false, is_faceted: false, check: None },
    );
}

fn push_sphere(centre: Vec3, radius: f32, positions: &mut Vec<Vec3>, triangles: &mut Vec<[u32; 3]>) {
    let base = positions.len() as u32;
    for parallel in 0..=PARALLELS {
        let polar = std::f32::consts::PI * parallel as f32 / PARALLELS as f32;
        for meridian in 0..MERIDIANS {
            let azimuth = std::f32::consts::TAU * meridian as f32 / MERIDIANS as f32;
            let direction = Vec3::new(polar.sin() * azimuth.cos(), polar.cos(), polar.sin() * azimuth.sin());
            positions.push(centre + radius * direction);
        }
    }
    for parallel in 0..PARALLELS {
        for meridian in 0..MERIDIANS {
            let next = (meridian + 1) % MERIDIANS;
            let upper = base + parallel * MERIDIANS;
            let lower = upper + MERIDIANS;
            triangles.push([upper + meridian, upper + next, lower + next]);
            triangles.push([upper + meridian, lower + next, lower + meridian]);
        }
    }
}
