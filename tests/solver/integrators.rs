//! Integrators: order of convergence, start-up, changes of step, pins, both backends alike.

use crate::common::{self, backends, gpu, largest_distance, newton_or_once, run, safe_to};
use tenter::{
    Backend, Body, Error, Integrator, Mass, Material, Mesh, NewtonOptions, Nonlinear, Options, Scene, Simulation,
    SolverOptions, Spring, SpringLaw, Vertices,
    glam::{DVec3, Vec3},
    internals::integrator::Kind,
};

/// s
const DURATION: f64 = 0.2;

const IMPLICIT: [Integrator; 5] = [
    Integrator::ImplicitEuler,
    Integrator::Bdf2,
    Integrator::ImplicitMidpoint,
    Integrator::Theta(0.5),
    Integrator::Theta(0.75),
];

fn imex() -> impl Iterator<Item = Integrator> {
    Integrator::ALL.into_iter().filter(|integrator| integrator.is_imex())
}

fn explicit() -> impl Iterator<Item = Integrator> {
    Integrator::ALL.into_iter().filter(|integrator| integrator.is_explicit())
}

/// A small net of nonlinear, damped springs that swings and turns, held at one corner.
pub fn net(damping: f32, drag: f32) -> Scene {
    let mesh = Mesh::grid(0.4, 0.3, 3, 3);
    let start =
        mesh.positions.iter().enumerate().map(|(ix, p)| *p * 1.1 + 0.02 * Vec3::new(0.0, (ix as f32).sin(), 0.0));
    let start = start.collect();
    let spring = Spring { law: SpringLaw::Stvk { stiffness: 30.0 }, ..Spring::default() }.damped(damping).dragged(drag);
    let mut scene = Scene::new();
    let material = Material { shear: spring, ..Material::springs(Mass::Total(0.3), spring) };
    let body = scene.add(Body::cloth(mesh, material).starting_at(start).moving(Vec3::new(0.5, 0.0, 0.8)));
    scene.pin(body, Vertices::list([0]));
    scene
}

pub fn exact(integrator: Integrator, time_step: f64, newton: bool) -> Options {
    Options {
        integrator,
        time_step,
        clamp: false,
        solver: SolverOptions { tolerance: 1e-12, max_iterations: 2000, ..Default::default() },
        nonlinear: newton_or_once(newton.then_some(NewtonOptions { tolerance: 1e-11, max_linearisations: 30 })),
        ..Default::default()
    }
}

/// Positions after a time.
fn positions_at(integrator: Integrator, steps: usize, newton: bool, damping: f32) -> Vec<DVec3> {
    let options = exact(integrator, DURATION / steps as f64, newton);
    let mut simulation = Simulation::new(
        Backend::Cpu,
        &net(damping, if integrator.is_explicit() { 0.02 * damping } else { 0.02 }),
        options,
    )
    .unwrap();
    run(&mut simulation, steps);
    simulation.positions_f64().unwrap()
}

/// Positions after a time, by safe steps to the last digits.
fn safe_positions_at(integrator: Integrator, steps: usize, damping: f32) -> Vec<DVec3> {
    let options = Options { nonlinear: safe_to(1e-10), ..exact(integrator, DURATION / steps as f64, false) };
    let mut simulation = Simulation::new(Backend::Cpu, &net(damping, 0.02), options).unwrap();
    run(&mut simulation, steps);
    assert_eq!(simulation.repeat_report(), Default::default(), "{integrator:?}: no step fails");
    simulation.positions_f64().unwrap()
}

/// Measured order of the last of three halvings of the step.
fn order(integrator: Integrator, newton: bool, damping: f32, reference: &[DVec3]) -> f64 {
    // What IMEX Euler takes explicitly is stiff: it has to be stepped finer before its order shows.
    let fewest = if integrator == Integrator::ImexEuler { 1280 } else { 160 };
    let errors =
        [1, 2, 4].map(|times| largest_distance(&positions_at(integrator, times * fewest, newton, damping), reference));
    let order = (errors[1] / errors[2]).log2();
    println!("{integrator:?}, newton {newton}, damping {damping}: errors {errors:.6?}, order {order:.2}");
    order
}

fn theory(integrator: Integrator) -> f64 {
    match integrator {
        Integrator::ImplicitEuler | Integrator::ImexEuler => 1.0,
        Integrator::Theta(theta) if theta != 0.5 => 1.0,
        Integrator::ExplicitEuler | Integrator::SymplecticEuler => 1.0,
        Integrator::Rk4 => 4.0,
        _ => 2.0,
    }
}

#[test]
fn orders_are_what_theory_says() {
    for damping in [0.0, 0.05] {
        let reference = positions_at(Integrator::ImplicitMidpoint, 4000, true, damping);
        for integrator in IMPLICIT {
            let measured = order(integrator, true, damping, &reference);
            assert!((measured - theory(integrator)).abs() < 0.1, "{integrator:?}: {measured}");
        }
    }
}

#[test]
fn safe_steps_solve_the_same_equation_as_newton() {
    for damping in [0.0, 0.05] {
        for integrator in IMPLICIT {
            let newton = positions_at(integrator, 160, true, damping);
            let off = largest_distance(&safe_positions_at(integrator, 160, damping), &newton);
            println!("{integrator:?}, damping {damping}: {off:.1e} m from Newton");
            assert!(off < 1e-6, "{integrator:?}, damping {damping}: {off:e}");
        }
    }
}

#[test]
fn explicit_orders_are_what_theory_says() {
    let reference = positions_at(Integrator::Rk4, 4000, false, 0.0);
    for integrator in explicit() {
        let measured = order(integrator, false, 0.0, &reference);
        let wanted = theory(integrator);
        assert!((measured - wanted).abs() < 0.25, "{integrator:?}: {measured} instead of {wanted}");
    }
}

#[test]
fn imex_orders_are_what_theory_says() {
    let reference = positions_at(Integrator::ImplicitMidpoint, 4000, true, 0.05);
    for integrator in imex() {
        let measured = order(integrator, false, 0.05, &reference);
        let wanted = theory(integrator);
        assert!((measured - wanted).abs() < 0.1, "{integrator:?}: {measured} instead of {wanted}");
    }
}

#[test]
fn the_fixed_point_loop_arrives_at_the_implicit_method() {
    // Where it contracts: h²k/m below 1.
    for (imex, implicit) in [(Integrator::ImexEuler, Integrator::ImplicitEuler), (Integrator::Sbdf2, Integrator::Bdf2)]
    {
        let with = |integrator| positions_at(integrator, 40, true, 0.05);
        let (looped, newton) = (with(imex), with(implicit));
        let distance = largest_distance(&looped, &newton);
        let once = largest_distance(&positions_at(imex, 40, false, 0.05), &newton);
        println!("{imex:?}: {distance:.1e} m from {implicit:?}, without the loop {once:.1e} m");
        assert!(distance < 1e-7 && once > 1e-4, "{imex:?}: {distance}, {once}");
    }
    // Under compression, beyond, it does not, and says so.
    let mut scene = Scene::new();
    let mesh = Mesh::chain(Vec3::ZERO, Vec3::X, 4);
    let start = (0..4).map(|ix| Vec3::new(0.1 * ix as f32, 0.05 * (ix % 2) as f32, 0.02 * (ix / 2) as f32)).collect();
    scene.add(Body::chain(mesh, Material::springs(Mass::Total(0.01), Spring::new(1000.0))).starting_at(start));
    let nonlinear = Nonlinear::Newton(NewtonOptions { tolerance: 1e-6, max_linearisations: 10 });
    let options = Options { integrator: Integrator::ImexEuler, time_step: 0.02, nonlinear, ..Default::default() };
    for (name, backend) in backends() {
        let mut simulation = Simulation::new(backend, &scene, options.clone()).unwrap();
        simulation.step().unwrap();
        let record = simulation.finish().unwrap().unwrap();
        assert!(!record.newton_converged && record.linearisations == 10, "{name}: {record:?}");
    }
}

#[test]
fn a_predictor_saves_iterations() {
    // Etzmuß 3.25: a solve that begins at the last velocity has less left to do. The tolerance is relative to the start, so that it shows
    // once both are to be equally exact.
    for integrator in [Integrator::ImplicitEuler, Integrator::ImplicitMidpoint, Integrator::ImexEuler] {
        let after = |predictor, tolerance| {
            // A warm start would make up for part of what the predictor saves.
            let warm_start = false;
            let solver = SolverOptions { predictor, warm_start, tolerance, max_iterations: 500, ..Default::default() };
            // The safe step has a tolerance of its own, relative to the weight.
            let nonlinear = Nonlinear::OneLinearisation;
            let options = Options { integrator, solver, nonlinear, time_step: 0.005, ..Default::default() };
            let mut simulation = Simulation::new(Backend::Cpu, &common::wavy_cloth(12), options).unwrap();
            run(&mut simulation, 40);
            let total: u32 = simulation.take_records().iter().map(|record| record.iterations).sum();
            (total, simulation.positions_f64().unwrap())
        };
        let (_, exact) = after(true, 1e-12);
        let error = |(iterations, positions): (u32, Vec<DVec3>)| (iterations, largest_distance(&positions, &exact));
        let with = error(after(true, 1e-2));
        // A quarter of a decade tighter each time, until it is as good.
        let mut tolerances = (8..).map(|quarters| 10f64.powf(-0.25 * f64::from(quarters)));
        let (tolerance, without) = tolerances
            .find_map(|tolerance| Some((tolerance, error(after(false, tolerance)))).filter(|(_, off)| off.1 <= with.1))
            .unwrap();
        println!(
            "{integrator:?}, {:.1e} m off at most: {} iterations with a predictor, {} without, which takes a tolerance of {tolerance:.1e}",
            with.1, with.0, without.0
        );
        assert!(10 * with.0 < 9 * without.0, "{integrator:?}: {with:?}, {without:?}");
        // From either start they arrive at the same.
        assert!(error(after(false, 1e-12)).1 < 1e-8);
    }
}

#[test]
fn damping_takes_an_order_from_velocities_that_lag() {
    let reference = positions_at(Integrator::Rk4, 4000, false, 1.0);
    for (integrator, wanted) in [
        (Integrator::Verlet, 1.0),
        (Integrator::LeapFrog, 1.0),
        (Integrator::VelocityVerlet, 2.0),
        (Integrator::Beeman, 2.0),
        (Integrator::Heun, 2.0),
    ] {
        let measured = order(integrator, false, 1.0, &reference);
        assert!((measured - wanted).abs() < 0.2, "{integrator:?}: {measured} instead of {wanted}");
    }
}

#[test]
fn one_linearisation_keeps_the_order() {
    // Its error is of the second order, as long as the Jacobian is the whole one.
    let reference = positions_at(Integrator::ImplicitMidpoint, 4000, true, 0.0);
    for integrator in IMPLICIT {
        let measured = order(integrator, false, 0.0, &reference);
        assert!((measured - theory(integrator)).abs() < 0.1, "{integrator:?}: {measured}");
    }
    // The control: the Jacobian of damping along edges leaves out how the edge turns, which costs an order.
    let reference = positions_at(Integrator::ImplicitMidpoint, 4000, true, 0.5);
    let measured = order(Integrator::Bdf2, false, 0.5, &reference);
    assert!(measured < 1.6, "{measured}");
    assert!(order(Integrator::Bdf2, true, 0.5, &reference) > 1.9);
}

#[test]
fn bdf2_keeps_its_order_when_the_step_varies() {
    // Steps alternate in length, within the ratio of 1 + √2 that zero-stability allows.
    let reference = positions_at(Integrator::ImplicitMidpoint, 4000, true, 0.05);
    let error = |pairs: usize| {
        let mean = DURATION / (2 * pairs) as f64;
        let mut simulation =
            Simulation::new(Backend::Cpu, &net(0.05, 0.02), exact(Integrator::Bdf2, mean, true)).unwrap();
        for _ in 0..pairs {
            for part in [0.7, 1.3] {
                simulation.set_time_step(part * mean).unwrap();
                simulation.step().unwrap();
            }
        }
        simulation.finish().unwrap();
        assert!((simulation.time() - DURATION).abs() < 1e-9);
        largest_distance(&simulation.positions_f64().unwrap(), &reference)
    };
    let errors = [error(40), error(80), error(160)];
    let order = (errors[1] / errors[2]).log2();
    println!("varying steps: errors {errors:.6?}, order {order:.2}");
    assert!((order - 2.0).abs() < 0.15, "{order}");
}

#[test]
fn the_gpu_does_what_its_twin_does() {
    for integrator in IMPLICIT.into_iter().chain(imex()).chain(explicit()) {
        let scene = common::wavy_cloth(12);
        let explicit = integrator.is_explicit();
        let options = Options {
            integrator,
            time_step: match integrator {
                // Never stable without damping, only slow to show it.
                Integrator::ExplicitEuler => 0.0001,
                _ if explicit => 0.001,
                // What it extrapolates is stiff in compressed springs: at 3 ms a disturbance of 1e-7 m in f64 grows to centimetres, too.
                Integrator::Sbdf2 => 0.001,
                _ => 0.01,
            },
            solver: SolverOptions { tolerance: 1e-6, max_iterations: 300, ..Default::default() },
            // What is compared is each kernel's arithmetic: the same work on both.
            nonlinear: Nonlinear::OneLinearisation,
            ..Default::default()
        };
        let after = |backend: Backend| {
            let mut simulation = Simulation::new(backend, &scene, options.clone()).unwrap();
            // A change of step and a restart on the way.
            run(&mut simulation, 30);
            simulation.set_time_step(0.6 * options.time_step).unwrap();
            run(&mut simulation, 30);
            let velocities = simulation.velocities().unwrap().to_vec();
            simulation.set_velocities(&velocities).unwrap();
            run(&mut simulation, 40);
            simulation.positions_f64().unwrap()
        };
        let on_gpu = after(Backend::from(&gpu()));
        let distance = largest_distance(&on_gpu, &after(Backend::Cpu));
        println!("{integrator:?}: {distance:.1e} m after 100 steps");
        assert!(distance < 2e-5, "{integrator:?}: {distance}");
        assert_eq!(on_gpu, after(Backend::from(&gpu())), "{integrator:?}: other bits the second time");
        // The control: another step is further away.
        let other = Options { time_step: 1.1 * options.time_step, ..options.clone() };
        let mut simulation = Simulation::new(Backend::Cpu, &scene, other).unwrap();
        run(&mut simulation, 100);
        assert!(largest_distance(&on_gpu, &simulation.positions_f64().unwrap()) > 5.0 * distance.max(1e-4));
    }
}

#[test]
fn many_steps_at_once_are_the_same_steps() {
    for integrator in [Integrator::VelocityVerlet, Integrator::Bdf2, Integrator::Rk4] {
        let time_step = if integrator.kind() == Kind::Implicit { 0.01 } else { 0.001 };
        // One linearisation: submissions and dispatches are counted.
        let nonlinear = Nonlinear::OneLinearisation;
        let options = Options { integrator, time_step, nonlinear, measure: true, ..Default::default() };
        let mut one_by_one = Simulation::new(&gpu(), &common::wavy_cloth(12), options.clone()).unwrap();
        run(&mut one_by_one, 101);
        let mut at_once = Simulation::new(&gpu(), &common::wavy_cloth(12), options).unwrap();
        // From the start, across several submissions, alone, and none.
        for count in [70, 1, 30, 0] {
            at_once.step_many(count).unwrap();
        }
        let last = at_once.finish().unwrap().unwrap();
        assert_eq!((last.step, at_once.steps()), (101, 101));
        assert!((last.time - 101.0 * time_step).abs() < 1e-12);
        assert_eq!(at_once.positions().unwrap(), one_by_one.positions().unwrap(), "{integrator:?}");
        assert_eq!(at_once.velocities().unwrap(), one_by_one.velocities().unwrap(), "{integrator:?}");
        assert_eq!(at_once.take_records(), one_by_one.take_records(), "{integrator:?}");
        assert_eq!(at_once.costs().submissions, 3 + 1 + 1);
        assert_eq!(one_by_one.costs().submissions, 101);
        assert_eq!(at_once.costs().dispatches, one_by_one.costs().dispatches);
        // `advance` makes its substeps in one submission.
        at_once.advance(5.0 * time_step).unwrap();
        assert_eq!((at_once.steps(), at_once.costs().submissions), (106, 6));
    }
}

#[test]
fn a_failure_among_many_steps_names_its_step() {
    let options = Options { integrator: Integrator::ExplicitEuler, time_step: 0.005, ..Default::default() };
    let failure = |at_once: bool, backend: Backend| {
        let mut simulation = Simulation::new(backend, &common::wavy_cloth(8), options.clone()).unwrap();
        let result = if at_once {
            simulation.step_many(1000).and_then(|_| simulation.finish())
        } else {
            (0..1000).try_for_each(|_| simulation.step().map(|_| ())).and_then(|()| simulation.finish())
        };
        let step = match result {
            Err(Error::Unstable { step, .. } | Error::NonFinite { step, .. }) => step,
            other => panic!("{other:?}"),
        };
        assert_eq!((simulation.steps(), simulation.take_records().len() as u64), (step, step));
        let positions = simulation.positions().unwrap().to_vec();
        assert!(positions.iter().all(|p| p.is_finite()));
        // It goes on from there.
        simulation.set_time_step(1e-5).unwrap();
        simulation.set_velocities(&vec![Vec3::ZERO; positions.len()]).unwrap();
        let _ = simulation.step_many(3);
        (step, positions)
    };
    assert_eq!(failure(true, Backend::from(&gpu())), failure(false, Backend::from(&gpu())));
    assert_eq!(failure(true, Backend::Cpu), failure(false, Backend::Cpu));
}

#[test]
fn pins_lead_where_they_are_told() {
    for (name, backend) in backends() {
        for integrator in IMPLICIT.into_iter().chain(imex()).chain(explicit()) {
            let mut scene = Scene::new();
            let chain = Mesh::chain(Vec3::ZERO, Vec3::new(0.0, -1.0, 0.0), 6);
            let body =
                scene.add(Body::chain(chain, Material::springs(Mass::Total(0.1), Spring::new(100.0).damped(0.2))));
            let pin = scene.pin(body, Vertices::list([0]));
            let explicit = integrator.is_explicit();
            let time_step = if explicit { 0.002 } else { 0.01 };
            let options = Options { integrator, time_step, ..Default::default() };
            let mut simulation = Simulation::new(backend.clone(), &scene, options).unwrap();
            for step in 1..=50 {
                let to = Vec3::new(0.2 * (0.15 * step as f32).sin(), 0.001 * step as f32, 0.0);
                simulation.move_pin(pin, to).unwrap();
                simulation.step().unwrap();
                let at = simulation.positions().unwrap()[0];
                assert!((at - to).length() < 2e-6, "{name}, {integrator:?}: {at} instead of {to} in step {step}");
            }
            let lowest = simulation.positions().unwrap()[5].y;
            assert!(lowest.abs() < 1.5, "{name}, {integrator:?}: {lowest}");
        }
    }
}

#[test]
fn theta_has_bounds() {
    for theta in [0.0, -0.5, 1.01, f64::NAN, f64::INFINITY] {
        let options = Options { integrator: Integrator::Theta(theta), ..Default::default() };
        match Simulation::new(Backend::Cpu, &net(0.0, 0.0), options) {
            Err(Error::Scene { field, message }) => {
                assert_eq!(field, "simulation.integrator");
                assert!(message.contains("above 0"), "{message}");
            }
            other => panic!("{theta}: {:?}", other.map(|_| ())),
        }
    }
    let options = Options { integrator: Integrator::Theta(1.0), ..Default::default() };
    assert!(Simulation::new(Backend::Cpu, &net(0.0, 0.0), options).is_ok());
}
