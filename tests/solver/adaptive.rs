//! Steps of adaptive length: errors follow the tolerance, the step follows the motion, frames are at exact times, and a step that was
//! taken back leaves no trace.

use crate::common::{self, backends, gpu, largest_distance, run};
use crate::integrators;
use tenter::{
    Adaptive, AdaptiveReport, Air, Backend, Body, Control, Error, Integrator, Mass, Material, Mesh, NewtonOptions,
    Nonlinear, Options, Plasticity, Scene, Simulation, SolverOptions, Spring, Vertices,
    glam::{DVec3, Vec3},
};

/// s
const DURATION: f64 = 0.2;

/// Nonlinear, damped springs that swing and turn, held at one corner.
fn net() -> Scene {
    integrators::net(0.05, 0.02)
}

fn options(integrator: Integrator, tolerance: f64) -> Options {
    Options {
        integrator,
        time_step: 1e-3,
        clamp: false,
        adaptive: Some(Adaptive { smallest: 1e-7, largest: 0.1, tolerance, control: Control::ErrorEstimate }),
        solver: SolverOptions { tolerance: 1e-12, max_iterations: 2000, ..Default::default() },
        nonlinear: Nonlinear::Newton(NewtonOptions { tolerance: 1e-11, max_linearisations: 30 }),
        ..Default::default()
    }
}

fn reference() -> Vec<DVec3> {
    let fixed = Options { time_step: DURATION / 8000.0, adaptive: None, ..options(Integrator::Rk4, 1.0) };
    let mut simulation = Simulation::new(Backend::Cpu, &net(), fixed).unwrap();
    run(&mut simulation, 8000);
    simulation.positions_f64().unwrap()
}

/// Error at the end, and steps that stand.
fn cost(integrator: Integrator, tolerance: f64, reference: &[DVec3]) -> (f64, u64) {
    let mut simulation = Simulation::new(Backend::Cpu, &net(), options(integrator, tolerance)).unwrap();
    simulation.advance_to(DURATION).unwrap();
    let report = simulation.adaptive_report();
    assert_eq!(report.forced, 0, "{integrator:?}");
    assert_eq!(report.accepted, simulation.steps());
    let records = simulation.take_records();
    assert_eq!(records.len() as u64, report.accepted);
    assert!(records.iter().all(|record| record.error.unwrap() <= tolerance));
    let sum: f64 = records.iter().map(|record| record.time_step).sum();
    assert!((sum - DURATION).abs() < 1e-12);
    let error = largest_distance(&simulation.positions_f64().unwrap(), reference);
    println!("{integrator:?}, tolerance {tolerance:.0e} m: error {error:.2e} m, {report:?}");
    (error, report.accepted)
}

#[test]
fn the_error_follows_the_tolerance() {
    let reference = reference();
    for integrator in [
        Integrator::ImplicitEuler,
        Integrator::Bdf2,
        Integrator::ImplicitMidpoint,
        Integrator::Theta(0.5),
        Integrator::VelocityVerlet,
        Integrator::Heun,
    ] {
        let second = !matches!(integrator, Integrator::ImplicitEuler);
        let tolerances = if second { [1e-5, 1e-6, 1e-7] } else { [1e-4, 1e-5, 1e-6] };
        let errors = tolerances.map(|tolerance| cost(integrator, tolerance, &reference).0);
        // The global error goes with h^p, the local one with h^(p + 1).
        let power = if second { 2.0 / 3.0 } else { 0.5 };
        let measured = (errors[0] / errors[2]).log10() / 2.0;
        assert!(errors[0] > errors[1] && errors[1] > errors[2], "{integrator:?}: {errors:?}");
        assert!((measured - power).abs() < 0.25, "{integrator:?}: error goes with tolerance^{measured}, not {power}");
    }
}

#[test]
fn second_order_needs_far_fewer_steps() {
    let reference = reference();
    let (euler, euler_steps) = cost(Integrator::ImplicitEuler, 1e-7, &reference);
    for integrator in [Integrator::Bdf2, Integrator::ImplicitMidpoint] {
        let (error, steps) = cost(integrator, 3e-7, &reference);
        assert!(
            error <= euler && 8 * steps < euler_steps,
            "{integrator:?}: {error} in {steps}, Euler {euler} in {euler_steps}"
        );
    }
}

#[test]
fn steps_shrink_on_a_pull_and_grow_afterwards() {
    for (name, backend) in backends() {
        let scene = common::wavy_cloth(8);
        let adaptive = Adaptive { smallest: 1e-6, largest: 0.02, tolerance: 1e-4, control: Control::ErrorEstimate };
        let damped = tenter::Rayleigh { mass: 3.0, stiffness: 0.01 };
        let options = Options {
            integrator: Integrator::Bdf2,
            adaptive: Some(adaptive),
            rayleigh: damped,
            solver: SolverOptions { tolerance: 1e-6, ..Default::default() },
            ..Default::default()
        };
        let mut simulation = Simulation::new(backend, &scene, options).unwrap();
        simulation.advance_to(3.0).unwrap();
        let calm = simulation.finish().unwrap().unwrap().time_step;
        simulation.take_records();
        simulation.push(60, Vec3::new(0.0, 3.0, 2.0)).unwrap();
        simulation.advance_to(3.05).unwrap();
        let pulled = simulation.take_records().iter().map(|record| record.time_step).fold(1.0, f64::min);
        simulation.push(60, Vec3::ZERO).unwrap();
        simulation.advance_to(6.0).unwrap();
        let after = simulation.finish().unwrap().unwrap().time_step;
        println!("{name}: {calm:.5} s, pulled {pulled:.5} s, after {after:.5} s, {:?}", simulation.adaptive_report());
        assert!(pulled < 0.3 * calm && after > 2.0 * pulled, "{name}: {calm}, {pulled}, {after}");
    }
}

#[test]
fn frames_are_at_exact_times() {
    for (name, backend) in backends() {
        for adaptive in [None, Some(Adaptive { tolerance: 3e-5, ..Default::default() })] {
            let options = Options { integrator: Integrator::Bdf2, time_step: 0.007, adaptive, ..Default::default() };
            let mut simulation = Simulation::new(backend.clone(), &common::wavy_cloth(8), options).unwrap();
            for frame in 1..=20 {
                let due = f64::from(frame) / 24.0;
                let count = simulation.advance_to(due).unwrap();
                assert!(count > 0);
                assert!((simulation.time() - due).abs() < 1e-12, "{name}: {} instead of {due}", simulation.time());
                assert_eq!(simulation.advance_to(due).unwrap(), 0);
            }
            simulation.finish().unwrap();
            let records = simulation.take_records();
            assert!((records.last().unwrap().time - 20.0 / 24.0).abs() < 1e-12);
            // Without slivers: no step is much shorter than both its neighbours.
            for three in records.windows(3) {
                let [a, b, c] = [0, 1, 2].map(|ix| three[ix].time_step);
                assert!(b > 0.2 * a.min(c), "{name}: {a}, {b}, {c}");
            }
            for wrong in [0.1, f64::NAN, f64::INFINITY] {
                assert!(matches!(simulation.advance_to(wrong), Err(Error::Usage(_))), "{wrong}");
            }
        }
    }
}

/// What changes in a step in every way there is: plastic edges, wind that swings, a pin that is led.
fn everything() -> (Scene, tenter::PinId) {
    let mut scene = Scene::new();
    let spring = Spring::new(100.0).plastic(Plasticity { yield_strain: 0.002, maximum: 1.0, creep: 50.0 });
    let material = Material::springs(Mass::Total(0.2), spring);
    let body = scene.add(Body::cloth(Mesh::grid(0.5, 0.5, 6, 6), material));
    let pin = scene.pin(body, Vertices::corners());
    scene.air = Some(Air { wind: Vec3::new(1.0, 0.5, 2.0), angular_velocity: 40.0, resistance: 0.1, ..Air::default() });
    (scene, pin)
}

#[test]
fn a_step_that_was_taken_back_leaves_no_trace() {
    for (name, backend) in backends() {
        for integrator in Integrator::ALL {
            let (scene, pin) = everything();
            // Short enough for explicit methods, with something to look back at.
            let fixed = Options { integrator, time_step: 2e-4, ..Default::default() };
            let adaptive = Adaptive { smallest: 1e-5, largest: 0.02, tolerance: 1e-7, control: Control::ErrorEstimate };
            let options = Options { adaptive: Some(adaptive), ..fixed };
            let mut simulation = Simulation::new(backend.clone(), &scene, options.clone()).unwrap();
            simulation.advance_to(0.01).unwrap();
            simulation.move_pin(pin, Vec3::new(0.0, 0.01, -0.25)).unwrap();
            simulation.take_records();
            let before = simulation.adaptive_report();
            // The search for the next step begins far too high.
            simulation.set_time_step(0.02).unwrap();
            simulation.step().unwrap();
            let rejected = simulation.adaptive_report().rejected - before.rejected;
            assert!(rejected > 0, "{name}, {integrator:?}");
            let step = simulation.take_records();
            assert_eq!(step.len(), 1);

            // The control: the same length at once.
            let mut at_once = Simulation::new(backend.clone(), &scene, options).unwrap();
            at_once.advance_to(0.01).unwrap();
            at_once.move_pin(pin, Vec3::new(0.0, 0.01, -0.25)).unwrap();
            at_once.take_records();
            let before = at_once.adaptive_report();
            at_once.set_time_step(step[0].time_step).unwrap();
            at_once.step().unwrap();
            assert_eq!(at_once.adaptive_report().rejected, before.rejected, "{name}, {integrator:?}");
            assert_eq!(at_once.take_records(), step, "{name}, {integrator:?}");
            for _ in 0..3 {
                assert_eq!(
                    at_once.positions_f64().unwrap(),
                    simulation.positions_f64().unwrap(),
                    "{name}, {integrator:?}"
                );
                assert_eq!(at_once.velocities().unwrap(), simulation.velocities().unwrap(), "{name}, {integrator:?}");
                assert_eq!(
                    at_once.edge_history().unwrap(),
                    simulation.edge_history().unwrap(),
                    "{name}, {integrator:?}"
                );
                for simulation in [&mut at_once, &mut simulation] {
                    simulation.set_time_step(step[0].time_step).unwrap();
                    simulation.step().unwrap();
                }
            }
        }
    }
}

#[test]
fn a_step_that_fails_is_repeated_shorter() {
    for (name, backend) in backends() {
        let adaptive = Adaptive { smallest: 1e-6, largest: 1.0, tolerance: 1e3, control: Control::ErrorEstimate };
        let options =
            |adaptive| Options { integrator: Integrator::Rk4, time_step: 0.3, adaptive, ..Default::default() };
        let mut simulation = Simulation::new(backend.clone(), &common::wavy_cloth(8), options(Some(adaptive))).unwrap();
        simulation.advance_to(0.5).unwrap();
        assert!(simulation.adaptive_report().rejected > 0, "{name}");
        assert!(simulation.positions().unwrap().iter().all(|p| p.is_finite()));
        // The control: it does fail.
        let mut fixed = Simulation::new(backend, &common::wavy_cloth(8), options(None)).unwrap();
        let result = fixed.step_many(20).and_then(|_| fixed.finish());
        assert!(matches!(result, Err(Error::Unstable { .. } | Error::NonFinite { .. })), "{name}: {result:?}");
    }
}

#[test]
fn the_smallest_step_is_taken_anyway_and_counted() {
    let adaptive = Adaptive { smallest: 0.005, largest: 0.01, tolerance: 1e-12, control: Control::ErrorEstimate };
    let options = Options { adaptive: Some(adaptive), ..Default::default() };
    let mut simulation = Simulation::new(Backend::Cpu, &common::wavy_cloth(6), options).unwrap();
    simulation.step_many(4).unwrap();
    // The first from 0.01 s down, the others at once.
    assert!(simulation.adaptive_report().rejected >= 1);
    assert_eq!((simulation.adaptive_report().accepted, simulation.adaptive_report().forced), (4, 4));
    assert!((simulation.time() - 0.02).abs() < 1e-12);
    simulation.reset().unwrap();
    assert_eq!(simulation.adaptive_report(), AdaptiveReport::default());
}

#[test]
fn backends_agree() {
    for integrator in
        [Integrator::ImplicitEuler, Integrator::Bdf2, Integrator::ImplicitMidpoint, Integrator::VelocityVerlet]
    {
        let adaptive = Adaptive { tolerance: 2e-5, ..Default::default() };
        let options = Options {
            integrator,
            adaptive: Some(adaptive),
            time_step: 1e-3,
            solver: SolverOptions { tolerance: 1e-6, max_iterations: 300, ..Default::default() },
            nonlinear: Nonlinear::OneLinearisation,
            ..Default::default()
        };
        let after = |backend: Backend| {
            let mut simulation = Simulation::new(backend, &common::wavy_cloth(10), options.clone()).unwrap();
            simulation.advance_to(0.3).unwrap();
            (simulation.positions_f64().unwrap(), simulation.take_records(), simulation.adaptive_report())
        };
        let (gpu_positions, gpu_records, gpu_report) = after(Backend::from(&gpu()));
        let (cpu_positions, cpu_records, cpu_report) = after(Backend::Cpu);
        let distance = largest_distance(&gpu_positions, &cpu_positions);
        println!("{integrator:?}: {distance:.1e} m; {gpu_report:?}, {cpu_report:?}");
        assert!(distance < 1e-3, "{integrator:?}: {distance}");
        let (few, many) = (gpu_report.accepted.min(cpu_report.accepted), gpu_report.accepted.max(cpu_report.accepted));
        assert!(many - few <= 2 + many / 20, "{integrator:?}: {gpu_report:?}, {cpu_report:?}");
        for (gpu, cpu) in gpu_records.iter().zip(&cpu_records).take(5) {
            assert!((gpu.error.unwrap() / cpu.error.unwrap() - 1.0).abs() < 0.01, "{integrator:?}: {gpu:?}, {cpu:?}");
        }
        // Bits repeat.
        assert_eq!(after(Backend::from(&gpu())).1, gpu_records);
    }
}

#[test]
fn a_restart_is_clean() {
    for (name, backend) in backends() {
        let scene = common::wavy_cloth(8);
        let adaptive = Adaptive { tolerance: 1e-5, ..Default::default() };
        // A warm start would follow the velocity change before the restart.
        let solver = SolverOptions { warm_start: false, ..Default::default() };
        let options =
            |integrator| Options { integrator, adaptive: Some(adaptive), solver: solver.clone(), ..Default::default() };
        let mut simulation = Simulation::new(backend.clone(), &scene, options(Integrator::Bdf2)).unwrap();
        simulation.advance_to(0.1).unwrap();
        let positions = simulation.positions().unwrap().to_vec();
        let velocities = simulation.velocities().unwrap().to_vec();
        // The next step is one of Euler, with Euler's estimate.
        simulation.set_positions(&positions).unwrap();
        simulation.take_records();
        simulation.step().unwrap();
        let step = simulation.take_records()[0];
        let mut euler = Simulation::new(backend, &scene, options(Integrator::ImplicitEuler)).unwrap();
        euler.set_positions(&positions).unwrap();
        euler.set_velocities(&velocities).unwrap();
        euler.set_time_step(step.time_step).unwrap();
        euler.step().unwrap();
        let control = euler.take_records()[0];
        assert_eq!(control.time_step, step.time_step, "{name}");
        assert!((control.error.unwrap() / step.error.unwrap() - 1.0).abs() < 1e-6, "{name}: {control:?}, {step:?}");
        let same = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).all(|(a, b)| (*a - *b).length() < 1e-7);
        assert!(same(simulation.positions().unwrap(), euler.positions().unwrap()), "{name}");
        // And the one after it is not.
        for simulation in [&mut simulation, &mut euler] {
            simulation.set_time_step(step.time_step).unwrap();
            simulation.step().unwrap();
        }
        assert!(!same(simulation.velocities().unwrap(), euler.velocities().unwrap()), "{name}");
    }
}

#[test]
fn iterations_can_decide() {
    let iterations = |few, many| {
        let adaptive = Adaptive {
            smallest: 1e-4,
            largest: 0.05,
            control: Control::Iterations { few, many },
            ..Default::default()
        };
        let options = Options { adaptive: Some(adaptive), time_step: 0.01, ..Default::default() };
        let mut simulation = Simulation::new(Backend::Cpu, &common::wavy_cloth(12), options).unwrap();
        simulation.step_many(60).unwrap();
        let records = simulation.take_records();
        let tail = &records[30..];
        (
            tail.iter().map(|r| f64::from(r.iterations)).sum::<f64>() / 30.0,
            tail.iter().map(|r| r.time_step).sum::<f64>() / 30.0,
        )
    };
    let (few, short) = iterations(4, 6);
    let (many, long) = iterations(15, 25);
    println!("{few:.1} iterations in {short:.5} s, {many:.1} in {long:.5} s");
    assert!((2.0..9.0).contains(&few) && many > few && long > 1.5 * short);
}

#[test]
fn nonsense_is_refused() {
    let check = |integrator, adaptive| {
        let options = Options { integrator, adaptive: Some(adaptive), ..Default::default() };
        match Simulation::new(Backend::Cpu, &net(), options) {
            Err(Error::Scene { field, .. }) => field,
            other => panic!("{:?}", other.map(|_| ())),
        }
    };
    let good = Adaptive::default();
    let euler = Integrator::ImplicitEuler;
    assert_eq!(check(euler, Adaptive { smallest: 0.0, ..good }), "adaptive.smallest");
    assert_eq!(check(euler, Adaptive { smallest: 1.0, ..good }), "adaptive.smallest");
    assert_eq!(check(euler, Adaptive { largest: f64::INFINITY, ..good }), "adaptive.largest");
    assert_eq!(check(euler, Adaptive { tolerance: f64::NAN, ..good }), "adaptive.tolerance");
    let control = Control::Iterations { few: 9, many: 8 };
    assert_eq!(check(euler, Adaptive { control, ..good }), "adaptive.few");
    let control = Control::Iterations { few: 2, many: 8 };
    assert_eq!(check(Integrator::Rk4, Adaptive { control, ..good }), "adaptive.control");
    // What is waited for cannot be encoded.
    let device = gpu();
    let options = Options { adaptive: Some(good), ..Default::default() };
    let mut simulation = Simulation::new(&device, &net(), options).unwrap();
    let mut encoder = simulation.gpu().unwrap().device().create_command_encoder(&Default::default());
    assert!(matches!(simulation.encode_step(&mut encoder), Err(Error::Usage(_))));
}
