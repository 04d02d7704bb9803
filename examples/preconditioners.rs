//! Iterations of block Jacobi and of two levels on the CPU backend, beyond the hanging cloths of `tenter bench`: softer and stiffer materials, short and long steps,
//! irregular and curved meshes, membranes, shells, chains, solids, and the scenes of this repository. Prints a Markdown table of iterations per step.
//!
//! `cargo run --release --example preconditioners [part of a name …]`

use glam::Vec3;
use std::{collections::BTreeMap, path::Path};
use tenter::{
    Backend, Body, Error, Footprint, Free, Mass, Material, Mesh, Nonlinear, Options, Preconditioner, Scene, SceneFile,
    Simulation, SolverOptions, Vertices,
    internals::bench::{reduced, workload::Workload},
};

/// Steps of a scene.
const STEPS: u32 = 15;

/// The material with another stiffness: forces relative to masses are what counts.
fn stiffer(material: Material, factor: f32) -> Material {
    let mass = match material.mass {
        Mass::Surface(mass) => Mass::Surface(mass / factor),
        Mass::Volume(mass) => Mass::Volume(mass / factor),
        Mass::Line(mass) => Mass::Line(mass / factor),
        Mass::Total(mass) => Mass::Total(mass / factor),
        other => other,
    };
    Material { mass, ..material }
}

/// A body held where it is highest along an axis, in the outer `share` of its extent.
fn held(body: Body, axis: Vec3, share: f32) -> Scene {
    let at: Vec<f32> = body.mesh.positions.iter().map(|position| position.dot(axis)).collect();
    let (low, high) = at.iter().fold((f32::MAX, f32::MIN), |(low, high), &at| (low.min(at), high.max(at)));
    let bound = high - share * (high - low) - 1e-6;
    let list: Vec<u32> = (0..at.len() as u32).filter(|&ix| at[ix as usize] >= bound).collect();
    let mut scene = Scene::new();
    let body = scene.add(body);
    scene.pin(body, Vertices::list(list));
    scene
}

/// A sphere of triangles: an octahedron whose edges are cut in two `cuts` times.
fn sphere(radius: f32, cuts: u32) -> Mesh {
    let mut mesh = Mesh { positions: vec![Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z], ..Mesh::default() };
    mesh.triangles = vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
    for _ in 0..cuts {
        let mut middles = BTreeMap::new();
        let positions = &mut mesh.positions;
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                positions.push((positions[a as usize] + positions[b as usize]).normalize());
                positions.len() as u32 - 1
            })
        };
        let cut = |&[a, b, c]: &[u32; 3]| {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        mesh.triangles = mesh.triangles.iter().flat_map(cut).collect();
    }
    mesh.positions.iter_mut().for_each(|position| *position *= radius);
    mesh
}

/// One linearisation per step, solved to 5·10⁻³, or safe steps.
fn options(safe: bool, time_step: f64) -> Options {
    let solver =
        SolverOptions { max_iterations: 4000, tolerance: if safe { 1e-4 } else { 5e-3 }, ..Default::default() };
    let nonlinear = if safe { Nonlinear::default() } else { Nonlinear::OneLinearisation };
    Options { time_step, solver, nonlinear, ..Default::default() }
}

/// A scene of the table.
fn workload(name: String, scene: Scene, options: Options) -> Workload {
    Workload { name, about: "", scene, options, large: false }
}

/// Hanging cotton of springs and as a membrane, by stiffness and step.
fn cottons(list: &mut Vec<Workload>) {
    for (name, material, n) in [("springs", Material::cotton_springs(), 64), ("membrane", Material::cotton(), 48)] {
        for stiffness in [0.1, 1.0, 10.0] {
            for step in [1.0, 3.0, 10.0, 20.0] {
                for safe in [false, true] {
                    let body = Body::cloth(Mesh::grid(1.0, 1.0, n, n), stiffer(material.clone(), stiffness));
                    let mut scene = Scene::new();
                    let cloth = scene.add(body);
                    scene.pin(cloth, Vertices::corners());
                    let mode = if safe { "safe" } else { "once" };
                    let name = format!("{name} {n}×{n}, stiffness ×{stiffness}, {step} ms, {mode}");
                    list.push(workload(name, scene, options(safe, step * 1e-3)));
                }
            }
        }
    }
}

/// Other meshes and models at 10 ms.
fn meshes(list: &mut Vec<Workload>) {
    let block = || Mesh::block(Vec3::new(0.6, 0.2, 0.2), [31, 11, 11]);
    let chain = |count: u32| {
        let positions = (0..count).map(|ix| Vec3::X * (ix as f32 / count as f32)).collect();
        let mut mesh = Mesh { positions, ..Default::default() };
        mesh.wires = (1..count).map(|ix| [ix - 1, ix]).collect();
        mesh
    };
    let cord = || Material::springs(Mass::Line(0.02), tenter::Spring::new(1e4));
    let bodies = [
        (
            "irregular springs",
            Body::cloth(Mesh::irregular(1.0, 1.0, 56, 56, 3), Material::cotton_springs()),
            Vec3::Z,
            0.0,
        ),
        ("irregular membrane", Body::cloth(Mesh::irregular(1.0, 1.0, 56, 56, 4), Material::cotton()), Vec3::Z, 0.0),
        ("irregular disk, rubber", Body::cloth(Mesh::irregular_disk(0.5, 28, 5), Material::rubber()), Vec3::X, 0.02),
        ("ribbon 512×6, silk", Body::cloth(Mesh::grid(3.0, 0.03, 512, 6), Material::silk()), Vec3::X, 0.0),
        ("tube, springs", Body::cloth(Mesh::tube(0.15, 1.0, 64, 48), Material::cotton_springs()), Vec3::Y, 0.0),
        ("tube, denim", Body::cloth(Mesh::tube(0.15, 1.0, 64, 48), Material::denim()), Vec3::Y, 0.0),
        ("sphere, springs", Body::cloth(sphere(0.3, 5), Material::cotton_springs()), Vec3::Y, 0.05),
        ("sphere, leather", Body::cloth(sphere(0.3, 5), Material::leather()), Vec3::Y, 0.05),
        ("chain of 2 500", Body::chain(chain(2500), cord()), Vec3::X, 0.0),
        ("beam, jelly", Body::solid(block(), Material::jelly()), Vec3::X, 0.0),
        ("beam, jelly ×10", Body::solid(block(), stiffer(Material::jelly(), 10.0)), Vec3::X, 0.0),
        ("beam, jelly ×0.1", Body::solid(block(), stiffer(Material::jelly(), 0.1)), Vec3::X, 0.0),
    ];
    for (name, body, axis, share) in bodies {
        for step in [1.0, 10.0] {
            list.push(workload(
                format!("{name}, {step} ms"),
                held(body.clone(), axis, share),
                options(true, step * 1e-3),
            ));
        }
    }
    let mut falling = Scene::new();
    for ix in 0..30 {
        let at = Vec3::new(0.5 * ix as f32, 0.0, 0.0);
        falling.add(Body::cloth(Mesh::grid(0.3, 0.3, 10, 10).translated(at), Material::cotton()));
        falling.bodies[ix as usize].velocity = Vec3::new(0.0, 0.0, 0.1 * ix as f32);
    }
    list.push(workload("30 free cloths of 10×10, 10 ms".to_owned(), falling, options(true, 0.01)));
    let mut sliding = Scene::new();
    let cloth = sliding.add(Body::cloth(Mesh::grid(1.0, 1.0, 56, 56), Material::wool()));
    sliding.pin_sliding(cloth, Vertices::list((0..56).collect::<Vec<_>>()), Free::Line(Vec3::X));
    list.push(workload("wool on a rail, 10 ms".to_owned(), sliding, options(true, 0.01)));
}

/// Scenes of this repository with fewer particles.
fn scenes(list: &mut Vec<Workload>) -> Result<(), Box<dyn std::error::Error>> {
    for name in ["cusick", "drape", "flag", "hanging", "jelly", "plastic", "ring", "stack"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{name}.toml"));
        let file = SceneFile::parse(&reduced(&std::fs::read_to_string(&path)?), &path)?;
        list.push(workload(format!("{name}.toml"), file.scene.into_scene(), file.options));
    }
    Ok(())
}

/// Mean iterations of a step: with block Jacobi from 0; with two levels in the same steps, each from the state that block Jacobi has reached; and with block Jacobi and a
/// warm start, in a motion of its own.
fn iterations(workload: &Workload) -> Result<[f64; 3], Error> {
    let simulation = |preconditioner, warm_start| {
        let solver = SolverOptions { preconditioner, warm_start, ..workload.options.solver.clone() };
        Simulation::new(Backend::Cpu, &workload.scene, Options { solver, ..workload.options.clone() })
    };
    let mut block = simulation(Preconditioner::BlockJacobi, false)?;
    let mut two = simulation(Preconditioner::TwoLevel, false)?;
    let mut warm = simulation(Preconditioner::BlockJacobi, true)?;
    for _ in 0..STEPS {
        two.set_positions(block.positions()?)?;
        two.set_velocities(block.velocities()?)?;
        block.step()?;
        two.step()?;
        warm.step()?;
    }
    Ok([block, two, warm].map(|mut simulation| {
        let total: u32 = simulation.take_records().iter().map(|record| record.iterations).sum();
        f64::from(total) / f64::from(STEPS)
    }))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut list = Vec::new();
    cottons(&mut list);
    meshes(&mut list);
    scenes(&mut list)?;
    println!("| scene | particles | block Jacobi | two levels | relative | warm start | the default |");
    println!("|---|---|---|---|---|---|---|");
    for workload in list {
        if !wanted.is_empty() && !wanted.iter().any(|part| workload.name.contains(part)) {
            continue;
        }
        let solver = SolverOptions { preconditioner: Preconditioner::Automatic, ..workload.options.solver.clone() };
        let automatic = Options { solver, ..workload.options.clone() };
        let two = Footprint::of(&workload.scene, &automatic, None)?.preconditioner == Some(Preconditioner::TwoLevel);
        let default = if two { "two levels" } else { "block Jacobi" };
        let (name, particles) = (&workload.name, workload.scene.particle_count());
        match iterations(&workload) {
            Ok([block, two, warm]) => {
                let ratio = two / block.max(f64::MIN_POSITIVE);
                println!("| {name} | {particles} | {block:.1} | {two:.1} | {ratio:.2} | {warm:.1} | {default} |");
            }
            Err(error) => println!("| {name} | {particles} | {error} |"),
        }
    }
    Ok(())
}
