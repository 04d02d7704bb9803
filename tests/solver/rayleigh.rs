//! Rayleigh damping: the rate of theory in every kind of integrator, both backends alike, momentum.

use crate::common::{self, backends, gpu, largest_distance, run};
use tenter::{
    Backend, Body, Error, Integrator, Mass, Material, Mesh, Options, Rayleigh, Scene, Simulation, SolverOptions,
    Spring, Volume,
    glam::{DVec3, Vec3},
    internals::integrator::Kind,
};

const STIFFNESS: f32 = 200.0;
/// kg, of one particle
const MASS: f32 = 0.1;

/// Two particles on a spring that is 1 cm too long, far from everything.
fn pair() -> Scene {
    let mut scene = Scene::new();
    scene.gravity = Vec3::ZERO;
    let start = vec![Vec3::ZERO, Vec3::new(1.01, 0.0, 0.0)];
    let material = Material::springs(Mass::Total(2.0 * MASS), Spring::new(STIFFNESS));
    scene.add(Body::chain(Mesh::chain(Vec3::ZERO, Vec3::X, 2), material).starting_at(start));
    scene
}

/// Damping ratio measured from the elongation of the pair: logarithm of the ratio of extremes half a period apart.
fn measured(backend: &Backend, integrator: Integrator, rayleigh: Rayleigh) -> f64 {
    let omega = f64::from(2.0 * STIFFNESS / MASS).sqrt();
    let period = std::f64::consts::TAU / omega;
    let options = Options {
        integrator,
        rayleigh,
        time_step: period / 400.0,
        solver: SolverOptions { tolerance: 1e-7, ..Default::default() },
        ..Default::default()
    };
    let mut simulation = Simulation::new(backend.clone(), &pair(), options).unwrap();
    let mut amplitudes = vec![0.01f64];
    let mut extreme = 0.0f64;
    let mut sign = -1.0;
    for _ in 0..1400 {
        simulation.step().unwrap();
        let positions = simulation.positions_f64().unwrap();
        let elongation = (positions[1] - positions[0]).length() - 1.0;
        if elongation * sign > 0.0 {
            extreme = extreme.max(elongation * sign);
        } else if extreme > 0.0 {
            amplitudes.push(extreme);
            (extreme, sign) = (0.0, -sign);
        }
    }
    // From the second extreme to the sixth: two periods.
    let decrement = (amplitudes[1] / amplitudes[5]).ln() / 4.0;
    decrement / (std::f64::consts::PI.powi(2) + decrement * decrement).sqrt()
}

#[test]
fn the_rate_is_that_of_theory() {
    let omega = f64::from(2.0 * STIFFNESS / MASS).sqrt();
    for (name, backend) in backends() {
        for integrator in [Integrator::ImplicitMidpoint, Integrator::Rk4, Integrator::VelocityVerlet] {
            let free = measured(&backend, integrator, Rayleigh::default());
            assert!(free.abs() < 0.001, "{name}, {integrator:?}: {free} without damping");
            for rayleigh in [
                Rayleigh { mass: 6.0, stiffness: 0.0 },
                Rayleigh { mass: 0.0, stiffness: 1.5e-3 },
                Rayleigh { mass: 3.0, stiffness: 1e-3 },
            ] {
                let theory = rayleigh.mass / (2.0 * omega) + rayleigh.stiffness * omega / 2.0;
                let rate = measured(&backend, integrator, rayleigh);
                println!("{name}, {integrator:?}, {rayleigh:?}: ζ {rate:.5}, theory {theory:.5}");
                assert!(
                    (rate / theory - 1.0).abs() < 0.02,
                    "{name}, {integrator:?}, {rayleigh:?}: {rate}, not {theory}"
                );
            }
        }
    }
}

/// A free block of tetrahedra with volumes and springs, moving and turning.
fn block(backend: Backend, turning: f32, stretched: f32, options: Options) -> Simulation {
    let mesh = Mesh::block(Vec3::new(0.3, 0.2, 0.25), [4, 3, 3]);
    let material = Material {
        volume: Some(Volume { stiffness: 2.0, damping: 0.0 }),
        ..Material::springs(Mass::Total(0.5), Spring::new(100.0))
    };
    let start: Vec<Vec3> = mesh.positions.iter().map(|p| *p * Vec3::new(stretched, 1.0, 1.0)).collect();
    let moving = |p: &Vec3| Vec3::new(0.3, 0.1, -0.2) + turning * Vec3::Z.cross(*p);
    let velocities: Vec<Vec3> = start.iter().map(moving).collect();
    let mut scene = Scene::new();
    scene.gravity = Vec3::ZERO;
    scene.add(Body::solid(mesh, material).starting_at(start));
    let mut simulation = Simulation::new(backend, &scene, options).unwrap();
    simulation.set_velocities(&velocities).unwrap();
    simulation
}

#[test]
fn the_gpu_does_what_its_twin_does() {
    for integrator in Integrator::ALL {
        let explicit = integrator.kind() != Kind::Implicit;
        let options = |rayleigh| Options {
            integrator,
            rayleigh,
            // IMEX schemes are explicit in elements.
            time_step: if explicit || integrator.is_imex() { 2e-4 } else { 5e-3 },
            solver: SolverOptions { tolerance: 1e-6, max_iterations: 300, ..Default::default() },
            nonlinear: common::newton_or_once(None),
            ..Default::default()
        };
        let after = |backend: Backend, rayleigh| {
            let mut simulation = block(backend, 3.0, 1.1, options(rayleigh));
            run(&mut simulation, 60);
            simulation.positions_f64().unwrap()
        };
        let rayleigh = Rayleigh { mass: 5.0, stiffness: 2e-3 };
        let on_gpu = after(Backend::from(&gpu()), rayleigh);
        let distance = largest_distance(&on_gpu, &after(Backend::Cpu, rayleigh));
        println!("{integrator:?}: {distance:.1e} m after 60 steps");
        assert!(distance < 1e-5, "{integrator:?}: {distance}");
        for less in [Rayleigh { mass: 0.0, ..rayleigh }, Rayleigh { stiffness: 0.0, ..rayleigh }] {
            assert!(largest_distance(&on_gpu, &after(Backend::Cpu, less)) > 5.0 * distance, "{integrator:?}, {less:?}");
        }
    }
}

/// Linear and angular momentum per mass.
fn momenta(simulation: &mut Simulation) -> (DVec3, DVec3) {
    let positions = simulation.positions_f64().unwrap();
    let masses = simulation.topology().masses.clone();
    let row_of = simulation.topology().row_of.clone();
    let velocities: Vec<DVec3> = simulation.velocities().unwrap().iter().map(|v| v.as_dvec3()).collect();
    let total: f64 = masses.iter().sum();
    let mass = |ix: usize| masses[row_of[ix] as usize] / total;
    let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
    for (ix, (x, v)) in positions.iter().zip(&velocities).enumerate() {
        linear += mass(ix) * *v;
        angular += mass(ix) * x.cross(*v);
    }
    (linear, angular)
}

#[test]
fn the_stiffness_part_keeps_momentum_and_the_mass_part_does_not() {
    let changes = |integrator: Integrator, rayleigh: Rayleigh, stretched: f32, stepped: usize| {
        let options = Options {
            integrator,
            rayleigh,
            time_step: 2e-4,
            solver: SolverOptions { tolerance: 1e-10, max_iterations: 1000, ..Default::default() },
            ..Default::default()
        };
        let mut simulation = block(Backend::Cpu, 1.0, stretched, options);
        let (linear, angular) = momenta(&mut simulation);
        run(&mut simulation, stepped);
        let (linear_after, angular_after) = momenta(&mut simulation);
        (linear_after.distance(linear) / linear.length(), angular_after.distance(angular) / angular.length())
    };
    for integrator in [Integrator::ImplicitMidpoint, Integrator::Rk4] {
        let stiffness = Rayleigh { mass: 0.0, stiffness: 2e-3 };
        let (linear, angular) = changes(integrator, stiffness, 1.0, 500);
        println!("{integrator:?}: linear {linear:.1e}, angular {angular:.1e} with stiffness damping");
        assert!(linear < 1e-6 && angular < 2e-3, "{integrator:?}: {linear}, {angular}");
        let (linear, angular) = changes(integrator, Rayleigh { mass: 5.0, stiffness: 0.0 }, 1.0, 500);
        // e^(-α t), α t = ½.
        let lost = 1.0 - (-0.5f64).exp();
        assert!((linear - lost).abs() < 0.01, "{integrator:?}: {linear} instead of {lost}");
        assert!((angular - lost).abs() < 0.02, "{integrator:?}: {angular} instead of {lost}");
    }
}

#[test]
fn solves_stay_definite_and_energy_falls() {
    for (name, backend) in backends() {
        let options = Options {
            rayleigh: Rayleigh { mass: 1.0, stiffness: 0.01 },
            integrator: Integrator::ImplicitMidpoint,
            measure: true,
            ..Default::default()
        };
        let mut simulation = block(backend, 2.0, 0.8, options);
        run(&mut simulation, 50);
        let records = simulation.take_records();
        assert!(records.iter().all(|record| record.outcome == tenter::Outcome::Converged), "{name}");
        let energies: Vec<f64> = records.iter().map(|record| record.measures.unwrap().total_energy()).collect();
        assert!(energies.windows(2).all(|pair| pair[1] <= pair[0] * 1.001), "{name}: {energies:?}");
    }
}

#[test]
fn what_is_not_a_rate_is_refused() {
    for rayleigh in [Rayleigh { mass: -1.0, stiffness: 0.0 }, Rayleigh { mass: 0.0, stiffness: f64::NAN }] {
        match Simulation::new(Backend::Cpu, &pair(), Options { rayleigh, ..Default::default() }) {
            Err(Error::Scene { field, .. }) => assert!(field.starts_with("rayleigh.")),
            other => panic!("{:?}", other.map(|_| ())),
        }
    }
}
