//! Cost of contacts: cloth on a sphere.

use super::{
    contacts::{ContactBench, Situation},
    measure::median,
    workload::{Workload, fixed_iterations},
};
use crate::{Body, Collider, Material, Mesh, Scene};
use glam::Vec3;
use std::time::Instant;

/// Number of timed detections; the median counts.
const LOOKS: usize = 9;
/// Particles along a side of the sheet.
const SIZE: u32 = 512;

/// Cloths on a sphere, of growing size.
pub fn all() -> Vec<Workload> {
    [32, 64, 128].map(draped_cloth).into()
}

/// A cotton cloth of n×n particles on 1 m², wrapped over a sphere of radius 0.5 m as if it had just landed. Step and iterations
/// are those of W1; each of the three parts of a solve has at most 20 iterations.
pub fn draped_cloth(n: u32) -> Workload {
    let (radius, thickness) = (0.5, 0.005);
    let mesh = Mesh::grid(1.0, 1.0, n, n);
    // The cloth follows meridians of the sphere, then hangs straight down.
    let over = |p: &Vec3| {
        let far = p.length();
        let out = if far > 0.0 { *p / far } else { Vec3::ZERO };
        let (sin, cos) = (far / (radius + thickness)).min(1.5).sin_cos();
        (radius + thickness) * (out * sin + Vec3::Y * cos)
    };
    let start = mesh.positions.iter().map(over).collect();
    let mut scene = Scene::new();
    scene.add_collider(Collider { thickness, ..Collider::sphere(Vec3::ZERO, radius) });
    scene.add_collider(Collider::plane([0.0, -1.0, 0.0], Vec3::Y));
    scene.add(Body::cloth(mesh, Material::cotton_springs()).starting_at(start));
    Workload {
        name: format!("drape-{n}"),
        about: "cloth on a sphere, contacts tested in every step",
        scene,
        options: fixed_iterations(20),
        large: false,
    }
}

/// Pairs of a particle and a collider tested per second, by situation: median of several detections.
pub fn tests_per_second() -> Vec<(Situation, f64)> {
    let rate = |situation: Situation| {
        let bench = ContactBench::new(situation, SIZE);
        bench.run();
        let mut times = [0.0; LOOKS];
        for time in &mut times {
            let begin = Instant::now();
            std::hint::black_box(bench.run());
            *time = begin.elapsed().as_secs_f64();
        }
        (situation, bench.pairs() as f64 / median(&mut times).max(f64::MIN_POSITIVE))
    };
    Situation::ALL.map(rate).into()
}
