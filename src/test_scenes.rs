//! Scenes for tests: irregular on purpose.

use crate::{Body, Mass, Material, Mesh, Scene, Spring, Volume};
use fastrand::Rng;
use glam::Vec3;

/// A triangulated sheet with jittered, randomly numbered vertices, stretched, squeezed and crumpled at random.
pub fn irregular(seed: u64, columns: u32, rows: u32) -> Scene {
    let mut rng = Rng::with_seed(seed);
    let mut signed = move || 2.0 * rng.f32() - 1.0;
    let mut mesh = Mesh::grid(1.0, 1.0, columns, rows);
    mesh.grid = None;
    let cell = 1.0 / columns as f32;
    for position in &mut mesh.positions {
        *position += 0.3 * cell * Vec3::new(signed(), 0.2 * signed(), signed());
    }
    let count = mesh.positions.len();
    let mut numbers: Vec<u32> = (0..count as u32).collect();
    Rng::with_seed(seed + 1).shuffle(&mut numbers);
    let mut shuffled = vec![Vec3::ZERO; count];
    for (old, &new) in numbers.iter().enumerate() {
        shuffled[new as usize] = mesh.positions[old];
    }
    mesh.positions = shuffled;
    for vertex in mesh.triangles.iter_mut().flatten() {
        *vertex = numbers[*vertex as usize];
    }
    let start = mesh
        .positions
        .iter()
        .map(|p| *p * Vec3::new(1.15, 1.0, 0.9) + 0.2 * cell * Vec3::new(signed(), signed(), signed()));
    let start = start.collect();
    let material = Material {
        mass: Mass::Surface(0.2),
        structural: Spring::new(300.0).damped(0.05),
        shear: Spring::default(),
        crossover: Spring::new(20.0).damped(0.01),
        ..Material::loose(Mass::Surface(0.2))
    };
    let mut scene = Scene::new();
    scene.add(Body::cloth(mesh, material).starting_at(start));
    scene
}

/// A block of tetrahedra with springs along all edges, jittered, squeezed and crumpled until some of it is inverted.
pub fn solid(seed: u64) -> Scene {
    let mut rng = Rng::with_seed(seed);
    let mut signed = move || 2.0 * rng.f32() - 1.0;
    let mut mesh = Mesh::block(Vec3::new(0.6, 0.5, 0.4), [6, 5, 5]);
    mesh.positions.iter_mut().for_each(|p| *p += 0.02 * Vec3::new(signed(), signed(), signed()));
    let start = mesh.positions.iter().map(|p| *p * 0.9 + 0.06 * Vec3::new(signed(), signed(), signed())).collect();
    let material = Material {
        structural: Spring::new(50.0).damped(0.02),
        volume: Some(Volume { stiffness: 2.0, damping: 0.01 }),
        ..Material::loose(Mass::Volume(50.0))
    };
    let mut scene = Scene::new();
    scene.add(Body::cloth(mesh, material).starting_at(start));
    scene
}

/// Velocities of about 1 m/s.
pub fn random_vectors(seed: u64, count: usize) -> Vec<Vec3> {
    let mut rng = Rng::with_seed(seed);
    let mut signed = move || 2.0 * rng.f32() - 1.0;
    (0..count).map(|_| Vec3::new(signed(), signed(), signed())).collect()
}
