//! Scenes of contact between bodies, with what is to be watched in each.

use crate::{
    Air, Body, BodyContact, Collider, KeyFrame, Mass, Material, Mesh, Pose, Scene, Side, Spring, Vertices,
    scene::STANDARD_GRAVITY,
};
use glam::{Quat, Vec3};

/// A scene of contact between bodies.
#[derive(Debug, Clone)]
pub struct Collision {
    /// Name in tables.
    pub name: String,
    /// The scene.
    pub scene: Scene,
    /// Time to simulate, s.
    pub duration: f64,
    /// Time step, s.
    pub time_step: f64,
}

/// Cloth of the scenes, 0.2 kg/m².
fn cloth() -> Material {
    Material::cotton()
}

fn contact(friction: f32) -> Option<BodyContact> {
    Some(BodyContact { thickness: Some(0.002), friction, ..Default::default() })
}

fn scene(friction: f32) -> Scene {
    Scene { contact: contact(friction), ..Scene::new() }
}

fn floor(friction: f32) -> Collider {
    Collider { friction, thickness: 0.001, ..Collider::plane(Vec3::ZERO, Vec3::Y) }
}

fn air() -> Option<Air> {
    Some(Air { resistance: 0.15, ..Air::default() })
}

fn sheet(width: f32, depth: f32, columns: u32, rows: u32) -> Mesh {
    Mesh::grid(width, depth, columns, rows)
}

fn turned(mesh: Mesh, angle: f32) -> Mesh {
    mesh.rotated(Quat::from_rotation_y(angle))
}

fn named(name: impl Into<String>, scene: Scene, duration: f64) -> Collision {
    Collision { name: name.into(), scene, duration, time_step: 0.01 }
}

/// A sheet that falls on its edge and folds onto itself. n: particles along its height.
pub fn fold(n: u32) -> Collision {
    let mut scene = scene(0.3);
    let mesh = sheet(0.5, 1.0, n / 2 + 1, n + 1).rotated(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2));
    let start = mesh.translated(Vec3::new(0.0, 0.52, 0.0));
    let wavy = |p: &Vec3| *p + Vec3::Z * (0.01 * (20.0 * p.y).sin() + 0.002 * (17.0 * p.x + 5.0 * p.y).sin());
    let positions = start.positions.iter().map(wavy).collect();
    scene.add(Body::cloth(start, cloth()).starting_at(positions));
    scene.add_collider(floor(0.3));
    scene.air = air();
    named(format!("fold-{n}"), scene, 2.5)
}

/// Eight sheets that fall onto a ball and the floor. n: particles along a side.
pub fn stack(n: u32) -> Collision {
    let mut scene = scene(0.3);
    for layer in 0..8 {
        let mesh = turned(sheet(0.6, 0.6, n, n), 0.5 * layer as f32);
        scene.add(Body::cloth(mesh.translated(Vec3::Y * (0.36 + 0.02 * layer as f32)), cloth()));
    }
    scene.add_collider(Collider { thickness: 0.001, friction: 0.3, ..Collider::sphere([0.0, 0.2, 0.0], 0.15) });
    scene.add_collider(floor(0.3));
    scene.air = air();
    named(format!("stack-{n}"), scene, 2.5)
}

/// Eight sheets that lie 3 mm above each other and the floor, each turned against the one below. n: particles along a side.
pub fn layers(n: u32) -> Collision {
    let mut scene = scene(0.3);
    for layer in 0..8 {
        let mesh = turned(sheet(0.4, 0.4, n, n), 0.3 * layer as f32);
        let mesh = mesh.translated(Vec3::Y * (0.003 + 0.003 * layer as f32));
        scene.add(Body::cloth(mesh, cloth()));
    }
    scene.add_collider(floor(0.3));
    scene.air = air();
    named(format!("stack-{n}"), scene, 0.5)
}

/// Four soft cubes in a heap, one of which rests on the others. n: particles along an edge.
pub fn pile(n: u32) -> Collision {
    let mut scene = scene(0.3);
    for ix in 0..4 {
        let mesh = turned(Mesh::block(Vec3::splat(0.1), [n; 3]), 0.4 * ix as f32);
        let around = Quat::from_rotation_y(std::f32::consts::TAU * ix as f32 / 3.0) * Vec3::X * 0.085;
        let at = if ix < 3 { around + Vec3::Y * 0.055 } else { Vec3::new(0.01, 0.18, 0.005) };
        scene.add(Body::solid(mesh.translated(at), Material::jelly()));
    }
    scene.add_collider(floor(0.5));
    scene.air = air();
    named(format!("pile-{n}"), scene, 1.5)
}

/// A sheet over a small ball, whose folds hang against each other. n: particles along a side.
pub fn drape(n: u32) -> Collision {
    let mut scene = scene(0.3);
    scene.add(Body::cloth(sheet(1.0, 1.0, n, n).translated(Vec3::Y * 0.59), cloth()));
    scene.add_collider(Collider { thickness: 0.001, friction: 0.3, ..Collider::sphere([0.0, 0.5, 0.0], 0.08) });
    scene.add_collider(floor(0.3));
    scene.air = air();
    named(format!("small-ball-{n}"), scene, 2.5)
}

/// Eight sheets that hit the floor one upon another at 5 m/s.
pub fn land(n: u32) -> Collision {
    let mut scene = scene(0.3);
    for layer in 0..8 {
        let mesh = turned(sheet(0.4, 0.4, n, n), 0.3 * layer as f32);
        let mesh = mesh.translated(Vec3::Y * (0.1 + 0.003 * layer as f32));
        scene.add(Body::cloth(mesh, cloth()).moving(Vec3::Y * -5.0));
    }
    scene.add_collider(floor(0.3));
    scene.air = air();
    named(format!("land-{n}"), scene, 1.0)
}

/// Eight sheets that fall together at 5 m/s.
pub fn fall(n: u32) -> Collision {
    let mut scene = Scene { gravity: Vec3::ZERO, ..scene(0.3) };
    for layer in 0..8 {
        let mesh = turned(sheet(0.4, 0.4, n, n), 0.3 * layer as f32);
        let mesh = mesh.translated(Vec3::Y * (0.003 * layer as f32));
        scene.add(Body::cloth(mesh, cloth()).moving(Vec3::Y * -5.0));
    }
    named(format!("fall-{n}"), scene, 0.3)
}

/// A sheet that slides past another at 1 m/s, half a thickness away, without friction.
pub fn slide(n: u32) -> Collision {
    let mut scene = Scene { gravity: Vec3::ZERO, ..scene(0.0) };
    scene.add(Body::cloth(sheet(0.8, 0.3, 8 * n / 3, n), cloth()));
    let mesh = turned(sheet(0.3, 0.3, n, n), 0.2).translated(Vec3::new(-0.2, 0.001, 0.0));
    scene.add(Body::cloth(mesh, cloth()).moving(Vec3::X));
    named(format!("slide-{n}"), scene, 0.2)
}

/// A sheet that hits another at 10 m/s.
pub fn hit(n: u32) -> Collision {
    let mut scene = Scene { gravity: Vec3::ZERO, ..scene(0.3) };
    scene.add(Body::cloth(sheet(0.5, 0.5, n, n), cloth()));
    let mesh = turned(sheet(0.5, 0.5, n, n), 0.4).translated(Vec3::Y * 0.15);
    scene.add(Body::cloth(mesh, cloth()).moving(Vec3::Y * -10.0));
    named(format!("hit-{n}"), scene, 0.3)
}

/// A layer upon another that is held, on a slope of 1:2.
pub fn slope(n: u32, friction: f32) -> Collision {
    let angle = 0.5f32.atan();
    let gravity = STANDARD_GRAVITY.length();
    let gravity = Vec3::new(gravity * angle.sin(), -gravity * angle.cos(), 0.0);
    let mut scene = Scene { gravity, ..scene(friction) };
    let below = scene.add(Body::cloth(sheet(1.6, 0.4, 5 * n, 5 * n / 4), cloth()));
    let mesh = sheet(0.3, 0.3, n, n).translated(Vec3::new(-0.553, 0.002, 0.003));
    scene.add(Body::cloth(mesh, cloth()));
    scene.pin(below, Vertices::All);
    named(format!("slope-{n}-{friction}"), scene, 5.0)
}

/// A tube whose ends turn against each other at 180°/s, two turns each. n: particles around it.
pub fn wring(n: u32) -> Collision {
    let mut scene = Scene { gravity: Vec3::ZERO, ..scene(0.3) };
    let mesh = Mesh::tube(0.12, 0.8, n, n * 5 / 6);
    let at = |end: f32| -> Vec<u32> {
        (0..mesh.positions.len() as u32).filter(|&ix| (mesh.positions[ix as usize].y - end).abs() < 1e-4).collect()
    };
    let ends = [(-0.4, 1.0f32), (0.4, -1.0)].map(|(end, turn)| (at(end), end, turn));
    let body = scene.add(Body::cloth(mesh, cloth()));
    for (rows, end, turn) in ends {
        let centre = Vec3::Y * (2.0 * end);
        let frame = |time: f64| {
            let angle = turn * std::f32::consts::PI * time.min(4.0) as f32;
            KeyFrame { time, pose: Pose { position: centre, rotation: Quat::from_rotation_y(angle) } }
        };
        let frames: Vec<KeyFrame> = (0..=40).map(|ix| frame(0.1 * f64::from(ix))).collect();
        let turner = scene.add_collider(Collider::sphere(centre, 0.01).moving(frames));
        scene.attach(body, Vertices::list(rows), turner);
    }
    Collision { time_step: 0.005, ..named(format!("wring-{n}"), scene, 4.0) }
}

/// A soft cube that falls on another.
pub fn cubes(n: u32) -> Collision {
    let mut scene = scene(0.3);
    for ix in 0..2 {
        let mesh = turned(Mesh::block(Vec3::splat(0.1), [n; 3]), 0.5 * ix as f32);
        let at = Vec3::new(0.01 * ix as f32, 0.055 + 0.15 * ix as f32, 0.0);
        scene.add(Body::solid(mesh.translated(at), Material::jelly()));
    }
    scene.add_collider(floor(0.5));
    scene.air = air();
    named(format!("cubes-{n}"), scene, 1.5)
}

/// A soft cube that falls into a hammock of cloth, which is held at its four corners.
pub fn hammock(n: u32) -> Collision {
    let mut scene = scene(0.3);
    let body = scene.add(Body::cloth(sheet(0.5, 0.5, 5 * n, 5 * n), cloth()));
    let side = 5 * n;
    scene.pin(body, Vertices::list([0, side - 1, side * (side - 1), side * side - 1]));
    let mesh = turned(Mesh::block(Vec3::splat(0.1), [n; 3]), 0.5);
    scene.add(Body::solid(mesh.translated(Vec3::Y * 0.12), Material::jelly()));
    scene.air = air();
    named(format!("hammock-{n}"), scene, 1.5)
}

/// Loose particles and a chain that fall on a sheet that hangs by its border.
pub fn beads(n: u32) -> Collision {
    let mut scene = scene(0.3);
    let body = scene.add(Body::cloth(sheet(0.5, 0.5, n, n), cloth()));
    scene.pin(body, Vertices::Side(Side::Left));
    scene.pin(body, Vertices::Side(Side::Right));
    let chain = Mesh::chain(Vec3::new(-0.15, 0.1, 0.02), Vec3::new(0.12, 0.1, 0.05), 30);
    let material = Material::springs(Mass::Total(0.02), Spring::new(500.0));
    scene.add(Body::chain(chain, material));
    let bead = |ix: i32| Vec3::new(0.01 * (ix % 5) as f32, 0.2 + 0.01 * (ix / 5) as f32, 0.013 * (ix % 3) as f32);
    scene.add(Body::particles((0..20).map(bead), 0.001));
    scene.air = air();
    named(format!("beads-{n}"), scene, 1.5)
}
