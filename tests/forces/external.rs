//! Forces from outside: wind, air resistance, point forces, handles, and pins that slide. On both backends.

use crate::common::{backends, run};
use tenter::{
    Air, Body, Error, Free, Handle, Mass, Material, Mesh, Options, Scene, Simulation, SolverOptions, Vertices,
    glam::Vec3,
};

fn exact() -> Options {
    Options {
        time_step: 0.01,
        solver: SolverOptions { tolerance: 1e-6, max_iterations: 500, ..Default::default() },
        ..Default::default()
    }
}

/// A square sheet of 1 m² and 0.2 kg, hardly held together.
fn sheet(air: Air) -> (Scene, tenter::BodyId) {
    let mut scene = Scene::new();
    scene.air = Some(air);
    let body = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 6, 6), Material::loose(Mass::Surface(0.2))));
    (scene, body)
}

#[test]
fn a_flat_sheet_falls_no_faster_than_air_lets_it() {
    // m g = c A v
    let wanted = 0.2 * 9.81 / 0.5;
    for (name, backend) in backends() {
        let (scene, _) = sheet(Air::default().resisting(0.5));
        let mut simulation = Simulation::new(backend, &scene, exact()).unwrap();
        run(&mut simulation, 50);
        let halfway = simulation.velocities().unwrap()[7].y;
        run(&mut simulation, 450);
        for velocity in simulation.velocities().unwrap() {
            assert!((velocity.y / -wanted - 1.0).abs() < 1e-3, "{name}: {velocity} against {wanted}");
        }
        assert!(halfway > -0.95 * wanted, "{name}: the control had reached its last speed at once");
    }
}

#[test]
fn resistance_opposes_motion_either_way() {
    // (2.37) as printed would drive half of the cloth: |⟨v, N⟩| must not.
    for (name, backend) in backends() {
        for up in [1.0, -1.0] {
            let (mut scene, _) = sheet(Air::default().resisting(2.0));
            scene.gravity = Vec3::ZERO;
            scene.bodies[0].velocity = Vec3::new(0.3, up, 0.0);
            let mut simulation = Simulation::new(backend.clone(), &scene, exact()).unwrap();
            run(&mut simulation, 20);
            for velocity in simulation.velocities().unwrap() {
                assert!(velocity.y * up > 0.0 && velocity.y.abs() < 0.5, "{name}: {velocity}");
            }
        }
    }
}

#[test]
fn wind_presses_along_the_normal_and_lifts_across_it() {
    for (name, backend) in backends() {
        let air = Air { wind: Vec3::new(2.0, 3.0, 0.0), drag: 0.5, lift: 0.25, ..Default::default() };
        let (mut scene, _) = sheet(air);
        scene.gravity = Vec3::ZERO;
        let mut simulation = Simulation::new(backend, &scene, exact()).unwrap();
        simulation.step().unwrap();
        simulation.finish().unwrap();
        // The sheet lies in the xz-plane: y is the normal.
        let wanted = Vec3::new(0.25 * 2.0, 0.5 * 3.0, 0.0) / 0.2 * 0.01;
        for velocity in simulation.velocities().unwrap() {
            assert!((*velocity - wanted).length() < 1e-5, "{name}: {velocity} against {wanted}");
        }
        simulation.set_wind(Vec3::ZERO).unwrap();
        let before = simulation.velocities().unwrap().to_vec();
        run(&mut simulation, 3);
        assert!(simulation.velocities().unwrap().iter().zip(&before).all(|(a, b)| (*a - *b).length() < 1e-6), "{name}");
    }
}

#[test]
fn wind_swings() {
    // ∫ sin ω t dt over whole periods is nothing, over a half 2/ω.
    for (name, backend) in backends() {
        let air =
            Air { wind: Vec3::Y, steady: 0.0, angular_velocity: std::f32::consts::TAU * 2.0, ..Default::default() };
        let (mut scene, _) = sheet(air);
        scene.gravity = Vec3::ZERO;
        let mut simulation = Simulation::new(backend, &scene, Options { time_step: 0.0025, ..exact() }).unwrap();
        run(&mut simulation, 100);
        let half = simulation.velocities().unwrap()[0].y;
        let wanted = 2.0 / (std::f32::consts::TAU * 2.0) / 0.2;
        assert!((half / wanted - 1.0).abs() < 0.01, "{name}: {half} against {wanted}");
        run(&mut simulation, 100);
        let whole = simulation.velocities().unwrap()[0].y;
        assert!(whole.abs() < 0.02 * wanted, "{name}: {whole}");
        simulation.reset().unwrap();
        run(&mut simulation, 100);
        assert_eq!(simulation.velocities().unwrap()[0].y, half, "{name}: reset begins the swing again");
    }
}

#[test]
fn a_handle_draws_and_lets_go() {
    for (name, backend) in backends() {
        let mut scene = Scene::new();
        scene.gravity = Vec3::ZERO;
        scene.add(Body::particles([Vec3::ZERO, Vec3::X], 0.2));
        let mut simulation = Simulation::new(backend, &scene, exact()).unwrap();
        let goal = Vec3::new(0.2, 0.4, -0.1);
        simulation.grab(1, Handle { stiffness: 20.0, damping: 2.0 }, goal).unwrap();
        simulation.push(1, Vec3::new(0.0, 2.0, 0.0)).unwrap();
        run(&mut simulation, 500);
        // At rest F = k (x - x̄).
        let rest = simulation.positions().unwrap()[1];
        assert!((rest - goal - Vec3::new(0.0, 0.1, 0.0)).length() < 1e-4, "{name}: {rest}");
        assert_eq!(simulation.positions().unwrap()[0], Vec3::ZERO, "{name}: the other one is left alone");
        simulation.release(1).unwrap();
        simulation.push(1, Vec3::ZERO).unwrap();
        run(&mut simulation, 10);
        let after = simulation.positions().unwrap()[1];
        assert!((after - rest).length() < 1e-4, "{name}: {after}");
    }
}

#[test]
fn point_forces_of_the_scene_add_up() {
    for (name, backend) in backends() {
        let mut scene = Scene::new();
        scene.gravity = Vec3::ZERO;
        let body = scene.add(Body::particles([Vec3::ZERO, Vec3::X], 2.0));
        scene.push(body, Vertices::All, Vec3::X);
        scene.push(body, Vertices::list([1]), Vec3::Y);
        let mut simulation = Simulation::new(backend, &scene, exact()).unwrap();
        run(&mut simulation, 100);
        let velocities = simulation.velocities().unwrap();
        assert!((velocities[0] - Vec3::X).length() < 1e-5, "{name}: {}", velocities[0]);
        assert!((velocities[1] - Vec3::new(1.0, 1.0, 0.0)).length() < 1e-5, "{name}: {}", velocities[1]);
    }
}

#[test]
fn pins_slide_along_lines_and_in_planes() {
    for (name, backend) in backends() {
        let mut scene = Scene::new();
        scene.gravity = Vec3::new(1.0, -2.0, 3.0);
        let body = scene.add(Body::particles([Vec3::ZERO; 3], 0.3));
        scene.pin_sliding(body, Vertices::list([0]), Free::Line(Vec3::new(2.0, 0.0, 0.0)));
        scene.pin_sliding(body, Vertices::list([1]), Free::Plane(Vec3::Y));
        let mut simulation = Simulation::new(backend, &scene, exact()).unwrap();
        run(&mut simulation, 100);
        let velocities = simulation.velocities().unwrap();
        for (velocity, wanted) in
            velocities.iter().zip([Vec3::new(1.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 3.0), Vec3::new(1.0, -2.0, 3.0)])
        {
            assert!((*velocity - wanted).length() < 1e-4, "{name}: {velocity} against {wanted}");
        }
    }
}

#[test]
fn what_cannot_be_is_said() {
    let (mut scene, body) = sheet(Air::default());
    for (air, field) in [
        (Air { resistance: -1.0, ..Default::default() }, "air.resistance"),
        (Air { wind: Vec3::NAN, ..Default::default() }, "air.wind"),
        (Air { lift: f32::INFINITY, ..Default::default() }, "air.lift"),
    ] {
        scene.air = Some(air);
        let error = Simulation::check(&scene, &exact()).unwrap_err();
        assert!(error.to_string().starts_with(field), "{error}");
    }
    scene.air = None;
    scene.pin_sliding(body, Vertices::list([0]), Free::Line(Vec3::ZERO));
    assert!(Simulation::check(&scene, &exact()).unwrap_err().to_string().starts_with("pin[0].free"));
    scene.pins.clear();
    scene.push(body, Vertices::list([99]), Vec3::X);
    assert!(Simulation::check(&scene, &exact()).unwrap_err().to_string().starts_with("force[0].vertices"));
    scene.point_forces.clear();

    for (_, backend) in backends() {
        let mut simulation = Simulation::new(backend, &scene, exact()).unwrap();
        for error in [
            simulation.set_wind(Vec3::X),
            simulation.push(36, Vec3::X),
            simulation.push(0, Vec3::NAN),
            simulation.grab(0, Handle { stiffness: -1.0, damping: 0.0 }, Vec3::ZERO),
        ] {
            assert!(matches!(error, Err(Error::Usage(_))), "{error:?}");
        }
        run(&mut simulation, 2);
    }
}
