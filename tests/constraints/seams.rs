//! Seams: particles that are pulled together and tied where they meet.

use crate::common::{self, backends, largest_distance, run};
use crate::ties::options;
use glam::{DVec3, Quat, Vec3};
use tenter::{
    Adaptive, Body, Collider, Integrator, Mass, Material, Mesh, Options, Pose, Rayleigh, Scene, Seam, Simulation,
    SolverOptions, Spring, Vertices, internals::body_id,
};

/// Two strips side by side, 6 cm apart, to be sewn along their near sides, pair by pair.
fn strips(distance: f32) -> Scene {
    let material = Material {
        mass: Mass::Surface(0.2),
        structural: Spring::new(60.0).damped(0.02),
        shear: Spring::new(30.0),
        ..Material::loose(Mass::Surface(0.2))
    };
    let mut scene = Scene::new();
    let left = scene.add(Body::cloth(Mesh::grid(0.2, 0.3, 5, 7).translated(-0.13 * Vec3::X), material.clone()));
    let heavy = Material { mass: Mass::Surface(0.5), ..material };
    let right = scene.add(Body::cloth(Mesh::grid(0.2, 0.3, 5, 7).translated(0.13 * Vec3::X), heavy));
    let side = |column: u32| (0..7).map(|row| 5 * row + column).collect::<Vec<u32>>();
    scene.sew(Seam { distance, damping: 0.02, ..Seam::new((left, side(4)), (right, side(0))) });
    scene
}

/// Σ m v and Σ m x over all particles.
fn moments(simulation: &mut Simulation) -> (DVec3, DVec3) {
    let topology = simulation.topology();
    let masses: Vec<f64> = topology.row_of.iter().map(|&row| topology.masses[row as usize]).collect();
    let sum = |values: &[DVec3]| values.iter().zip(&masses).map(|(value, mass)| *mass * *value).sum::<DVec3>();
    let velocities: Vec<DVec3> = simulation.velocities().unwrap().iter().map(|v| v.as_dvec3()).collect();
    let positions = simulation.positions_f64().unwrap();
    (sum(&velocities), sum(&positions))
}

#[test]
fn closing_keeps_momentum_and_the_centre_of_mass() {
    for (name, backend) in backends() {
        for (integrator, h, steps) in [
            (Integrator::ImplicitEuler, 0.002, 150),
            (Integrator::Bdf2, 0.002, 150),
            (Integrator::VelocityVerlet, 0.0004, 400),
            (Integrator::Rk4, 0.0004, 400),
        ] {
            let mut scene = strips(0.01);
            scene.gravity = Vec3::ZERO;
            scene.bodies[0].velocity = Vec3::new(0.1, 0.05, 0.0);
            let mut simulation = Simulation::new(backend.clone(), &scene, options(integrator, h)).unwrap();
            let mass: f64 = simulation.topology().masses.iter().sum();
            let (start, mut centre) = moments(&mut simulation);
            let mut closed = Vec::new();
            for _ in 0..steps {
                let before = simulation.open_seams();
                run(&mut simulation, 1);
                let now = simulation.open_seams();
                closed.extend((now < before).then_some(before - now));
                let (momentum, next) = moments(&mut simulation);
                let off = momentum.distance(start);
                assert!(
                    off < if name == "gpu" { 1e-4 } else { 1e-6 } * mass,
                    "{name} {integrator:?}: momentum {off:e} with {now} open"
                );
                // The centre goes on evenly.
                let off = next.distance(centre + h * momentum) / mass;
                assert!(off < 1e-6, "{name} {integrator:?}: centre {off:e} with {now} open");
                centre = next;
            }
            assert_eq!((simulation.open_seams(), closed.iter().sum::<usize>()), (0, 7), "{name} {integrator:?}");
            let x = simulation.positions_f64().unwrap();
            assert!((0..7).all(|row| x[5 * row + 4] == x[35 + 5 * row]), "{name} {integrator:?}");
        }
    }
}

#[test]
fn seams_that_cannot_meet_stay_open_and_weight_waits() {
    for (name, backend) in backends() {
        let mut scene = strips(0.01);
        scene.seams[0].weightless = true;
        let corner = scene.pin(body_id(0), Vertices::list([4]));
        scene.pin(body_id(1), Vertices::list([0]));
        let mut simulation = Simulation::new(backend, &scene, options(Integrator::ImplicitEuler, 0.005)).unwrap();
        run(&mut simulation, 300);
        // Both ends of the first pair are held, and hold the next apart.
        assert!((1..4).contains(&simulation.open_seams()), "{name}: {}", simulation.open_seams());
        let low = |simulation: &mut Simulation| {
            simulation.positions().unwrap().iter().map(|x| x.y).fold(f32::INFINITY, f32::min)
        };
        assert!(low(&mut simulation) > -1e-3, "{name}: {}", low(&mut simulation));
        simulation.release_pin(corner).unwrap();
        run(&mut simulation, 200);
        assert_eq!(simulation.open_seams(), 0, "{name}");
        assert!(low(&mut simulation) < -0.05, "{name}: {}", low(&mut simulation));
        let x = simulation.positions().unwrap();
        assert_eq!(x[4], x[35], "{name}");
        simulation.reset().unwrap();
        assert_eq!(simulation.open_seams(), 7, "{name}");
        run(&mut simulation, 20);
        assert!(low(&mut simulation) > -1e-3, "{name}: {}", low(&mut simulation));
    }
}

#[test]
fn a_dress_of_two_panels_is_sewn_and_relaxes() {
    // Etzmuß 6.3: two panels in front of and behind a trunk, drawn together along both sides without weight, merged, let go.
    let material = Material {
        mass: Mass::Surface(0.2),
        structural: Spring::new(80.0).damped(0.02),
        shear: Spring::new(30.0).damped(0.02),
        crossover: Spring::new(1.0),
        ..Material::loose(Mass::Surface(0.2))
    };
    for (name, backend) in backends() {
        let mut scene = Scene::new();
        let standing = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
        let mut panel = |z: f32| {
            let mesh = Mesh::grid(0.26, 0.4, 10, 11).rotated(standing).translated(Vec3::new(0.0, 0.0, z));
            scene.add(Body::cloth(mesh, material.clone()))
        };
        let (front, back) = (panel(0.12), panel(-0.12));
        let shape = tenter::Shape::Cylinder { radius: 0.08, half_length: 0.4 };
        scene.add_collider(Collider { friction: 0.6, ..Collider::fixed(shape, Pose::default()) });
        let side = |column: u32| (0..11).map(|row| 10 * row + column).collect::<Vec<u32>>();
        for column in [0, 9] {
            let seam = Seam::new((front, side(column)), (back, side(column)));
            // Drawn fast, as in the paper: there is much tension when they meet.
            scene.sew(Seam { distance: 0.01, weightless: true, stiffness: 10.0, damping: 0.02, ..seam });
        }
        let options = Options {
            measure: true,
            rayleigh: Rayleigh { mass: 3.0, stiffness: 0.0 },
            solver: SolverOptions { tolerance: 1e-4, ..SolverOptions::default() },
            nonlinear: common::safe_to(1e-4),
            time_step: 0.01,
            ..Options::default()
        };
        let mut simulation = Simulation::new(backend, &scene, options).unwrap();
        let mut merged = None;
        for step in 0..400 {
            run(&mut simulation, 1);
            let tension = simulation.take_records().last().unwrap().measures.unwrap().elastic;
            if simulation.open_seams() == 0 && merged.is_none() {
                merged = Some((step, tension));
            }
        }
        let (step, tension) = merged.expect("the seams never closed");
        let record = simulation.finish().unwrap().unwrap();
        let end = record.measures.unwrap();
        eprintln!(
            "{name}: merged after {step} steps with {tension:.2e} J; relaxed to {:.2e} J, {:.1e} J of motion",
            end.elastic, end.kinetic
        );
        let x = simulation.positions_f64().unwrap();
        for row in 0..11 {
            for column in [0, 9] {
                assert_eq!(x[10 * row + column], x[110 + 10 * row + column], "{name}: the seam holds");
            }
        }
        assert!(x.iter().all(|x| x.x.hypot(x.z) > 0.08), "{name}: inside the trunk");
        assert!(end.kinetic < 1e-3, "{name}: {}", end.kinetic);
        // Merging pulls at nothing: what is left is the tension that the trunk keeps up.
        assert!(end.elastic < 1.001 * tension, "{name}: {} J of {tension} J", end.elastic);
    }
}

#[test]
fn a_sheet_is_sewn_to_a_tube() {
    let mut rest = Vec::new();
    for (name, backend) in backends() {
        let material = Material {
            mass: Mass::Surface(0.2),
            structural: Spring::new(100.0).damped(0.02),
            shear: Spring::new(50.0),
            crossover: Spring::new(10.0).damped(0.01),
            ..Material::loose(Mass::Surface(0.2))
        };
        let (columns, rows) = (21, 4);
        let mesh = Mesh::grid(0.4, 0.1, columns, rows);
        // Bent up to an open ring, so that it is clear which way round.
        let bend = |p: &Vec3| {
            let angle = p.x / 0.4 * 5.0;
            Vec3::new(0.08 * angle.sin(), -0.08 * angle.cos(), p.z)
        };
        let start = mesh.positions.iter().map(bend).collect();
        let mut scene = Scene::new();
        scene.gravity = Vec3::ZERO;
        let sheet = scene.add(Body::cloth(mesh, material).starting_at(start));
        let side = |column: u32| (0..rows).map(|row| columns * row + column).collect::<Vec<u32>>();
        scene.sew(Seam { distance: 0.005, ..Seam::new((sheet, side(0)), (sheet, side(columns - 1))) });
        let options =
            Options { rayleigh: Rayleigh { mass: 8.0, stiffness: 0.0 }, ..options(Integrator::ImplicitEuler, 0.01) };
        let mut simulation = Simulation::new(backend, &scene, options).unwrap();
        run(&mut simulation, 300);
        assert_eq!(simulation.open_seams(), 0, "{name}");
        let x = simulation.positions_f64().unwrap();
        let ring = &x[..columns as usize];
        assert_eq!(ring[0], ring[20], "{name}");
        // Closed, it is about as long as the sheet was wide, and as round as its bending makes it.
        let length: f64 = ring.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let centre = ring[1..].iter().sum::<DVec3>() / 20.0;
        let radii: Vec<f64> = ring[1..].iter().map(|x| x.distance(centre)).collect();
        let (low, high) = radii.iter().fold((f64::INFINITY, 0.0f64), |(low, high), r| (low.min(*r), high.max(*r)));
        eprintln!("{name}: {length:.4} m around, radius {low:.4} to {high:.4} m");
        assert!((length - 0.4).abs() < 0.01, "{name}: {length}");
        assert!(
            low > 0.75 * 0.4 / std::f64::consts::TAU && high < 1.3 * 0.4 / std::f64::consts::TAU,
            "{name}: {radii:?}"
        );
        rest.push(x);
    }
    let off = largest_distance(&rest[0], &rest[1]);
    assert!(off < 2e-3, "{off}");
}

#[test]
fn bits_repeat_and_steps_may_be_many_or_adaptive() {
    for (name, backend) in backends() {
        let shorter = Adaptive { largest: 0.01, ..Adaptive::default() };
        for adaptive in [None, Some(shorter)] {
            let mut ends = Vec::new();
            for many in [false, true, false] {
                let options = Options { adaptive, ..options(Integrator::Bdf2, 0.005) };
                let mut simulation = Simulation::new(backend.clone(), &strips(0.01), options).unwrap();
                if many && adaptive.is_none() {
                    simulation.step_many(120).unwrap();
                } else {
                    run(&mut simulation, 120);
                }
                simulation.finish().unwrap();
                assert_eq!(simulation.open_seams(), 0, "{name} {adaptive:?}");
                ends.push(simulation.positions_f64().unwrap());
            }
            assert!(ends[0] == ends[1] && ends[0] == ends[2], "{name} {adaptive:?}");
        }
    }
}
