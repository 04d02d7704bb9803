//! Scenes of contact between bodies that nobody would build on purpose: they work or are refused by name, and never hang.

use crate::common::gpu;
use glam::Vec3;
use tenter::{
    Backend, Body, BodyContact, Error, Integrator, Mass, Material, Mesh, Nonlinear, Options, Scene, Simulation, Spring,
};

fn meeting(thickness: f32) -> Scene {
    Scene { contact: Some(BodyContact { thickness: Some(thickness), ..Default::default() }), ..Scene::new() }
}

fn material() -> Material {
    Material::springs(Mass::Total(0.05), Spring::new(50.0))
}

fn triangles(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Mesh {
    Mesh { positions, triangles, ..Mesh::default() }
}

/// Scenes by name.
fn scenes() -> Vec<(&'static str, Scene)> {
    let mut all = Vec::new();
    let corner = [Vec3::ZERO, 0.1 * Vec3::X, 0.1 * Vec3::Z];

    // Vertices of many bodies at one place.
    let mut scene = meeting(0.005);
    for _ in 0..60 {
        scene.add(Body::cloth(triangles(corner.to_vec(), vec![[0, 1, 2]]), material()));
    }
    all.push(("coincident triangles", scene));

    let mut scene = meeting(1.0);
    for layer in 0..2 {
        scene.add(Body::cloth(Mesh::grid(0.1, 0.1, 6, 6).translated(0.02 * layer as f32 * Vec3::Y), material()));
    }
    all.push(("thickness beyond the scene", scene));

    let mut scene = meeting(0.005);
    let flat = vec![Vec3::ZERO, 0.1 * Vec3::X, 0.2 * Vec3::X, Vec3::new(0.1, 0.0, 0.1)];
    scene.add(Body::cloth(triangles(flat, vec![[0, 1, 2], [0, 2, 3]]), material()));
    scene.add(Body::cloth(Mesh::grid(0.3, 0.3, 4, 4).translated(-0.006 * Vec3::Y), material()));
    all.push(("a triangle without area", scene));

    let mut scene = meeting(0.005);
    scene.add(Body::cloth(triangles(corner.to_vec(), vec![[0, 1, 2], [0, 1, 2], [2, 1, 0]]), material()));
    scene.add(Body::cloth(triangles(corner.map(|p| p + 0.004 * Vec3::Y).to_vec(), vec![[0, 1, 2]]), material()));
    all.push(("a triangle three times", scene));

    let mut scene = meeting(0.01);
    let mut random = fastrand::Rng::with_seed(3);
    let heap = (0..300).map(|_| 0.05 * Vec3::new(random.f32(), random.f32(), random.f32())).collect();
    scene.add(Body::cloth(triangles(heap, Vec::new()), Material { mass: Mass::Total(0.05), ..material() }));
    scene.add(Body::cloth(Mesh::grid(0.3, 0.3, 5, 5).translated(-0.02 * Vec3::Y), material()));
    all.push(("loose particles in a pile", scene));

    let mut scene = meeting(0.005);
    for size in [0.2, 0.1] {
        let cube = Mesh::block(Vec3::splat(size), [3; 3]);
        scene.add(Body::solid(cube, Material::jelly()));
    }
    all.push(("a body inside another", scene));

    // One fast particle, whose motion crosses everything.
    let mut scene = meeting(0.005);
    scene.add(Body::cloth(Mesh::grid(0.5, 0.5, 24, 24), material()));
    let fast = triangles(corner.map(|p| p + 0.3 * Vec3::Y).to_vec(), vec![[0, 1, 2]]);
    scene.add(Body::cloth(fast, material()).moving(Vec3::new(30.0, -60.0, 20.0)));
    all.push(("a fast body", scene));
    all
}

fn options() -> [Options; 3] {
    let with = |integrator, nonlinear, time_step| Options { integrator, nonlinear, time_step, ..Default::default() };
    [
        with(Integrator::ImplicitEuler, Nonlinear::default(), 0.01),
        with(Integrator::ImplicitEuler, Nonlinear::OneLinearisation, 0.01),
        with(Integrator::LeapFrog, Nonlinear::default(), 5e-4),
    ]
}

/// Runs a few steps. Errors are answers; positions that are returned are finite.
fn run(backend: Backend, name: &str, scene: &Scene, options: Options) -> Result<(), Error> {
    let method = format!("{} {:?}", options.integrator.name(), options.nonlinear);
    let done = (|| {
        let mut simulation = Simulation::new(backend, scene, options)?;
        simulation.step_many(4)?;
        simulation.finish()?;
        let positions = simulation.positions()?;
        assert!(positions.iter().all(|p| p.is_finite()), "{name}: {method}");
        Ok(())
    })();
    println!("{name}, {}: {done:?}", &method[..method.len().min(30)]);
    done
}

#[test]
fn strange_scenes_work_or_are_refused() {
    let mut worked = 0;
    for (name, scene) in scenes() {
        for options in options() {
            match run(Backend::Cpu, name, &scene, options) {
                Ok(()) => worked += 1,
                Err(Error::Scene { .. } | Error::Unstable { .. } | Error::NonFinite { .. } | Error::Limit { .. }) => {}
                Err(error) => panic!("{name}: {error}"),
            }
        }
    }
    assert!(worked >= 12, "{worked}");
}

#[test]
fn strange_scenes_work_or_are_refused_on_the_gpu() {
    let gpu = gpu();
    for (name, scene) in scenes().into_iter().filter(|(name, _)| ["coincident triangles", "a fast body"].contains(name))
    {
        match run(Backend::from(&gpu), name, &scene, options()[0].clone()) {
            Ok(())
            | Err(Error::Scene { .. } | Error::Unstable { .. } | Error::NonFinite { .. } | Error::Limit { .. }) => {}
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

/// A search that has to visit more nodes than a thread may is divided, and finds the same pairs.
#[test]
fn long_searches_are_divided() {
    let mut scene = meeting(0.005);
    scene.gravity = Vec3::ZERO;
    scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 48, 48), material()));
    // Its box covers the whole sheet, whose 16 000 nodes are too many for one thread of a software driver.
    let ends = vec![Vec3::new(-0.6, 0.0055, -0.6), Vec3::new(0.6, 0.02, 0.6)];
    let wire = Mesh { positions: ends, wires: vec![[0, 1]], ..Mesh::default() };
    scene.add(Body::chain(wire, material()));
    let options = Options { time_step: 0.002, ..Default::default() };
    let run = |backend: Backend| {
        let mut simulation = Simulation::new(backend, &scene, options.clone()).unwrap();
        simulation.step_many(2).unwrap();
        simulation.finish().unwrap();
        simulation.take_records().iter().map(|record| record.meeting.unwrap().pairs).collect::<Vec<_>>()
    };
    let (on_gpu, on_cpu) = (run(Backend::from(&gpu())), run(Backend::Cpu));
    println!("{on_gpu:?} {on_cpu:?}");
    assert!(on_gpu[0] > 10 && on_gpu[0].abs_diff(on_cpu[0]) < 3);
}
