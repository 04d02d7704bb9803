//! Rigid bodies that move as they are pushed: by gravity, by cloth and soft bodies, by the world.

use crate::common::{self, backends, run};
use glam::{DVec3, Quat, Vec3};
use tenter::{
    Backend, Body, Collider, Dynamic, Integrator, Mass, Material, Mesh, Motion, Options, Pose, Scene, Shape,
    Simulation, SolverOptions, Spring, Vertices,
};

const G: f64 = 9.81;
const MOVERS: [Integrator; 4] = [Integrator::ImplicitEuler, Integrator::Bdf2, Integrator::ImexEuler, Integrator::Sbdf2];

fn options(integrator: Integrator, time_step: f64) -> Options {
    let solver = SolverOptions { tolerance: 1e-5, max_iterations: 400, ..SolverOptions::default() };
    Options { integrator, time_step, solver, ..Options::default() }
}

/// Something to simulate far away.
fn bystander() -> Body {
    Body::particles([Vec3::new(50.0, 0.0, 0.0)], 0.1)
}

fn pose(simulation: &mut Simulation, ix: usize) -> Pose {
    simulation.collider_poses().unwrap()[ix]
}

/// A net of n × n springs on a square of this side, held at its four sides.
fn hammock(n: u32, side: f32, mass: f32, stiffness: f32) -> Scene {
    let spring = Spring::new(stiffness).damped(0.05 * stiffness);
    let material = Material { shear: spring, ..Material::springs(Mass::Total(mass), spring) };
    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(Mesh::grid(side, side, n, n), material));
    let border: Vec<u32> =
        (0..n * n).filter(|ix| [0, n - 1].contains(&(ix % n)) || [0, n - 1].contains(&(ix / n))).collect();
    scene.pin(cloth, Vertices::list(border));
    scene
}

#[test]
fn a_ball_falls_and_rests_on_a_plane_at_its_radius() {
    for (name, backend) in backends() {
        for integrator in MOVERS {
            for h in [0.004, 0.02] {
                let mut scene = Scene::new();
                scene.add(bystander());
                scene.add_collider(Collider::plane(Vec3::ZERO, Vec3::Y));
                scene.add_collider(Collider::sphere([0.0, 1.0, 0.0], 0.2).dynamic(3.0));
                let mut simulation = Simulation::new(backend.clone(), &scene, options(integrator, h)).unwrap();
                simulation.advance_to(0.2).unwrap();
                let fallen = 1.0 - f64::from(pose(&mut simulation, 1).position.y);
                // Half a step of Euler's is ½ g t h.
                assert!((fallen - 0.5 * G * 0.04).abs() < 0.6 * G * 0.2 * h, "{name} {integrator:?} {h}: {fallen}");
                simulation.advance_to(1.5).unwrap();
                let rest = pose(&mut simulation, 1).position;
                assert!(rest.distance(Vec3::new(0.0, 0.2, 0.0)) < 1e-4, "{name} {integrator:?} {h}: {rest}");
            }
        }
    }
}

#[test]
fn a_box_between_two_planes_comes_to_rest_on_its_face() {
    for (name, backend) in backends() {
        let mut scene = Scene::new();
        scene.add(bystander());
        scene.add_collider(Collider::plane(Vec3::ZERO, Vec3::Y));
        scene.add_collider(Collider::plane([0.0, 1.0, 0.0], -Vec3::Y));
        let tilted = Pose { position: Vec3::new(0.0, 0.5, 0.0), rotation: Quat::from_rotation_z(0.3) };
        let thrown = Dynamic { pose: tilted, mass: 2.0, velocity: Vec3::new(0.5, 4.0, 0.0), angular_velocity: Vec3::Y };
        let cuboid = Collider::fixed(Shape::Box { half: Vec3::new(0.2, 0.1, 0.15) }, tilted);
        scene.add_collider(Collider { motion: Motion::Dynamic(thrown), ..cuboid });
        let mut simulation = Simulation::new(backend, &scene, options(Integrator::ImplicitEuler, 0.005)).unwrap();
        simulation.advance_to(3.0).unwrap();
        let end = pose(&mut simulation, 2);
        assert!((end.position.y - 0.1).abs() < 1e-3, "{name}: {end:?}");
        simulation.advance_to(3.1).unwrap();
        let later = pose(&mut simulation, 2);
        let turned = end.rotation.angle_between(later.rotation);
        assert!(later.position.distance(end.position) < 1e-4 && turned < 1e-2, "{name}: {end:?} {later:?}");
    }
}

#[test]
fn a_ball_slides_then_rolls() {
    // Thrown along a plane with friction, a solid ball ends rolling at 5/7 of its speed.
    for (name, backend) in backends() {
        let mut scene = Scene::new();
        scene.add(bystander());
        scene.add_collider(Collider { friction: 0.4, ..Collider::plane(Vec3::ZERO, Vec3::Y) });
        let pose_at = |x: f32| Pose { position: Vec3::new(x, 0.1, 0.0), rotation: Quat::IDENTITY };
        let thrown = Dynamic { pose: pose_at(0.0), mass: 1.0, velocity: Vec3::X, angular_velocity: Vec3::ZERO };
        let ball = Collider::sphere(Vec3::ZERO, 0.1);
        scene.add_collider(Collider { motion: Motion::Dynamic(thrown), ..ball });
        let mut simulation = Simulation::new(backend, &scene, options(Integrator::ImplicitEuler, 0.002)).unwrap();
        simulation.advance_to(1.0).unwrap();
        let first = pose(&mut simulation, 1);
        simulation.advance_to(1.1).unwrap();
        let second = pose(&mut simulation, 1);
        let speed = (second.position.x - first.position.x) / 0.1;
        assert!((speed - 5.0 / 7.0).abs() < 0.01, "{name}: {speed}");
        let turned = first.rotation.angle_between(second.rotation) / 0.1;
        assert!((turned * 0.1 - speed).abs() < 0.02, "{name}: turns at {turned}");
    }
}

#[test]
fn balls_of_any_mass_rest_in_a_hammock_and_pins_carry_both() {
    for (name, backend) in backends() {
        for integrator in [Integrator::ImplicitEuler, Integrator::Bdf2] {
            for mass in [0.02, 0.2, 2.0f32] {
                let mut scene = hammock(12, 0.6, 0.2, 400.0);
                scene.add_collider(Collider::sphere([0.02, 0.13, 0.03], 0.1).dynamic(mass));
                let mut simulation = Simulation::new(backend.clone(), &scene, options(integrator, 0.01)).unwrap();
                let mut heights = Vec::new();
                for _ in 0..240 {
                    simulation.step().unwrap();
                    heights.push(pose(&mut simulation, 0).position.y);
                }
                let weight = (0.2 + f64::from(mass)) * G;
                // What holds the border; inside it is the ball that pushes.
                let border = |ix: usize| [0, 11].contains(&(ix % 12)) || !(12..132).contains(&ix);
                let forces = simulation.reactions().unwrap();
                let pins: DVec3 = (0..144).filter(|ix| border(*ix)).map(|ix| forces[ix]).sum();
                let centre = pose(&mut simulation, 0).position;
                let shift = (heights[239] - heights[229]).abs();
                println!(
                    "{name} {integrator:?} {mass} kg: at {centre}, moving {shift:.1e} in 0.1 s, held {:.3} of the weight",
                    pins.y / weight
                );
                assert!((pins.y / weight - 1.0).abs() < 0.01, "{name} {integrator:?} {mass}: {pins} of {weight}");
                assert!(shift < 2e-3, "{name} {integrator:?} {mass}: {:?}", &heights[220..]);
                let inside =
                    simulation.positions().unwrap().iter().map(|x| 0.105 - x.distance(centre)).fold(0.0, f32::max);
                assert!(inside < 1e-3, "{name} {integrator:?} {mass}: {inside} inside");
            }
        }
    }
}

#[test]
fn momentum_is_exchanged_not_invented() {
    // A free sheet in space, hit by a ball: what one gains the other loses.
    for (name, backend) in backends() {
        for mass in [0.01, 0.1, 1.0f32] {
            let spring = Spring::new(300.0).damped(1.0);
            let material = Material { shear: spring, ..Material::springs(Mass::Total(0.1), spring) };
            let mut scene = Scene::new();
            scene.gravity = Vec3::ZERO;
            scene.add(Body::cloth(Mesh::grid(0.5, 0.5, 11, 11), material));
            let start = Pose { position: Vec3::new(0.03, 0.2, 0.02), rotation: Quat::IDENTITY };
            let thrown =
                Dynamic { pose: start, mass, velocity: Vec3::new(0.3, -2.0, 0.0), angular_velocity: Vec3::ZERO };
            let ball = Collider { friction: 0.4, ..Collider::sphere(Vec3::ZERO, 0.08) };
            scene.add_collider(Collider { motion: Motion::Dynamic(thrown), ..ball });
            let options = options(Integrator::ImplicitEuler, 0.005);
            let mut simulation = Simulation::new(backend.clone(), &scene, options).unwrap();
            let before = f64::from(mass) * DVec3::new(0.3, -2.0, 0.0);
            let mut places = Vec::new();
            for _ in 0..60 {
                simulation.step().unwrap();
                places.push(pose(&mut simulation, 0).position.as_dvec3());
            }
            let ball = f64::from(mass) * (places[59] - places[58]) / 0.005;
            let sheet: DVec3 = simulation.velocities().unwrap().iter().map(|v| v.as_dvec3() * 0.1 / 121.0).sum();
            println!("{name} {mass} kg: ball {ball}, sheet {sheet}, before {before}");
            assert!(sheet.length() > 1e-3, "{name}: the sheet was not hit");
            assert!((ball + sheet - before).length() < 0.02 * before.length(), "{name} {mass}: {}", ball + sheet);
        }
    }
}

#[test]
fn integrators_that_do_not_move_bodies_say_so() {
    let mut scene = Scene::new();
    scene.add(bystander());
    scene.add_collider(Collider::sphere(Vec3::ZERO, 0.2).dynamic(1.0));
    let error = Simulation::new(Backend::Cpu, &scene, options(Integrator::Verlet, 0.001)).err().unwrap().to_string();
    assert!(error.contains("simulation.integrator") && error.contains("bdf2"), "{error}");
}

#[test]
fn bits_repeat() {
    let gpu = common::gpu();
    let outcome = || {
        let mut scene = hammock(12, 0.6, 0.2, 400.0);
        scene.add_collider(Collider::sphere([0.02, 0.13, 0.03], 0.1).dynamic(0.5));
        let mut simulation = Simulation::new(&gpu, &scene, options(Integrator::ImplicitEuler, 0.01)).unwrap();
        run(&mut simulation, 60);
        (simulation.positions().unwrap().to_vec(), pose(&mut simulation, 0))
    };
    assert_eq!(outcome(), outcome());
}
