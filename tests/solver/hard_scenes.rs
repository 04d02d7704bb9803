//! Ordinary scenes that a step linearised once cannot survive: small cells, small obstacles, high speeds, stiff materials, large steps.
//!
//! Every function returns a scene and default options but for what it names. [`judge`] runs them.

use glam::{Quat, Vec3};
pub use tenter::internals::bench::judge::{Verdict, judge, judge_until};
use tenter::{
    Air, Body, Collider, Mass, Material, Mesh, Motion, Nonlinear, Options, Pose, SafeOptions, Scene, SceneFile, Shape,
    SolverOptions, Spring, Vertices, internals::bench::horned::horned_ball,
};

fn safe() -> Nonlinear {
    Nonlinear::Safe(SafeOptions::default())
}

fn safe_options() -> Options {
    Options { nonlinear: safe(), ..Options::default() }
}

/// A scene and how to simulate it.
pub type Case = (Scene, Options);

/// Rotation of cloth about y, so that its sides do not line up with anything.
fn turned() -> Quat {
    Quat::from_rotation_y(25f32.to_radians())
}

/// A square of cloth in the xz-plane, turned by 25° about y.
fn sheet(size: f32, n: u32, centre: Vec3, material: Material) -> Body {
    Body::cloth(Mesh::grid(size, size, n, n).rotated(turned()).translated(centre), material)
}

/// `scenes/drape.toml` at n×n, with up to 400 iterations a solve.
pub fn drape(n: u32) -> Case {
    let text = include_str!("../../scenes/drape.toml");
    let text = text.replace("columns = 64", &format!("columns = {n}")).replace("rows = 64", &format!("rows = {n}"));
    let text = text.replace("max_iterations = 200", "max_iterations = 400");
    let file = SceneFile::parse(&text, "drape.toml").unwrap();
    assert_eq!(file.scene.particle_count(), (n * n) as usize);
    assert_eq!(file.options.solver.max_iterations, 400);
    (file.scene.into_scene(), Options { nonlinear: safe(), ..file.options })
}

/// [`drape`] with all lengths multiplied, those of the colliders and their thickness included; default options.
pub fn scaled_drape(n: u32, scale: f32) -> Case {
    let (scene, _) = drape(n);
    (scaled(scene, scale), safe_options())
}

/// A scene with all lengths multiplied: meshes, starts, colliders and thicknesses. Masses per area stay.
pub fn scaled(mut scene: Scene, scale: f32) -> Scene {
    for body in &mut scene.bodies {
        body.mesh.positions.iter_mut().chain(body.start.iter_mut().flatten()).for_each(|x| *x *= scale);
    }
    for collider in &mut scene.colliders {
        collider.thickness *= scale;
        match &mut collider.motion {
            Motion::Static(pose) => pose.position *= scale,
            other => panic!("not a collider that stands still: {other:?}"),
        }
        match &mut collider.shape {
            Shape::Plane => {}
            Shape::Sphere { radius } => *radius *= scale,
            other => panic!("not a shape of these scenes: {other:?}"),
        }
    }
    scene
}

/// Cotton of 10 cm, n×n (33), falls 4 mm on a ball of radius 2.6 cm that hangs over the floor.
pub fn handkerchief(n: u32) -> Case {
    let mut scene = Scene::new();
    scene.add(sheet(0.1, n, Vec3::new(0.002, 0.072, 0.001), Material::cotton_springs()));
    let thin = |collider| Collider { thickness: 0.0005, ..collider };
    scene.add_collider(Collider { friction: 0.4, ..thin(Collider::sphere([0.0, 0.042, 0.0], 0.026)) });
    scene.add_collider(thin(Collider::plane(Vec3::ZERO, Vec3::Y)));
    (scene, safe_options())
}

/// Cotton of 1.2 m, n×n (64), falls 13 cm on a ball of radius 2 cm, then to the floor.
pub fn small_ball(n: u32) -> Case {
    let mut scene = Scene::new();
    scene.add(Body::cloth(Mesh::grid(1.2, 1.2, n, n).translated(Vec3::Y * 0.4), Material::cotton_springs()));
    scene.add_collider(Collider::sphere([0.1, 0.25, 0.05], 0.02));
    scene.add_collider(Collider::plane([0.0, -0.37, 0.0], Vec3::Y));
    (scene, safe_options())
}

/// Cotton of 1 m, n×n, falls on a closed mesh with horns, a nose and legs.
pub fn horned(n: u32) -> Case {
    let mut scene = Scene::new();
    scene.add(sheet(1.0, n, Vec3::new(0.013, 0.72, 0.007), Material::cotton_springs()));
    let pose = Pose { position: Vec3::Y * 0.37, ..Pose::default() };
    // The tips of the horns are as sharp as 6 mm: the grid of distances is off by 0.8 mm there.
    let mesh = Collider::fixed(Shape::Mesh { surface: horned_ball(0.2), cells: 96 }, pose);
    scene.add_collider(Collider { thickness: 0.01, ..mesh });
    scene.add_collider(Collider::plane(Vec3::ZERO, Vec3::Y));
    (scene, safe_options())
}

/// 1 m of cloth, n×n, has fallen 5 m and meets drape's ball at 9.9 m/s; steps of 1/60 s.
pub fn drop(n: u32, material: Material) -> Case {
    let (mut scene, _) = drape(n);
    scene.air = None;
    for body in &mut scene.bodies {
        body.material = material.clone();
        body.mesh = std::mem::take(&mut body.mesh).translated(Vec3::Y * 0.18);
        body.start.iter_mut().flatten().for_each(|x| *x += Vec3::Y * 0.18);
        body.velocity = Vec3::Y * -9.9;
    }
    (scene, Options { time_step: 1.0 / 60.0, ..safe_options() })
}

/// A chain of 65 particles, 1 m, 50 g, EA = 5000 N, held at one end, falls from horizontal; steps of 50 ms.
pub fn chain() -> Case {
    let mut scene = Scene::new();
    let material = Material::springs(Mass::Line(0.05), Spring::new(64.0 * 5000.0));
    let chain = scene.add(Body::chain(Mesh::chain(Vec3::ZERO, Vec3::X, 65), material));
    scene.pin(chain, Vertices::list([0]));
    (scene, Options { time_step: 0.05, ..safe_options() })
}

/// Cotton of 30 cm, n×n, starts wholly inside a ball of radius 25 cm that stands still, 15 cm over its centre.
pub fn inside_ball(n: u32) -> Case {
    let mut scene = Scene::new();
    scene.add(sheet(0.3, n, Vec3::new(0.013, 0.55, 0.007), Material::cotton_springs()));
    scene.add_collider(Collider::sphere([0.0, 0.4, 0.0], 0.25));
    scene.add_collider(Collider::plane(Vec3::ZERO, Vec3::Y));
    (scene, safe_options())
}

/// 1 m of cotton, n×n, held by its corners, in a wind of 10¹⁰ N/m².
pub fn hurricane(n: u32) -> Case {
    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, n, n), Material::cotton_springs()));
    scene.pin(cloth, Vertices::corners());
    scene.air = Some(Air::wind(Vec3::new(1e10, 1e9, 0.0)));
    (scene, safe_options())
}

/// The same case with up to so many iterations a solve.
pub fn iterating((scene, options): Case, max_iterations: u32) -> Case {
    let solver = SolverOptions { max_iterations, ..options.solver.clone() };
    (scene, Options { solver, ..options })
}
