//! Physics with known answers, on both backends.

use crate::common::{self, backends, gpu, newton_or_once, run, safe_to};
use glam::{DVec3, Vec3};
use tenter::{
    Backend, Body, Mass, Material, Mesh, NewtonOptions, Nonlinear, Options, Ordering, Scene, Simulation, SolverOptions,
    Spring, Vertices,
};

/// As the scene has it, in f32.
const G: f64 = 9.81f32 as f64;

fn tight() -> SolverOptions {
    SolverOptions { tolerance: 1e-6, max_iterations: 2000, ..Default::default() }
}

#[test]
fn free_fall_is_the_schemes_exact_answer() {
    let h = 0.01;
    for (name, backend) in backends() {
        let mut scene = Scene::new();
        scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 9, 7), Material::cotton_springs()).moving(Vec3::new(1.0, 2.0, 0.0)));
        let options = Options { time_step: h, solver: tight(), nonlinear: safe_to(1e-6), ..Default::default() };
        let mut simulation = Simulation::new(backend, &scene, options).unwrap();
        let before = simulation.positions_f64().unwrap();
        let steps = 50;
        run(&mut simulation, steps);
        let n = steps as f64;
        // Implicit Euler: v_n = v₀ - g n h, x_n = x₀ + v₀ n h - g h² n (n + 1) / 2.
        let fallen = DVec3::new(n * h, 2.0 * n * h - G * h * h * n * (n + 1.0) / 2.0, 0.0);
        let tolerance = if name == "gpu" { 2e-5 } else { 1e-7 };
        for (after, before) in simulation.positions_f64().unwrap().iter().zip(&before) {
            assert!((*after - *before - fallen).length() < tolerance, "{name}: {}", *after - *before - fallen);
        }
        // The exact parabola is further away than that: the scheme's own answer is meant.
        let parabola = 2.0 * n * h - G * h * h * n * n / 2.0;
        assert!((parabola - fallen.y).abs() > 1e-2);
    }
}

#[test]
fn a_pendulum_comes_to_rest_below_its_pin() {
    for (name, backend) in backends() {
        let mut scene = Scene::new();
        let mesh = Mesh::chain(Vec3::ZERO, Vec3::X, 2);
        let body = scene.add(Body::chain(mesh, Material::springs(Mass::Total(0.2), Spring::new(100.0).damped(0.2))));
        scene.pin(body, Vertices::list([0u32]));
        let options = Options { time_step: 0.05, solver: tight(), ..Default::default() };
        let mut simulation = Simulation::new(backend, &scene, options).unwrap();
        run(&mut simulation, 2000);
        let bob = simulation.positions_f64().unwrap()[1];
        let length = 1.0 + 0.1 * G / 100.0;
        assert!(bob.distance(DVec3::new(0.0, -length, 0.0)) < 1e-3, "{name}: {bob}");
        // The pin carries the bob and half of nothing else: its own weight and the bob's.
        let reaction = simulation.reactions().unwrap()[0];
        assert!((reaction.y - 0.2 * G).abs() < 2e-3 * 0.2 * G, "{name}: {reaction}");
    }
}

/// y(x) of the catenary through (±half, 0) of a given length, by bisection for its parameter.
fn catenary(half: f64, length: f64) -> impl Fn(f64) -> f64 {
    let (mut low, mut high) = (1e-3, 1e3);
    for _ in 0..200 {
        let a: f64 = 0.5 * (low + high);
        if 2.0 * a * (half / a).sinh() > length { low = a } else { high = a }
    }
    let a = 0.5 * (low + high);
    move |x: f64| a * ((x / a).cosh() - (half / a).cosh())
}

#[test]
fn a_hanging_chain_settles_to_the_catenary() {
    let count = 41;
    for (name, backend) in backends() {
        let mut scene = Scene::new();
        // 1.4 m of chain between pins 1 m apart, started as a slack V.
        let mesh = Mesh::chain(Vec3::new(-0.7, 0.0, 0.0), Vec3::new(0.7, 0.0, 0.0), count);
        let slope = (0.7f32 * 0.7 - 0.25).sqrt() / 0.7;
        let start = mesh.positions.iter().map(|p| Vec3::new(p.x * 0.5 / 0.7, slope * (p.x.abs() - 0.7), 0.0)).collect();
        let material = Material::springs(Mass::Line(0.1), Spring::new(2000.0).damped(0.02));
        let body = scene.add(Body::chain(mesh, material).starting_at(start));
        scene.pin(body, Vertices::list([0, count - 1]));
        let options = Options { time_step: 0.02, solver: tight(), ..Default::default() };
        let mut simulation = Simulation::new(backend, &scene, options).unwrap();
        run(&mut simulation, 1500);
        let positions = simulation.positions_f64().unwrap();
        let length: f64 = positions.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        assert!((length / 1.4 - 1.0).abs() < 0.01, "{name}: {length}");
        let shape = catenary(0.5, length);
        let sag = -shape(0.0);
        let worst = positions.iter().map(|p| (p.y - shape(p.x)).abs()).fold(0.0, f64::max);
        assert!(worst < 0.005 * sag, "{name}: {worst} of {sag}");
        // The control: a parabola of the same sag misses by more.
        let parabola = positions.iter().map(|p| (p.y - sag * (4.0 * p.x * p.x - 1.0)).abs()).fold(0.0, f64::max);
        assert!(parabola > 0.01 * sag);
    }
}

/// A crumpled free sheet with velocities, no gravity.
fn free_sheet(amplitude: f32, damping: f32) -> Scene {
    let mut rng = fastrand::Rng::with_seed(5);
    let mesh = Mesh::grid(1.0, 1.0, 12, 12);
    let mut noise = || amplitude * Vec3::new(rng.f32() - 0.5, rng.f32() - 0.5, rng.f32() - 0.5);
    let start = mesh.positions.iter().map(|p| *p + noise()).collect();
    let spring = Spring::new(100.0).damped(damping);
    let base = Material::loose(Mass::Total(0.144));
    let material = Material { structural: spring, shear: spring, crossover: Spring::new(5.0), ..base };
    let mut scene = Scene::new();
    scene.gravity = Vec3::ZERO;
    scene.add(Body::cloth(mesh, material).starting_at(start).moving(Vec3::new(0.3, -0.2, 0.1)));
    scene
}

#[test]
fn internal_forces_keep_both_momenta() {
    // One step: linear implicit Euler keeps linear momentum, not angular; the forces themselves keep both.
    let scene = free_sheet(0.05, 0.1);
    let options = Options { solver: tight(), ..Default::default() };
    let topology = tenter::internals::topology::Topology::build(&scene, &options).unwrap();
    let parameters = tenter::internals::reference::Parameters::new(&options, DVec3::ZERO);
    let mut state = tenter::internals::reference::State::new(&topology, &parameters);
    let mut rng = fastrand::Rng::with_seed(3);
    state.velocities.iter_mut().for_each(|v| *v = DVec3::new(rng.f64(), rng.f64(), rng.f64()));
    // In a later linearisation the residual is h f.
    tenter::internals::reference::assembly::edges(&topology, &parameters, 1, &mut state);
    let force: DVec3 = state.residual.iter().sum();
    let torque: DVec3 = state.residual.iter().zip(&state.positions).map(|(f, x)| x.cross(*f)).sum();
    let size: f64 = state.residual.iter().map(|f| f.length()).sum();
    assert!(force.length() < 1e-13 * size && torque.length() < 1e-13 * size, "{force} {torque} of {size}");

    for (name, backend) in backends() {
        // What the solve leaves over is lost to the momentum: f64 can do better, and so it should.
        let (tolerance, bound) = if name == "gpu" { (1e-6, 2e-4) } else { (1e-12, 1e-6) };
        let solver = SolverOptions { tolerance, ..tight() };
        let options = Options { solver, nonlinear: safe_to(tolerance), ..Default::default() };
        let mut simulation = Simulation::new(backend, &scene, options).unwrap();
        run(&mut simulation, 20);
        let mass = 0.144 / 144.0;
        let momentum: DVec3 = simulation.velocities().unwrap().iter().map(|v| mass * v.as_dvec3()).sum();
        let expected = 0.144 * DVec3::new(0.3, -0.2, 0.1);
        assert!(momentum.distance(expected) < bound * expected.length(), "{name}: {momentum}");
    }
}

/// Total energy after each step.
fn energies(backend: Backend, scene: &Scene, options: Options, steps: usize) -> Vec<f64> {
    let mut simulation = Simulation::new(backend, scene, Options { measure: true, ..options }).unwrap();
    run(&mut simulation, steps);
    let records = simulation.take_records();
    assert_eq!(records.len(), steps);
    records.iter().map(|record| record.measures.unwrap().total_energy()).collect()
}

#[test]
fn energy_does_not_grow_at_small_amplitude() {
    // h²k/m = 1e-4 · 100 / 1e-3 = 10; speeds stay below 0.5 m/s, so that h v / L < 0.06.
    for (name, backend) in backends() {
        let energies =
            energies(backend, &free_sheet(0.01, 0.02), Options { nonlinear: safe_to(1e-4), ..Default::default() }, 200);
        // Energies in f32 are sums over a hundred particles and their springs.
        let rounding = if name == "gpu" { 3e-6 } else { 1e-12 };
        for (step, pair) in energies.windows(2).enumerate() {
            assert!(pair[1] <= pair[0] * (1.0 + rounding), "{name}: step {step}: {} → {}", pair[0], pair[1]);
        }
        assert!(energies[199] < 0.95 * energies[0]);
    }
}

#[test]
fn energy_does_not_grow_with_newton_at_large_amplitude() {
    // The same sheet crumpled: h v / L up to about 0.5. Implicit Euler, solved, loses energy.
    let options = Options {
        solver: tight(),
        nonlinear: Nonlinear::Newton(NewtonOptions { tolerance: 1e-4, max_linearisations: 40 }),
        ..Default::default()
    };
    for (name, backend) in backends() {
        let energies = energies(backend, &free_sheet(0.1, 0.02), options.clone(), 60);
        for (step, pair) in energies.windows(2).enumerate() {
            assert!(pair[1] <= pair[0] * (1.0 + 1e-5), "{name}: step {step}: {} → {}", pair[0], pair[1]);
        }
    }
}

/// A swinging, stretching double pendulum of springs after one second, in f64.
fn swing(steps: usize, newton: bool) -> Vec<DVec3> {
    let mut scene = Scene::new();
    let mesh = Mesh::chain(Vec3::ZERO, Vec3::new(1.0, 0.2, 0.0), 3);
    let body = scene.add(Body::chain(mesh, Material::springs(Mass::Total(3.0), Spring::new(60.0).damped(0.3))));
    scene.pin(body, Vertices::list([0u32]));
    let options = Options {
        time_step: 0.5 / steps as f64,
        solver: SolverOptions { tolerance: 1e-13, max_iterations: 100, ..Default::default() },
        nonlinear: newton_or_once(newton.then_some(NewtonOptions { tolerance: 1e-11, max_linearisations: 30 })),
        clamp: false,
        ..Default::default()
    };
    let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
    run(&mut simulation, steps);
    simulation.positions_f64().unwrap()
}

#[test]
fn implicit_euler_converges_at_order_one() {
    for newton in [false, true] {
        // Richardson: differences between successive halvings halve.
        let results: Vec<_> = [200, 400, 800, 1600].map(|steps| swing(steps, newton)).into();
        let differences: Vec<f64> =
            results.windows(2).map(|pair| common::largest_distance(&pair[0], &pair[1])).collect();
        for pair in differences.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!((order - 1.0).abs() < 0.1, "newton {newton}: order {order}");
        }
    }
}

#[test]
fn newton_solves_the_nonlinear_equation() {
    // M (v₁ - v₀) = h f(x₁, v₁), checked in f64 after one large step.
    let scene = common::wavy_cloth(10);
    let nonlinear = Nonlinear::Newton(NewtonOptions { tolerance: 1e-8, max_linearisations: 60 });
    let solver = SolverOptions { tolerance: 1e-10, max_iterations: 1000, ..Default::default() };
    let options = Options { solver, nonlinear, ..Default::default() };
    let mut simulation = Simulation::new(Backend::Cpu, &scene, options.clone()).unwrap();
    let record = simulation.step().unwrap().unwrap();
    assert!(record.newton_converged && record.linearisations > 2, "{record:?}");
    assert!(record.residual < 1e-8);
    let mut once =
        Simulation::new(Backend::Cpu, &scene, Options { nonlinear: Nonlinear::OneLinearisation, ..options }).unwrap();
    once.step().unwrap();
    let difference = common::largest_distance(&once.positions_f64().unwrap(), &simulation.positions_f64().unwrap());
    assert!(difference > 1e-6, "one linearisation is not Newton: {difference}");
}

#[test]
fn backends_agree_on_well_posed_work() {
    // 20 steps of a wavy cloth at tight tolerance: f32 and f64 within 0.1 mm, on 1 m.
    let scene = common::wavy_cloth(24);
    for newton in [None, Some(NewtonOptions::default())] {
        let options = Options { solver: tight(), nonlinear: newton_or_once(newton), ..Default::default() };
        let result = |backend: Backend| {
            let mut simulation = Simulation::new(backend, &scene, options.clone()).unwrap();
            run(&mut simulation, 20);
            simulation.positions_f64().unwrap()
        };
        let distance = common::largest_distance(&result(Backend::from(&gpu())), &result(Backend::Cpu));
        assert!(distance < 1e-4, "{distance}");
    }
}

#[test]
fn the_order_of_particles_does_not_matter() {
    let scene = common::wavy_cloth(15);
    let result = |ordering| {
        let options = Options { ordering, solver: tight(), ..Default::default() };
        let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
        run(&mut simulation, 10);
        simulation.positions_f64().unwrap()
    };
    let distance = common::largest_distance(&result(Ordering::CuthillMckee), &result(Ordering::AsGiven));
    assert!(distance < 1e-5, "{distance}");
}

#[test]
fn pins_carry_the_cloth() {
    let scene = common::wavy_cloth(16);
    for (name, backend) in backends() {
        let mut scene = scene.clone();
        let spring = Spring::new(100.0).damped(0.5);
        scene.bodies[0].material.structural = spring;
        scene.bodies[0].material.shear = spring;
        let options = Options { time_step: 0.02, solver: tight(), ..Default::default() };
        let mut simulation = Simulation::new(backend, &scene, options).unwrap();
        run(&mut simulation, 1500);
        let total: DVec3 = simulation.reactions().unwrap().iter().sum();
        assert!((total - DVec3::Y * 0.1 * G).length() < 0.01 * 0.1 * G, "{name}: {total}");
    }
}

#[cfg(feature = "cli")]
#[test]
fn f32_stays_as_close_to_f64_as_f64_does_to_itself() {
    // The report at 128×128: `cargo run --release --example accuracy`.
    let found = tenter::internals::bench::accuracy::compare(&Backend::from(&gpu()), 24).unwrap();
    assert!(found.is_good(), "{found:?}");
    assert!(found.sag > 0.5 && found.disturbed.sag > 0.0);
}
