//! Workloads of the benchmark.

use crate::random::Random;
use crate::{Body, Mass, Material, Mesh, Nonlinear, Options, Scene, SolverOptions, Spring, Vertices};
use glam::Vec3;

/// A scene with the options to simulate it.
#[derive(Debug, Clone)]
pub struct Workload {
    /// Short, stable name, by which old and new results are matched.
    pub name: String,
    /// Description of one line.
    pub about: &'static str,
    /// Scene to simulate.
    pub scene: Scene,
    /// Options of the simulation.
    pub options: Options,
    /// Whether the workload runs only with `--full`.
    pub large: bool,
}

/// All workloads, smallest first within each series.
pub fn all() -> Vec<Workload> {
    let mut workloads: Vec<Workload> = [32, 64, 128, 256, 512, 1024].map(hanging_cloth).into();
    workloads.push(irregular_cloth(128));
    workloads.push(spring_grid());
    workloads.push(small_cloth());
    workloads.push(super::integrators::tetrahedral_cube());
    workloads.extend(super::integrators::rows());
    workloads.extend(super::integrators::teschner());
    workloads.extend(super::forces::all());
    workloads.extend(super::ball::all());
    workloads.extend(super::drape::all());
    workloads
}

/// One linearisation per step with exactly this many iterations, and two contact passes with colliders: fixed work, so that times
/// compare the cost of an iteration.
pub fn fixed_iterations(iterations: u32) -> Options {
    let solver = SolverOptions { tolerance: 0.0, max_iterations: iterations, ..Default::default() };
    Options { time_step: 0.01, solver, nonlinear: Nonlinear::OneLinearisation, contact_passes: 2, ..Default::default() }
}

fn w1_material() -> Material {
    Material {
        mass: Mass::Total(0.1),
        structural: Spring::new(100.0),
        shear: Spring::new(50.0),
        crossover: Spring::new(5.0),
        ..Material::loose(Mass::Total(0.1))
    }
}

/// W1: n×n particles on 1 m², flat, two corners pinned, 0.1 kg, implicit Euler, h = 10 ms, structural 100, shear 50 and skip-one
/// crossover springs 5 N/m, one linearisation, 20 iterations with block Jacobi.
pub fn hanging_cloth(n: u32) -> Workload {
    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, n, n), w1_material()));
    scene.pin(cloth, Vertices::corners());
    Workload {
        name: format!("w1-{n}"),
        about: "hanging cloth, 20 iterations",
        scene,
        options: fixed_iterations(20),
        large: n > 256,
    }
}

/// The cloth of W1 as an irregular triangle mesh, jittered and randomly numbered, with structural springs along edges and
/// crossover springs across them.
pub fn irregular_cloth(n: u32) -> Workload {
    let mut rng = Random(n.into());
    let mut mesh = Mesh::grid(1.0, 1.0, n, n);
    mesh.grid = None;
    let cell = 1.0 / n as f32;
    for position in &mut mesh.positions {
        *position += 0.3 * cell * Vec3::new(rng.signed(), 0.0, rng.signed());
    }
    let mut numbers: Vec<u32> = (0..mesh.positions.len() as u32).collect();
    for ix in (1..numbers.len()).rev() {
        numbers.swap(ix, (rng.next() % (ix as u64 + 1)) as usize);
    }
    let mut positions = mesh.positions.clone();
    for (old, &new) in numbers.iter().enumerate() {
        positions[new as usize] = mesh.positions[old];
    }
    mesh.positions = positions;
    mesh.triangles.iter_mut().flatten().for_each(|vertex| *vertex = numbers[*vertex as usize]);
    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(mesh, w1_material()));
    scene.pin(cloth, Vertices::list([numbers[0], numbers[n as usize - 1]]));
    Workload {
        name: format!("irregular-{n}"),
        about: "hanging cloth, jittered triangles in random order",
        scene,
        options: fixed_iterations(20),
        large: false,
    }
}

/// SOFA's benchmark: a beam of 40×10×10 particles, springs along the axes and diagonals of every cell face, pinned at one end.
pub fn spring_grid() -> Workload {
    let (nx, ny, nz) = (40u32, 10u32, 10u32);
    let ix = |x: u32, y: u32, z: u32| (z * ny + y) * nx + x;
    let mut mesh = Mesh::default();
    for z in 0..nz {
        for y in 0..ny {
            for x in 0..nx {
                mesh.positions.push(0.1 * Vec3::new(x as f32, y as f32, z as f32));
                let offsets: [(u32, i64, i64); 9] = [
                    (1, 0, 0),
                    (0, 1, 0),
                    (0, 0, 1),
                    (1, 1, 0),
                    (1, -1, 0),
                    (1, 0, 1),
                    (1, 0, -1),
                    (0, 1, 1),
                    (0, 1, -1),
                ];
                for (dx, dy, dz) in offsets {
                    let (to_x, to_y, to_z) = (x + dx, i64::from(y) + dy, i64::from(z) + dz);
                    if to_x < nx && (0..i64::from(ny)).contains(&to_y) && (0..i64::from(nz)).contains(&to_z) {
                        mesh.wires.push([ix(x, y, z), ix(to_x, to_y as u32, to_z as u32)]);
                    }
                }
            }
        }
    }
    let held = Vertices::Box { low: Vec3::splat(-1.0), high: Vec3::new(0.01, 2.0, 2.0) };
    let mut scene = Scene::new();
    let beam = scene.add(Body::cloth(mesh, Material::springs(Mass::Total(40.0), Spring::new(3000.0))));
    scene.pin(beam, held);
    Workload {
        name: "beam-40x10x10".to_owned(),
        about: "SOFA's spring grid, 20 iterations",
        scene,
        options: fixed_iterations(20),
        large: false,
    }
}

/// A cotton cloth of n×n particles on 1 m², flat, two corners pinned.
pub fn hanging_cotton(n: u32) -> Scene {
    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, n, n), Material::cotton_springs()));
    scene.pin(cloth, Vertices::corners());
    scene
}

/// A 30×30 cloth with a game's options: one linearisation, solved to a tolerance.
pub fn small_cloth() -> Workload {
    let solver = SolverOptions { tolerance: 1e-2, ..Default::default() };
    Workload {
        name: "cloth-30".to_owned(),
        about: "30×30 cotton, solved to 1e-2",
        scene: hanging_cotton(30),
        options: Options {
            time_step: 1.0 / 60.0,
            solver,
            nonlinear: Nonlinear::OneLinearisation,
            ..Default::default()
        },
        large: false,
    }
}
