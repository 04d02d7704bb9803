//! Skins: fine surfaces on coarse bodies. They move as their bodies do, on every backend alike.

use crate::common::{backends, gpu, largest_distance, run, small_device};
use glam::{DVec3, Mat3, Quat, Vec3, Vec3Swizzles};
use tenter::{
    Backend, Body, BodyId, Error, Gpu, GpuOptions, Launch, Mass, Material, Mesh, Options, Scene, Simulation, Spring,
    Vertices,
    internals::{body_id, reference},
};

/// Every way to compute them.
fn ways() -> Vec<(String, Backend)> {
    let launched = |launch| Gpu::with_options(GpuOptions { launch: Some(launch), ..Default::default() }).unwrap();
    let mut ways = vec![("cpu".to_owned(), Backend::Cpu)];
    ways.extend(Launch::ALL.map(|launch| (format!("gpu, {launch:?}"), Backend::from(&launched(launch)))));
    ways
}

/// A ball of so many rings, seen from outside.
fn ball(radius: f32, rings: u32) -> Mesh {
    let columns = 2 * rings;
    let mut positions = vec![Vec3::Y * radius];
    for ring in 1..rings {
        let (y, r) = (std::f32::consts::PI * ring as f32 / rings as f32).sin_cos();
        for column in 0..columns {
            let (s, c) = (std::f32::consts::TAU * column as f32 / columns as f32).sin_cos();
            positions.push(radius * Vec3::new(y * s, r, y * c));
        }
    }
    positions.push(-Vec3::Y * radius);
    let last = positions.len() as u32 - 1;
    let at = |ring: u32, column: u32| 1 + (ring - 1) * columns + column % columns;
    let mut triangles = Vec::new();
    for column in 0..columns {
        triangles.push([0, at(1, column), at(1, column + 1)]);
        triangles.push([last, at(rings - 1, column + 1), at(rings - 1, column)]);
        for ring in 2..rings {
            let [a, b] = [at(ring - 1, column), at(ring - 1, column + 1)];
            let [c, d] = [at(ring, column), at(ring, column + 1)];
            triangles.extend([[a, c, d], [a, d, b]]);
        }
    }
    Mesh::from_triangles(positions, triangles)
}

/// A fine sheet with waves, partly above and partly below the plane, and wider than the body.
fn waves(n: u32, width: f32) -> Mesh {
    let mut mesh = Mesh::grid(width, width, n, n);
    mesh.positions.iter_mut().for_each(|p| p.y = 0.05 * (9.0 * p.x).sin() * (7.0 * p.z).cos());
    mesh
}

fn loose() -> Material {
    Material::loose(Mass::Total(1.0))
}

/// A block in a ball that is partly outside it, and a sheet with waves; between them a body without a skin.
fn scene() -> (Scene, [BodyId; 2]) {
    let mut scene = Scene::new();
    let block = scene.add(Body::solid(Mesh::block(Vec3::ONE, [4, 3, 5]), loose()).with_skin(ball(0.6, 12)));
    scene.add(Body::chain(Mesh::chain(Vec3::ZERO, Vec3::X, 3), loose()));
    let sheet = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 5, 4), loose()).with_skin(waves(20, 1.1)));
    (scene, [block, sheet])
}

/// Normals by hand, triangle by triangle.
fn normals(mesh: &Mesh, positions: &[DVec3]) -> Vec<DVec3> {
    let mut sums = vec![DVec3::ZERO; positions.len()];
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
        triangle.iter().for_each(|&vertex| sums[vertex as usize] += (b - a).cross(c - a));
    }
    sums.into_iter().map(DVec3::normalize_or_zero).collect()
}

fn exact(values: &[Vec3]) -> Vec<DVec3> {
    values.iter().map(|value| value.as_dvec3()).collect()
}

/// Puts every particle where a map says.
fn deform(simulation: &mut Simulation, scene: &Scene, map: impl Fn(Vec3) -> Vec3) {
    let positions: Vec<Vec3> = scene.bodies.iter().flat_map(|body| &body.mesh.positions).map(|p| map(*p)).collect();
    simulation.set_positions(&positions).unwrap();
}

#[test]
fn a_rigid_motion_moves_them_rigidly() {
    let (scene, bodies) = scene();
    let (turn, shift) = (Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 2.0), Vec3::new(3.0, -1.0, 2.0));
    for (name, backend) in ways() {
        let mut simulation = Simulation::new(backend, &scene, Options::default()).unwrap();
        for moved in [false, true] {
            if moved {
                deform(&mut simulation, &scene, |p| turn * p + shift);
            }
            let place = |p: &DVec3| if moved { turn.as_dquat() * *p + shift.as_dvec3() } else { *p };
            let direction = |n: &DVec3| if moved { turn.as_dquat() * *n } else { *n };
            for body in bodies {
                let skin = scene.bodies[body.index()].skin.as_ref().unwrap();
                let at_rest = exact(&skin.positions);
                let expected: Vec<DVec3> = at_rest.iter().map(place).collect();
                let found = exact(&simulation.skin_positions(body).unwrap());
                let worst = largest_distance(&found, &expected);
                assert!(worst < 2e-6, "{name} {moved}: {worst}");
                let expected: Vec<DVec3> = normals(skin, &at_rest).iter().map(direction).collect();
                let found = exact(&simulation.skin_normals(body).unwrap());
                let worst = largest_distance(&found, &expected);
                assert!(worst < 1e-4, "{name} {moved}: {worst}");
                assert!(found.iter().all(|normal| (normal.length() - 1.0).abs() < 1e-6));
            }
        }
    }
}

/// Stretched, sheared and turned over; in binary fractions, so that the particles are where it says to the bit.
const AFFINE: Mat3 =
    Mat3::from_cols(Vec3::new(1.5, 0.25, -0.5), Vec3::new(0.125, -0.75, 0.0), Vec3::new(0.5, 0.25, 2.0));

#[test]
fn an_affine_deformation_of_a_solid_is_one_of_its_skin() {
    let mut scene = Scene::new();
    let ball = ball(0.7, 16);
    let block = Mesh::block(Vec3::ONE, [5, 5, 5]);
    let body = scene.add(Body::cloth(block.clone(), loose()).with_skin(ball.clone()));
    let outside = ball.positions.iter().filter(|p| p.abs().max_element() > 0.5).count();
    assert!(outside > 50 && outside < ball.positions.len());
    let shift = Vec3::new(2.0, 0.5, -1.0);
    let map = AFFINE.as_dmat3();
    let expected: Vec<DVec3> = ball.positions.iter().map(|p| map * p.as_dvec3() + shift.as_dvec3()).collect();
    for (name, backend) in ways() {
        let bound = if matches!(backend, Backend::Cpu) { 3e-7 } else { 2e-6 };
        let mut simulation = Simulation::new(backend, &scene, Options::default()).unwrap();
        deform(&mut simulation, &scene, |p| AFFINE * p + shift);
        let worst = largest_distance(&exact(&simulation.skin_positions(body).unwrap()), &expected);
        assert!(worst < bound, "{name}: {worst}");
        // In f64 it is exact.
        let corners: Vec<DVec3> = block.positions.iter().map(|p| map * p.as_dvec3() + shift.as_dvec3()).collect();
        let points = &simulation.topology().skins.points;
        let worst = largest_distance(&reference::skin::place(points, &corners), &expected);
        assert!(worst < 1e-13, "{worst}");
        // What is not affine is not.
        let bent: Vec<DVec3> = corners.iter().map(|p| *p + DVec3::X * p.y * p.y).collect();
        let bent_skin: Vec<DVec3> = expected.iter().map(|p| *p + DVec3::X * p.y * p.y).collect();
        assert!(largest_distance(&reference::skin::place(points, &bent), &bent_skin) > 1e-3);
        // Nor are other weights the right ones.
        let mut wrong = points.clone();
        wrong.iter_mut().for_each(|point| point.weights = point.weights.zxy());
        assert!(largest_distance(&reference::skin::place(&wrong, &corners), &expected) > 0.1);
    }
}

#[test]
fn a_sheet_stretched_in_its_plane_keeps_what_is_above_it() {
    let mut scene = Scene::new();
    let skin = waves(24, 1.2);
    let body = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 5, 9), loose()).with_skin(skin.clone()));
    // Stretched, sheared, and mirrored or not: then its normal turns over.
    for (x, sign) in [(1.5, 1.0), (-1.5, -1.0)] {
        let map = Mat3::from_cols(Vec3::new(x, 0.0, 0.25), Vec3::Y, Vec3::new(0.5, 0.0, 0.75));
        let expected: Vec<DVec3> = exact(&skin.positions)
            .iter()
            .map(|p| map.as_dmat3() * DVec3::new(p.x, 0.0, p.z) + DVec3::Y * sign * p.y)
            .collect();
        for (name, backend) in ways() {
            let mut simulation = Simulation::new(backend, &scene, Options::default()).unwrap();
            deform(&mut simulation, &scene, |p| map * p);
            let worst = largest_distance(&exact(&simulation.skin_positions(body).unwrap()), &expected);
            assert!(worst < 1e-6, "{name}: {worst}");
        }
    }
}

/// A soft block that falls on its side, and a cloth that hangs.
fn moving() -> (Scene, [BodyId; 2]) {
    let soft = Material { structural: Spring::new(40.0).damped(0.05), ..Material::loose(Mass::Volume(100.0)) };
    let cloth = Material { structural: Spring::new(60.0), ..Material::loose(Mass::Total(0.2)) };
    let mut scene = Scene::new();
    let block = scene.add(Body::solid(Mesh::block(Vec3::splat(0.5), [4, 4, 4]), soft).with_skin(ball(0.3, 20)));
    let sheet = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 9, 9), cloth).with_skin(waves(40, 1.0)));
    scene.pin(block, Vertices::List(vec![0, 1, 2, 3]));
    scene.pin(sheet, Vertices::corners());
    (scene, [block, sheet])
}

#[test]
fn the_gpu_does_as_its_twin() {
    let (scene, bodies) = moving();
    for (name, backend) in ways() {
        let on_cpu = matches!(backend, Backend::Cpu);
        let mut simulation = Simulation::new(backend, &scene, Options::default()).unwrap();
        run(&mut simulation, 30);
        let particles = simulation.positions_f64().unwrap();
        let skins = simulation.topology().skins.clone();
        let placed = reference::skin::place(&skins.points, &particles);
        let turned = reference::skin::normals(&skins.fans, &placed);
        for body in bodies {
            let range = simulation.skin_range(body).unwrap();
            let rest = exact(&scene.bodies[body.index()].skin.as_ref().unwrap().positions);
            assert!(largest_distance(&rest, &placed[range.clone()]) > 0.05, "nothing has moved");
            let found = exact(&simulation.skin_positions(body).unwrap());
            let worst = largest_distance(&found, &placed[range.clone()]);
            assert!(worst < if on_cpu { 1e-7 } else { 5e-7 }, "{name}: {worst}");
            let found = exact(&simulation.skin_normals(body).unwrap());
            let worst = largest_distance(&found, &turned[range.clone()]);
            assert!(worst < if on_cpu { 1e-6 } else { 1e-4 }, "{name}: {worst}");
            // A twin that takes the particles in another order is noticed.
            let mut wrong = skins.points.clone();
            wrong.iter_mut().for_each(|point| point.particles.swap(0, 1));
            let wrong = reference::skin::place(&wrong[range.clone()], &particles);
            assert!(largest_distance(&wrong, &placed[range]) > 1e-2);
        }
    }
}

#[test]
fn they_do_nothing_to_their_bodies() {
    let (scene, _) = moving();
    let mut bare = scene.clone();
    bare.bodies.iter_mut().for_each(|body| body.skin = None);
    for (name, backend) in backends() {
        let mut with = Simulation::new(backend.clone(), &scene, Options::default()).unwrap();
        let mut without = Simulation::new(backend, &bare, Options::default()).unwrap();
        for step in 0..10 {
            run(&mut with, 1);
            run(&mut without, 1);
            if step % 3 == 0 {
                with.skin_normals(body_id(0)).unwrap();
            }
        }
        assert_eq!(with.positions().unwrap(), without.positions().unwrap(), "{name}");
        assert_eq!(with.costs().dispatches, without.costs().dispatches);
    }
}

/// Copies a buffer of vec4 in the encoder, submits, and reads it.
fn read(simulation: &Simulation, mut encoder: wgpu::CommandEncoder, source: &wgpu::Buffer) -> Vec<[f32; 4]> {
    let gpu = simulation.gpu().unwrap();
    let target = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: source.size(),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    encoder.copy_buffer_to_buffer(source, 0, &target, 0, source.size());
    gpu.queue().submit([encoder.finish()]);
    target.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
    gpu.device().poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let bytes = target.get_mapped_range(..).unwrap().to_vec();
    bytes.chunks_exact(16).map(bytemuck::pod_read_unaligned).collect()
}

#[test]
fn a_host_draws_them_from_their_buffers() {
    let (scene, bodies) = moving();
    let gpu = gpu();
    let mut simulation = Simulation::new(&gpu, &scene, Options::default()).unwrap();
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    for _ in 0..5 {
        simulation.encode_step(&mut encoder).unwrap();
    }
    // In the same submission as the steps.
    simulation.encode_skins(&mut encoder).unwrap();
    let placed = read(&simulation, encoder, simulation.skin_buffer().unwrap());
    let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE;
    for buffer in [simulation.skin_buffer().unwrap(), simulation.skin_normal_buffer().unwrap()] {
        assert!(buffer.usage().contains(usage));
    }
    let encoder = gpu.device().create_command_encoder(&Default::default());
    let turned = read(&simulation, encoder, simulation.skin_normal_buffer().unwrap());
    let mut count = 0;
    for body in bodies {
        let range = simulation.skin_range(body).unwrap();
        assert_eq!(range.start, count);
        count = range.end;
        let four = |values: Vec<Vec3>, w: f32| values.into_iter().map(|v| v.extend(w).to_array()).collect::<Vec<_>>();
        assert_eq!(placed[range.clone()], four(simulation.skin_positions(body).unwrap(), 1.0));
        assert_eq!(turned[range], four(simulation.skin_normals(body).unwrap(), 0.0));
    }
    assert_eq!(placed.len(), count);
}

#[test]
fn what_is_not_there_is_named() {
    let (scene, [block, _]) = scene();
    for (name, backend) in backends() {
        let mut simulation = Simulation::new(backend, &scene, Options::default()).unwrap();
        for (body, expected) in [(body_id(1), "body 1 has no skin"), (body_id(7), "there is no body 7")] {
            for result in [simulation.skin_positions(body), simulation.skin_normals(body)] {
                assert!(matches!(result, Err(Error::Usage(text)) if text == expected), "{name}");
            }
            assert!(simulation.skin_range(body).is_err());
        }
        assert_eq!(simulation.skin_buffer().is_ok(), name == "gpu");
        assert_eq!(simulation.skin_normal_buffer().is_ok(), name == "gpu");
    }
    let gpu = gpu();
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    let mut on_cpu = Simulation::new(Backend::Cpu, &scene, Options::default()).unwrap();
    assert!(matches!(on_cpu.encode_skins(&mut encoder), Err(Error::Usage(_))));
    let mut bare = scene.clone();
    bare.bodies.iter_mut().for_each(|body| body.skin = None);
    let mut bare = Simulation::new(&gpu, &bare, Options::default()).unwrap();
    assert!(bare.encode_skins(&mut encoder).is_err() && bare.skin_buffer().is_err());
    assert!(matches!(bare.skin_positions(block), Err(Error::Usage(_))));
}

#[test]
fn wrong_skins_are_refused() {
    let cases = [
        (Mesh::default(), "no vertices"),
        (Mesh::points(vec![Vec3::X * 5.0]), "from the body"),
        (Mesh::points(vec![Vec3::splat(f32::INFINITY)]), "not finite"),
        (Mesh::from_triangles(vec![Vec3::ZERO], vec![[0, 0, 1]]), "out of range"),
    ];
    for (skin, expected) in cases {
        let (mut scene, [_, sheet]) = scene();
        scene.bodies[sheet.index()].skin = Some(skin);
        let field = format!("body[{}].skin", sheet.index());
        for result in [
            Simulation::check(&scene, &Options::default()),
            Simulation::new(Backend::Cpu, &scene, Options::default()).map(|_| ()),
        ] {
            match result {
                Err(Error::Scene { field: found, message }) => {
                    assert!(found == field && message.contains(expected), "{found}: {message}");
                }
                other => panic!("{expected}: {other:?}"),
            }
        }
    }
}

/// A hub with n triangles around it.
fn fan(n: u32) -> Mesh {
    let mut positions = vec![Vec3::ZERO];
    positions.extend((0..n).map(|ix| {
        let (s, c) = (std::f32::consts::TAU * ix as f32 / n as f32).sin_cos();
        0.4 * Vec3::new(s, 0.5, c)
    }));
    Mesh::from_triangles(positions, (0..n).map(|ix| [0, 1 + ix, 1 + (ix + 1) % n]).collect())
}

/// Software drivers end long loops without a word: a skin is computed rightly, or refused.
#[test]
fn a_hub_of_many_triangles_is_right_or_refused() {
    let mut right = Vec::new();
    for n in [100, 20_000, 50_000, 70_000] {
        let mut scene = Scene::new();
        let skin = fan(n);
        let body = scene.add(Body::solid(Mesh::block(Vec3::ONE, [2, 2, 2]), loose()).with_skin(skin.clone()));
        let mut simulation = match Simulation::new(&gpu(), &scene, Options::default()) {
            Err(Error::Limit { what, .. }) => {
                assert!(what.contains("skin"), "{what}");
                continue;
            }
            other => other.unwrap(),
        };
        let found = exact(&simulation.skin_normals(body).unwrap());
        // By symmetry, and seen from above.
        assert!(found[0].distance(DVec3::Y) < 1e-3, "{n}: {}", found[0]);
        let expected = normals(&skin, &exact(&skin.positions));
        assert!(found[n as usize / 2].distance(expected[n as usize / 2]) < 0.05, "{n}");
        right.push(n);
    }
    assert!(right.contains(&50_000), "{right:?}");
    assert!(!gpu().is_software() || !right.contains(&70_000), "{right:?}");
}

#[test]
fn a_skin_that_does_not_fit_is_refused_by_name() {
    let mut scene = Scene::new();
    scene.add(Body::solid(Mesh::block(Vec3::ONE, [2, 2, 2]), loose()).with_skin(waves(200, 1.0)));
    match Simulation::new(&small_device(1 << 20), &scene, Options::default()) {
        Err(Error::Limit { what, needs, .. }) => assert!(what.contains("skin_") && needs > 1 << 20, "{what} {needs}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("40 000 vertices of 32 bytes fit into a MiB"),
    }
    // The same on a device that may have larger limits.
    Simulation::new(&gpu(), &scene, Options::default()).unwrap();
}
