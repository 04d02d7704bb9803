//! Published results of Teschner et al. 2004 with something to fall on or to be hit by: largest stable steps (table 2), a plastic cube
//! (figure 9), and the experiments' parameters at their own steps (tables 3 to 6).

use crate::common::{backends, run};
use glam::{DVec3, Quat, Vec3};
use tenter::{
    Backend, Body, Collider, Integrator, KeyFrame, Mass, Material, Measures, Mesh, Options, Plasticity, Pose, Scene,
    Simulation, Spring, SpringLaw, Volume, presets::teschner,
};

/// Table 2, ms.
const PUBLISHED: [(Integrator, f64); 8] = [
    (Integrator::Verlet, 3.1),
    (Integrator::LeapFrog, 3.1),
    (Integrator::Rk2, 4.9),
    (Integrator::VelocityVerlet, 2.5),
    (Integrator::Beeman, 2.5),
    (Integrator::Heun, 4.2),
    (Integrator::ExplicitEuler, 1.5),
    (Integrator::Rk4, 6.3),
];

/// Whether a cube of n×n×n particles keeps together while it falls on a plane: k_D = 10, k_V = 20 N·m, the coefficients of figure 3 in
/// table 5. What a particle weighs and how long an edge is are not published, and only m l² matters: here 60 g and 20 cm.
fn holds(n: u32, damping: f32, integrator: Integrator, time_step: f64) -> bool {
    let cell = 0.2;
    let size = cell * (n - 1) as f32;
    let material = Material {
        structural: Spring::from(SpringLaw::Distance { stiffness: 10.0 }).damped(damping),
        volume: Some(Volume { stiffness: 20.0, damping: 0.0 }),
        ..Material::loose(Mass::Total(0.06 * (n * n * n) as f32))
    };
    let mut scene = Scene::new();
    scene.add(Body::solid(Mesh::block(Vec3::splat(size), [n; 3]), material).moving(Vec3::NEG_Y));
    scene.add_collider(Collider::plane([0.0, -0.5 * size - 0.1, 0.0], Vec3::Y));
    let options = Options { integrator, time_step, measure: true, ..Default::default() };
    let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
    (0..(0.4 / time_step).ceil() as u32).all(|_| {
        let measures = simulation.step().ok().flatten().and_then(|record| record.measures);
        measures.is_some_and(|measures| measures.largest_strain < 1.0)
    })
}

/// Largest stable step to 5 %, s.
fn largest_step(n: u32, damping: f32, integrator: Integrator) -> f64 {
    let (mut good, mut bad) = (3e-4f64, 0.02f64);
    assert!(!holds(n, damping, integrator, bad), "{integrator:?}");
    while bad / good > 1.05 {
        let middle = (good * bad).sqrt();
        if holds(n, damping, integrator, middle) { good = middle } else { bad = middle }
    }
    good
}

/// Damping of distances for which the pattern of table 2 comes closest, N·m·s: found by search, 14 % off in the mean. With 0.06 and 0.18
/// it is 38 % and 33 %. Volume energies of 0.5 and 4 N·m, with four dampings each, came no closer than 12 %. It damps the fastest modes by
/// about 0.35 of critical.
const DAMPING: f32 = 0.11;

#[test]
fn t2_largest_stable_steps_of_a_cube_that_falls_on_a_plane() {
    // A cube of 4×4×4 for the search: its fastest modes, which decide, are those of the cell.
    let steps =
        PUBLISHED.map(|(integrator, published)| (integrator, published, 1e3 * largest_step(4, DAMPING, integrator)));
    let (verlet, published_verlet) = (steps[0].2, steps[0].1);
    let mut off = 0.0;
    for (integrator, published, step) in steps {
        let (ratio, wanted) = (step / verlet, published / published_verlet);
        println!("{:16} {step:.2} ms, {ratio:.2} of Verlet; published {published} ms, {wanted:.2}", integrator.name());
        off += (ratio / wanted).ln().powi(2) / 7.0;
    }
    println!("off by {:.2} in the mean", off.sqrt());
    assert!(off.sqrt() < 0.2, "{off}");
    // The published order, where it is one: velocity Verlet and Beeman are a tie there, Verlet and leap-frog too. Here each has its own way with
    // damping, which needs the velocity that these methods do not have yet. RK2 and Heun are the same to linear forces; published 4.9 and 4.2.
    let of = |wanted| steps.iter().find(|(integrator, ..)| *integrator == wanted).unwrap().2;
    let order = [
        &[Integrator::ExplicitEuler][..],
        &[Integrator::VelocityVerlet, Integrator::Beeman],
        &[Integrator::Verlet, Integrator::LeapFrog],
        &[Integrator::Heun, Integrator::Rk2],
        &[Integrator::Rk4],
    ];
    for pair in order.windows(2) {
        let slowest = pair[0].iter().map(|&integrator| of(integrator)).fold(0.0, f64::max);
        let fastest = pair[1].iter().map(|&integrator| of(integrator)).fold(f64::INFINITY, f64::min);
        assert!(slowest < fastest, "{pair:?}: {slowest} {fastest}");
    }
    // The whole cube: 1331 particles, 6930 distances, 5000 volumes.
    assert!(holds(11, DAMPING, Integrator::Verlet, 0.9e-3 * verlet));
    assert!(!holds(11, DAMPING, Integrator::Verlet, 1.15e-3 * verlet));
    // Table 5 has k_d = 0.001 for this figure, with which table 2 cannot come out, whatever the masses: Euler's method on an edge is stable up
    // to h = k_d/k_D = 0.1 ms only, and on a volume, which has no damping, not at all; published 1.5 ms. RK2 needs damping too.
    assert!(!holds(4, 0.001, Integrator::ExplicitEuler, 0.5e-3));
    let [verlet, rk2] = [Integrator::Verlet, Integrator::Rk2].map(|method| 1e3 * largest_step(4, 0.001, method));
    println!("with k_d = 0.001 as in table 5: Verlet {verlet:.2} ms, RK2 {rk2:.2} ms; Euler not even 0.5 ms");
    assert!(rk2 < verlet, "{rk2} {verlet}");
}

/// How much lower the middle of a cube's top lies than its corners: at first, while a ball presses on it, and long after; m.
fn dent(backend: Backend, plasticity: Option<Plasticity>) -> [f64; 3] {
    let mesh = Mesh::block(Vec3::splat(0.2), [5; 3]);
    let mut structural = Spring::from(SpringLaw::Distance { stiffness: 1.0 }).damped(0.02);
    if let Some(plasticity) = plasticity {
        structural = structural.plastic(plasticity);
    }
    let material = Material {
        structural,
        volume: Some(Volume { stiffness: 1.0, damping: 0.0 }),
        ..Material::loose(Mass::Total(0.5))
    };
    let mut scene = Scene::new();
    scene.add(Body::solid(mesh.clone(), material));
    scene.add_collider(Collider::plane([0.0, -0.105, 0.0], Vec3::Y));
    // Down into the cube by 5 cm, a moment there, and away.
    let frame = |time: f64, depth: f32| {
        let position = Vec3::new(0.0, 0.1 + 0.005 + 0.06 - depth, 0.0);
        KeyFrame { time, pose: Pose { position, rotation: Quat::IDENTITY } }
    };
    let frames = [frame(0.2, -0.1), frame(0.5, 0.05), frame(1.0, 0.05), frame(1.3, -0.3)];
    scene.add_collider(Collider::sphere(Vec3::ZERO, 0.06).moving(frames));
    let options = Options { time_step: 0.02, ..Default::default() };
    let mut simulation = Simulation::new(backend, &scene, options).unwrap();
    let at = |wanted: Vec3| mesh.positions.iter().position(|p| p.distance(wanted) < 1e-4).unwrap();
    let corners = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]].map(|[x, z]| at(0.1 * Vec3::new(x, 1.0, z)));
    let depth = |positions: &[DVec3]| {
        corners.iter().map(|&corner| positions[corner].y).sum::<f64>() / 4.0 - positions[at(Vec3::Y * 0.1)].y
    };
    [10, 40, 130].map(|steps| {
        run(&mut simulation, steps);
        depth(&simulation.positions_f64().unwrap())
    })
}

#[test]
fn t3_a_plastic_cube_stays_dented() {
    for (name, backend) in backends() {
        let plasticity = Plasticity { yield_strain: 0.02, maximum: 0.5, creep: 10.0 };
        let plastic = dent(backend.clone(), Some(plasticity));
        let elastic = dent(backend, None);
        println!("{name}: before, pressed, long after: plastic {plastic:.4?} m, elastic {elastic:.4?} m");
        for [before, pressed, after] in [plastic, elastic] {
            assert!(before.abs() < 1e-3 && pressed > 0.04, "{name}: {before} {pressed} {after}");
        }
        assert!(plastic[2] > 0.02 && elastic[2].abs() < 1e-3, "{name}: {plastic:?} {elastic:?}");
    }
}

/// A block of n×n×n vertices.
fn solid(n: u32, cell: f32) -> Mesh {
    Mesh::block(Vec3::splat(cell * (n - 1) as f32), [n; 3])
}

/// 11×11 vertices, bulged.
fn shell(cell: f32, height: f32) -> Mesh {
    let size = 10.0 * cell;
    let mut mesh = Mesh::grid(size, size, 11, 11);
    let bulge = |x: f32| (std::f32::consts::PI * x / size).cos();
    mesh.positions.iter_mut().for_each(|p| p.y = height * bulge(p.x) * bulge(p.z));
    mesh
}

#[test]
fn t6_published_parameters_are_stable_at_published_steps() {
    // Coefficients and steps, ms, are those of tables 5 and 6. Meshes, sizes and masses are not published. A solid's largest step grows with
    // l^2.5 at the density of water, so cells are as large as the steps ask for. The dragon would then melt under its own weight to a sheet: it
    // is lighter here.
    let dragon = Material { mass: Mass::Volume(3.0), ..teschner::dragon() };
    let cases = [
        ("snakes", 4.0, teschner::snakes(), solid(5, 0.12)),
        ("pitbull", 2.7, teschner::pitbull(), solid(5, 0.1)),
        ("cows", 7.1, teschner::cows(), solid(5, 0.12)),
        ("cloth", 2.6, teschner::cloth(), shell(0.2, 0.0)),
        ("face", 2.9, teschner::face(), shell(0.2, 0.4)),
        ("dragon", 1.7, dragon.clone(), solid(3, 0.2)),
    ];
    for (name, backend) in backends() {
        for (what, step, material, mesh) in &cases {
            // Verlet's method is the paper's; the other is looked at once.
            let integrators = [Integrator::Verlet, Integrator::ImplicitEuler];
            for &integrator in &integrators[..if name == "cpu" { 2 } else { 1 }] {
                let low = mesh.positions.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
                let mut scene = Scene::new();
                scene.add(Body::cloth(mesh.clone(), material.clone()));
                // Figure 7: cloth falls on a ball.
                scene.add_collider(if *what == "cloth" {
                    Collider::sphere([0.0, -0.6, 0.0], 0.5)
                } else {
                    Collider::plane([0.0, low - 0.1, 0.0], Vec3::Y)
                });
                let options = Options { integrator, time_step: 1e-3 * step, measure: true, ..Default::default() };
                let mut simulation = Simulation::new(backend.clone(), &scene, options).unwrap();
                run(&mut simulation, (0.6e3 / step).ceil() as usize);
                let measures: Vec<_> =
                    simulation.take_records().iter().map(|record| record.measures.unwrap()).collect();
                let energies: Vec<f64> = measures.iter().map(Measures::total_energy).collect();
                let strain = measures.iter().map(|measures| measures.largest_strain).fold(0.0, f64::max);
                let fastest = measures.iter().map(|measures| measures.kinetic).fold(0.0, f64::max);
                let gained = energies.iter().fold(f64::NEG_INFINITY, |most, energy| most.max(*energy)) - energies[0];
                let which = format!("{name}: {what} by {}", integrator.name());
                println!(
                    "{which}: {step} ms, strain up to {strain:.3}, kinetic energy up to {fastest:.2} J, energy gained \
                     {gained:.3} J"
                );
                // What melts may stretch.
                assert!(strain < if *what == "dragon" { 3.0 } else { 0.6 }, "{which}: {strain}");
                assert!(gained < 0.05 * fastest, "{which}: {gained} of {fastest}");
            }
        }
    }
    // The control: half the cells, and the published step is too long.
    let fails = |material: Material, mesh: Mesh, time_step: f64| {
        let low = mesh.positions.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
        let mut scene = Scene::new();
        scene.add(Body::cloth(mesh, material));
        scene.add_collider(Collider::plane([0.0, low - 0.1, 0.0], Vec3::Y));
        let options = Options { integrator: Integrator::Verlet, time_step, ..Default::default() };
        let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
        (0..(0.6 / time_step) as u32).any(|_| simulation.step().is_err())
    };
    assert!(fails(teschner::snakes(), solid(5, 0.06), 4e-3));
    // What differs: a volume's stiffness grows with the square of its faces, so what has melted far enough needs a shorter step. Verlet's
    // method then fails where implicit Euler does not; the published dragon has not melted that far.
    assert!(fails(dragon, solid(5, 0.2), 1.7e-3));
}
