//! The host's interface: what can be asked of a simulation while it runs, and scenes at the edge of the thinkable.

use crate::common::{backends, gpu, largest_distance, run, wavy_cloth};
use glam::Vec3;
use tenter::{
    Backend, Body, Gpu, Mass, Material, Mesh, NewtonOptions, Nonlinear, Options, Scene, Side, Simulation,
    SolverOptions, Spring, Variant, Vertices,
    internals::{body_id, pin_id},
};

fn both_variants() -> [Variant; 3] {
    [Variant::Automatic, Variant::Single, Variant::Many { workgroups: 3 }]
}

fn with_variant(variant: Variant) -> Options {
    Options { solver: SolverOptions { variant, ..Default::default() }, measure: true, ..Default::default() }
}

#[test]
fn no_particles_at_all() {
    for (_, backend) in backends() {
        for variant in both_variants() {
            let mut simulation = Simulation::new(backend.clone(), &Scene::new(), with_variant(variant)).unwrap();
            run(&mut simulation, 3);
            assert!(simulation.positions().unwrap().is_empty());
            assert_eq!(simulation.take_records().len(), 3);
        }
    }
}

#[test]
fn one_particle_and_no_edges() {
    for (name, backend) in backends() {
        for variant in both_variants() {
            let mut scene = Scene::new();
            scene.add(Body::particles([Vec3::new(1.0, 2.0, 3.0)], 0.5));
            let mut simulation = Simulation::new(backend.clone(), &scene, with_variant(variant)).unwrap();
            run(&mut simulation, 1);
            let y = simulation.positions().unwrap()[0].y;
            assert!((y - (2.0 - 9.81e-4)).abs() < 1e-6, "{name}: {y}");
        }
    }
}

#[test]
fn everything_pinned() {
    for (name, backend) in backends() {
        for variant in both_variants() {
            let mut scene = wavy_cloth(6);
            scene.pins.clear();
            scene.pin(body_id(0), Vertices::All);
            let mut simulation = Simulation::new(backend.clone(), &scene, with_variant(variant)).unwrap();
            let before = simulation.positions().unwrap().to_vec();
            run(&mut simulation, 3);
            let record = simulation.take_records()[2];
            assert_eq!((record.outcome, record.iterations), (tenter::Outcome::Converged, 0), "{name}");
            assert_eq!(simulation.positions().unwrap(), before);
        }
    }
}

#[test]
fn two_bodies_do_not_know_each_other() {
    let alone = |scene: Scene| {
        let options = Options {
            nonlinear: Nonlinear::OneLinearisation,
            solver: SolverOptions { tolerance: 1e-7, max_iterations: 500, ..Default::default() },
            ..Default::default()
        };
        let mut simulation = Simulation::new(&gpu(), &scene, options).unwrap();
        run(&mut simulation, 10);
        simulation.positions_f64().unwrap()
    };
    let mut scene = wavy_cloth(9);
    scene.add(Body::chain(
        Mesh::chain(Vec3::Y, Vec3::new(1.0, 1.0, 0.0), 7),
        Material::springs(Mass::Total(0.07), Spring::new(10.0)),
    ));
    scene.pin(body_id(1), Vertices::list([0u32]));
    let together = alone(scene.clone());
    assert_eq!(together.len(), 88);
    assert!(largest_distance(&together[..81], &alone(wavy_cloth(9))) < 1e-5);
    // The chain swings from its own pin.
    assert_eq!(together[81].as_vec3(), Vec3::Y);
    assert!(together[87].y < 0.97);
}

#[test]
fn a_moved_pin_arrives_after_the_next_step_and_drags_the_cloth() {
    for (name, backend) in backends() {
        let mut scene = wavy_cloth(8);
        scene.pins.clear();
        let left = scene.pin(body_id(0), Vertices::list([0u32]));
        let right = scene.pin(body_id(0), Vertices::list([7u32, 15]));
        let mut simulation = Simulation::new(backend, &scene, Options::default()).unwrap();
        run(&mut simulation, 3);
        let to = Vec3::new(-0.52, 0.03, -0.48);
        simulation.move_pin(left, to).unwrap();
        let before = simulation.positions().unwrap().to_vec();
        run(&mut simulation, 1);
        let after = simulation.positions().unwrap().to_vec();
        assert!(after[0].distance(to) < 1e-6, "{name}: {}", after[0]);
        let speed = simulation.velocities().unwrap()[0];
        assert!(speed.distance((to - before[0]) / 0.01) < 1e-3, "{name}: {speed}");
        // A pin of several vertices goes as one: its centre to the place, its shape kept.
        simulation.move_pin(right, Vec3::new(0.6, 0.1, -0.4)).unwrap();
        run(&mut simulation, 1);
        let after = simulation.positions().unwrap().to_vec();
        assert!(((after[7] + after[15]) / 2.0).distance(Vec3::new(0.6, 0.1, -0.4)) < 1e-6);
        assert!((after[7] - after[15]).distance(before[7] - before[15]) < 1e-6);
        // There they stay.
        run(&mut simulation, 2);
        assert!(simulation.positions().unwrap()[7].distance(after[7]) < 1e-7);
        assert!(simulation.velocities().unwrap()[7].length() < 1e-5);
    }
}

#[test]
fn an_animated_pin_moves_others_like_the_twin() {
    let path = |step: usize| Vec3::new(-0.5, 0.1 * (0.3 * step as f32).sin(), -0.5);
    let result = |backend: Backend| {
        let mut scene = wavy_cloth(10);
        scene.pins.clear();
        let pin = scene.pin(body_id(0), Vertices::list([0u32]));
        scene.pin(body_id(0), Vertices::list([9u32]));
        let options = Options {
            solver: SolverOptions { tolerance: 1e-6, ..Default::default() },
            nonlinear: Nonlinear::OneLinearisation,
            ..Default::default()
        };
        let mut simulation = Simulation::new(backend, &scene, options).unwrap();
        for step in 0..25 {
            simulation.move_pin(pin, path(step)).unwrap();
            simulation.step().unwrap();
        }
        simulation.positions_f64().unwrap()
    };
    let (ours, twin) = (result(Backend::from(&gpu())), result(Backend::Cpu));
    assert!(largest_distance(&ours, &twin) < 1e-4);
    assert!(ours[0].as_vec3().distance(path(24)) < 1e-5);
}

#[test]
fn advance_takes_whole_steps_and_spreads_the_pins() {
    let scene = wavy_cloth(8);
    let mut simulation =
        Simulation::new(&gpu(), &scene, Options { time_step: 0.01, max_substeps: 4, ..Default::default() }).unwrap();
    assert_eq!(simulation.advance(0.005).unwrap(), 0);
    assert_eq!(simulation.advance(0.005).unwrap(), 1);
    assert_eq!(simulation.advance(0.03).unwrap(), 3);
    assert_eq!(simulation.advance(10.0).unwrap(), 4, "capped");
    assert_eq!(simulation.advance(0.0).unwrap(), 0, "time beyond the cap is dropped");
    assert_eq!(simulation.steps(), 8);

    // Both corners are one pin. Four substeps at an even pace: the last quarter of the way in the last step.
    let centre = Vec3::new(0.0, 0.0, -0.5);
    simulation.move_pin(pin_id(0), centre + Vec3::new(0.0, 0.04, 0.0)).unwrap();
    assert_eq!(simulation.advance(0.04).unwrap(), 4);
    let start = scene.bodies[0].start_positions()[0];
    assert!(simulation.velocities().unwrap()[0].y > 0.0);
    let at = simulation.positions().unwrap()[0];
    // The corners start with some waviness; what counts is the way they went.
    let way = 0.04 - (start.y + scene.bodies[0].start_positions()[7].y) / 2.0;
    assert!((at.y - start.y - way).abs() < 1e-5, "{at} from {start}");
    assert!((simulation.velocities().unwrap()[0].y - way / 0.04).abs() < 1e-2);
}

#[test]
fn setters_act_without_rebuilding() {
    for (name, backend) in backends() {
        let mut scene = Scene::new();
        scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 5, 5), Material::cotton_springs()));
        let mut simulation = Simulation::new(backend, &scene, Options::default()).unwrap();
        let buffer = simulation.position_buffer().ok().cloned();
        simulation.set_gravity(Vec3::ZERO).unwrap();
        simulation.set_velocities(&[Vec3::X; 25]).unwrap();
        let moved: Vec<Vec3> = scene.bodies[0].mesh.positions.iter().map(|p| *p + Vec3::Y).collect();
        simulation.set_positions(&moved).unwrap();
        run(&mut simulation, 10);
        simulation.set_time_step(0.02).unwrap();
        run(&mut simulation, 5);
        for (after, before) in simulation.positions().unwrap().iter().zip(&moved) {
            assert!(after.distance(*before + 0.2 * Vec3::X) < 1e-5, "{name}: {after}");
        }
        assert!((simulation.time() - 0.2).abs() < 1e-9);
        assert_eq!(simulation.position_buffer().ok().cloned(), buffer);
    }
}

#[test]
fn steps_in_the_hosts_encoder_are_the_same_steps() {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).unwrap();
    let (device, queue) = pollster::block_on(adapter.request_device(&Default::default())).unwrap();
    let gpu = Gpu::from_wgpu(device.clone(), queue.clone());
    let scene = wavy_cloth(24);
    let mut ours = Simulation::new(&gpu, &scene, Options::default()).unwrap();
    let mut hosts = Simulation::new(&gpu, &scene, Options::default()).unwrap();
    for _ in 0..4 {
        let mut encoder = device.create_command_encoder(&Default::default());
        for _ in 0..3 {
            hosts.encode_step(&mut encoder).unwrap();
        }
        queue.submit([encoder.finish()]);
        hosts.finish().unwrap();
    }
    run(&mut ours, 12);
    let records = hosts.take_records();
    assert_eq!(records.iter().map(|record| record.step).collect::<Vec<_>>(), (1..=12).collect::<Vec<_>>());
    assert_eq!(hosts.positions().unwrap(), ours.positions().unwrap());
    // Mixed with steps of our own.
    hosts.step().unwrap();
    ours.step().unwrap();
    assert_eq!(hosts.positions().unwrap(), ours.positions().unwrap());
}

#[test]
fn an_encoder_that_was_never_submitted_is_noticed() {
    let gpu = gpu();
    let mut simulation = Simulation::new(&gpu, &wavy_cloth(8), Options::default()).unwrap();
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    simulation.encode_step(&mut encoder).unwrap();
    drop(encoder);
    let error = simulation.finish().err();
    assert!(matches!(error, Some(tenter::Error::Usage(_))), "{error:?}");
}

#[test]
fn reactions_are_those_of_the_last_step() {
    for (name, backend) in backends() {
        let mut scene = Scene::new();
        let body = scene.add(Body::particles([Vec3::ZERO], 2.0));
        scene.pin(body, Vertices::All);
        let mut simulation = Simulation::new(backend, &scene, Options::default()).unwrap();
        run(&mut simulation, 2);
        simulation.set_time_step(0.001).unwrap();
        let force = simulation.reactions().unwrap()[0];
        assert!((force.y - 2.0 * 9.81).abs() < 1e-4, "{name}: {force}");
        simulation.reset().unwrap();
        assert_eq!(simulation.reactions().unwrap()[0], glam::DVec3::ZERO, "{name}");
    }
}

#[test]
fn some_particles_are_read_by_number() {
    for (name, backend) in backends() {
        let mut simulation = Simulation::new(backend, &wavy_cloth(9), Options::default()).unwrap();
        run(&mut simulation, 3);
        let all = simulation.positions().unwrap().to_vec();
        for particles in [vec![], vec![40], vec![3, 4, 5, 80, 0, 0, 79, 80]] {
            let expected: Vec<Vec3> = particles.iter().map(|&particle| all[particle as usize]).collect();
            assert_eq!(simulation.positions_of(&particles).unwrap(), expected, "{name} {particles:?}");
        }
        assert!(matches!(simulation.positions_of(&[0, 81]), Err(tenter::Error::Usage(_))), "{name}");
    }
}

#[test]
fn several_simulations_share_a_device() {
    let gpu = gpu();
    let scenes = [wavy_cloth(8), wavy_cloth(30), wavy_cloth(12)];
    let mut simulations: Vec<_> =
        scenes.iter().map(|scene| Simulation::new(&gpu, scene, Options::default()).unwrap()).collect();
    for _ in 0..5 {
        for simulation in &mut simulations {
            simulation.step().unwrap();
        }
    }
    for (simulation, scene) in simulations.iter_mut().zip(&scenes) {
        let mut alone = Simulation::new(&gpu, scene, Options::default()).unwrap();
        run(&mut alone, 5);
        assert_eq!(simulation.positions().unwrap(), alone.positions().unwrap());
    }
}

#[test]
fn simulations_on_one_device_run_in_threads_of_their_own() {
    let gpu = gpu();
    let result = |n: u32| {
        let mut simulation = Simulation::new(&gpu, &wavy_cloth(n), Options::default()).unwrap();
        for _ in 0..20 {
            simulation.step().unwrap();
            simulation.finish().unwrap();
        }
        simulation.positions().unwrap().to_vec()
    };
    let (alone, other) = (result(12), result(13));
    let (first, second) = std::thread::scope(|scope| {
        let threads = [scope.spawn(|| result(12)), scope.spawn(|| result(13))];
        let [first, second] = threads.map(|thread| thread.join().unwrap());
        (first, second)
    });
    assert_eq!((first, second), (alone, other));
}

#[test]
fn records_come_in_order_one_per_step() {
    for (_, backend) in backends() {
        let nonlinear = Nonlinear::Newton(NewtonOptions { max_linearisations: 3, ..Default::default() });
        let options = Options { nonlinear, measure: true, ..Default::default() };
        let mut simulation = Simulation::new(backend, &wavy_cloth(8), options).unwrap();
        run(&mut simulation, 7);
        let records = simulation.take_records();
        assert_eq!(records.iter().map(|record| record.step).collect::<Vec<_>>(), (1..=7).collect::<Vec<_>>());
        for record in &records {
            assert!((record.time - 0.01 * record.step as f64).abs() < 1e-9);
            assert!(record.iterations > 0 && (1..=3).contains(&record.linearisations));
            assert!(record.measures.unwrap().kinetic > 0.0);
        }
        assert!(simulation.take_records().is_empty());
    }
}

#[test]
fn vertices_by_name() {
    let mesh = Mesh::grid(1.0, 1.0, 4, 3);
    let select = |vertices: Vertices| vertices.select(&mesh).unwrap();
    assert_eq!(select(Vertices::corners()), [0, 3]);
    assert_eq!(select(Vertices::Side(Side::Near)), [8, 9, 10, 11]);
    assert_eq!(select(Vertices::Side(Side::Left)), [0, 4, 8]);
    assert_eq!(select(Vertices::Side(Side::Right)), [3, 7, 11]);
    assert_eq!(select(Vertices::list([5u32, 2, 5])), [2, 5]);
    let low = Vec3::new(-1.0, -1.0, -1.0);
    assert_eq!(select(Vertices::Box { low, high: Vec3::new(1.0, 1.0, -0.1) }), [0, 1, 2, 3]);
    assert!(Vertices::Box { low, high: low }.select(&mesh).is_err());
    assert!(Vertices::corners().select(&Mesh::points(vec![Vec3::ZERO])).is_err());
}

#[test]
fn timestamps_are_given_where_there_are_any() {
    let gpu = Gpu::with_options(tenter::GpuOptions { timestamps: true, ..Default::default() }).unwrap();
    let options = Options {
        timing: true,
        nonlinear: Nonlinear::Newton(NewtonOptions { max_linearisations: 2, ..Default::default() }),
        ..Default::default()
    };
    let mut simulation = Simulation::new(&gpu, &wavy_cloth(30), options).unwrap();
    simulation.step().unwrap();
    let times = simulation.finish().unwrap().unwrap().stage_times;
    let able = gpu.device().features().contains(wgpu::Features::TIMESTAMP_QUERY);
    assert_eq!(times.is_some(), able);
    if let Some(times) = times {
        assert!(times.assembly + times.solve + times.integrate < 60.0);
        println!("{times:?}");
    }
}
