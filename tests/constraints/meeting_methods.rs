//! Contact between bodies under every integrator: nothing passes through anything, and momentum is kept.

use crate::common::gpu;
use glam::{DVec3, Vec3};
use tenter::{
    Adaptive, Backend, Body, BodyContact, Collider, Integrator, KeyFrame, Mass, Material, Mesh, NewtonOptions,
    Nonlinear, Options, Plasticity, Pose, Scene, Side, Simulation, Spring, Vertices,
    internals::{reference::collision::crossings, topology::Topology},
};

/// A sheet of springs that hits another.
fn hit() -> Scene {
    let mut scene = Scene { gravity: Vec3::ZERO, ..Scene::new() };
    let cloth = || Material { shear: Spring::new(20.0), ..Material::springs(Mass::Surface(0.2), Spring::new(60.0)) };
    scene.add(Body::cloth(Mesh::grid(0.2, 0.2, 6, 6), cloth()));
    let above = Mesh::grid(0.2, 0.2, 7, 7).rotated(glam::Quat::from_rotation_y(0.4)).translated(0.02 * Vec3::Y);
    scene.add(Body::cloth(above, cloth()).moving(-3.0 * Vec3::Y));
    scene.contact = Some(BodyContact { thickness: Some(0.004), friction: 0.3, ..Default::default() });
    scene
}

struct Ran {
    crossed: usize,
    active: u32,
    truncated: u32,
    /// Momentum of the first body and of all, relative to that at the start.
    shares: [f64; 2],
    positions: Vec<Vec3>,
    driven: u32,
}

fn run(backend: Backend, scene: &Scene, options: Options, duration: f64) -> Ran {
    let topology = Topology::build(scene, &options).unwrap();
    let with = Scene { contact: Some(BodyContact { thickness: Some(0.004), ..Default::default() }), ..scene.clone() };
    let surfaces = Topology::build(&with, &options).unwrap().surface.unwrap();
    let alone = (0..topology.particle_count() as u32).collect();
    let masters: Vec<u32> = if surfaces.sewn.is_empty() { alone } else { surfaces.sewn.clone() };
    let first = scene.bodies[0].mesh.positions.len();
    let momentum = |velocities: &[Vec3], count: usize| -> DVec3 {
        let of = |(p, v): (usize, &Vec3)| topology.masses[topology.row_of[p] as usize] * v.as_dvec3();
        velocities[..count].iter().enumerate().map(of).sum()
    };
    let steps = (duration / options.time_step).round() as u32;
    let mut simulation = Simulation::new(backend, scene, options).unwrap();
    let velocities = simulation.velocities().unwrap();
    let before = momentum(velocities, velocities.len());
    let mut crossed = 0;
    for _ in 0..steps.div_ceil(5) {
        simulation.step_many(5).unwrap();
        let positions = simulation.positions().unwrap().to_vec();
        let rows: Vec<DVec3> = topology.order.iter().map(|&p| positions[p as usize].as_dvec3()).collect();
        crossed = crossed.max(crossings(&surfaces, &masters, &rows).len());
    }
    simulation.finish().unwrap();
    let velocities = simulation.velocities().unwrap().to_vec();
    let share = |count| momentum(&velocities, count).dot(before) / before.length_squared();
    let shares = [share(first), share(velocities.len())];
    let meetings: Vec<_> = simulation.take_records().iter().filter_map(|record| record.meeting).collect();
    Ran {
        crossed,
        active: meetings.iter().map(|meeting| meeting.active).max().unwrap_or(0),
        truncated: meetings.iter().map(|meeting| meeting.truncated).sum(),
        shares,
        positions: simulation.positions().unwrap().to_vec(),
        driven: meetings.iter().map(|meeting| meeting.driven).sum(),
    }
}

fn options(integrator: Integrator, nonlinear: Nonlinear, time_step: f64) -> Options {
    Options { integrator, nonlinear, time_step, ..Default::default() }
}

#[test]
fn every_implicit_method_keeps_surfaces_apart() {
    let newton = || Nonlinear::Newton(NewtonOptions::default());
    let once = || Nonlinear::OneLinearisation;
    let methods = [
        options(Integrator::ImplicitEuler, once(), 0.005),
        options(Integrator::ImplicitEuler, newton(), 0.005),
        options(Integrator::Bdf2, once(), 0.005),
        options(Integrator::ImplicitMidpoint, newton(), 0.005),
        options(Integrator::Theta(0.6), once(), 0.005),
        options(Integrator::ImexEuler, Nonlinear::default(), 0.002),
        options(Integrator::Sbdf2, Nonlinear::default(), 0.002),
        options(Integrator::ImexMidpoint, Nonlinear::default(), 0.002),
    ];
    for options in methods {
        let name = options.integrator.name();
        let ran = run(Backend::Cpu, &hit(), options, 0.03);
        println!("{name}: {} pushing, {} shortened, {:?}", ran.active, ran.truncated, ran.shares);
        assert_eq!((ran.crossed, ran.driven), (0, 0), "{name}");
        assert!(ran.active > 10 && ran.shares[0] > 0.2, "{name}: {} {:?}", ran.active, ran.shares);
        // Solves stop at their tolerance.
        assert!((ran.shares[1] - 1.0).abs() < 2e-2, "{name}: {:?}", ran.shares);
    }
}

#[test]
fn every_explicit_method_keeps_surfaces_apart_and_momentum() {
    for integrator in Integrator::ALL.into_iter().filter(|integrator| integrator.is_explicit()) {
        let ran = run(Backend::Cpu, &hit(), options(integrator, Nonlinear::default(), 2e-4), 0.016);
        let name = integrator.name();
        println!("{name}: {} pushing, {} shortened, {:?}", ran.active, ran.truncated, ran.shares);
        assert_eq!((ran.crossed, ran.truncated), (0, 0), "{name}");
        assert!(ran.active > 10 && ran.shares[0] > 0.2, "{name}: {} {:?}", ran.active, ran.shares);
        // Positions and velocities are read as f32.
        assert!((ran.shares[1] - 1.0).abs() < 1e-6, "{name}: {:?}", ran.shares);
    }
    // Without contact they pass through each other.
    let without = Scene { contact: None, ..hit() };
    let ran = run(Backend::Cpu, &without, options(Integrator::LeapFrog, Nonlinear::default(), 2e-4), 0.016);
    let lowest = |positions: &[Vec3]| positions.iter().fold(f32::INFINITY, |low, p| low.min(p.y));
    assert!(lowest(&ran.positions[36..]) < lowest(&ran.positions[..36]) - 0.02);
    assert!(ran.shares[0].abs() < 1e-6, "{:?}", ran.shares);
}

#[test]
fn methods_without_line_search_agree_between_backends() {
    for (options, duration) in [
        (options(Integrator::ImexMidpoint, Nonlinear::default(), 0.002), 0.02),
        (options(Integrator::LeapFrog, Nonlinear::default(), 4e-4), 0.012),
    ] {
        let name = options.integrator.name();
        let on_gpu = run(Backend::from(&gpu()), &hit(), options.clone(), duration);
        let on_cpu = run(Backend::Cpu, &hit(), options, duration);
        let apart = on_gpu.positions.iter().zip(&on_cpu.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        println!("{name}: {apart:.1e} m between backends, {} and {} pushing", on_gpu.active, on_cpu.active);
        assert_eq!(on_gpu.crossed, 0, "{name}");
        assert!(on_gpu.active > 10 && on_gpu.active.abs_diff(on_cpu.active) < 10, "{name}");
        assert!((on_gpu.shares[1] - 1.0).abs() < 2e-2, "{name}: {:?}", on_gpu.shares);
        // Sheets have moved by centimetres, and which struts push hangs on the smallest differences.
        assert!(apart < 5e-3, "{name}: {apart}");
    }
}

/// Two sheets that are sewn together along an edge and lie upon each other close their seam, and rest.
#[test]
fn a_seam_closes_against_the_thickness() {
    let mut scene = Scene { gravity: Vec3::ZERO, ..Scene::new() };
    let cloth = || Material::cotton();
    let below = scene.add(Body::cloth(Mesh::grid(0.2, 0.2, 6, 6), cloth()));
    let above = scene.add(Body::cloth(Mesh::grid(0.2, 0.2, 6, 6).translated(0.006 * Vec3::Y), cloth()));
    let edge = || (0..6).collect::<Vec<u32>>();
    scene.sew(tenter::Seam { distance: 0.001, ..tenter::Seam::new((below, edge()), (above, edge())) });
    scene.contact = Some(BodyContact { thickness: Some(0.004), ..Default::default() });
    let mut simulation =
        Simulation::new(Backend::Cpu, &scene, Options { time_step: 0.01, ..Default::default() }).unwrap();
    simulation.step_many(100).unwrap();
    simulation.finish().unwrap();
    assert_eq!(simulation.open_seams(), 0);
    let positions = simulation.positions().unwrap().to_vec();
    let apart = |ix: usize| positions[ix].distance(positions[36 + ix]);
    assert!((0..6).all(|ix| apart(ix) < 1e-5) && (18..36).all(|ix| apart(ix) > 0.002));
    let speed = simulation.velocities().unwrap().iter().map(|v| v.length()).fold(0.0, f32::max);
    assert!(speed < 0.02, "{speed} m/s");
    let cut: u32 = simulation.take_records().iter().filter_map(|record| record.meeting).map(|m| m.truncated).sum();
    assert!(cut < 36, "{cut}");
}

/// A run that goes on from a checkpoint in the middle of contact has the bits of one that was never interrupted.
#[test]
fn a_checkpoint_in_the_middle_of_contact_changes_no_bit() {
    for backend in [Backend::Cpu, Backend::from(&gpu())] {
        let options = Options { time_step: 0.005, ..Default::default() };
        let make = || Simulation::new(backend.clone(), &hit(), options.clone()).unwrap();
        let mut whole = make();
        whole.step_many(4).unwrap();
        let bytes = whole.checkpoint().unwrap();
        whole.step_many(4).unwrap();
        let mut resumed = make();
        resumed.restore(&bytes).unwrap();
        resumed.step_many(4).unwrap();
        assert_eq!(whole.positions().unwrap(), resumed.positions().unwrap());
        assert_eq!(whole.velocities().unwrap(), resumed.velocities().unwrap());
        let records = resumed.take_records();
        assert!(records.iter().any(|record| record.meeting.unwrap().active > 10));
    }
}

/// Two sheets that are pinned, tied to each other at a corner, plastic, and pinched between two balls.
fn pinched() -> Scene {
    let mut scene = Scene::new();
    let plasticity = Plasticity { yield_strain: 0.02, maximum: 0.5, creep: 20.0 };
    let cloth = || {
        let material = Material::springs(Mass::Surface(0.2), Spring::new(200.0).plastic(plasticity));
        Material { shear: Spring::new(50.0), ..material }
    };
    let below = scene.add(Body::cloth(Mesh::grid(0.2, 0.2, 8, 8), cloth()));
    let above = scene.add(Body::cloth(Mesh::grid(0.2, 0.2, 8, 8).translated(0.006 * Vec3::Y), cloth()));
    scene.pin(below, Vertices::Side(Side::Left));
    scene.pin(above, Vertices::Side(Side::Left));
    scene.tie((below, Vertices::list([63])), (above, Vertices::list([63])));
    for side in [-1.0f32, 1.0] {
        let at =
            |height: f32| Pose { position: Vec3::new(0.0, 0.003 + side * height, 0.0), rotation: glam::Quat::IDENTITY };
        let frames = vec![KeyFrame { time: 0.0, pose: at(0.06) }, KeyFrame { time: 0.1, pose: at(0.046) }];
        let ball = Collider::sphere(Vec3::new(0.0, 0.003 + side * 0.06, 0.0), 0.04);
        scene.add_collider(Collider { thickness: 0.002, ..ball.moving(frames) });
    }
    scene.contact = Some(BodyContact { thickness: Some(0.004), ..Default::default() });
    scene
}

#[test]
fn contact_works_with_pins_ties_colliders_and_plasticity() {
    let ways = [
        options(Integrator::ImplicitEuler, Nonlinear::default(), 0.005),
        Options { adaptive: Some(Adaptive::default()), ..options(Integrator::Bdf2, Nonlinear::default(), 0.005) },
        options(Integrator::ImplicitEuler, Nonlinear::OneLinearisation, 0.005),
        options(Integrator::VelocityVerlet, Nonlinear::default(), 2e-4),
    ];
    for options in ways {
        let name = format!("{} {:?}", options.integrator.name(), options.nonlinear);
        let ran = run(Backend::Cpu, &pinched(), options, 0.1);
        println!("{name}: {} pushing, {} shortened, {} driven", ran.active, ran.truncated, ran.driven);
        assert_eq!(ran.crossed, 0, "{name}");
        assert!(ran.active > 10 && ran.positions.iter().all(|p| p.is_finite() && p.length() < 1.0), "{name}");
        assert!(ran.positions[63].distance(ran.positions[64 + 63]) < 1e-6, "{name}: the tie is torn");
    }
}
