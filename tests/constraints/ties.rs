//! Ties: particles that are one.

use crate::common::{self, backends, largest_distance, newton_or_once, run};
use glam::{DVec3, Vec3};
use tenter::{
    Backend, Body, BodyId, Collider, Integrator, Mass, Material, Membrane, Mesh, NewtonOptions, Options, PinKey,
    Rayleigh, Scene, Seam, Side, Simulation, SolverOptions, Spring, Vertices,
    internals::{body_id, collider_id},
};

const G: f64 = 9.81;

/// Particles that know nothing of each other, each of this mass, kg.
pub fn points(positions: &[Vec3], each: f32) -> Body {
    Body::particles(positions.to_vec(), each * positions.len() as f32)
}

/// Options of a step that is solved to nine digits.
pub fn options(integrator: Integrator, time_step: f64) -> Options {
    let solver = SolverOptions { tolerance: 1e-9, ..SolverOptions::default() };
    Options { integrator, time_step, solver, nonlinear: common::safe_to(1e-9), ..Options::default() }
}

/// A pendulum on a spring: its bob of 0.3 kg whole, or in three pieces that are tied.
fn pendulum(tied: bool) -> Scene {
    let mut scene = Scene::new();
    let spring = Spring::new(40.0).damped(0.1);
    let mass = if tied { 0.2 } else { 0.6 };
    let bob = Vec3::new(0.5, 0.1, 0.0);
    let velocity = Vec3::new(0.0, 0.3, 0.4);
    let chain = scene.add(
        Body::chain(Mesh::chain(Vec3::ZERO, bob, 2), Material::springs(Mass::Total(mass), spring)).moving(velocity),
    );
    scene.pin(chain, Vertices::list([0]));
    if tied {
        let rest = scene.add(points(&[bob], 0.15).moving(velocity));
        let last = scene.add(points(&[bob], 0.05).moving(velocity));
        scene.tie((rest, Vertices::All), (last, Vertices::All));
        scene.tie((chain, Vertices::list([1])), (rest, Vertices::All));
    }
    scene
}

#[test]
fn tied_particles_are_one_of_all_their_masses() {
    for (name, backend) in backends() {
        // Three masses of single precision make 0.3 kg.
        let tolerance = if name == "gpu" { 2e-5 } else { 1e-8 };
        let newton = [Integrator::ImplicitEuler, Integrator::Bdf2, Integrator::ImexEuler].map(|known| (known, true));
        for (integrator, newton) in Integrator::ALL.into_iter().map(|known| (known, false)).chain(newton) {
            let nonlinear = newton_or_once(newton.then(NewtonOptions::default));
            let options = Options { nonlinear, ..options(integrator, 0.004) };
            let mut whole = Simulation::new(backend.clone(), &pendulum(false), options.clone()).unwrap();
            let mut tied = Simulation::new(backend.clone(), &pendulum(true), options).unwrap();
            for step in 0..100 {
                run(&mut whole, 1);
                run(&mut tied, 1);
                let (whole, tied) = (whole.positions_f64().unwrap(), tied.positions_f64().unwrap());
                let off = whole[1].distance(tied[1]);
                assert!(off < tolerance, "{name} {integrator:?}: {off:e} off after step {step}");
                assert!(tied[1] == tied[2] && tied[1] == tied[3], "{name} {integrator:?}: {tied:?}");
            }
            let moved = tied.positions_f64().unwrap()[1].distance(DVec3::new(0.5, 0.1, 0.0));
            assert!(moved > 0.05, "{name} {integrator:?}: {moved}");
            // What the pin holds with is that of the whole, but for the weight of the pinned particle itself: 0.3 and 0.1 kg.
            let (a, b) = (whole.reactions().unwrap()[0], tied.reactions().unwrap()[0] + 0.2 * G * DVec3::Y);
            assert!(a.distance(b) < 1e-2, "{name} {integrator:?}: {a} {b}");
            let v = tied.velocities().unwrap();
            assert!(v[1] == v[2] && v[1] == v[3], "{name} {integrator:?}: {v:?}");
        }
    }
}

/// A membrane of 0.4 m, hung by two corners, in waves: in one piece, or cut along a column and tied there.
fn cloth(cut: bool) -> Scene {
    let material = Material {
        membrane: Some(Membrane { viscous_time: 0.001, ..Membrane::isotropic(20.0, 0.3) }),
        ..Material::loose(Mass::Surface(0.2))
    };
    let wave = |p: &Vec3| *p + Vec3::Y * 0.02 * (9.0 * p.x).sin() * (7.0 * p.z).cos();
    let mut scene = Scene::new();
    let mut add = |mesh: Mesh| {
        let start = mesh.positions.iter().map(wave).collect();
        scene.add(Body::cloth(mesh, material.clone()).starting_at(start))
    };
    if cut {
        let left = add(Mesh::grid(0.2, 0.4, 5, 9).translated(-0.1 * Vec3::X));
        let right = add(Mesh::grid(0.2, 0.4, 5, 9).translated(0.1 * Vec3::X));
        scene.tie((left, Vertices::Side(Side::Right)), (right, Vertices::Side(Side::Left)));
        scene.pin(left, Vertices::list([0]));
        scene.pin(right, Vertices::list([4]));
    } else {
        let whole = add(Mesh::grid(0.4, 0.4, 9, 9));
        scene.pin(whole, Vertices::corners());
    }
    scene
}

/// Vertices of the halves, in the order of the whole; and the other side of the cut.
fn put_together(halves: &[DVec3]) -> (Vec<DVec3>, Vec<[DVec3; 2]>) {
    let (left, right) = halves.split_at(45);
    let whole = (0..9).flat_map(|row| left[5 * row..5 * row + 5].iter().chain(&right[5 * row + 1..5 * row + 5]));
    (whole.copied().collect(), (0..9).map(|row| [left[5 * row + 4], right[5 * row]]).collect())
}

#[test]
fn a_cut_that_is_tied_is_no_cut() {
    let cases = [
        (Integrator::ImplicitEuler, 0.01, 150),
        (Integrator::Bdf2, 0.01, 150),
        (Integrator::ImexEuler, 0.001, 1500),
        (Integrator::Verlet, 0.001, 1500),
    ];
    for (integrator, h, steps) in cases {
        let options = options(integrator, h);
        // Scenes with ties have no warm start, and the whole cloth is to be solved like the tied one.
        let solver = SolverOptions { warm_start: false, ..options.solver.clone() };
        let options = Options { rayleigh: Rayleigh { mass: 5.0, stiffness: 0.0 }, solver, ..options };
        let mut whole = Simulation::new(Backend::Cpu, &cloth(false), options.clone()).unwrap();
        run(&mut whole, steps);
        let whole = whole.positions_f64().unwrap();
        for (name, backend) in backends() {
            let mut cut = Simulation::new(backend, &cloth(true), options.clone()).unwrap();
            run(&mut cut, steps);
            let (together, sides) = put_together(&cut.positions_f64().unwrap());
            let off = largest_distance(&whole, &together);
            eprintln!("{name} {integrator:?}: {off:e} m off");
            assert!(off < if name == "gpu" { 2e-3 } else { 1e-6 }, "{name} {integrator:?}: {off:e}");
            assert!(sides.iter().all(|[a, b]| a == b), "{name} {integrator:?}");
        }
    }
}

#[test]
fn what_is_tied_to_a_pin_goes_with_it() {
    let path = [PinKey { time: 0.0, offset: Vec3::ZERO }, PinKey { time: 0.1, offset: Vec3::new(0.2, 0.1, 0.0) }];
    for (name, backend) in backends() {
        for integrator in Integrator::ALL {
            let mut scene = Scene::new();
            // Apart at first: they start where the pin is.
            let free = scene.add(points(&[Vec3::new(0.01, 0.0, 0.0)], 0.3));
            let held = scene.add(points(&[Vec3::ZERO], 0.1));
            let pin = scene.pin(held, Vertices::All);
            scene.lead_pin(pin, path).unwrap();
            scene.tie((free, Vertices::All), (held, Vertices::All));
            let mut simulation = Simulation::new(backend.clone(), &scene, options(integrator, 0.005)).unwrap();
            assert_eq!(simulation.positions().unwrap()[0], Vec3::ZERO);
            for step in 1..=30 {
                run(&mut simulation, 1);
                let x = simulation.positions_f64().unwrap();
                let expected = (f64::from(step) / 20.0).min(1.0) * Vec3::new(0.2, 0.1, 0.0).as_dvec3();
                let off = x[1].distance(expected);
                assert!(off < 1e-7 && x[0] == x[1], "{name} {integrator:?} step {step}: {x:?}, {off:e}");
            }
            // At rest: the pin carries both.
            let forces = simulation.reactions().unwrap();
            let off = forces[1].distance(DVec3::new(0.0, 0.4 * G, 0.0));
            assert!(off < 1e-4 && forces[0] == DVec3::ZERO, "{name} {integrator:?}: {forces:?}");
        }
    }
}

#[test]
fn tied_particles_touch_as_one() {
    let angle = 0.4f64;
    let (normal, down) = (DVec3::new(angle.sin(), angle.cos(), 0.0), DVec3::new(angle.cos(), -angle.sin(), 0.0));
    for (name, backend) in backends() {
        for integrator in Integrator::ALL {
            for share in [1.05, 0.5] {
                let friction = share * angle.tan();
                let mut scene = Scene::new();
                let collider = Collider::plane(Vec3::ZERO, normal.as_vec3());
                let thickness = f64::from(collider.thickness);
                scene.add_collider(Collider { friction: friction as f32, ..collider });
                let start = (thickness * normal).as_vec3();
                let first = scene.add(points(&[start], 0.1));
                let second = scene.add(points(&[start], 0.3));
                scene.tie((first, Vertices::All), (second, Vertices::All));
                let mut simulation = Simulation::new(backend.clone(), &scene, options(integrator, 0.01)).unwrap();
                run(&mut simulation, 100);
                let before = simulation.positions_f64().unwrap();
                run(&mut simulation, 1);
                let x = simulation.positions_f64().unwrap();
                let v = (x[0] - before[0]) / 0.01;
                let expected = G * (angle.sin() - friction * angle.cos()).max(0.0);
                let what = format!("{name} {integrator:?} {share}: v {v}, along {} of {expected}", v.dot(down));
                if share > 1.0 {
                    assert!(v.length() < 1e-4, "{what}");
                } else {
                    assert!((v.dot(down) / expected - 1.0).abs() < 0.012, "{what}");
                }
                assert!((x[0].dot(normal) - thickness).abs() < 1e-5, "{what}");
                assert_eq!(x[0], x[1], "{what}");
                // Gravity's part along the normal is carried for both.
                let force: DVec3 = simulation.reactions().unwrap().into_iter().sum();
                let weight = 0.4 * G * angle.cos();
                assert!((force.dot(normal) / weight - 1.0).abs() < 0.01, "{what}: {force}, {weight}");
            }
        }
    }
}

#[test]
fn cloth_that_is_tied_falls_on_a_plane_as_one() {
    for (name, backend) in backends() {
        for integrator in [Integrator::ImplicitEuler, Integrator::Bdf2, Integrator::ImexEuler, Integrator::Verlet] {
            let mut scene = cloth(true);
            scene.pins.clear();
            scene.add_collider(Collider::plane([0.0, -0.1, 0.0], [0.1, 1.0, 0.0]));
            let options = Options { rayleigh: Rayleigh { mass: 2.0, stiffness: 0.0 }, ..options(integrator, 0.002) };
            let mut simulation = Simulation::new(backend.clone(), &scene, options).unwrap();
            run(&mut simulation, 150);
            let (together, sides) = put_together(&simulation.positions_f64().unwrap());
            let normal = Vec3::new(0.1, 1.0, 0.0).as_dvec3().normalize();
            for x in &together {
                let height = (*x - DVec3::new(0.0, -0.1, 0.0)).dot(normal);
                assert!(height > 0.004 && height < 0.03, "{name} {integrator:?}: {height}");
            }
            assert!(sides.iter().all(|[a, b]| a == b), "{name} {integrator:?}");
        }
    }
}

#[test]
fn a_ball_lies_in_tied_cloth_as_in_whole_cloth() {
    for (name, backend) in backends() {
        let mut ends = Vec::new();
        for cut in [false, true] {
            let mut scene = cloth(cut);
            let last = scene.bodies.len() - 1;
            // All four corners are held.
            scene.pin(body_id(0), Vertices::list(if cut { vec![40] } else { vec![72, 80] }));
            if cut {
                scene.pin(body_id(last), Vertices::list([44]));
            }
            scene.add_collider(Collider::sphere([0.0, 0.13, 0.02], 0.08).dynamic(0.05));
            let options = Options {
                rayleigh: Rayleigh { mass: 2.0, stiffness: 0.0 },
                ..options(Integrator::ImplicitEuler, 0.01)
            };
            let mut simulation = Simulation::new(backend.clone(), &scene, options).unwrap();
            // Later it hangs on rounding which contacts hold.
            run(&mut simulation, 18);
            let positions = simulation.positions_f64().unwrap();
            let ball = simulation.collider_poses().unwrap()[0].position;
            let (together, sides) = if cut { put_together(&positions) } else { (positions, Vec::new()) };
            assert!(sides.iter().all(|[a, b]| a == b), "{name}: {sides:?}");
            ends.push((together, ball));
        }
        let (off, ball_off) = (largest_distance(&ends[0].0, &ends[1].0), ends[0].1.distance(ends[1].1));
        eprintln!("{name}: cloth {off:e} m off, ball {ball_off:e} m; it is at {}", ends[0].1);
        let tolerance = if name == "gpu" { 1e-3 } else { 1e-6 };
        assert!(off < tolerance && f64::from(ball_off) < tolerance, "{name}: {off:e} {ball_off:e}");
        assert!(ends[0].1.y < 0.1, "{name}: {}", ends[0].1);
    }
}

#[test]
fn an_iteration_takes_one_dispatch_more() {
    let gpu = common::gpu();
    let options = Options {
        solver: SolverOptions { variant: tenter::Variant::Many { workgroups: 4 }, ..SolverOptions::default() },
        ..Options::default()
    };
    for (cut, expected) in [(false, 2), (true, 3)] {
        let mut simulation = Simulation::new(&gpu, &cloth(cut), options.clone()).unwrap();
        simulation.step().unwrap();
        assert_eq!(simulation.costs().dispatches_per_iteration, expected);
    }
}

#[test]
fn wrong_ties_name_their_field() {
    let scene = || {
        let mut scene = Scene::new();
        let first = scene.add(points(&[Vec3::ZERO, Vec3::X], 0.1));
        let second = scene.add(points(&[Vec3::ZERO, Vec3::X, Vec3::Y], 0.1));
        (scene, first, second)
    };
    type Change = fn(&mut Scene, BodyId, BodyId);
    let cases: [(Change, &str); 10] = [
        (|s, a, b| s.tie((a, Vertices::All), (b, Vertices::All)), "tie[0].second.vertices"),
        (|s, a, _| s.tie((a, Vertices::list([0])), (a, Vertices::list([0]))), "tie[0].second.vertices"),
        (|s, a, _| s.tie((a, Vertices::All), (body_id(9), Vertices::All)), "tie[0].second.body"),
        (|s, a, b| s.tie((a, Vertices::list([7])), (b, Vertices::list([0]))), "tie[0].first.vertices"),
        (
            |s, a, b| {
                s.pin(a, Vertices::list([0]));
                s.pin(b, Vertices::list([1]));
                s.tie((a, Vertices::list([0])), (b, Vertices::list([0])));
                s.tie((b, Vertices::list([0])), (b, Vertices::list([1])));
            },
            "tie[1].second.vertices",
        ),
        (|s, a, b| s.sew(Seam::new((a, vec![0]), (b, vec![0, 1]))), "seam[0].second.vertices"),
        (|s, a, b| s.sew(Seam { stiffness: -1.0, ..Seam::new((a, vec![0]), (b, vec![1])) }), "seam[0].stiffness"),
        (|s, a, b| s.sew(Seam { distance: 0.0, ..Seam::new((a, vec![0]), (b, vec![1])) }), "seam[0].distance"),
        (|s, a, b| s.sew(Seam { stiffness: 1e20, ..Seam::new((a, vec![0]), (b, vec![1])) }), "seam[0].stiffness"),
        (|s, a, _| _ = s.attach(a, Vertices::All, collider_id(0)), "attach[0].collider"),
    ];
    for (change, field) in cases {
        let (mut scene, first, second) = scene();
        change(&mut scene, first, second);
        let error = Simulation::new(Backend::Cpu, &scene, Options::default()).err().map(|error| error.to_string());
        assert!(error.as_ref().is_some_and(|error| error.starts_with(field)), "{field}: {error:?}");
    }
}
