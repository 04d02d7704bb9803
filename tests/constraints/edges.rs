//! Edges and triangles against colliders, between their particles.

use crate::common::{backends, deepest};
use glam::{DVec3, Vec3};
use tenter::{
    Backend, Body, Collider, DeformingMesh, Integrator, KeyFrame, Material, Mesh, MeshFrame, Options, Pose, Scene,
    Shape, Simulation, StepRecord,
};

/// Depth of a point below the surface of a box about a centre, m.
fn in_box(centre: DVec3, half: DVec3) -> impl Fn(DVec3) -> f64 + Copy {
    move |x| {
        let q = (x - centre).abs() - half;
        -(q.max(DVec3::ZERO).length() + q.max_element().min(0.0))
    }
}

/// A square cloth of cells, at a height.
fn square(side: f32, cells: u32, height: f32) -> Body {
    let mesh = Mesh::grid(side, side, cells + 1, cells + 1).translated(height * Vec3::Y);
    Body::cloth(mesh, Material::cotton())
}

/// A run with the largest depth after any step, m.
struct Run {
    deepest: f64,
    positions: Vec<DVec3>,
    records: Vec<StepRecord>,
}

fn run(backend: Backend, scene: &Scene, options: Options, steps: usize, depth: impl Fn(f64, DVec3) -> f64) -> Run {
    let mut simulation = Simulation::new(backend, scene, options).unwrap();
    let (mut most, mut positions) = (f64::NEG_INFINITY, Vec::new());
    let mesh = &scene.bodies[0].mesh;
    for _ in 0..steps {
        simulation.step().unwrap();
        positions = simulation.positions_f64().unwrap();
        let time = simulation.time();
        most = most.max(deepest(mesh, &positions, |x| depth(time, x)));
    }
    Run { deepest: most, positions, records: simulation.take_records() }
}

/// A coarse cloth over a box smaller than three of its cells.
fn over_box() -> (Scene, impl Fn(DVec3) -> f64 + Copy) {
    let mut scene = Scene::new();
    scene.add(square(0.6, 6, 0.22));
    let (centre, half) = (Vec3::new(0.02, 0.1, 0.01), Vec3::new(0.13, 0.1, 0.13));
    scene.add_collider(Collider::cuboid(centre, half));
    (scene, in_box(centre.as_dvec3(), half.as_dvec3()))
}

#[test]
fn a_coarse_cloth_over_the_edges_of_a_box() {
    for (name, backend) in backends() {
        let (mut scene, depth) = over_box();
        let with = run(backend.clone(), &scene, Options::default(), 60, |_, x| depth(x));
        scene.colliders[0].edges = false;
        let without = run(backend, &scene, Options::default(), 60, |_, x| depth(x));
        println!("{name}: {:.5} m, without {:.5} m", with.deepest, without.deepest);
        assert!(with.deepest < 0.0025, "{name}: {}", with.deepest);
        assert!(without.deepest > 0.02, "{name}: {}", without.deepest);
        assert!(with.records.iter().any(|record| record.meeting.is_some_and(|meeting| meeting.active > 4)));
        assert!(without.records.iter().all(|record| record.meeting.is_none()));
    }
}

#[test]
fn both_backends_agree() {
    let (scene, depth) = over_box();
    let run = |backend: Backend, steps: usize| run(backend, &scene, Options::default(), steps, |_, x| depth(x));
    for (steps, most) in [(4, 1e-5), (8, 1e-3)] {
        let [gpu, cpu] = backends().map(|(_, backend)| run(backend, steps));
        let apart = gpu.positions.iter().zip(&cpu.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        let active = gpu.records.iter().filter_map(|record| record.meeting).map(|meeting| meeting.active).max();
        println!("{apart:.2e} m apart after {steps} steps, {active:?} struts");
        assert!(apart < most, "{apart}");
    }
    // Bits repeat.
    let [again, _] = backends().map(|(_, backend)| run(backend, 25));
    let [first, _] = backends().map(|(_, backend)| run(backend, 25));
    assert_eq!(again.positions, first.positions);
    assert!(first.records.iter().any(|record| record.meeting.is_some_and(|meeting| meeting.active > 4)));
}

#[test]
fn other_integrators_and_time_steps() {
    for (integrator, time_step) in [
        (Integrator::Bdf2, 0.01),
        (Integrator::ImplicitMidpoint, 0.01),
        (Integrator::ImplicitEuler, 0.03),
        (Integrator::ImplicitEuler, 0.002),
    ] {
        let (scene, depth) = over_box();
        let options = Options { integrator, time_step, ..Default::default() };
        let run = run(Backend::Cpu, &scene, options, (0.5 / time_step) as usize, |_, x| depth(x));
        println!("{integrator:?} {time_step}: {:.5} m", run.deepest);
        assert!(run.deepest < 0.0025, "{integrator:?} {time_step}: {}", run.deepest);
    }
}

#[test]
fn a_fast_cloth_does_not_pass_a_thin_bar() {
    let (centre, half) = (Vec3::new(0.013, 0.0, 0.0), Vec3::new(0.004, 0.004, 0.5));
    let mut scene = Scene::new();
    let mut body = square(0.6, 6, 0.2);
    body.velocity = -5.0 * Vec3::Y;
    scene.add(body);
    scene.add_collider(Collider::cuboid(centre, half));
    let lowest = |edges: bool| {
        scene.colliders[0].edges = edges;
        let run =
            run(Backend::Cpu, &scene, Options::default(), 8, |_, x| in_box(centre.as_dvec3(), half.as_dvec3())(x));
        let middle = run.positions[3 * 7 + 3].y.max(run.positions[3 * 7 + 4].y);
        (run.deepest, middle)
    };
    let mut lowest = lowest;
    let (deepest, middle) = lowest(true);
    println!("{deepest:.5} m, {middle:.3} m high");
    assert!(deepest < 0.0025 && middle > -0.05, "{deepest} {middle}");
    let (_, without) = lowest(false);
    assert!(without < -0.1, "{without}");
}

/// A strip over a bar between its particles: held by friction up to Euler's e^(μ π), not without.
#[test]
fn friction_on_an_edge() {
    let slid = |friction: f32| {
        let mut scene = Scene::new();
        let mesh = Mesh::grid(0.8, 0.1, 9, 2).translated(Vec3::new(0.06, 0.0, 0.0));
        let body = scene.add(Body::cloth(mesh, Material::cotton()));
        let bar = Collider::cuboid([0.0, -0.016, 0.0], [0.01, 0.01, 0.2]);
        scene.add_collider(Collider { friction, ..bar });
        let _ = body;
        let run = run(Backend::Cpu, &scene, Options::default(), 120, |_, _| -1.0);
        let long = run.positions[8];
        let short = run.positions[0];
        // The longer side hangs lower by twice the offset at first.
        short.y - long.y
    };
    let (rough, smooth) = (slid(0.6), slid(0.0));
    println!("{rough:.3} m with friction, {smooth:.3} m without");
    assert!((0.05..0.2).contains(&rough), "{rough}");
    assert!(smooth > 0.4, "{smooth}");
}

#[test]
fn a_moving_box_carries_a_cloth_on_its_corners() {
    // Narrower than a cell: no particle touches it.
    let half = Vec3::new(0.03, 0.1, 0.03);
    let at = |time: f64| {
        let share = (time / 0.5).clamp(0.0, 1.0) as f32;
        Vec3::new(0.012, -0.1, 0.014) + share * Vec3::new(0.0, 0.2, 0.0)
    };
    let frame = |time: f64| KeyFrame { time, pose: Pose { position: at(time), ..Pose::default() } };
    let mut scene = Scene::new();
    scene.add(square(0.3, 2, 0.006));
    scene.add_collider(Collider {
        friction: 0.8,
        ..Collider::cuboid(Vec3::ZERO, half).moving([frame(0.0), frame(0.5)])
    });
    let depth = |time: f64, x: DVec3| in_box(at(time).as_dvec3(), half.as_dvec3())(x);
    for (name, backend) in backends() {
        let run = run(backend, &scene, Options::default(), 60, depth);
        let highest = run.positions.iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max);
        println!("{name}: {:.5} m, {highest:.3} m high", run.deepest);
        assert!(run.deepest < 0.0025 && highest > 0.15, "{name}: {} {highest}", run.deepest);
    }
}

/// A cone with its tip on top, as a closed mesh, and the depth of a point in it.
fn cone(radius: f32, height: f32, sides: u32) -> (Mesh, impl Fn(DVec3) -> f64 + Clone) {
    let angle = |ix: u32| std::f32::consts::TAU * (ix % sides) as f32 / sides as f32;
    let mut positions: Vec<Vec3> =
        (0..sides).map(|ix| radius * Vec3::new(angle(ix).cos(), 0.0, angle(ix).sin())).collect();
    positions.extend([height * Vec3::Y, Vec3::ZERO]);
    let side = |ix: u32| [(ix + 1) % sides, ix, sides];
    let base = |ix: u32| [ix, (ix + 1) % sides, sides + 1];
    let triangles: Vec<[u32; 3]> = (0..sides).map(side).chain((0..sides).map(base)).collect();
    let mesh = Mesh::from_triangles(positions, triangles);
    let planes: Vec<(DVec3, DVec3)> = mesh
        .triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|v| mesh.positions[v as usize].as_dvec3());
            (a, (b - a).cross(c - a).normalize())
        })
        .collect();
    let depth = move |x: DVec3| -planes.iter().map(|(a, n)| n.dot(x - *a)).fold(f64::NEG_INFINITY, f64::max);
    (mesh, depth)
}

#[test]
fn the_tip_of_a_cone_does_not_come_through() {
    let (surface, depth) = cone(0.12, 0.25, 24);
    let pose = Pose { position: Vec3::new(0.03, -0.26, 0.045), ..Pose::default() };
    let mut scene = Scene::new();
    scene.add(square(0.6, 6, 0.0));
    scene.add_collider(Collider::fixed(Shape::Mesh { surface, cells: 64 }, pose));
    let inside = |_: f64, x: DVec3| depth(x - pose.position.as_dvec3());
    let with = run(Backend::Cpu, &scene, Options::default(), 50, inside);
    scene.colliders[0].edges = false;
    let without = run(Backend::Cpu, &scene, Options::default(), 50, inside);
    println!("{:.5} m, without {:.5} m", with.deepest, without.deepest);
    assert!(with.deepest < 0.0025 && without.deepest > 0.01, "{} {}", with.deepest, without.deepest);
}

#[test]
fn features_that_lie_flat_need_nothing() {
    let mut scene = Scene::new();
    scene.add(square(0.3, 10, 0.006));
    scene.add_collider(Collider::cuboid([0.0, -0.1, 0.0], [0.4, 0.1, 0.4]));
    scene.add_collider(Collider::sphere([0.0, -5.0, 0.0], 4.9));
    let run = run(Backend::Cpu, &scene, Options::default(), 20, |_, _| -1.0);
    assert!(run.records.iter().all(|record| record.meeting.is_none() && record.contacts > 0 || record.step < 3));
}

/// A ball of rings and sectors about the origin.
fn ball(radius: f32) -> Mesh {
    let (rings, around) = (16u32, 24u32);
    let point = |ring: u32, ix: u32| {
        let (up, along) =
            (std::f32::consts::PI * ring as f32 / rings as f32, std::f32::consts::TAU * ix as f32 / around as f32);
        radius * Vec3::new(up.sin() * along.cos(), up.cos(), up.sin() * along.sin())
    };
    let mut positions: Vec<Vec3> =
        (1..rings).flat_map(|ring| (0..around).map(move |ix| (ring, ix))).map(|(ring, ix)| point(ring, ix)).collect();
    positions.extend([radius * Vec3::Y, radius * Vec3::NEG_Y]);
    let at = |ring: u32, ix: u32| (ring - 1) * around + ix % around;
    let poles = [(rings - 1) * around, (rings - 1) * around + 1];
    let mut triangles = Vec::new();
    for ix in 0..around {
        triangles.push([poles[0], at(1, ix + 1), at(1, ix)]);
        triangles.push([poles[1], at(rings - 1, ix), at(rings - 1, ix + 1)]);
        for ring in 1..rings - 1 {
            triangles.push([at(ring, ix), at(ring, ix + 1), at(ring + 1, ix + 1)]);
            triangles.push([at(ring, ix), at(ring + 1, ix + 1), at(ring + 1, ix)]);
        }
    }
    Mesh::from_triangles(positions, triangles)
}

/// A ball that swells and moves sideways carries a cloth along.
#[test]
fn a_deforming_collider_carries_a_cloth() {
    let at = |time: f64| {
        let share = (time / 0.4).clamp(0.0, 1.0);
        (0.08 + 0.03 * share, DVec3::new(0.1 * share, -0.09, 0.0))
    };
    let frame = |time: f64| {
        let (radius, centre) = at(time);
        let positions = ball(radius as f32).positions.iter().map(|x| *x + centre.as_vec3()).collect();
        MeshFrame { time, positions }
    };
    let figure = DeformingMesh { triangles: ball(1.0).triangles, frames: vec![frame(0.0), frame(0.2), frame(0.4)] };
    let mut scene = Scene::new();
    scene.add(square(0.3, 10, 0.0));
    let collider = Collider::fixed(Shape::Deforming(figure), Pose::default());
    scene.add_collider(Collider { friction: 0.8, ..collider });
    let depth = |time: f64, x: DVec3| {
        let (radius, centre) = at(time);
        radius - x.distance(centre)
    };
    for (name, backend) in backends() {
        let run = run(backend, &scene, Options::default(), 45, depth);
        let middle = run.positions.iter().sum::<DVec3>() / run.positions.len() as f64;
        let highest = run.positions.iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max);
        println!("{name}: {:.5} m, middle {middle}, {highest:.3} m high", run.deepest);
        assert!(run.deepest < 0.0025 && middle.x > 0.06, "{name}: {} {middle}", run.deepest);
        assert!((0.015..0.03).contains(&highest), "{name}: {highest}");
    }
}

/// The same motion by key frames of the pose and by key frames of the vertices.
#[test]
fn moving_vertices_are_as_good_as_a_moving_pose() {
    let way = Vec3::new(0.05, 0.08, 0.0);
    let end = |figure: bool| {
        let surface = ball(0.1);
        let pose = |time: f64| KeyFrame {
            time,
            pose: Pose { position: Vec3::new(0.0, -0.11, 0.0) + way * (time / 0.3) as f32, ..Pose::default() },
        };
        let collider = if figure {
            let frame = |time: f64| MeshFrame {
                time,
                positions: surface.positions.iter().map(|x| *x + pose(time).pose.position).collect(),
            };
            let mesh = DeformingMesh { triangles: surface.triangles.clone(), frames: vec![frame(0.0), frame(0.3)] };
            Collider::fixed(Shape::Deforming(mesh), Pose::default())
        } else {
            Collider::fixed(Shape::Mesh { surface, cells: 96 }, Pose::default()).moving([pose(0.0), pose(0.3)])
        };
        let mut scene = Scene::new();
        scene.add(square(0.3, 10, 0.0));
        scene.add_collider(collider);
        run(Backend::Cpu, &scene, Options::default(), 30, |_, _| -1.0).positions
    };
    let (figure, rigid) = (end(true), end(false));
    let apart = figure.iter().zip(&rigid).map(|(a, b)| a.distance(*b)).sum::<f64>() / figure.len() as f64;
    println!("{apart:.5} m apart on average");
    assert!(apart < 0.01, "{apart}");
}
