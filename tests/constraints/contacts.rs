//! Contacts with colliders: what single particles do has an answer on paper.

use crate::common::{self, backends, run};
use glam::{DVec3, Quat, Vec3};
use tenter::{
    Backend, Body, Collider, Integrator, KeyFrame, Mass, Material, Mesh, Nonlinear, Options, Pose, SafeOptions, Scene,
    Simulation, SolverOptions, Spring,
};

const G: f64 = 9.81;

/// Particles of 0.1 kg each that know nothing of each other.
fn particles(positions: &[Vec3], velocity: Vec3) -> Body {
    Body::particles(positions.to_vec(), 0.1 * positions.len() as f32).moving(velocity)
}

fn options(integrator: Integrator, time_step: f64) -> Options {
    Options { integrator, time_step, ..Options::default() }
}

/// A frame with y along the normal of a plane that falls towards +x by this angle.
fn incline(angle: f64) -> (DVec3, DVec3) {
    (DVec3::new(angle.sin(), angle.cos(), 0.0), DVec3::new(angle.cos(), -angle.sin(), 0.0))
}

#[test]
fn a_particle_sticks_below_the_angle_of_friction_and_slides_above_it() {
    let angle = 0.4f64;
    let (normal, down) = incline(angle);
    for (name, backend) in backends() {
        for integrator in Integrator::ALL {
            for share in [1.05, 0.95, 0.5, 0.0] {
                let friction = share * angle.tan();
                let mut scene = Scene::new();
                let collider = Collider::plane(Vec3::ZERO, normal.as_vec3());
                let thickness = f64::from(collider.thickness);
                scene.add_collider(Collider { friction: friction as f32, ..collider });
                scene.add(particles(&[(thickness * normal).as_vec3()], Vec3::ZERO));
                let mut simulation = Simulation::new(backend.clone(), &scene, options(integrator, 0.01)).unwrap();
                run(&mut simulation, 100);
                let before = simulation.positions_f64().unwrap()[0];
                run(&mut simulation, 1);
                let x = simulation.positions_f64().unwrap()[0];
                // Velocities of some explicit methods are half a step behind or ahead; ways are not.
                let v = (x - before) / 0.01;
                let expected = G * (angle.sin() - friction * angle.cos()).max(0.0);
                let what = format!("{name} {integrator:?} {share}: v {v}, along {} of {expected}", v.dot(down));
                if share > 1.0 {
                    assert!(v.length() < 1e-4 && x.distance(thickness * normal) < 1e-4, "{what}");
                } else {
                    assert!((v.dot(down) / expected - 1.0).abs() < 0.012, "{what}");
                }
                assert!((x.dot(normal) - thickness).abs() < 1e-5, "{what}: height {}", x.dot(normal));
            }
        }
    }
}

#[test]
fn fast_particles_do_not_tunnel() {
    for (name, backend) in backends() {
        for integrator in Integrator::ALL {
            for h in [0.001, 0.02] {
                let mut scene = Scene::new();
                // A millimetre of steel, and a ball as large as a step is a two-hundredth of.
                let sheet = Collider::cuboid([0.0, -0.0005, 0.0], [1.0, 0.0005, 1.0]);
                scene.add_collider(Collider { thickness: 0.001, ..sheet });
                scene.add_collider(Collider::sphere([3.0, 0.0, 0.0], 0.01));
                let starts = [Vec3::new(0.0, 1.3, 0.0), Vec3::new(0.3, 0.777, 0.0), Vec3::new(3.0, 1.5, 0.0)];
                scene.add(particles(&starts, Vec3::new(0.0, -100.0, 0.0)));
                scene.gravity = Vec3::ZERO;
                let mut simulation = Simulation::new(backend.clone(), &scene, options(integrator, h)).unwrap();
                run(&mut simulation, (0.06 / h) as usize);
                for (x, rest) in simulation.positions().unwrap().iter().zip([0.001, 0.001, 0.015]) {
                    assert!((x.y - rest).abs() < 2e-4, "{name} {integrator:?} {h}: {x}");
                }
            }
        }
    }
}

#[test]
fn contacts_add_no_energy_and_do_not_bounce() {
    for (name, backend) in backends() {
        for integrator in Integrator::ALL {
            let mut scene = Scene::new();
            scene.add_collider(Collider::sphere(Vec3::ZERO, 0.5));
            scene.add_collider(Collider { friction: 0.0, ..Collider::plane([0.0, -1.0, 0.0], Vec3::Y) });
            scene.add_collider(Collider::plane([0.0, 2.0, 0.0], [0.1, -1.0, 0.0]));
            let starts: Vec<Vec3> =
                (0..20).map(|ix| Vec3::new(-0.9 + 0.1 * ix as f32, 1.0, 0.01 * ix as f32)).collect();
            scene.add(particles(&starts, Vec3::new(0.4, -3.0, 0.2)));
            scene.gravity = Vec3::ZERO;
            let mut simulation = Simulation::new(backend.clone(), &scene, options(integrator, 0.01)).unwrap();
            let mut energy: Vec<f64> = vec![f64::INFINITY; starts.len()];
            for _ in 0..150 {
                simulation.step().unwrap();
                for (energy, v) in energy.iter_mut().zip(simulation.velocities().unwrap()) {
                    let now = f64::from(v.length_squared());
                    // Rounding of a position over a step is some 1e-6 m/s.
                    assert!(now <= *energy * (1.0 + 1e-4) + 1e-10, "{name} {integrator:?}: {energy} -> {now}");
                    *energy = now;
                }
            }
            // None goes up again after it has come down.
            assert!(simulation.velocities().unwrap().iter().all(|v| v.y < 1e-4), "{name} {integrator:?}");
        }
    }
}

#[test]
fn a_surface_that_moves_drags_along() {
    for (name, backend) in backends() {
        for integrator in
            [Integrator::ImplicitEuler, Integrator::Bdf2, Integrator::ImexEuler, Integrator::Verlet, Integrator::Rk4]
        {
            // A belt at 1 m/s: friction of 0.5 takes 1 / (0.5 g) = 0.204 s to carry a particle along.
            let pose = |x: f32| Pose { position: Vec3::new(x, -0.1, 0.0), rotation: Quat::IDENTITY };
            let frames = [KeyFrame { time: 0.0, pose: pose(0.0) }, KeyFrame { time: 2.0, pose: pose(2.0) }];
            let mut scene = Scene::new();
            let belt = Collider { friction: 0.5, ..Collider::cuboid([0.0, -0.1, 0.0], [4.0, 0.1, 1.0]) };
            scene.add_collider(belt.moving(frames));
            scene.add(particles(&[Vec3::new(0.0, 0.005, 0.0)], Vec3::ZERO));
            let mut simulation = Simulation::new(backend.clone(), &scene, options(integrator, 0.005)).unwrap();
            run(&mut simulation, 20);
            let v = simulation.velocities().unwrap()[0];
            assert!((f64::from(v.x) - 0.5 * G * 0.1).abs() < 0.03, "{name} {integrator:?}: {v}");
            run(&mut simulation, 80);
            let (v, x) = (simulation.velocities().unwrap()[0], simulation.positions().unwrap()[0]);
            assert!((v.x - 1.0).abs() < 1e-4 && v.y.abs() < 1e-4, "{name} {integrator:?}: {v}");
            // It slipped by half of what the belt went meanwhile.
            assert!((f64::from(x.x) - (0.5 - 0.5 / (0.5 * G))).abs() < 0.01, "{name} {integrator:?}: {x}");
        }
    }
}

#[test]
fn a_lifted_plate_pushes_and_lets_go() {
    // Up at 2 m/s for half a second, then it stops: the particle flies on.
    for (name, backend) in backends() {
        for integrator in [
            Integrator::ImplicitEuler,
            Integrator::Bdf2,
            Integrator::Sbdf2,
            Integrator::VelocityVerlet,
            Integrator::Heun,
        ] {
            let pose = |y: f32| Pose { position: Vec3::new(0.0, y, 0.0), rotation: Quat::IDENTITY };
            let frames = [KeyFrame { time: 0.0, pose: pose(0.0) }, KeyFrame { time: 0.5, pose: pose(1.0) }];
            let mut scene = Scene::new();
            scene.add_collider(Collider::cuboid(Vec3::ZERO, [1.0, 0.1, 1.0]).moving(frames));
            scene.add(particles(&[Vec3::new(0.0, 0.105, 0.0)], Vec3::ZERO));
            let mut simulation = Simulation::new(backend.clone(), &scene, options(integrator, 0.002)).unwrap();
            simulation.advance_to(0.5).unwrap();
            let x = simulation.positions().unwrap()[0];
            assert!((x.y - 1.105).abs() < 1e-4, "{name} {integrator:?}: {x}");
            simulation.advance_to(0.6).unwrap();
            let (x, v) = (simulation.positions().unwrap()[0], simulation.velocities().unwrap()[0]);
            // 2 t - g t² / 2
            assert!((f64::from(x.y) - (1.105 + 0.2 - 0.5 * G * 0.01)).abs() < 0.008, "{name} {integrator:?}: {x}");
            assert!((f64::from(v.y) - (2.0 - G * 0.1)).abs() < 0.03, "{name} {integrator:?}: {v}");
        }
    }
}

#[test]
fn corners_hold_up_to_three_directions() {
    for (name, backend) in backends() {
        for integrator in [Integrator::ImplicitEuler, Integrator::Bdf2, Integrator::ImexEuler, Integrator::Verlet] {
            let mut scene = Scene::new();
            // A funnel of three planes.
            let normals = [Vec3::new(1.0, 0.6, 0.0), Vec3::new(-0.5, 0.6, 0.87), Vec3::new(-0.5, 0.6, -0.87)];
            for normal in normals {
                scene.add_collider(Collider { thickness: 0.0, friction: 0.0, ..Collider::plane(Vec3::ZERO, normal) });
            }
            scene.add(particles(&[Vec3::new(0.1, 0.5, 0.2)], Vec3::new(-1.0, 0.0, -1.0)));
            let mut simulation = Simulation::new(backend.clone(), &scene, options(integrator, 0.01)).unwrap();
            run(&mut simulation, 200);
            let (x, v) = (simulation.positions().unwrap()[0], simulation.velocities().unwrap()[0]);
            assert!(x.length() < 1e-4 && v.length() < 1e-4, "{name} {integrator:?}: {x} {v}");
            // What holds it is its weight.
            let force = simulation.reactions().unwrap()[0];
            assert!(force.distance(DVec3::new(0.0, 0.1 * G, 0.0)) < 0.005 * G, "{name} {integrator:?}: {force}");
        }
    }
}

/// A net of 25 knots, 10 g each, that falls aslant on a plane.
fn falling_net() -> Scene {
    let mesh = Mesh::grid(0.4, 0.4, 5, 5);
    let start = mesh.positions.iter().map(|p| *p + Vec3::Y * (0.05 + 0.1 * p.x + 0.03 * p.z)).collect();
    let thread = Spring::new(50.0).damped(0.2);
    let material = Material { shear: thread, ..Material::springs(Mass::Total(0.25), thread) };
    let mut scene = Scene::new();
    scene.add(Body::cloth(mesh, material).starting_at(start));
    scene.add_collider(Collider::plane(Vec3::ZERO, Vec3::Y));
    scene
}

#[test]
fn a_net_falls_and_comes_to_rest_with_every_integrator() {
    // Knot after knot meets the plane, so that schemes that look back begin again at some while others go on.
    for integrator in Integrator::ALL {
        let h = if integrator.is_explicit() { 0.002 } else { 0.01 };
        let solver = SolverOptions { tolerance: 1e-6, ..Default::default() };
        // What f32 can tell of energies.
        let nonlinear = Nonlinear::Safe(SafeOptions { tolerance: 1e-6, energy_tolerance: 1e-5, ..Default::default() });
        let options = Options { integrator, time_step: h, measure: true, solver, nonlinear, ..Default::default() };
        let mut after_impact = Vec::new();
        for (name, backend) in backends() {
            let mut simulation = Simulation::new(backend, &falling_net(), options.clone()).unwrap();
            run(&mut simulation, (0.1 / h).round() as usize);
            after_impact.push(simulation.positions_f64().unwrap());
            run(&mut simulation, (0.7 / h).round() as usize);
            let records = simulation.take_records();
            let energy = |ix: usize| records[ix].measures.unwrap().total_energy();
            let first = records.iter().position(|record| record.contacts > 0).unwrap();
            assert!((0.05..0.08).contains(&records[first].time), "{name} {integrator:?}: {}", records[first].time);
            // Explicit Euler gains a little in free fall already.
            let most = (first..records.len()).map(energy).fold(f64::NEG_INFINITY, f64::max);
            assert!(most < 1.01 * energy(0), "{name} {integrator:?}: {most} of {}", energy(0));
            let kinetic = records[records.len() - 1].measures.unwrap().kinetic;
            assert!(kinetic < 1e-10, "{name} {integrator:?}: {kinetic}");
            for x in simulation.positions().unwrap() {
                assert!((x.y - 0.005).abs() < 1e-6, "{name} {integrator:?}: {x}");
            }
        }
        // Half of the knots have met the plane by then; f32 puts knots off by less than a micrometre.
        let apart = common::largest_distance(&after_impact[0], &after_impact[1]);
        assert!(apart < 5e-6, "{integrator:?}: {apart}");
        let met = after_impact[1].iter().filter(|x| (x.y - 0.005).abs() < 1e-6).count();
        println!("{integrator:?}: {met} of 25 have met the plane, backends {apart:.1e} m apart");
        assert!((5..25).contains(&met), "{integrator:?}: {met}");
    }
}

#[test]
fn bad_colliders_name_their_field() {
    let frames = |times: [f64; 2]| times.map(|time| KeyFrame { time, pose: Pose::default() });
    let cases = [
        (Collider::sphere(Vec3::ZERO, 0.0), "collider[0].radius"),
        (Collider::sphere([f32::NAN, 0.0, 0.0], 1.0), "collider[0].position"),
        (Collider::cuboid(Vec3::ZERO, [1.0, -1.0, 1.0]), "collider[0].half"),
        (Collider::plane(Vec3::ZERO, Vec3::ZERO), "collider[0]."),
        (Collider { friction: -0.1, ..Collider::sphere(Vec3::ZERO, 1.0) }, "collider[0].friction"),
        (Collider { thickness: f32::NAN, ..Collider::sphere(Vec3::ZERO, 1.0) }, "collider[0].thickness"),
        (Collider { relaxation: 0.0, ..Collider::sphere(Vec3::ZERO, 1.0) }, "collider[0].relaxation"),
        (Collider::sphere(Vec3::ZERO, 1.0).moving(frames([1.0, 1.0])), "collider[0].frames[1].time"),
        (Collider::sphere(Vec3::ZERO, 1.0).moving([]), "collider[0].frames"),
    ];
    for (collider, field) in cases {
        let mut scene = Scene::new();
        scene.add(particles(&[Vec3::Y], Vec3::ZERO));
        scene.add_collider(collider);
        let error = Simulation::new(Backend::Cpu, &scene, Options::default()).err().unwrap().to_string();
        assert!(error.contains(field), "{field}: {error}");
    }
}
