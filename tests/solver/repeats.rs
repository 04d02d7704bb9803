//! Safe steps that fail are repeated in halves, and alike whether the host looks at the state in between or not.

use crate::common::materials::denim_springs;
use glam::{DVec3, Vec3};
use tenter::{Backend, Body, Collider, Gpu, Mesh, Options, RepeatReport, SafeOptions, Scene, Simulation};
use tenter::{Error, Instability, Nonlinear, Vertices, glam};

/// Stiff cloth that hits a small ball at a speed, m/s.
fn impact(speed: f32) -> Scene {
    let mesh = Mesh::grid(0.4, 0.4, 13, 13).translated(Vec3::new(0.01, 0.3, 0.0));
    let mut scene = Scene::new();
    scene.add(Body::cloth(mesh, denim_springs()).moving(Vec3::new(0.0, -speed, 0.0)));
    scene.add_collider(Collider::sphere([0.0; 3], 0.03));
    scene
}

/// Safe steps that give up after four linearisations, so that impacts make them fail.
fn safe() -> Options {
    let safe = SafeOptions { max_linearisations: 4, ..SafeOptions::default() };
    Options { nonlinear: Nonlinear::Safe(safe), ..Options::default() }
}

/// Positions, time and repeats after 15 steps.
fn after(speed: f32, look: bool) -> (Vec<DVec3>, f64, RepeatReport) {
    let mut simulation = Simulation::new(Backend::Cpu, &impact(speed), safe()).unwrap();
    for step in 0..15 {
        let result = simulation.step().map(|_| ());
        result.unwrap_or_else(|error| panic!("{speed} m/s, looked at: {look}, step {step}: {error}"));
        if look {
            simulation.positions().unwrap();
        }
    }
    let positions = simulation.positions_f64().unwrap();
    (positions, simulation.time(), simulation.repeat_report())
}

#[test]
fn whoever_looks_changes_nothing() {
    for speed in [5.0, 20.0, 40.0] {
        let looked_at = after(speed, true);
        println!("{speed} m/s: {:?}", looked_at.2);
        assert!((looked_at.1 - 0.15).abs() < 1e-9, "{speed} m/s: {} s", looked_at.1);
        assert_eq!(after(speed, false), looked_at, "{speed} m/s");
    }
    // The control: there is something to repeat.
    assert!(after(20.0, true).2.failed > 0);
}

#[test]
fn many_steps_at_once_are_repeated_alike() {
    let (positions, time, repeats) = after(20.0, true);
    let mut simulation = Simulation::new(Backend::Cpu, &impact(20.0), safe()).unwrap();
    simulation.step_many(15).unwrap();
    assert_eq!(simulation.positions_f64().unwrap(), positions);
    assert_eq!((simulation.time(), simulation.repeat_report()), (time, repeats));
}

#[test]
fn records_are_those_of_steps_that_stand() {
    let mut simulation = Simulation::new(Backend::Cpu, &impact(20.0), safe()).unwrap();
    for _ in 0..15 {
        simulation.step().unwrap();
        simulation.finish().unwrap();
    }
    let records = simulation.take_records();
    let mut time = 0.0;
    for (ix, record) in records.iter().enumerate() {
        time += record.time_step;
        assert_eq!(record.step, ix as u64 + 1);
        assert!((record.time - time).abs() < 1e-9, "{record:?}");
        assert!(record.energy_rise.unwrap() <= 0.01, "{record:?}");
    }
    assert!(records.len() > 15 && (time - 0.15).abs() < 1e-9, "{} records, {time} s", records.len());
}

#[test]
fn a_simulation_that_may_not_halve_gives_up_with_the_cause() {
    let options = Options {
        nonlinear: Nonlinear::Safe(SafeOptions { max_halvings: 0, max_linearisations: 4, ..Default::default() }),
        ..Default::default()
    };
    let mut simulation = Simulation::new(Backend::Cpu, &impact(20.0), options).unwrap();
    let error = (0..15).find_map(|_| simulation.step().and_then(|_| simulation.finish()).err());
    match error {
        Some(Error::Unstable { step, cause, particle }) => {
            println!("step {step}: {cause}, particle {particle:?}");
            assert_eq!(step, simulation.steps());
            assert_ne!(cause, Instability::Halvings, "the cause of the failure is lost");
        }
        other => panic!("{other:?}"),
    }
    // The state before it is kept, and shorter steps lead on.
    assert!(simulation.positions().unwrap().iter().all(|x| x.is_finite()));
    simulation.set_time_step(1e-3).unwrap();
    simulation.step().unwrap();
}

/// Solves that run out of iterations fail alike on both backends, whether one workgroup solves them or many do.
#[test]
fn a_solve_at_its_limit_fails_the_step() {
    let gpu = Gpu::headless().unwrap();
    for n in [8, 32] {
        let mut scene = Scene::new();
        let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, n, n), denim_springs()));
        scene.pin(cloth, Vertices::corners());
        let mut options = Options::default();
        options.solver.max_iterations = 1;
        let ends = [Backend::Cpu, Backend::from(&gpu)].map(|backend| {
            let mut simulation = Simulation::new(backend, &scene, options.clone()).unwrap();
            for _ in 0..6 {
                simulation.step().unwrap();
            }
            simulation.finish().unwrap();
            assert!((simulation.time() - 0.06).abs() < 1e-9);
            simulation.repeat_report()
        });
        assert!(ends[0].failed > 0 && ends[0] == ends[1], "{n}: {ends:?}");
    }
}
