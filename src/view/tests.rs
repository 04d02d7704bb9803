//! What a view draws and finds, against the f64 twins.

use super::*;
use crate::{Body, Collider, ColliderId, Gpu, Material, Mesh, Options, Scene, Simulation, Vertices, gpu::wait};
use glam::{Quat, Vec2, Vec3};
use std::time::Duration;

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

fn gpu() -> Gpu {
    Gpu::headless().unwrap()
}

fn draped() -> Scene {
    let mut scene = Scene::new();
    let mesh = Mesh::grid(1.0, 0.8, 9, 7).rotated(Quat::from_rotation_x(0.7)).translated(Vec3::new(0.1, 0.6, 0.0));
    let cloth = scene.add(Body::cloth(mesh, Material::cotton()));
    scene.pin(cloth, Vertices::corners());
    scene.add(Body::solid(Mesh::block(Vec3::splat(0.2), [3, 3, 3]).translated(0.1 * Vec3::X), Material::jelly()));
    scene.add_collider(Collider::sphere([-0.5, 0.1, 0.2], 0.15));
    scene.add_collider(Collider::plane([0.0, -0.3, 0.0], Vec3::Y));
    scene
}

/// The places of all vertices, submitted and read back.
fn update(view: &mut View, orbit: &Orbit) -> [Vec<[f32; 4]>; 2] {
    view.look(orbit, 80, 60).unwrap();
    let gpu = view.gpu().clone();
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    view.encode_update(&mut encoder);
    view.encode_shadow(&mut encoder);
    gpu.queue().submit([encoder.finish()]);
    [view.vertex_buffer(), view.normal_buffer()].map(|buffer| {
        let buffer = buffer.unwrap();
        let mut readback = crate::gpu::Readback::new(&gpu, "test", buffer.size()).unwrap();
        let fetch = readback.fetch(&gpu, buffer, 0, |_| {}, "a test");
        let bytes = wait::drive(Duration::from_secs(60), fetch).unwrap();
        bytes.chunks_exact(16).map(bytemuck::pod_read_unaligned).collect()
    })
}

fn pick(view: &mut View, ray: Ray) -> Option<Pick> {
    view.pick(ray).unwrap();
    loop {
        view.gpu().poll().unwrap();
        if let Some(answer) = view.picked().unwrap() {
            return answer;
        }
    }
}

#[test]
fn rays_hit_the_triangles_and_weights_of_the_twin() {
    let scene = draped();
    let mut view = View::new(&gpu(), &scene, FORMAT, 1).unwrap();
    let orbit = Orbit::framing(view.bounds());
    let [vertices, _] = update(&mut view, &orbit);
    let triangles = scene.triangles();
    let place = |ix: u32| Vec3::from_slice(&vertices[ix as usize]).as_dvec3();
    let (mut hits, mut misses, mut colliders) = (0, 0, 0);
    for ix in 0..60 {
        let at = Vec2::new((ix % 10) as f32 / 5.0 - 0.93, (ix / 10) as f32 / 3.0 - 0.87);
        let ray = orbit.ray(at, 4.0 / 3.0);
        let expected = ray.nearest(&triangles, place);
        let found = pick(&mut view, ray);
        match (found.map(|it| it.target), expected) {
            (Some(Target::Body { particles, weights }), Some(crossing)) => {
                hits += 1;
                assert_eq!(particles, triangles[crossing.item], "{at}");
                let off = Vec2::new(weights[1], weights[2]).distance(crossing.weights);
                assert!(off < 1e-4, "{at}: weights are {off} off");
                assert!((found.unwrap().distance - crossing.distance as f32).abs() < 1e-4);
                let sum: Vec3 =
                    particles.iter().zip(weights).map(|(&corner, weight)| weight * place(corner).as_vec3()).sum();
                assert!(sum.distance(found.unwrap().place) < 1e-4);
            }
            (Some(Target::Collider(collider)), _) => {
                colliders += 1;
                assert_eq!(collider, ColliderId(0));
                let centre = Vec3::new(-0.5, 0.1, 0.2);
                assert!((found.unwrap().place.distance(centre) - 0.1475).abs() < 2e-3);
            }
            (None, None) => misses += 1,
            other => panic!("{at}: {other:?}"),
        }
    }
    assert!(hits > 8 && misses > 8 && colliders > 0, "{hits} hits, {misses} misses, {colliders} colliders");
    // The control: a ray that is moved by two cells hits something else.
    let ray = orbit.ray(orbit.project(place(31).as_vec3(), 4.0 / 3.0).unwrap(), 4.0 / 3.0);
    let moved = Ray { origin: ray.origin + 0.3 * Vec3::X, ..ray };
    assert_ne!(pick(&mut view, ray).map(|it| it.target), pick(&mut view, moved).map(|it| it.target));
}

#[test]
fn normals_are_those_of_the_triangles_around_each_vertex() {
    let scene = draped();
    let mut view = View::new(&gpu(), &scene, FORMAT, 1).unwrap();
    let [vertices, normals] = update(&mut view, &Orbit::default());
    let places: Vec<_> = vertices.iter().map(|it| Vec3::from_slice(it).as_dvec3()).collect();
    let count = scene.particle_count();
    let fans = crate::topology::Fans::build(count, scene.triangles().into_iter());
    let expected = crate::reference::skin::normals(&fans, &places[..count]);
    let mut largest = 0.0f64;
    for (ix, normal) in expected.iter().enumerate() {
        // A corner of the block's inside has no triangles.
        if fans.row(ix).is_empty() {
            continue;
        }
        largest = largest.max(normal.distance(Vec3::from_slice(&normals[ix]).as_dvec3()));
    }
    assert!(largest < 1e-5, "{largest}");
    // The control: a vertex that moves turns its normal.
    let mut moved = places[..count].to_vec();
    moved[10].y += 0.05;
    assert!(
        crate::reference::skin::normals(&fans, &moved)[10].distance(expected[10]) > 1e-2 || {
            let around = crate::reference::skin::normals(&fans, &moved)[11];
            around.distance(expected[11]) > 1e-2
        }
    );
    // Normals of the ball point outwards.
    let centre = Vec3::new(-0.5, 0.1, 0.2);
    for (place, normal) in
        vertices[count..].iter().zip(&normals[count..]).map(|(a, b)| (Vec3::from_slice(a), Vec3::from_slice(b)))
    {
        assert!((place - centre).normalize().dot(normal) > 0.99);
    }
}

#[test]
fn bounds_follow_the_bodies() {
    let scene = draped();
    let mut view = View::new(&gpu(), &scene, FORMAT, 1).unwrap();
    let before = view.bounds();
    let all: Vec<Vec3> =
        scene.bodies.iter().flat_map(|body| body.start_positions()).map(|place| *place + Vec3::Y).collect();
    view.write_positions(&all).unwrap();
    update(&mut view, &Orbit::default());
    for _ in 0..3 {
        view.survey().unwrap();
        view.gpu().device().poll(wgpu::PollType::wait_indefinitely()).unwrap();
    }
    for (was, is) in before.iter().zip(view.bounds()) {
        assert!((*was + Vec3::Y).distance(is) < 1e-5, "{was} {is}");
    }
}

#[test]
fn a_grip_pulls_with_the_force_of_one_spring() {
    let mut scene = Scene::new();
    scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 41, 41), Material::cotton()));
    scene.gravity = Vec3::ZERO;
    let mut simulation = Simulation::new(crate::Backend::Cpu, &scene, Options::default()).unwrap();
    let corners = [20 * 41 + 20, 20 * 41 + 21, 21 * 41 + 20];
    let target = Target::Body { particles: corners, weights: [0.5, 0.2, 0.3] };
    let mut grip = Grip::new(&scene, &Pick { place: Vec3::ZERO, distance: 1.0, target }, 1.0).unwrap();
    assert!(grip.particles().len() > 3);
    assert!((grip.weights().iter().sum::<f32>() - 1.0).abs() < 1e-5);
    let positions = simulation.positions_of(grip.particles()).unwrap();
    grip.take(&positions);
    let [stiffness, most] = grip.stiffness(&simulation);
    let mass: f64 = simulation.topology().masses.iter().sum();
    for (length, expected) in [(0.3 * most / stiffness, 0.3 * most), (50.0 * most / stiffness, most)] {
        simulation.reset().unwrap();
        let to = grip.place(&positions) + length * Vec3::Y;
        grip.pull(&mut simulation, &positions, to).unwrap();
        simulation.set_time_step(1e-6).unwrap();
        simulation.step_many(1).unwrap();
        let topology = simulation.topology();
        let masses: Vec<f64> = topology.row_of.iter().map(|&row| topology.masses[row as usize]).collect();
        let velocities = simulation.velocities().unwrap();
        let momentum: f64 = velocities.iter().zip(&masses).map(|(v, m)| f64::from(v.y) * m).sum();
        let force = (momentum / 1e-6) as f32;
        assert!((force / expected - 1.0).abs() < 0.02, "{force} N, not {expected} N, on {mass} kg");
        simulation.set_time_step(0.01).unwrap();
    }
    grip.release(&mut simulation).unwrap();
}

#[test]
fn a_pulled_corner_follows_without_tearing_the_cloth() {
    for cells in [9, 33] {
        let mut scene = Scene::new();
        let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, cells, cells), Material::cotton()));
        scene.pin(cloth, Vertices::corners());
        let options = Options { measure: true, ..Default::default() };
        let mut simulation = Simulation::new(crate::Backend::Cpu, &scene, options).unwrap();
        let last = cells * cells - 1;
        let target = Target::Body { particles: [last, last - 1, last - cells], weights: [0.9, 0.05, 0.05] };
        let mut grip = Grip::new(&scene, &Pick { place: Vec3::ZERO, distance: 1.0, target }, 1.0).unwrap();
        let positions = simulation.positions_of(grip.particles()).unwrap();
        grip.take(&positions);
        let start = grip.place(&positions);
        let mut strain = 0.0f64;
        for step in 0..40 {
            let positions = simulation.positions_of(grip.particles()).unwrap();
            let to = start + (step.min(20) as f32 / 20.0) * Vec3::new(-0.1, 0.25, -0.2);
            grip.pull(&mut simulation, &positions, to).unwrap();
            simulation.step().unwrap();
            let measures = simulation.finish().unwrap().unwrap().measures.unwrap();
            strain = strain.max(measures.largest_strain);
        }
        let at = grip.place(&simulation.positions_of(grip.particles()).unwrap());
        let off = at.distance(start + Vec3::new(-0.1, 0.25, -0.2));
        assert!(off < 0.05, "{cells}: {off} m off");
        assert!(strain < 0.35, "{cells}: strain {strain}");
    }
}

#[test]
fn a_view_draws_cloth_on_its_backdrop() {
    let scene = draped();
    let gpu = gpu();
    let mut view = View::new(&gpu, &scene, FORMAT, 1).unwrap();
    let orbit = Orbit::framing(view.bounds());
    update(&mut view, &orbit);
    let size = wgpu::Extent3d { width: 64, height: 48, depth_or_array_layers: 1 };
    let texture = |format, usage| {
        gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: None,
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
            view_formats: &[],
        })
    };
    let colour = texture(FORMAT, wgpu::TextureUsages::COPY_SRC);
    let depth = texture(View::DEPTH_FORMAT, wgpu::TextureUsages::empty());
    let draw = |view: &View, shown: &Shown| {
        let mut encoder = gpu.device().create_command_encoder(&Default::default());
        let (target, depth) = (colour.create_view(&Default::default()), depth.create_view(&Default::default()));
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &target,
                depth_slice: None,
                resolve_target: None,
                ops: Default::default(),
            })],
            depth_stencil_attachment: Some(View::depth_attachment(&depth)),
            ..Default::default()
        });
        view.draw(&mut pass, shown);
        drop(pass);
        let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 64 * 48 * 4,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(256), rows_per_image: None };
        encoder.copy_texture_to_buffer(
            colour.as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
            size,
        );
        gpu.queue().submit([encoder.finish()]);
        let mut readback = crate::gpu::Readback::new(&gpu, "test", buffer.size()).unwrap();
        wait::drive(Duration::from_secs(60), readback.fetch(&gpu, &buffer, 0, |_| {}, "a test")).unwrap()
    };
    let red = |pixels: &[u8]| {
        pixels
            .chunks_exact(4)
            .filter(|it| it[0] > 40 && 4 * i32::from(it[0]) > 5 * i32::from(it[1]) && it[0] > it[2])
            .count()
    };
    let plain = draw(&view, &Shown::default());
    assert!(red(&plain) > 200, "{} red pixels", red(&plain));
    assert_eq!(red(&draw(&view, &Shown { surfaces: false, ..Default::default() })), 0);
    view.set_values(&vec![0.5; scene.particle_count()], 1.0).unwrap();
    view.look(&orbit, 64, 48).unwrap();
    let coloured = draw(&view, &Shown::default());
    assert_eq!(red(&coloured), 0);
    assert_ne!(draw(&view, &Shown { wires: true, ..Default::default() }), coloured);
}
