//! Integrators: order of convergence, start-up, changes of step, pins, both backends alike.

mod common;

use common::{backends, gpu, largest_distance, run};
use tenter::{
    Backend, Body, Integrator, Mass, Material, Mesh, NewtonOptions, Options, Scene, Simulation, SolverOptions, Spring,
    SpringLaw, Vertices,
    glam::{DVec3, Vec3},
};

const IMPLICIT: [Integrator; 5] = [
    Integrator::ImplicitEuler,
    Integrator::Bdf2,
    Integrator::ImplicitMidpoint,
    Integrator::Theta(0.5),
    Integrator::Theta(0.75),
];

/// A small net of nonlinear, damped springs that swings and turns, held at one corner.
fn net() -> Scene {
    let mesh = Mesh::grid(0.4, 0.3, 3, 3);
    let start =
        mesh.positions.iter().enumerate().map(|(ix, p)| *p * 1.1 + 0.02 * Vec3::new(0.0, (ix as f32).sin(), 0.0));
    let start = start.collect();
    let spring = Spring { law: SpringLaw::Stvk { stiffness: 30.0 }, ..Spring::default() }.damped(0.05).dragged(0.02);
    let mut scene = Scene::new();
    let material = Material { shear: spring, ..Material::springs(Mass::Total(0.3), spring) };
    let body = scene.add(Body::cloth(mesh, material).starting_at(start).moving(Vec3::new(0.5, 0.0, 0.8)));
    scene.pin(body, Vertices::list([0]));
    scene
}

fn exact(integrator: Integrator, time_step: f64, newton: bool) -> Options {
    Options {
        integrator,
        time_step,
        clamp: false,
        solver: SolverOptions { tolerance: 1e-12, max_iterations: 2000, ..Default::default() },
        newton: newton.then(|| NewtonOptions { tolerance: 1e-11, max_linearisations: 30 }),
        ..Default::default()
    }
}

/// Positions and velocities after a time.
fn state_at(integrator: Integrator, duration: f64, steps: usize, newton: bool) -> (Vec<DVec3>, Vec<DVec3>) {
    let options = exact(integrator, duration / steps as f64, newton);
    let mut simulation = Simulation::new(Backend::Cpu, &net(), options).unwrap();
    run(&mut simulation, steps);
    let velocities = simulation.velocities().unwrap().iter().map(|v| v.as_dvec3()).collect();
    (simulation.positions_f64().unwrap(), velocities)
}

/// Measured order between two halvings of the step.
fn order(integrator: Integrator, newton: bool, reference: &[DVec3]) -> f64 {
    let error = |steps| largest_distance(&state_at(integrator, 0.4, steps, newton).0, reference);
    let errors = [error(40), error(80), error(160)];
    println!("{integrator:?} newton {newton}: errors {errors:.3?}");
    (errors[1] / errors[2]).log2()
}

#[test]
fn orders_are_what_theory_says() {
    let (reference, _) = state_at(Integrator::ImplicitMidpoint, 0.4, 8000, true);
    for integrator in IMPLICIT {
        let wanted = match integrator {
            Integrator::Bdf2 | Integrator::ImplicitMidpoint => 2.0,
            Integrator::Theta(theta) if theta == 0.5 => 2.0,
            _ => 1.0,
        };
        // One linearisation keeps the order: its error is of the second.
        for newton in [true, false] {
            let measured = order(integrator, newton, &reference);
            assert!(
                (measured - wanted).abs() < 0.15,
                "{integrator:?}, newton {newton}: {measured} instead of {wanted}"
            );
        }
    }
}
