//! Pins that are led along paths and let go: where they are at every step, when they are free, and what they do then.

use crate::common::{backends, gpu, run};
use tenter::{
    Adaptive, Backend, Body, Control, Error, Free, Integrator, Mass, Material, Mesh, Options, PinId, PinKey, Scene,
    Simulation, Spring, Vertices,
    glam::{DVec3, Vec3},
    internals::{body_id, pin_id},
};

/// m/s², as single precision has it.
const GRAVITY: f64 = 9.81f32 as f64;

fn key(time: f64, offset: [f32; 3]) -> PinKey {
    PinKey { time, offset: offset.into() }
}

/// Up, across and back down, with turns that no step ends at.
fn tour() -> [PinKey; 4] {
    [key(0.0113, [0.0; 3]), key(0.0307, [0.0, 0.04, 0.0]), key(0.0451, [0.05, 0.04, -0.02]), key(0.0702, [0.0; 3])]
}

/// Where the tour is, worked out turn by turn.
fn tour_at(time: f64) -> DVec3 {
    let part = |from: f64, to: f64| ((time - from) / (to - from)).clamp(0.0, 1.0);
    let up = part(0.0113, 0.0307) * Vec3::new(0.0, 0.04, 0.0).as_dvec3();
    let across = part(0.0307, 0.0451) * Vec3::new(0.05, 0.0, -0.02).as_dvec3();
    let back = part(0.0451, 0.0702) * Vec3::new(-0.05, -0.04, 0.02).as_dvec3();
    up + across + back
}

/// A small net whose first corner goes on tour; the second stays.
fn net() -> (Scene, PinId) {
    let spring = Spring::new(30.0).damped(0.05);
    let material = Material { shear: spring, ..Material::springs(Mass::Total(0.3), spring) };
    let mut scene = Scene::new();
    let body = scene.add(Body::cloth(Mesh::grid(0.4, 0.3, 3, 3), material));
    let led = scene.pin(body, Vertices::list([0, 1]));
    scene.pin(body, Vertices::list([2]));
    scene.lead_pin(led, tour()).unwrap();
    (scene, led)
}

/// A particle on its own, led along x at 2 m/s.
fn thrown(until: f64) -> (Scene, PinId) {
    let mut scene = Scene::new();
    let body = scene.add(Body::chain(Mesh::chain(Vec3::ZERO, Vec3::Z, 2), Material::loose(Mass::Total(0.2))));
    let pin = scene.pin(body, Vertices::list([0]));
    scene.lead_pin(pin, [key(0.0, [0.0; 3]), key(10.0, [20.0, 0.0, 0.0])]).unwrap();
    scene.release_pin_at(pin, until).unwrap();
    (scene, pin)
}

fn with(integrator: Integrator, time_step: f64) -> Options {
    Options { integrator, time_step, ..Default::default() }
}

#[test]
fn led_particles_are_where_the_path_says_and_move_as_fast() {
    let integrators = [
        Integrator::ImplicitEuler,
        Integrator::Bdf2,
        Integrator::ImplicitMidpoint,
        Integrator::ImexMidpoint,
        Integrator::Verlet,
        Integrator::Beeman,
        Integrator::Rk4,
    ];
    let h = 0.002;
    for (name, backend) in backends() {
        let rounding = if name == "gpu" { 1e-7 } else { 1e-14 };
        for integrator in integrators {
            let (scene, _) = net();
            let mut simulation = Simulation::new(backend.clone(), &scene, with(integrator, h)).unwrap();
            let start = simulation.positions_f64().unwrap();
            for step in 1..=40 {
                simulation.step().unwrap();
                let time = f64::from(step) * h;
                let positions = simulation.positions_f64().unwrap();
                let velocities = simulation.velocities().unwrap();
                let speed = (tour_at(time) - tour_at(time - h)) / h;
                for ix in 0..2 {
                    let off = positions[ix].distance(start[ix] + tour_at(time));
                    assert!(off < rounding, "{name} {integrator:?}: {off:e} off at step {step}");
                    // The velocity is a difference of positions over the step.
                    let off = velocities[ix].as_dvec3().distance(speed);
                    assert!(off < 2e-7 / h, "{name} {integrator:?}: {off:e} m/s off at step {step}");
                }
                assert_eq!(positions[2], start[2]);
            }
            // The rest was dragged along.
            let fallen = simulation.positions_f64().unwrap()[8].y - start[8].y;
            assert!(fallen < -1e-3 && fallen > -0.2, "{name} {integrator:?}: {fallen}");
        }
    }
}

#[test]
fn a_pin_that_slides_is_led_where_it_does_not() {
    for (name, backend) in backends() {
        let mut scene = Scene::new();
        let body = scene.add(Body::chain(Mesh::chain(Vec3::ZERO, Vec3::Z, 2), Material::loose(Mass::Total(0.2))));
        let pin = scene.pin_sliding(body, Vertices::list([0]), Free::Line(Vec3::Y));
        scene.lead_pin(pin, [key(0.0, [0.0; 3]), key(1.0, [1.0, 5.0, 0.0])]).unwrap();
        let mut simulation = Simulation::new(backend, &scene, Options::default()).unwrap();
        run(&mut simulation, 10);
        let particle = simulation.positions_f64().unwrap()[0];
        assert!((particle.x - 0.1).abs() < 1e-6 && particle.z.abs() < 1e-6, "{name}: {particle}");
        // Implicit Euler falls h² g (1 + 2 + … + n).
        assert!((particle.y + GRAVITY * 1e-4 * 55.0).abs() < 1e-6, "{name}: {particle}");
    }
}

/// Height after so many free steps from rest, as each scheme has it.
fn fallen(integrator: Integrator, steps: u32, h: f64) -> f64 {
    let n = f64::from(steps);
    match integrator {
        Integrator::ImplicitEuler | Integrator::SymplecticEuler => -GRAVITY * h * h * n * (n + 1.0) / 2.0,
        Integrator::Bdf2 => {
            // One step of Euler, then 3 x = 4 x₋₁ - x₋₂ + 2 h v, with a velocity that is exact.
            let (mut before, mut x) = (0.0, 0.0);
            for step in 1..=steps {
                let v = -GRAVITY * h * f64::from(step);
                (before, x) = (x, if step == 1 { h * v } else { (4.0 * x - before + 2.0 * h * v) / 3.0 });
            }
            x
        }
        // Exact for a parabola.
        _ => -0.5 * GRAVITY * (n * h) * (n * h),
    }
}

#[test]
fn the_first_step_that_begins_late_enough_is_free() {
    let integrators = [
        Integrator::ImplicitEuler,
        Integrator::SymplecticEuler,
        Integrator::Bdf2,
        Integrator::ImplicitMidpoint,
        Integrator::Verlet,
        Integrator::VelocityVerlet,
        Integrator::LeapFrog,
        Integrator::Beeman,
        Integrator::Rk4,
    ];
    let h = 0.01;
    for (name, backend) in backends() {
        for integrator in integrators {
            // Exactly at a step, within one, before the first.
            for (until, held) in [(0.05, 5), (0.0401, 5), (0.0, 0)] {
                let (scene, pin) = thrown(until);
                let mut simulation = Simulation::new(backend.clone(), &scene, with(integrator, h)).unwrap();
                for step in 1..=20u32 {
                    assert_eq!(simulation.pin_holds(pin).unwrap(), step <= held);
                    simulation.step().unwrap();
                    let particle = simulation.positions_f64().unwrap()[0];
                    let speed = if held == 0 { 0.0 } else { 2.0 };
                    let along = speed * h * f64::from(step);
                    let height = fallen(integrator, step.saturating_sub(held), h);
                    let off = particle.distance(DVec3::new(along, height, 0.0));
                    let rounding = if name == "gpu" { 2e-6 } else { 1e-12 };
                    assert!(off < rounding, "{name} {integrator:?}, until {until}: {off:e} off at step {step}");
                    let reaction = simulation.reactions().unwrap()[0];
                    if step > held {
                        assert_eq!(reaction, DVec3::ZERO, "{name} {integrator:?}");
                    } else if integrator == Integrator::ImplicitEuler && step > 1 {
                        // Even motion: it carries the weight alone.
                        assert!((reaction.y - 0.1 * GRAVITY).abs() < 1e-3, "{name}: {reaction}");
                    }
                }
            }
        }
    }
}

#[test]
fn many_steps_at_once_are_the_same_steps() {
    for (name, backend) in backends() {
        let (mut scene, led) = net();
        scene.release_pin_at(led, 0.101).unwrap();
        let options = with(Integrator::Bdf2, 0.001);
        let mut single = Simulation::new(backend.clone(), &scene, options.clone()).unwrap();
        run(&mut single, 150);
        let mut many = Simulation::new(backend, &scene, options).unwrap();
        many.step_many(150).unwrap();
        assert_eq!(many.positions().unwrap(), single.positions().unwrap(), "{name}");
        assert!(!many.pin_holds(led).unwrap());
        if name == "gpu" {
            // Two at once, but for 60 along the path, which are submitted one by one.
            let submissions = many.costs().submissions;
            assert!((105..120).contains(&submissions), "{submissions}");
        }
    }
}

#[test]
fn each_step_in_an_encoder_has_its_own_targets() {
    let gpu = gpu();
    let (mut scene, led) = net();
    scene.release_pin_at(led, 0.04).unwrap();
    let options = with(Integrator::Bdf2, 0.002);
    let mut single = Simulation::new(&gpu, &scene, options.clone()).unwrap();
    run(&mut single, 30);
    let mut encoded = Simulation::new(&gpu, &scene, options).unwrap();
    let device = encoded.gpu().unwrap().clone();
    let mut encoder = device.device().create_command_encoder(&Default::default());
    for _ in 0..30 {
        encoded.encode_step(&mut encoder).unwrap();
    }
    device.queue().submit([encoder.finish()]);
    assert_eq!(encoded.positions().unwrap(), single.positions().unwrap());
}

#[test]
fn steps_that_are_taken_back_leave_the_pin_on_its_path() {
    let adaptive = Adaptive { smallest: 1e-5, largest: 0.05, tolerance: 2e-5, control: Control::ErrorEstimate };
    for (name, backend) in backends() {
        for integrator in [Integrator::ImplicitEuler, Integrator::Bdf2, Integrator::VelocityVerlet] {
            let (mut scene, led) = net();
            scene.release_pin_at(led, 0.06).unwrap();
            // So long a first step that it is rejected.
            let options = Options { adaptive: Some(adaptive), ..with(integrator, 0.04) };
            let mut simulation = Simulation::new(backend.clone(), &scene, options).unwrap();
            let start = simulation.positions_f64().unwrap();
            let mut times = Vec::new();
            while simulation.time() < 0.1 {
                let held = simulation.pin_holds(led).unwrap();
                simulation.step().unwrap();
                let time = simulation.time();
                times.push(time);
                let off = simulation.positions_f64().unwrap()[0].distance(start[0] + tour_at(time));
                if held {
                    assert!(off < 2e-7, "{name} {integrator:?}: {off:e} off at {time} s");
                } else if time > 0.07 {
                    assert!(off > 1e-4, "{name} {integrator:?}: still on its path at {time} s");
                }
            }
            // Steps end where the path turns and where the pin is let go.
            for event in [0.0113, 0.0307, 0.0451, 0.06] {
                assert!(times.iter().any(|time| (time - event).abs() < 1e-12), "{name} {integrator:?}: {event} s");
            }
            assert!(simulation.adaptive_report().rejected > 0, "{name} {integrator:?}");
        }
    }
}

#[test]
fn frames_of_adaptive_length_fall_from_the_time_of_release() {
    for (name, backend) in backends() {
        let (scene, _) = thrown(0.0123);
        let options = Options { adaptive: Some(Adaptive::default()), ..with(Integrator::Rk4, 0.01) };
        let mut simulation = Simulation::new(backend, &scene, options).unwrap();
        simulation.advance_to(0.25).unwrap();
        let particle = simulation.positions_f64().unwrap()[0];
        let fallen = 0.5 * GRAVITY * (0.25 - 0.0123f64).powi(2);
        assert!(particle.distance(DVec3::new(0.5, -fallen, 0.0)) < 2e-6, "{name}: {particle}, not {fallen}");
    }
}

#[test]
fn the_start_comes_back() {
    for (name, backend) in backends() {
        let (mut scene, led) = net();
        scene.release_pin_at(led, 0.05).unwrap();
        let mut simulation = Simulation::new(backend, &scene, with(Integrator::Bdf2, 0.002)).unwrap();
        run(&mut simulation, 40);
        let once = simulation.positions_f64().unwrap();
        simulation.release_pin(pin_id(1)).unwrap();
        simulation.step().unwrap();
        simulation.reset().unwrap();
        assert!(simulation.pin_holds(led).unwrap() && simulation.pin_holds(pin_id(1)).unwrap());
        run(&mut simulation, 40);
        assert_eq!(simulation.positions_f64().unwrap(), once, "{name}");
    }
}

#[test]
fn the_host_lets_go_when_it_likes() {
    for (name, backend) in backends() {
        let (mut scene, led) = thrown(9.0);
        scene.pins[led.index()].path.clear();
        scene.pins[led.index()].until = None;
        let mut simulation = Simulation::new(backend, &scene, with(Integrator::Verlet, 0.01)).unwrap();
        run(&mut simulation, 3);
        // A way that was asked for and not gone yet is forgotten.
        simulation.move_pin(led, Vec3::X).unwrap();
        simulation.release_pin(led).unwrap();
        simulation.step_many(4).unwrap();
        let particle = simulation.positions_f64().unwrap()[0];
        let fallen = 0.5 * GRAVITY * 0.04f64.powi(2);
        assert!(particle.distance(DVec3::new(0.0, -fallen, 0.0)) < 1e-6, "{name}: {particle}");
        assert!(matches!(simulation.move_pin(led, Vec3::X), Err(Error::Usage(text)) if text.contains("let go")));
        // Twice does no harm.
        simulation.release_pin(led).unwrap();
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (scene, led) = net();
    let mut simulation = Simulation::new(Backend::Cpu, &scene, Options::default()).unwrap();
    assert!(matches!(simulation.move_pin(led, Vec3::X), Err(Error::Usage(text)) if text.contains("path")));
    assert!(matches!(simulation.release_pin(pin_id(2)), Err(Error::Usage(_))));
    assert!(matches!(simulation.pin_holds(pin_id(2)), Err(Error::Usage(_))));

    let mut scene = Scene::new();
    assert!(matches!(scene.lead_pin(pin_id(0), tour()), Err(Error::Usage(_))));
    assert!(matches!(scene.release_pin_at(pin_id(0), 1.0), Err(Error::Usage(_))));
    scene.add(Body::cloth(Mesh::grid(0.4, 0.3, 3, 3), Material::cotton_springs()));
    let pin = scene.pin(body_id(0), Vertices::corners());
    let wrong = |path: &[PinKey], until: Option<f64>, expected: &str| {
        let mut scene = scene.clone();
        scene.lead_pin(pin, path.to_vec()).unwrap();
        scene.pins[0].until = until;
        match Simulation::check(&scene, &Options::default()) {
            Err(Error::Scene { field, .. }) => assert_eq!(field, expected),
            other => panic!("{expected}: {other:?}"),
        }
    };
    let zero = [0.0; 3];
    wrong(&[key(0.0, zero), key(0.0, zero)], None, "pin[0].path[1].time");
    wrong(&[key(1.0, zero), key(0.5, zero)], None, "pin[0].path[1].time");
    wrong(&[key(f64::NAN, zero)], None, "pin[0].path[0].time");
    wrong(&[key(0.0, zero), key(1.0, zero), key(2.0, [0.0, f32::INFINITY, 0.0])], None, "pin[0].path[2].offset");
    wrong(&[], Some(-0.1), "pin[0].until");
    wrong(&[], Some(f64::INFINITY), "pin[0].until");
}
