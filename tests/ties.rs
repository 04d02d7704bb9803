//! Particles that are one: ties, seams, and what is attached to colliders.

mod common;

use common::{backends, largest_distance, newton_or_once, run};
use glam::{DVec3, Quat, Vec3};
use tenter::{
    Adaptive, Backend, Body, BodyId, Collider, ColliderId, Integrator, KeyFrame, Mass, Material, Membrane, Mesh,
    NewtonOptions, Options, PinKey, Pose, Rayleigh, Scene, Seam, Side, Simulation, SolverOptions, Spring, Vertices,
};

const G: f64 = 9.81;

/// Particles that know nothing of each other, each of this mass, kg.
fn points(positions: &[Vec3], each: f32) -> Body {
    Body::cloth(Mesh::points(positions.to_vec()), Material::loose(Mass::Total(each * positions.len() as f32)))
}

fn options(integrator: Integrator, time_step: f64) -> Options {
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
        Body::cloth(Mesh::chain(Vec3::ZERO, bob, 2), Material::springs(Mass::Total(mass), spring)).moving(velocity),
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
        let options = Options { rayleigh: Rayleigh { mass: 5.0, stiffness: 0.0 }, ..options(integrator, h) };
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
            scene.pin(BodyId(0), Vertices::list(if cut { vec![40] } else { vec![72, 80] }));
            if cut {
                scene.pin(BodyId(last), Vertices::list([44]));
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
        let corner = scene.pin(BodyId(0), Vertices::list([4]));
        scene.pin(BodyId(1), Vertices::list([0]));
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
        (|s, a, _| s.tie((a, Vertices::All), (BodyId(9), Vertices::All)), "tie[0].second.body"),
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
        (|s, a, _| _ = s.attach(a, Vertices::All, ColliderId(0)), "attach[0].collider"),
    ];
    for (change, field) in cases {
        let (mut scene, first, second) = scene();
        change(&mut scene, first, second);
        let error = Simulation::new(Backend::Cpu, &scene, Options::default()).err().map(|error| error.to_string());
        assert!(error.as_ref().is_some_and(|error| error.starts_with(field)), "{field}: {error:?}");
    }
}

#[test]
fn files_tie_sew_and_attach() {
    let text = r#"
        [[body]]
        name = "front"
        mesh = { kind = "grid", width = 0.2, depth = 0.2, columns = 3, rows = 3 }
        material = { preset = "cotton" }

        [[body]]
        name = "back"
        mesh = { kind = "grid", width = 0.2, depth = 0.2, columns = 3, rows = 3, position = [0, 0.1, 0] }
        material = { preset = "cotton" }

        [[collider]]
        shape = "sphere"
        centre = [0, 1, 0]
        radius = 0.1

        [[tie]]
        first = { body = "front", vertices = [1] }
        second = { body = "back", vertices = [1] }

        [[seam]]
        first = { body = "front", vertices = "left" }
        second = { body = "back", vertices = [6, 3, 0] }
        distance = 0.01
        weightless = true

        [[attach]]
        body = "back"
        vertices = [4]
        collider = 0
        until = 0.5
    "#;
    let file = tenter::SceneFile::parse(text, "sewn.toml").unwrap();
    let seam = &file.scene.seams[0];
    assert_eq!((&seam.first.1, &seam.second.1), (&vec![0, 3, 6], &vec![6, 3, 0]));
    assert_eq!((seam.distance, seam.weightless, seam.stiffness), (0.01, true, 5.0));
    assert_eq!(file.scene.ties.len(), 1);
    assert_eq!((file.scene.pins[0].carrier, file.scene.pins[0].until), (Some(ColliderId(0)), Some(0.5)));
    for (right, wrong, message) in [
        ("[6, 3, 0]", "[6, 3]", "sewn.toml:23: seam[0].second.vertices: 2 vertices, but there are 3"),
        ("collider = 0", "collider = 1", "sewn.toml:30: attach[0].collider: must be a whole number from 0 to 0"),
        ("distance = 0.01", "distance = -1", "sewn.toml:24: seam[0].distance: must be positive"),
        ("first = { body = \"front\", vertices = [1] }", "", "tie[0].first: is missing"),
    ] {
        assert!(text.contains(right), "{right}");
        let error = tenter::SceneFile::parse(&text.replace(right, wrong), "sewn.toml").unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}
