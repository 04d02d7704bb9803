//! Integrators on the same work: the hanging cloth of W1 and the cube of tetrahedra of W2, each with a step it is stable at.

use super::workload::{Workload, hanging_cloth};
use crate::{Body, Integrator, Mass, Material, Mesh, Options, Scene, SolverOptions, Spring, Vertices, Volume};
use glam::Vec3;

/// W2: a cube of 11³ particles on 1 m, 6930 springs of 50 N/m, 5000 tetrahedra with 0.25 N·m of volume energy, 1 kg, bottom held,
/// explicit Verlet with h = 0.5 ms.
pub fn tetrahedral_cube() -> Workload {
    Workload {
        name: "w2".to_owned(),
        about: "cube of 5000 tetrahedra, explicit Verlet",
        scene: cube(),
        options: Options { integrator: Integrator::Verlet, time_step: 5e-4, ..Default::default() },
        large: false,
    }
}

/// Teschner's table 1 as far as its meshes are blocks: points, distances and volumes from (8, 18, 5) to (20402, 90801, 50000). The time
/// of a step should grow with the number of forces.
pub fn teschner() -> Vec<Workload> {
    let block = |counts: [u32; 3]| {
        let mut workload = tetrahedral_cube();
        let size = Vec3::from_array(counts.map(|count| 0.1 * (count - 1) as f32));
        let material = workload.scene.bodies[0].material.clone();
        let points = counts.iter().product::<u32>();
        workload.scene = Scene::new();
        let body = workload.scene.add(Body::cloth(Mesh::block(size, counts), material));
        workload.scene.bodies[body.0].material.mass = Mass::Total(points as f32 / 1331.0);
        workload.name = format!("t1-{points}");
        workload.about = "Teschner's table 1, explicit Verlet";
        workload
    };
    [[2, 2, 2], [11, 11, 2], [11, 11, 11], [101, 101, 2]].map(block).into()
}

/// Integrators that are worth a row of the benchmark: one of each kind of work, at 20 iterations where there is a solve.
pub fn rows() -> Vec<Workload> {
    let chosen = ["bdf2", "implicit-midpoint", "imex-euler", "sbdf2", "verlet", "rk4"];
    let row = |integrator: Integrator| {
        let w1 = hanging_cloth(64);
        let time_step = if integrator.is_explicit() { 1e-4 } else { w1.options.time_step };
        Workload {
            name: format!("step-{}", integrator.name()),
            about: "w1-64 with another integrator",
            options: Options { integrator, time_step, ..w1.options },
            ..w1
        }
    };
    Integrator::ALL.into_iter().filter(|integrator| chosen.contains(&integrator.name())).map(row).collect()
}

/// The scene of W2.
pub fn cube() -> Scene {
    let material = Material {
        structural: Spring::new(50.0),
        volume: Some(Volume { stiffness: 0.25, damping: 0.0 }),
        ..Material::loose(Mass::Total(1.0))
    };
    let mut scene = Scene::new();
    let cube = scene.add(Body::cloth(Mesh::block(Vec3::ONE, [11, 11, 11]), material));
    scene.pin(cube, Vertices::Box { low: Vec3::splat(-1.0), high: Vec3::new(1.0, -0.499, 1.0) });
    scene
}

/// Options for a comparison: the integrator, its step, and a solve that is exact enough not to matter.
pub fn compared(integrator: Integrator, time_step: f64) -> Options {
    let solver = SolverOptions { tolerance: 1e-3, max_iterations: 500, ..Default::default() };
    Options { integrator, time_step, solver, ..Default::default() }
}
