//! Published results of Etzmuß 2003, chapter 5: coarse cloths on obstacles that reach between their particles (figures 5.13 and 5.14). The thesis inserts virtual particles;
//! here edges and triangles have contacts of their own.

use glam::{DVec3, Vec3};
use tenter::{Backend, Body, Collider, Mass, Material, Mesh, Options, Pose, Scene, Shape, Simulation, Spring, Weave};

use crate::common::deepest;

/// A tablecloth of a side, m, with n by n particles: 0.2 kg/m².
fn tablecloth(side: f32, n: u32, height: f32) -> Body {
    let thread = Spring::new(500.0).damped(1.0);
    let weave = Weave { weft: thread, warp: thread, shear: 20.0, ..Default::default() };
    let material = Material { weave: Some(weave), ..Material::loose(Mass::Surface(0.2)) };
    Body::cloth(Mesh::grid(side, side, n, n).translated(height * Vec3::Y), material)
}

/// Largest depth of the cloth inside a collider in a second and a half, and at the end, m.
fn drape(body: Body, collider: Collider, depth: impl Fn(DVec3) -> f64) -> [f64; 2] {
    let mesh = body.mesh.clone();
    let mut scene = Scene::new();
    scene.add(body);
    scene.add_collider(collider);
    let mut simulation = Simulation::new(Backend::Cpu, &scene, Options::default()).unwrap();
    let (mut most, mut last) = (f64::NEG_INFINITY, 0.0);
    for _ in 0..15 {
        simulation.step_many(10).unwrap();
        last = deepest(&mesh, &simulation.positions_f64().unwrap(), &depth);
        most = most.max(last);
    }
    [most, last]
}

/// With contacts of edges and triangles nothing is deeper than half of the thickness, and nothing is inside in the end; without them the obstacle stands out, or the cloth falls past it.
fn holds(body: impl Fn() -> Body, collider: Collider, depth: impl Fn(DVec3) -> f64 + Copy, stands_out: f64) {
    let half = 0.5 * f64::from(collider.thickness);
    let [most, last] = drape(body(), collider.clone(), depth);
    let [_, without] = drape(body(), Collider { edges: false, ..collider }, depth);
    println!("deepest {most:.5} m, at the end {last:.5} m; without {without:.5} m");
    assert!(most < half && last < 0.1 * half, "{most} {last}");
    assert!(without > stands_out || without < -1.0, "{without}");
}

#[test]
fn four_particles_on_a_box() {
    let half = Vec3::new(0.2, 0.1, 0.2);
    let centre = Vec3::new(0.03, -0.106, 0.02);
    let depth = |x: DVec3| {
        let q = (x - centre.as_dvec3()).abs() - half.as_dvec3();
        -(q.max(DVec3::ZERO).length() + q.max_element().min(0.0))
    };
    holds(|| tablecloth(1.0, 2, 0.0), Collider::cuboid(centre, half), depth, 0.05);
}

#[test]
fn a_hundred_particles_on_a_ball() {
    let depth = |x: DVec3| 0.15 - (x - DVec3::new(0.0, -0.156, 0.0)).length();
    holds(|| tablecloth(1.0, 10, 0.0), Collider::sphere([0.0, -0.156, 0.0], 0.15), depth, 0.003);
}

#[test]
fn a_hundred_particles_on_a_round_table() {
    let pose = Pose { position: Vec3::new(0.013, -0.031, 0.007), ..Pose::default() };
    let table = Collider::fixed(Shape::Cylinder { radius: 0.3, half_length: 0.025 }, pose);
    let depth = |x: DVec3| {
        let local = x - pose.position.as_dvec3();
        let q = glam::DVec2::new(local.x.hypot(local.z) - f64::from(0.3f32), local.y.abs() - f64::from(0.025f32));
        -(q.max(glam::DVec2::ZERO).length() + q.max_element().min(0.0))
    };
    holds(|| tablecloth(1.0, 10, 0.0), table, depth, 0.01);
}
