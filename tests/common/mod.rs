//! What several tests need.
#![allow(dead_code)]

pub mod lines;
pub mod materials;
pub mod statics;

use glam::{DVec3, Vec3};
use std::f32::consts::PI;
use tenter::{
    Backend, Body, Gpu, Mass, Material, Mesh, NewtonOptions, Nonlinear, SafeOptions, Scene, Simulation, Spring,
    Vertices,
};

/// The GPU backend. A test without an adapter fails: it never skips.
pub fn gpu() -> Gpu {
    Gpu::headless().expect("tests need a GPU adapter; `make test` installs a software one")
}

/// A host's device with small limits.
pub fn small_device(binding: u64) -> Gpu {
    device_with(wgpu::Limits {
        max_storage_buffer_binding_size: binding,
        max_buffer_size: binding,
        ..Default::default()
    })
}

/// A host's device with these limits.
pub fn device_with(required_limits: wgpu::Limits) -> Gpu {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).unwrap();
    let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
    Gpu::from_wgpu(device, queue)
}

/// Both backends, by name.
pub fn backends() -> [(&'static str, Backend); 2] {
    [("gpu", Backend::from(&gpu())), ("cpu", Backend::Cpu)]
}

/// Newton's method where options are given, else one linearisation.
pub fn newton_or_once(newton: Option<NewtonOptions>) -> Nonlinear {
    newton.map_or(Nonlinear::OneLinearisation, Nonlinear::Newton)
}

/// The safe step to another tolerance; energies to its square, so that the step is as exact as its residual.
pub fn safe_to(tolerance: f64) -> Nonlinear {
    let energy_tolerance = (tolerance * tolerance).max(1e-12);
    Nonlinear::Safe(SafeOptions { tolerance, energy_tolerance, ..Default::default() })
}

/// The material of workload W1: 0.1 kg spread evenly; structural 100, shear 50, crossover 5 N/m.
pub fn w1_material() -> Material {
    Material {
        mass: Mass::Total(0.1),
        structural: Spring::new(100.0),
        shear: Spring::new(50.0),
        crossover: Spring::new(5.0),
        ..Material::loose(Mass::Total(0.1))
    }
}

/// A hanging cloth that starts with 2 cm of smooth waviness, so that f32 and f64 buckle the same way.
pub fn wavy_cloth(n: u32) -> Scene {
    let mesh = Mesh::grid(1.0, 1.0, n, n);
    let wave = |p: &Vec3| *p + Vec3::Y * 0.02 * (2.0 * PI * p.x).sin() * (1.5 * PI * p.z).cos();
    let start = mesh.positions.iter().map(wave).collect();
    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(mesh, w1_material()).starting_at(start));
    scene.pin(cloth, Vertices::corners());
    scene
}

/// Runs some steps and waits.
pub fn run(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    simulation.finish().unwrap();
}

/// Largest distance between two sets of points.
pub fn largest_distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .map(|(a, b)| a.distance(*b))
        .fold(0.0, |worst: f64, d| if d.is_nan() { f64::NAN } else { worst.max(d) })
}

/// Deepest sampled point of all triangles, m, by the depth of a point; negative outside.
pub fn deepest(mesh: &Mesh, positions: &[DVec3], depth: impl Fn(DVec3) -> f64) -> f64 {
    const PARTS: usize = 16;
    let mut most = f64::NEG_INFINITY;
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
        for i in 0..=PARTS {
            for j in 0..=PARTS - i {
                let (u, v) = (i as f64 / PARTS as f64, j as f64 / PARTS as f64);
                most = most.max(depth(a + u * (b - a) + v * (c - a)));
            }
        }
    }
    most
}
