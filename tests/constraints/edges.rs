//! Edges and triangles against colliders, between their particles.

use glam::{DVec3, Vec3};
use tenter::{
    Backend, Body, Collider, Material, Mesh, Options, Scene, Simulation,
};

/// Deepest sampled point of all triangles below a surface, m; negative outside.
pub fn deepest(mesh: &Mesh, positions: &[DVec3], depth: impl Fn(DVec3) -> f64) -> f64 {
    const PARTS: usize = 20;
    let mut most = f64::NEG_INFINITY;
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
        for i in 0..=PARTS {
            for j in 0..=PARTS - i {
                let (u, v) = (i as f64 / PARTS as f64, j as f64 / PARTS as f64);
                most = most.max(depth(a + u * (b - a) + v * (c - a)));
            }
        }
    }
    most
}

/// Depth of a point below the surface of a box about a centre, m.
pub fn in_box(centre: DVec3, half: DVec3) -> impl Fn(DVec3) -> f64 {
    move |x| {
        let q = (x - centre).abs() - half;
        -(q.max(DVec3::ZERO).length() + q.max_element().min(0.0))
    }
}

fn run(scene: &Scene, steps: usize, mut each: impl FnMut(&[DVec3])) -> Simulation {
    let mut simulation = Simulation::new(Backend::Cpu, scene, Options::default()).unwrap();
    for _ in 0..steps {
        simulation.step().unwrap();
        each(&simulation.positions_f64().unwrap());
    }
    simulation
}

/// A square cloth of cells of a side, at a height.
fn square(side: f32, cells: u32, height: f32) -> Body {
    let mesh = Mesh::grid(side, side, cells + 1, cells + 1).translated(height * Vec3::Y);
    Body::cloth(mesh, Material::cotton())
}

#[test]
fn probe() {
    let mut scene = Scene::new();
    let body = square(0.6, 6, 0.22);
    let mesh = body.mesh.clone();
    scene.add(body);
    scene.add_collider(Collider::cuboid([0.02, 0.1, 0.01], [0.13, 0.1, 0.13]));
    let depth = in_box(DVec3::new(0.02, 0.1, 0.01), DVec3::new(0.13, 0.1, 0.13));
    for edges in [true, false] {
        scene.colliders[0].edges = edges;
        let mut most = f64::NEG_INFINITY;
        let mut step = 0;
        let mut simulation = run(&scene, 150, |positions| {
            step += 1;
            let now = deepest(&mesh, positions, &depth);
            if step % 10 == 0 {
                println!("{step} {now:.5}");
            }
            most = most.max(now);
        });
        let records = simulation.take_records();
        let iterations: u32 = records.iter().map(|record| record.iterations).sum();
        println!("{edges}: {most:.5} m, {iterations} iterations, {:?}", simulation.repeat_report());
        println!("{:?}", records.last().unwrap().meeting);
    }
}
