//! Attachments: particles that move with a collider.

use crate::common::{backends, run};
use crate::ties::{options, points};
use glam::{DVec3, Quat, Vec3};
use tenter::{
    Body, Collider, ColliderId, Integrator, KeyFrame, Mass, Material, Mesh, Options, Pose, Scene, Side, Simulation,
    Spring, Vertices,
};

/// A flag on a pole that turns about y by a right angle within 0.5 s, and rises.
fn flag() -> (Scene, ColliderId) {
    let pose = |angle: f32, y: f32| Pose { position: Vec3::new(0.1, y, 0.0), rotation: Quat::from_rotation_y(angle) };
    let shape = tenter::Shape::Cylinder { radius: 0.02, half_length: 0.3 };
    let frames = [
        KeyFrame { time: 0.1, pose: pose(0.0, 0.0) },
        KeyFrame { time: 0.6, pose: pose(std::f32::consts::FRAC_PI_2, 0.2) },
    ];
    let mut scene = Scene::new();
    let pole = scene.add_collider(Collider::fixed(shape, Pose::default()).moving(frames));
    let material = Material::springs(Mass::Total(0.05), Spring::new(30.0).damped(0.05));
    let mesh = Mesh::grid(0.2, 0.1, 4, 3).translated(Vec3::new(0.23, 0.0, 0.0));
    let flag = scene.add(Body::cloth(mesh, material));
    scene.attach(flag, Vertices::Side(Side::Left), pole);
    (scene, pole)
}

#[test]
fn what_is_attached_follows_its_collider() {
    for (name, backend) in backends() {
        for integrator in [
            Integrator::ImplicitEuler,
            Integrator::Bdf2,
            Integrator::ImplicitMidpoint,
            Integrator::ImexMidpoint,
            Integrator::Verlet,
            Integrator::Rk4,
        ] {
            let (scene, _) = flag();
            let start: Vec<DVec3> = scene.bodies[0].mesh.positions.iter().map(|p| p.as_dvec3()).collect();
            let mut simulation = Simulation::new(backend.clone(), &scene, options(integrator, 0.005)).unwrap();
            for step in 1..=160 {
                run(&mut simulation, 1);
                let part = ((f64::from(step) * 0.005 - 0.1) / 0.5).clamp(0.0, 1.0);
                let angle = part * std::f64::consts::FRAC_PI_2;
                let x = simulation.positions_f64().unwrap();
                for vertex in [0, 4, 8] {
                    // About the pole at x = 0.1: x towards -z.
                    let arm = start[vertex] - DVec3::new(0.1, 0.0, 0.0);
                    let (sin, cos) = angle.sin_cos();
                    let turned = DVec3::new(cos * arm.x + sin * arm.z, arm.y, cos * arm.z - sin * arm.x);
                    let expected = turned + DVec3::new(0.1, f64::from(0.2f32) * part, 0.0);
                    let off = x[vertex].distance(expected);
                    assert!(off < 1e-6, "{name} {integrator:?}: {off:e} off at step {step}");
                }
            }
        }
    }
}

#[test]
fn a_collider_that_is_led_takes_along_what_is_attached() {
    for (name, backend) in backends() {
        let mut scene = Scene::new();
        let ball = scene.add_collider(Collider::sphere([0.0, 1.0, 0.0], 0.1));
        let body = scene.add(points(&[Vec3::new(0.0, 0.8, 0.0), Vec3::new(0.5, 0.8, 0.0)], 0.1));
        let pin = scene.attach(body, Vertices::list([0]), ball);
        let mut simulation = Simulation::new(backend, &scene, Options::default()).unwrap();
        run(&mut simulation, 3);
        assert_eq!(simulation.positions().unwrap()[0], Vec3::new(0.0, 0.8, 0.0), "{name}");
        let turned = Pose { position: Vec3::new(0.0, 1.0, 0.0), rotation: Quat::from_rotation_z(0.1) };
        simulation.move_collider(ball, turned).unwrap();
        run(&mut simulation, 1);
        let x = simulation.positions().unwrap()[0];
        let expected = Vec3::new(0.2 * 0.1f32.sin(), 1.0 - 0.2 * 0.1f32.cos(), 0.0);
        assert!(x.distance(expected) < 1e-6, "{name}: {x} {expected}");
        assert!(simulation.move_pin(pin, Vec3::ZERO).unwrap_err().to_string().contains("attached"), "{name}");
        simulation.release_pin(pin).unwrap();
        run(&mut simulation, 10);
        assert!(simulation.positions().unwrap()[0].y < x.y - 0.01, "{name}");
    }
}
