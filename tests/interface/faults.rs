//! What goes wrong ends in a typed error, and the last good state is kept.

use crate::common::{self, backends, device_with, gpu, run, small_device, wavy_cloth};
use glam::Vec3;
use tenter::{
    Air, Backend, Body, Error, Fault, Gpu, GpuOptions, Integrator, Mass, Material, Mesh, Options, Plasticity,
    Preconditioner, Scene, Simulation, SolverOptions, Spring, Variant, Vertices,
    internals::{body_id, pin_id},
};

#[test]
fn numbers_that_are_not_finite_keep_the_last_good_state() {
    for variant in [Variant::Single, Variant::Many { workgroups: 2 }] {
        let solver = SolverOptions { variant, ..Default::default() };
        let mut simulation =
            Simulation::new(&gpu(), &wavy_cloth(12), Options { solver, ..Default::default() }).unwrap();
        run(&mut simulation, 5);
        let good = simulation.positions().unwrap().to_vec();
        // Gravity beyond what f32 can square.
        simulation.set_gravity(Vec3::splat(-3e38)).unwrap();
        match (0..6).find_map(|_| simulation.step().err()) {
            Some(Error::NonFinite { step: 5, cause: Fault::Solve { iteration: 0 } }) => {}
            other => panic!("{other:?}"),
        }
        assert_eq!(simulation.positions().unwrap(), good);
        assert_eq!(simulation.steps(), 5);
        assert!((simulation.time() - 0.05).abs() < 1e-9);
        // And on it goes, once the cause is gone.
        simulation.set_gravity(Vec3::new(0.0, -9.81, 0.0)).unwrap();
        run(&mut simulation, 3);
        assert_eq!(simulation.steps(), 8);
        assert!(simulation.positions().unwrap().iter().all(|p| p.is_finite()));
        assert_ne!(simulation.positions().unwrap(), good);
    }
}

#[test]
fn finite_on_the_cpu_is_what_f32_can_hold() {
    // A particle alone, where f64 has room for ages: thrown so that it leaves the range of f32, or pulled until its speed does.
    let near_the_end = 3e38;
    let cases =
        [("thrown", Vec3::X * near_the_end, Vec3::ZERO), ("pulled", Vec3::ZERO, Vec3::new(0.0, -near_the_end, 0.0))];
    for (what, velocity, gravity) in cases {
        for integrator in [
            Integrator::ImplicitEuler,
            Integrator::ImplicitMidpoint,
            Integrator::ImexMidpoint,
            Integrator::Bdf2,
            Integrator::VelocityVerlet,
            Integrator::Rk4,
        ] {
            let mut scene = Scene { gravity, ..Scene::new() };
            let bead = Body::particles([Vec3::ZERO], 1.0);
            scene.add(bead.moving(velocity));
            let nonlinear = tenter::Nonlinear::OneLinearisation;
            let options = Options { integrator, time_step: 0.1, nonlinear, ..Default::default() };
            let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
            let mut good = simulation.positions().unwrap().to_vec();
            let failed = (0..40).find_map(|_| {
                let step = simulation.step();
                if step.is_ok() {
                    good = simulation.positions().unwrap().to_vec();
                }
                step.err()
            });
            let steps = simulation.steps();
            let name = format!("{what}, {}", integrator.name());
            assert!((2..20).contains(&steps), "{name}: {steps} steps");
            match failed {
                Some(Error::NonFinite { step, cause: Fault::State }) => assert_eq!(step, steps, "{name}"),
                other => panic!("{name}: {other:?}"),
            }
            assert_eq!(simulation.positions().unwrap(), good, "{name}");
            assert!(good.iter().all(|position| position.is_finite()), "{name}");
            assert!(simulation.velocities().unwrap().iter().all(|velocity| velocity.is_finite()), "{name}");
        }
    }
}

#[test]
fn a_limit_of_the_hosts_device_is_named() {
    let error = Simulation::new(&small_device(1 << 16), &wavy_cloth(64), Options::default()).err().unwrap();
    match error {
        Error::Limit { limit, what, needs, gives } => {
            assert_eq!((limit, gives), ("max_storage_buffer_binding_size", 1 << 16));
            assert!(needs > gives && what.contains("previous"), "{what} {needs}");
        }
        other => panic!("{other}"),
    }
    assert!(Simulation::new(&small_device(1 << 22), &wavy_cloth(64), Options::default()).is_ok());
}

/// Devices for OpenGL ES 3.1 and 3.0 at their least.
#[test]
fn a_hosts_device_without_storage_buffers_is_told_what_it_lacks() {
    let usual = wgpu::Limits::default;
    let missing = [
        (wgpu::Limits { max_bindings_per_bind_group: 8, ..usual() }, "12 of max_bindings_per_bind_group (there are 8)"),
        (
            wgpu::Limits { max_compute_workgroup_size_x: 32, ..usual() },
            "64 of max_compute_workgroup_size_x (there are 32)",
        ),
        (
            wgpu::Limits { max_compute_workgroups_per_dimension: 1000, ..usual() },
            "65535 of max_compute_workgroups_per_dimension (there are 1000)",
        ),
        (wgpu::Limits::downlevel_defaults(), "8 of max_storage_buffers_per_shader_stage (there are 4)"),
        (wgpu::Limits::downlevel_webgl2_defaults(), "compute shaders and storage buffers"),
    ];
    for (limits, missing) in missing {
        let gpu = device_with(limits);
        let error = Simulation::new(&gpu, &wavy_cloth(8), Options::default()).err().unwrap();
        let text = error.to_string();
        assert!(!text.contains("smaller mesh") && text.contains("wgpu::Limits::default()"), "{text}");
        match error {
            Error::Unsuitable { task: "simulate", lacks, .. } => assert_eq!(lacks, missing),
            other => panic!("{other}"),
        }
    }
    assert!(Simulation::new(&device_with(wgpu::Limits::default()), &wavy_cloth(8), Options::default()).is_ok());
}

#[test]
fn a_device_of_our_own_gets_the_limits_a_scene_needs() {
    let limits =
        wgpu::Limits { max_storage_buffer_binding_size: 1 << 16, max_buffer_size: 1 << 16, ..Default::default() };
    let gpu = Gpu::with_options(GpuOptions { limits, ..Default::default() }).unwrap();
    assert_eq!(gpu.device().limits().max_buffer_size, 1 << 16);
    let mut simulation = Simulation::new(&gpu, &wavy_cloth(64), Options::default()).unwrap();
    let raised = simulation.gpu().unwrap().device().limits();
    assert!(raised.max_buffer_size > 1 << 16 && raised.max_buffer_size < 1 << 23, "no more than needed");
    run(&mut simulation, 2);
}

#[test]
fn what_no_adapter_has_is_refused_before_it_is_allocated() {
    // Four million loose particles need 256 MB in one binding: more than a small adapter has; others just take it.
    let scene = {
        let mut scene = Scene::new();
        let points = vec![Vec3::ZERO; 1 << 23];
        scene.add(Body::particles(points, 1.0));
        scene
    };
    let gpu = gpu();
    let given = Gpu::adapters().iter().find(|adapter| adapter.chosen).unwrap().limits.max_storage_buffer_binding_size;
    match Simulation::new(&gpu, &scene, Options::default()) {
        Err(Error::Limit { limit: "max_storage_buffer_binding_size", gives, needs, .. }) => {
            assert!(gives == given && needs > given);
        }
        Err(other) => panic!("{other}"),
        Ok(_) => assert!(given >= 32 << 23),
    }
}

#[test]
fn a_lost_device_is_an_error_and_not_a_panic() {
    let gpu = Gpu::headless().unwrap();
    let mut simulation = Simulation::new(&gpu, &wavy_cloth(12), Options::default()).unwrap();
    run(&mut simulation, 2);
    gpu.device().destroy();
    let error = (0..4).find_map(|_| simulation.step().err()).expect("steps on a lost device");
    assert!(matches!(error, Error::DeviceLost(_) | Error::Gpu(_)), "{error}");
    assert!(simulation.positions().is_err());
    assert!(simulation.finish().is_err());
    assert!(Simulation::new(&gpu, &wavy_cloth(12), Options::default()).is_err());
}

#[test]
fn a_lost_host_device_is_an_error_and_not_a_panic() {
    let gpu = small_device(1 << 22);
    let mut simulation = Simulation::new(&gpu, &wavy_cloth(12), Options::default()).unwrap();
    run(&mut simulation, 2);
    gpu.device().destroy();
    assert!((0..4).any(|_| simulation.step().is_err()));
    assert!(simulation.positions().is_err());
}

#[test]
fn an_unknown_adapter_is_named_with_those_there_are() {
    let options = GpuOptions { adapter: Some("no such thing".to_owned()), ..Default::default() };
    match Gpu::with_options(options) {
        Err(Error::NoSuchAdapter { wanted, available }) => {
            assert_eq!(wanted, "no such thing");
            assert!(available.contains(&gpu().info().name));
        }
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn refused(scene: &Scene, options: Options, field: &str) {
    match Simulation::new(Backend::Cpu, scene, options) {
        Err(Error::Scene { field: found, message }) => assert_eq!(found, field, "{message}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("{field} was accepted"),
    }
}

#[test]
fn bad_scenes_are_refused_by_field() {
    let change = |change: fn(&mut Scene)| {
        let mut scene = wavy_cloth(4);
        change(&mut scene);
        scene
    };
    type Change = fn(&mut Scene);
    let cases: [(&str, Change); 14] = [
        ("body[0].material.mass", |s| s.bodies[0].material.mass = Mass::Total(0.0)),
        ("body[0].material.density", |s| s.bodies[0].material.mass = Mass::Surface(f32::NAN)),
        ("body[0].material.line_density", |s| s.bodies[0].material.mass = Mass::Line(1.0)),
        ("body[0].material.structural.stiffness", |s| s.bodies[0].material.structural = Spring::new(-1.0)),
        ("body[0].material.crossover.damping", |s| {
            s.bodies[0].material.crossover = Spring::new(1.0).damped(f32::INFINITY)
        }),
        ("body[0].mesh", |s| s.bodies[0].mesh.positions[3].x = f32::NAN),
        ("body[0].mesh", |s| s.bodies[0].mesh.triangles[0][1] = 16),
        ("body[0].mesh", |s| s.bodies[0].mesh.wires.push([0, 99])),
        ("body[0].mesh", |s| s.bodies[0].mesh.positions[1] = s.bodies[0].mesh.positions[0]),
        ("body[0].start", |s| s.bodies[0].start = Some(vec![Vec3::ZERO; 3])),
        ("body[0].velocity", |s| s.bodies[0].velocity = Vec3::splat(f32::INFINITY)),
        ("pin[1].vertices", |s| _ = s.pin(body_id(0), Vertices::list([16u32]))),
        ("pin[1].vertices", |s| _ = s.pin(body_id(0), Vertices::list([0u32]))),
        ("gravity", |s| s.gravity.y = f32::NAN),
    ];
    for (field, mutate) in cases {
        refused(&change(mutate), Options::default(), field);
    }
    let mut scene = wavy_cloth(4);
    scene.pins[0].body = body_id(7);
    refused(&scene, Options::default(), "pin[0].body");

    let scene = wavy_cloth(4);
    for time_step in [0.0, -0.01, f64::NAN, f64::INFINITY, 1e-300] {
        refused(&scene, Options { time_step, ..Default::default() }, "simulation.time_step");
    }
    for tolerance in [-1.0, 1.0, f64::NAN] {
        let solver = SolverOptions { tolerance, ..Default::default() };
        refused(&scene, Options { solver, ..Default::default() }, "solver.tolerance");
    }
    let solver = SolverOptions { max_iterations: 0, ..Default::default() };
    refused(&scene, Options { solver, ..Default::default() }, "solver.max_iterations");
}

#[test]
fn a_body_whose_mesh_does_not_fit_its_constructor_is_refused() {
    let material = || Material::springs(Mass::Total(1.0), Spring::new(10.0));
    let (grid, block) = (|| Mesh::grid(1.0, 1.0, 3, 3), || Mesh::block(Vec3::ONE, [2, 2, 2]));
    let (chain, points) = (|| Mesh::chain(Vec3::ZERO, Vec3::X, 3), || Mesh::points(vec![Vec3::ZERO, Vec3::X]));
    let check = |body: Body| {
        let mut scene = Scene::new();
        scene.add(body);
        Simulation::check(&scene, &Options::default())
    };
    for mesh in [grid(), block(), chain(), points()] {
        check(Body::cloth(mesh, material())).unwrap();
    }
    check(Body::solid(block(), material())).unwrap();
    check(Body::chain(chain(), material())).unwrap();
    check(Body::particles([Vec3::ZERO, Vec3::X], 1.0)).unwrap();
    let crowd = Body { mesh: chain(), ..Body::particles([], 1.0) };
    let refused = [
        (Body::solid(grid(), material()), "needs tetrahedra"),
        (Body::solid(chain(), material()), "needs tetrahedra"),
        (Body::chain(grid(), material()), "wires only"),
        (Body::chain(block(), material()), "wires only"),
        (Body::chain(points(), material()), "needs wires"),
        (crowd, "neither wires"),
    ];
    for (body, words) in refused {
        match check(body) {
            Err(Error::Scene { field, message }) => {
                assert_eq!(field, "body[0].mesh");
                assert!(message.contains(words), "{message}");
            }
            other => panic!("{words}: {other:?}"),
        }
    }
}

#[test]
fn misuse_is_an_error() {
    let mut simulation = Simulation::new(Backend::Cpu, &wavy_cloth(4), Options::default()).unwrap();
    assert!(matches!(simulation.set_positions(&[Vec3::ZERO]), Err(Error::Usage(_))));
    assert!(matches!(simulation.set_velocities(&[Vec3::NAN; 16]), Err(Error::Usage(_))));
    assert!(matches!(simulation.move_pin(pin_id(3), Vec3::ZERO), Err(Error::Usage(_))));
    assert!(matches!(simulation.move_pin(pin_id(0), Vec3::NAN), Err(Error::Usage(_))));
    assert!(matches!(simulation.set_gravity(Vec3::NAN), Err(Error::Usage(_))));
    assert!(matches!(simulation.advance(f64::NAN), Err(Error::Usage(_))));
    assert!(matches!(simulation.position_buffer(), Err(Error::Usage(_))));
    assert!(simulation.set_time_step(0.0).is_err());
    let solver = SolverOptions { variant: Variant::Single, ..Default::default() };
    assert!(Simulation::new(&gpu(), &wavy_cloth(30), Options { solver, ..Default::default() }).is_err());
}

#[test]
fn a_matrix_too_large_for_one_binding_is_split() {
    // 64×64: 0.8 MB of blocks in bindings of 256 kB.
    let small = small_device(1 << 18);
    let scene = wavy_cloth(64);
    for (preconditioner, dispatches) in [(Preconditioner::BlockJacobi, [4, 2]), (Preconditioner::TwoLevel, [6, 4])] {
        let solver = SolverOptions { tolerance: 1e-6, max_iterations: 1000, preconditioner, ..Default::default() };
        let options = Options { measure: true, solver, nonlinear: common::newton_or_once(None), ..Default::default() };
        let mut split = Simulation::new(&small, &scene, options.clone()).unwrap();
        let mut whole = Simulation::new(&gpu(), &scene, options).unwrap();
        assert_eq!([&split, &whole].map(|simulation| simulation.costs().dispatches_per_iteration), dispatches);
        run(&mut split, 5);
        run(&mut whole, 5);
        let distance = common::largest_distance(&split.positions_f64().unwrap(), &whole.positions_f64().unwrap());
        assert!(distance < 1e-5, "{distance}");
        for (a, b) in split.take_records().iter().zip(&whole.take_records()) {
            // The same coarse matrix, or the iterations would not be the same.
            assert!(a.iterations.abs_diff(b.iterations) <= 2, "{a:?} {b:?}");
            let (a, b) = (a.measures.unwrap(), b.measures.unwrap());
            assert!((a.kinetic / b.kinetic - 1.0).abs() < 1e-4, "{a:?} {b:?}");
            assert!((a.elastic / b.elastic - 1.0).abs() < 1e-3, "{a:?} {b:?}");
            assert!((a.largest_strain - b.largest_strain).abs() < 1e-4, "{a:?} {b:?}");
        }
    }
}

#[test]
fn a_device_with_small_uniform_buffers_is_refused_by_name() {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).unwrap();
    let required_limits = wgpu::Limits { max_uniform_buffer_binding_size: 1 << 13, ..Default::default() };
    let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
    match Simulation::new(&Gpu::from_wgpu(device, queue), &wavy_cloth(4), Options::default()).err() {
        Some(Error::Limit { limit: "max_uniform_buffer_binding_size", what, .. }) => {
            assert!(what.contains("materials"), "{what}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_edges_remember_is_split_with_the_matrix() {
    let mut scene = wavy_cloth(64);
    let plasticity = Plasticity { yield_strain: 1e-4, maximum: 0.5, creep: 20.0 };
    scene.bodies[0].material.structural = Spring::new(100.0).damped(0.1).plastic(plasticity);
    let solver = SolverOptions { tolerance: 1e-6, max_iterations: 1000, ..Default::default() };
    let options = Options { solver, ..Default::default() };
    let mut split = Simulation::new(&small_device(1 << 18), &scene, options.clone()).unwrap();
    let mut whole = Simulation::new(Backend::Cpu, &scene, options).unwrap();
    run(&mut split, 5);
    run(&mut whole, 5);
    let (found, expected) = (split.edge_history().unwrap(), whole.edge_history().unwrap());
    let largest = expected.iter().fold(0.0f32, |most, edge| most.max(edge[0].abs()));
    let worst = found.iter().zip(&expected).fold(0.0f32, |most, (a, b)| most.max((a[0] - b[0]).abs()));
    assert!(largest > 1e-3 && worst < 0.01 * largest, "{worst} of {largest}");
    let numbered: Vec<[f32; 4]> = (0..found.len()).map(|ix| [ix as f32, 0.0, 0.0, 0.0]).collect();
    split.set_edge_history(&numbered).unwrap();
    assert_eq!(split.edge_history().unwrap(), numbered);
}

#[test]
fn reset_works_with_failed_and_lost_steps_behind_it() {
    let gpu = gpu();
    let scene = wavy_cloth(10);
    let mut simulation = Simulation::new(&gpu, &scene, Options::default()).unwrap();
    run(&mut simulation, 4);
    let after_four = simulation.positions().unwrap().to_vec();
    // Two steps in flight that fail.
    simulation.set_gravity(Vec3::splat(-3e38)).unwrap();
    simulation.step().unwrap();
    simulation.step().unwrap();
    simulation.set_gravity(scene.gravity).unwrap();
    simulation.reset().unwrap();
    run(&mut simulation, 4);
    assert_eq!(simulation.positions().unwrap(), after_four);
    assert_eq!(simulation.take_records().len(), 4);
    // Three steps in an encoder that is dropped.
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    for _ in 0..3 {
        simulation.encode_step(&mut encoder).unwrap();
    }
    drop(encoder);
    simulation.reset().unwrap();
    run(&mut simulation, 4);
    assert_eq!(simulation.positions().unwrap(), after_four);
}

#[test]
fn the_clock_goes_back_with_the_state() {
    let mut simulation = Simulation::new(&gpu(), &wavy_cloth(10), Options::default()).unwrap();
    run(&mut simulation, 3);
    simulation.set_gravity(Vec3::splat(-3e38)).unwrap();
    simulation.step().unwrap();
    simulation.set_time_step(0.02).unwrap();
    let error = (0..3).find_map(|_| simulation.step().err()).or_else(|| simulation.finish().err());
    assert!(matches!(error, Some(Error::NonFinite { step: 3, .. })), "{error:?}");
    assert!((simulation.time() - 0.03).abs() < 1e-12, "{}", simulation.time());
    simulation.set_gravity(Vec3::ZERO).unwrap();
    run(&mut simulation, 1);
    assert!((simulation.time() - 0.05).abs() < 1e-12);
}

#[test]
fn a_fault_of_somebody_else_does_not_confuse_a_simulation() {
    let gpu = gpu();
    let mut simulation = Simulation::new(&gpu, &wavy_cloth(10), Options::default()).unwrap();
    run(&mut simulation, 1);
    // The host makes a mistake of its own on our device.
    let _ = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("much too large"),
        size: 1 << 60,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    });
    for _ in 0..5 {
        simulation.step().unwrap();
    }
    // It is told once, by the next call that waits for everything.
    assert!(matches!(simulation.finish(), Err(Error::Gpu(_) | Error::OutOfMemory(_))));
    run(&mut simulation, 2);
    assert_eq!(simulation.take_records().len(), 8);
}

#[test]
fn a_row_too_long_for_a_software_driver_is_refused() {
    let gpu = gpu();
    let spokes = 40_000u32;
    let mut mesh = Mesh::points((0..=spokes).map(|ix| Vec3::new(ix as f32, 1.0, 0.0)).collect());
    mesh.wires = (1..=spokes).map(|ix| [0, ix]).collect();
    let mut scene = Scene::new();
    scene.add(Body::cloth(mesh, Material::springs(Mass::Total(1.0), Spring::new(1.0))));
    let result = Simulation::new(&gpu, &scene, Options::default());
    assert_eq!(matches!(result, Err(Error::Limit { .. })), gpu.is_software());
}

#[test]
fn a_push_after_encoding_and_before_submission_is_felt() {
    let mut scene = Scene::new();
    scene.gravity = Vec3::ZERO;
    scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 6, 6), Material::loose(Mass::Surface(0.2))));
    let mut simulation = Simulation::new(&gpu(), &scene, Options::default()).unwrap();
    let gpu = simulation.gpu().unwrap().clone();
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    simulation.encode_step(&mut encoder).unwrap();
    simulation.push(7, Vec3::Y).unwrap();
    gpu.queue().submit([encoder.finish()]);
    simulation.finish().unwrap();
    let v = simulation.velocities().unwrap()[7];
    assert!(v.y > 0.0, "setters hold for all steps of the next submission, says encode_step: {v}");
}

#[test]
fn a_failed_step_does_not_shift_the_wind() {
    let mut found = Vec::new();
    for (name, backend) in backends() {
        let mut scene = Scene::new();
        scene.gravity = Vec3::ZERO;
        scene.air = Some(Air { steady: 0.0, angular_velocity: 20.0, ..Air::wind(Vec3::Y) });
        scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 6, 6), Material::loose(Mass::Surface(0.2))));
        let mut simulation = Simulation::new(backend, &scene, Options::default()).unwrap();
        run(&mut simulation, 10);
        if name == "gpu" {
            simulation.set_gravity(Vec3::splat(-3e38)).unwrap();
            assert!((0..6).any(|_| simulation.step().is_err()));
        }
        simulation.set_gravity(Vec3::ZERO).unwrap();
        let before = simulation.velocities().unwrap()[7];
        run(&mut simulation, 1);
        let after = simulation.velocities().unwrap()[7];
        found.push(after.y - before.y);
    }
    assert!((found[0] - found[1]).abs() < 1e-4 * found[1].abs(), "{found:?}");
}

#[test]
fn a_failed_step_does_not_shift_wind_that_changed_its_pace() {
    let mut found = Vec::new();
    for (name, backend) in backends() {
        let mut scene = Scene::new();
        scene.gravity = Vec3::ZERO;
        let air = Air { steady: 0.0, angular_velocity: 20.0, ..Air::wind(Vec3::Y) };
        scene.air = Some(air);
        scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 6, 6), Material::loose(Mass::Surface(0.2))));
        let mut simulation = Simulation::new(backend, &scene, Options::default()).unwrap();
        run(&mut simulation, 10);
        simulation.set_air(Air { angular_velocity: 5.0, ..air }).unwrap();
        run(&mut simulation, 2);
        if name == "gpu" {
            simulation.set_gravity(Vec3::splat(-3e38)).unwrap();
            assert!((0..6).any(|_| simulation.step().is_err()));
            simulation.set_gravity(Vec3::ZERO).unwrap();
        }
        let before = simulation.velocities().unwrap()[7];
        run(&mut simulation, 1);
        found.push(simulation.velocities().unwrap()[7].y - before.y);
    }
    assert!((found[0] - found[1]).abs() < 1e-3 * found[1].abs(), "{found:?}");
}
