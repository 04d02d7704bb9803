//! Same bits twice on one adapter; within tolerance across drivers.

use crate::common::{gpu, largest_distance, newton_or_once, run, wavy_cloth};
use tenter::Launch;
use tenter::{
    Backend, Body, Gpu, GpuOptions, Integrator, Material, Mesh, NewtonOptions, Nonlinear, Options, Scene, Simulation,
    SolverOptions, Vertices,
};

fn bits(gpu: &Gpu, n: u32, options: &Options) -> (Vec<u32>, Vec<tenter::StepRecord>) {
    let mut simulation = Simulation::new(gpu, &wavy_cloth(n), options.clone()).unwrap();
    run(&mut simulation, 8);
    let mut words: Vec<u32> =
        simulation.positions().unwrap().iter().flat_map(|p| p.to_array()).map(f32::to_bits).collect();
    words.extend(simulation.velocities().unwrap().iter().flat_map(|v| v.to_array()).map(f32::to_bits));
    (words, simulation.take_records())
}

#[test]
fn two_runs_give_the_same_bits() {
    let gpu = gpu();
    for n in [16, 40] {
        let newton = NewtonOptions { max_linearisations: 3, ..Default::default() };
        for nonlinear in [Nonlinear::Safe(Default::default()), newton_or_once(None), newton_or_once(Some(newton))] {
            let options = Options { nonlinear, measure: true, ..Default::default() };
            let (first, records) = bits(&gpu, n, &options);
            assert_eq!((first.clone(), records), bits(&gpu, n, &options));
            // The control: another step gives other bits.
            assert_ne!(first, bits(&gpu, n, &Options { time_step: 0.0101, ..options }).0);
        }
    }
}

#[test]
fn steps_that_are_cut_short_go_on_to_the_same_bits() {
    // A flat cloth that begins to fall needs more iterations in every step than in the one before, by which its dispatches are counted.
    let gpu = gpu();
    for (n, integrator) in [(12, Integrator::Bdf2), (32, Integrator::Bdf2), (32, Integrator::ImplicitMidpoint)] {
        let mut scene = Scene::new();
        let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, n, n), Material::cotton_springs()));
        scene.pin(cloth, Vertices::corners());
        let ends = [1, 2, 24].map(|at_once| {
            let options = Options { integrator, ..Default::default() };
            let mut simulation = Simulation::new(&gpu, &scene, options).unwrap();
            for _ in 0..24 / at_once {
                simulation.step_many(at_once).unwrap();
                if at_once == 1 {
                    // Waits for the step, so that none is behind it.
                    simulation.positions().unwrap();
                }
            }
            let positions = simulation.positions().unwrap().to_vec();
            (positions, simulation.take_records())
        });
        for (positions, records) in &ends[1..] {
            assert_eq!(records, &ends[0].1, "{n} {integrator:?}");
            assert!(positions == &ends[0].0, "{n} {integrator:?}");
        }
        assert_eq!(ends[0].1.len(), 24);
    }
}

#[test]
fn a_reset_forgets_a_step_that_was_cut_short() {
    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 32, 32), Material::cotton_springs()));
    scene.pin(cloth, Vertices::corners());
    let mut simulation = Simulation::new(&gpu(), &scene, Options::default()).unwrap();
    let mut ends = Vec::new();
    for steps in [0, 3, 4, 5, 6, 8] {
        // None of these is waited for at the end.
        for _ in 0..steps {
            simulation.step().unwrap();
        }
        simulation.reset().unwrap();
        run(&mut simulation, 3);
        ends.push(simulation.positions().unwrap().to_vec());
        assert_eq!(simulation.steps(), 3);
        simulation.reset().unwrap();
    }
    assert!(ends.iter().all(|end| end == &ends[0]));
}

#[test]
fn a_new_device_gives_the_same_bits() {
    let options = Options::default();
    assert_eq!(bits(&gpu(), 24, &options), bits(&gpu(), 24, &options));
}

#[test]
fn reset_gives_the_same_bits() {
    let mut simulation = Simulation::new(&gpu(), &wavy_cloth(20), Options::default()).unwrap();
    run(&mut simulation, 12);
    let first = simulation.positions().unwrap().to_vec();
    simulation.reset().unwrap();
    assert_eq!((simulation.steps(), simulation.time()), (0, 0.0));
    assert_eq!(simulation.positions().unwrap(), wavy_cloth(20).bodies[0].start_positions());
    run(&mut simulation, 12);
    assert_eq!(simulation.positions().unwrap(), first);
}

#[test]
fn every_adapter_agrees_with_the_cpu() {
    // `make test` offers SwiftShader beside the default driver where chromium has brought it along.
    let options = Options {
        solver: SolverOptions { tolerance: 1e-6, max_iterations: 1000, ..Default::default() },
        nonlinear: Nonlinear::OneLinearisation,
        ..Default::default()
    };
    let scene = wavy_cloth(26);
    let result = |backend: Backend| {
        let mut simulation = Simulation::new(backend, &scene, options.clone()).unwrap();
        run(&mut simulation, 10);
        simulation.positions_f64().unwrap()
    };
    let twin = result(Backend::Cpu);
    let adapters = Gpu::adapters();
    assert!(!adapters.is_empty());
    for adapter in adapters {
        let name = adapter.info.name;
        // Both launches: that for GPUs is not the one a software driver gets by itself.
        for launch in Launch::ALL {
            let wanted = GpuOptions { adapter: Some(name.clone()), launch: Some(launch), ..Default::default() };
            let gpu = Gpu::with_options(wanted).unwrap();
            let distance = largest_distance(&result(Backend::from(&gpu)), &twin);
            println!("{name}, {launch:?}: {distance:.2e} m from f64");
            assert!(distance < 1e-4, "{name}, {launch:?}: {distance}");
        }
    }
}
