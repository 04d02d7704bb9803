//! Lost devices, with steps under way, through every call: a typed error, no panic, and a checkpoint from before the loss continues elsewhere.

use crate::common::{device_with, gpu, run, wavy_cloth};
use glam::Vec3;
use tenter::{Body, Collider, Error, Gpu, Material, Mesh, Options, Scene, Simulation, Vertices, internals::body_id};

/// A device of tenter's own and one of the host.
fn devices() -> [(&'static str, Gpu); 2] {
    [("own", Gpu::headless().unwrap()), ("host's", device_with(wgpu::Limits::default()))]
}

/// A pinned cloth over a ball, with a skin: steps are submitted one by one, and contacts are read back.
fn draped() -> Scene {
    let mut scene = Scene::new();
    let cloth =
        scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 8, 8), Material::cotton()).with_skin(Mesh::grid(1.0, 1.0, 9, 9)));
    scene.pin(cloth, Vertices::list([0u32]));
    scene.add_collider(Collider::sphere([0.0, -0.35, 0.0], 0.3));
    scene
}

#[track_caller]
fn lost<T>(what: &str, result: Result<T, Error>) {
    match result {
        Err(Error::DeviceLost(reason)) => assert!(!reason.is_empty(), "{what}"),
        Err(other) => panic!("{what}: {other:?}"),
        Ok(_) => panic!("{what}: no error"),
    }
}

type Call = (&'static str, fn(&mut Simulation) -> Result<(), Error>);

/// Calls that need the device. Setters may be silent: the next of these calls is not.
const CALLS: [Call; 13] = [
    ("step", |s| s.step().map(|_| ())),
    ("step_many", |s| s.step_many(5).map(|_| ())),
    ("finish", |s| s.finish().map(|_| ())),
    ("advance", |s| s.advance(0.05).map(|_| ())),
    ("positions", |s| s.positions().map(|_| ())),
    ("positions_of", |s| s.positions_of(&[1]).map(|_| ())),
    ("velocities", |s| s.velocities().map(|_| ())),
    ("reactions", |s| s.reactions().map(|_| ())),
    ("strains", |s| s.strains().map(|_| ())),
    ("checkpoint", |s| s.checkpoint().map(|_| ())),
    ("set_positions", |s| {
        let count = s.particle_count();
        s.set_positions(&vec![Vec3::ZERO; count])
    }),
    ("reset", |s| s.reset()),
    ("encode_step", |s| {
        let device = s.gpu().unwrap().device().clone();
        s.encode_step(&mut device.create_command_encoder(&Default::default()))
    }),
];

#[test]
fn every_call_names_the_loss_of_its_device() {
    for (scene, has_skin) in [(wavy_cloth(8), false), (draped(), true)] {
        for (owner, gpu) in devices() {
            // Several simulations on one device are lost together, each with steps under way.
            let mut simulations = CALLS.map(|call| {
                let mut simulation = Simulation::new(&gpu, &scene, Options::default()).unwrap();
                run(&mut simulation, 1);
                simulation.step().unwrap();
                simulation.step().unwrap();
                (call, simulation)
            });
            gpu.device().destroy();
            for ((name, call), simulation) in &mut simulations {
                let what = format!("{name} on {owner} device");
                // The results of steps under way may still arrive.
                let first = call(simulation);
                assert!(matches!(first, Ok(()) | Err(Error::DeviceLost(_))), "{what}: {first:?}");
                lost(&what, call(simulation));
                lost(&what, call(simulation));
                lost(&what, simulation.positions().map(|_| ()));
                if has_skin {
                    lost(&what, simulation.skin_positions(body_id(0)));
                }
            }
            lost("a new simulation", Simulation::new(&gpu, &scene, Options::default()));
        }
    }
}

#[test]
fn a_loss_between_any_two_calls_of_a_step_is_told() {
    // The device is destroyed by another thread at some moment of a run, on either kind of device.
    for (owner, _) in devices() {
        for delay in [0, 1, 3, 7] {
            let gpu = if owner == "own" { Gpu::headless().unwrap() } else { device_with(wgpu::Limits::default()) };
            let mut simulation = Simulation::new(&gpu, &draped(), Options::default()).unwrap();
            let device = gpu.device().clone();
            let destroyer = std::thread::spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(5 * delay));
                device.destroy();
            });
            let error = (0..10_000).find_map(|_| simulation.step().err());
            destroyer.join().unwrap();
            assert!(matches!(error, Some(Error::DeviceLost(_))), "{owner}, {delay}: {error:?}");
            lost(owner, simulation.finish());
        }
    }
}

#[test]
fn the_last_good_state_goes_on_elsewhere() {
    // Bits are those of one adapter, and the two devices may have different ones.
    for ((owner, device), (_, other)) in devices().into_iter().zip(devices()) {
        let scene = draped();
        let mut uninterrupted = Simulation::new(&other, &scene, Options::default()).unwrap();
        run(&mut uninterrupted, 8);
        let mut simulation = Simulation::new(&device, &scene, Options::default()).unwrap();
        run(&mut simulation, 4);
        let saved = simulation.checkpoint().unwrap();
        simulation.step().unwrap();
        device.device().destroy();
        lost(owner, (0..3).try_for_each(|_| simulation.step().map(|_| ())));
        lost(owner, simulation.restore(&saved));
        drop(simulation);
        let mut elsewhere = Simulation::new(&other, &scene, Options::default()).unwrap();
        elsewhere.restore(&saved).unwrap();
        run(&mut elsewhere, 4);
        assert_eq!(elsewhere.positions().unwrap(), uninterrupted.positions().unwrap());
    }
}

#[test]
fn an_encoder_of_another_device_is_refused() {
    for scene in [wavy_cloth(8), draped()] {
        let mut simulation = Simulation::new(&gpu(), &scene, Options::default()).unwrap();
        run(&mut simulation, 1);
        let other = device_with(wgpu::Limits::default());
        let mut foreign = other.device().create_command_encoder(&Default::default());
        let error = simulation.encode_step(&mut foreign).err();
        assert!(matches!(error, Some(Error::Usage(_))), "{error:?}");
        // Nothing of it counts.
        run(&mut simulation, 1);
        assert_eq!(simulation.steps(), 2);
    }
}

#[test]
fn uniform_buffers_fit_the_smallest_binding_that_devices_have() {
    let least = wgpu::Limits::downlevel_defaults().max_uniform_buffer_binding_size;
    let limits = wgpu::Limits { max_uniform_buffer_binding_size: least, ..Default::default() };
    let mut simulation = Simulation::new(&device_with(limits), &wavy_cloth(8), Options::default()).unwrap();
    run(&mut simulation, 2);
}

#[test]
fn several_threads_share_a_device_until_it_is_lost() {
    let scene = draped();
    for (owner, gpu) in devices() {
        let mut alone = Simulation::new(&gpu, &scene, Options::default()).unwrap();
        run(&mut alone, 3);
        let expected = alone.positions().unwrap().to_vec();
        // Simulations come and go, with steps under way, on three threads.
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let (gpu, scene, expected) = (&gpu, &scene, &expected);
                scope.spawn(move || {
                    for round in 0..2 {
                        let mut simulation = Simulation::new(gpu, scene, Options::default()).unwrap();
                        (0..thread + round).for_each(|_| _ = simulation.step().unwrap());
                        simulation.reset().unwrap();
                        run(&mut simulation, 3);
                        assert_eq!(simulation.positions().unwrap(), expected, "{owner}: thread {thread}");
                        let saved = simulation.checkpoint().unwrap();
                        simulation.step().unwrap();
                        simulation.restore(&saved).unwrap();
                        assert_eq!(simulation.positions().unwrap(), expected, "{owner}: thread {thread}");
                        // Dropped with a step under way.
                        simulation.step().unwrap();
                    }
                });
            }
        });
        // One thread destroys the device while the others make steps.
        let simulations = [0, 1, 2].map(|_| Simulation::new(&gpu, &scene, Options::default()).unwrap());
        std::thread::scope(|scope| {
            for (thread, mut simulation) in simulations.into_iter().enumerate() {
                let device = gpu.device();
                scope.spawn(move || {
                    let error = (0..100_000).find_map(|step| {
                        if thread == 0 && step == 2 {
                            device.destroy();
                        }
                        simulation.step().err()
                    });
                    assert!(matches!(error, Some(Error::DeviceLost(_))), "{owner}: thread {thread}: {error:?}");
                });
            }
        });
    }
}
