//! Same bits twice on one adapter; within tolerance across drivers.

mod common;

use common::{gpu, largest_distance, newton_or_once, run, wavy_cloth};
use tenter::gpu::shader::Launch;
use tenter::{Backend, Gpu, GpuOptions, NewtonOptions, Nonlinear, Options, Simulation, SolverOptions};

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
