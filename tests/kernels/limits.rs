//! Scenes at the edge of what a driver can do in one dispatch: software drivers end the loops of a thread early, without a word, so
//! one particle with very many neighbours must be spread, or refused, and never be computed wrongly.

use crate::common::{backends, gpu, largest_distance, run, small_device};
use glam::{DVec3, Vec3};
use tenter::{
    Air, Area, Backend, Body, Error, Mass, Material, Mesh, Options, Plasticity, Scene, Simulation, SolverOptions,
    Spring, Variant, Vertices,
};

/// A hub with n triangles around it.
fn fan(n: u32) -> Mesh {
    let mut positions = vec![Vec3::ZERO];
    for ix in 0..n {
        let angle = std::f32::consts::TAU * ix as f32 / n as f32;
        positions.push(Vec3::new(angle.cos(), 0.3, angle.sin()));
    }
    let triangles = (0..n).map(|ix| [0, 1 + ix, 1 + (ix + 1) % n]).collect();
    Mesh::from_triangles(positions, triangles)
}

/// Velocity of the hub after a step, on the GPU and on the CPU; `None` where the GPU refuses the scene.
fn hub(n: u32, change: impl Fn(&mut Scene)) -> Option<[DVec3; 2]> {
    let mut scene = Scene::new();
    scene.gravity = Vec3::ZERO;
    let mesh = fan(n);
    let start = mesh.positions.iter().map(|p| Vec3::new(p.x, 0.9 * p.y, p.z)).collect();
    scene.add(Body::cloth(mesh, Material::loose(Mass::Total(n as f32))).starting_at(start));
    change(&mut scene);
    let options = Options { solver: SolverOptions { max_iterations: 50, ..Default::default() }, ..Default::default() };
    let mut found = Vec::new();
    for (_, backend) in backends() {
        let mut simulation = match Simulation::new(backend, &scene, options.clone()) {
            Err(Error::Limit { .. }) => return None,
            other => other.unwrap(),
        };
        run(&mut simulation, 1);
        found.push(simulation.velocities().unwrap()[0].as_dvec3());
    }
    Some([found[0], found[1]])
}

#[test]
fn a_hub_of_many_elements_is_right_or_refused() {
    let mut right = Vec::new();
    for n in [300, 1200, 3000, 12_000] {
        let found = hub(n, |scene| scene.bodies[0].material.area = Some(Area { stiffness: 1e-6, damping: 0.0 }));
        println!("area {n}: {found:?}");
        if let Some([a, b]) = found {
            assert!((a.y / b.y - 1.0).abs() < 0.02 && b.y != 0.0, "{n}: {a} {b}");
            right.push(n);
        }
    }
    assert!(right.contains(&1200), "{right:?}");
}

#[test]
fn a_hub_in_wind_is_right_or_refused() {
    let mut right = Vec::new();
    for n in [50_000, 80_000] {
        let found = hub(n, |scene| scene.air = Some(Air::wind(Vec3::Y)));
        println!("wind {n}: {found:?}");
        if let Some([a, b]) = found {
            assert!((a.y / b.y - 1.0).abs() < 0.02 && b.y != 0.0, "{n}: {a} {b}");
            right.push(n);
        }
    }
    assert!(right.contains(&50_000), "{right:?}");
}

#[test]
fn many_partials_are_all_folded() {
    let mut records = Vec::new();
    for variant in [Variant::default(), Variant::Many { workgroups: 2048 }] {
        let mut scene = Scene::new();
        let mut material = Material::loose(Mass::Total(1.0));
        material.area = Some(Area { stiffness: 1e-3, damping: 0.0 });
        let mesh = Mesh::grid(1.0, 1.0, 120, 120);
        let start = mesh.positions.iter().map(|p| 1.01 * *p).collect();
        scene.add(Body::cloth(mesh, material).starting_at(start));
        let solver = SolverOptions { variant, max_iterations: 4, ..Default::default() };
        let options = Options { solver, measure: true, time_step: 1e-4, ..Default::default() };
        let mut simulation = Simulation::new(&gpu(), &scene, options).unwrap();
        simulation.step().unwrap();
        records.push(simulation.finish().unwrap().unwrap());
    }
    let [a, b] = [0, 1].map(|ix| records[ix].measures.unwrap());
    assert!((a.kinetic / b.kinetic - 1.0).abs() < 1e-3, "{a:?} {b:?}");
    assert!((a.elastic / b.elastic - 1.0).abs() < 1e-3, "{a:?} {b:?}");
}

#[test]
fn a_large_loose_sheet_feels_wind_everywhere() {
    let mut scene = Scene::new();
    scene.gravity = Vec3::ZERO;
    scene.air = Some(Air::wind(Vec3::Y));
    scene.add(Body::cloth(Mesh::grid(10.0, 10.0, 800, 800), Material::loose(Mass::Surface(0.2))));
    let mut simulation = Simulation::new(&gpu(), &scene, Options::default()).unwrap();
    run(&mut simulation, 1);
    let velocities = simulation.velocities().unwrap();
    let wrong = velocities.iter().filter(|v| (v.y / 0.05 - 1.0).abs() > 1e-2).count();
    assert_eq!(wrong, 0, "particles that the wind does not reach");
}

#[test]
fn two_hubs_of_springs() {
    two_hubs(20_000);
}

fn two_hubs(n: u32) {
    let mut mesh = Mesh::points(
        (0..64 + n)
            .map(|ix| Vec3::new((ix as f32).cos(), if ix < 64 { 0.0 } else { 0.3 }, (ix as f32).sin()))
            .collect(),
    );
    mesh.wires = (0..n).flat_map(|ix| [[0, 64 + ix], [40, 64 + ix]]).collect();
    mesh.positions[0] = Vec3::ZERO;
    mesh.positions[40] = Vec3::new(0.1, 0.0, 0.0);
    let start: Vec<Vec3> = mesh.positions.iter().map(|p| Vec3::new(p.x, 1.1 * p.y, p.z)).collect();
    let mut found = Vec::new();
    for (_, backend) in backends() {
        let mut scene = Scene::new();
        scene.gravity = Vec3::ZERO;
        let material = Material::springs(Mass::Total(n as f32), Spring::new(1e-3));
        scene.add(Body::cloth(mesh.clone(), material).starting_at(start.clone()));
        let options = Options {
            ordering: tenter::Ordering::AsGiven,
            solver: SolverOptions { max_iterations: 20, ..Default::default() },
            ..Default::default()
        };
        let mut simulation = Simulation::new(backend, &scene, options).unwrap();
        run(&mut simulation, 1);
        found.push([0, 40].map(|ix| simulation.velocities().unwrap()[ix]));
    }
    for ix in 0..2 {
        assert!((found[0][ix].y / found[1][ix].y - 1.0).abs() < 0.01, "{found:?}");
    }
}

#[test]
fn a_matrix_in_chunks_with_elements_and_history() {
    let mut scene = Scene::new();
    let mut material = Material::cotton_springs();
    material.structural = material.structural.plastic(Plasticity { yield_strain: 0.001, maximum: 0.5, creep: 20.0 });
    material.area = Some(Area { stiffness: 1e-3, damping: 1e-5 });
    let mesh = Mesh::grid(1.0, 1.0, 60, 60);
    let start =
        mesh.positions.iter().map(|p| 1.03 * *p + Vec3::Y * 0.02 * (9.0 * p.x).sin() * (7.0 * p.z).cos()).collect();
    let cloth = scene.add(Body::cloth(mesh, material).starting_at(start));
    scene.pin(cloth, Vertices::corners());
    let options = Options {
        measure: true,
        nonlinear: tenter::Nonlinear::OneLinearisation,
        solver: SolverOptions { tolerance: 1e-6, max_iterations: 400, ..Default::default() },
        ..Default::default()
    };
    let mut results = Vec::new();
    for (name, backend) in
        [("chunks", Backend::from(&small_device(1 << 19))), ("whole", Backend::from(&gpu())), ("cpu", Backend::Cpu)]
    {
        let mut simulation = Simulation::new(backend, &scene, options.clone()).unwrap();
        println!("{name}: {:?}", simulation.costs());
        run(&mut simulation, 3);
        let history = simulation.edge_history().unwrap();
        // And back, through all chunks.
        simulation.set_edge_history(&history).unwrap();
        assert_eq!(simulation.edge_history().unwrap(), history);
        run(&mut simulation, 2);
        let history = simulation.edge_history().unwrap();
        let record = simulation.finish().unwrap().unwrap();
        results.push((simulation.positions_f64().unwrap(), history, record.measures.unwrap()));
    }
    let (cpu, others) = (&results[2], &results[..2]);
    for other in others {
        let apart = largest_distance(&other.0, &cpu.0);
        let history = other.1.iter().zip(&cpu.1).map(|(a, b)| (a[0] - b[0]).abs()).fold(0.0, f32::max);
        println!("{apart} {history} {:?} {:?}", other.2, cpu.2);
        assert!(apart < 1e-4 && history < 1e-3);
        assert!((other.2.elastic / cpu.2.elastic - 1.0).abs() < 1e-2);
    }
}
