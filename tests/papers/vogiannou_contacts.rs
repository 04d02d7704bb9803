//! Published results of Vogiannou et al. 2010 with rigid bodies: figures 4 (a heavy ball falls into a cloth), 5 (a heavy cube hangs from
//! one) and 6 (a soft cube under a heavy one). What the paper leaves out, and what we took: the ball's radius (6 cm), the fall (10 cm), damping (0.05 % of K a metre per
//! second), the cloth's border held; the step of 5 ms.

use crate::common::{self, gpu};
use glam::Vec3;
use tenter::{
    Backend, Body, Collider, Cubic, Mass, Material, Mesh, Options, Rayleigh, Scene, Side, Simulation, SolverOptions,
    Spring, SpringLaw, Vertices,
};

fn options(measure: bool) -> Options {
    let solver = SolverOptions { tolerance: 1e-4, max_iterations: 500, ..SolverOptions::default() };
    Options { time_step: 0.005, solver, measure, nonlinear: common::safe_to(1e-3), ..Options::default() }
}

/// The three laws that the paper compares on edges, at the same base stiffness.
fn laws(stiffness: f32, stretch: f32, stretched: f32, compressed: f32) -> [(&'static str, SpringLaw); 3] {
    let cubic = Cubic {
        stretch,
        stretched: stretched * stiffness,
        compression: 2.0 - stretch,
        compressed: compressed * stiffness,
        ..Cubic::new(stiffness)
    };
    [
        ("linear", SpringLaw::Linear { stiffness }),
        ("StVK, two terms", SpringLaw::Stvk { stiffness }),
        ("cubic", SpringLaw::Cubic(cubic)),
    ]
}

fn damped(law: SpringLaw, stiffness: f32) -> Spring {
    Spring::from(law).damped(5e-4 * stiffness)
}

/// What a cloth of 32 × 32 does when a ball of 10 kg falls into it.
struct Fall {
    /// Deepest point of the ball's lower end below the rim, m.
    deepest: f32,
    /// Largest |l/L - 1| of any spring at any time.
    strain: f64,
    /// Of edges along the grid when it has come to rest.
    mean_elongation: f64,
    iterations: f64,
}

fn fall(backend: Backend, law: SpringLaw) -> Fall {
    let n = 32u32;
    let side = 0.02 * (n - 1) as f32;
    let spring = damped(law, 1000.0);
    let material = Material { shear: spring, ..Material::springs(Mass::Total(1.0), spring) };
    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(Mesh::grid(side, side, n, n), material));
    let at_border = |ix: &u32| [0, n - 1].contains(&(ix % n)) || [0, n - 1].contains(&(ix / n));
    scene.pin(cloth, Vertices::list((0..n * n).filter(at_border).collect::<Vec<_>>()));
    scene.add_collider(Collider::sphere([0.0, 0.165, 0.0], 0.06).dynamic(10.0));
    let mut simulation = Simulation::new(backend, &scene, options(true)).unwrap();
    let (mut deepest, mut strain, mut iterations) = (0.0f32, 0.0f64, 0);
    let steps = 200;
    for _ in 0..steps {
        simulation.step().unwrap();
        let ball = simulation.collider_poses().unwrap()[0].position;
        deepest = deepest.max(0.06 - ball.y);
        for record in simulation.take_records() {
            strain = strain.max(record.measures.unwrap().largest_strain);
            iterations += record.iterations;
        }
    }
    let x = simulation.positions().unwrap();
    let n = n as usize;
    let along = (0..n * n).filter(|ix| ix % n + 1 < n).map(|ix| f64::from(x[ix].distance(x[ix + 1])) / 0.02 - 1.0);
    let mean_elongation = along.sum::<f64>() / (n * (n - 1)) as f64;
    Fall { deepest, strain, mean_elongation, iterations: f64::from(iterations) / f64::from(steps) }
}

#[test]
fn v3_a_heavy_ball_falls_into_a_cloth() {
    println!("law                deepest, cm   largest strain, %   mean elongation, %   iterations a step");
    let found = laws(1000.0, 1.04, 6.0, 2.0).map(|(name, law)| {
        let fall = fall(Backend::Cpu, law);
        println!(
            "{name:16} {:12.1} {:18.1} {:19.2} {:18.1}",
            100.0 * fall.deepest,
            100.0 * fall.strain,
            100.0 * fall.mean_elongation,
            fall.iterations
        );
        fall
    });
    let [linear, stvk, cubic] = &found;
    // Published: the cubic holds the ball, the spring of the same K over-elongates; StVK "a bit more" than the cubic.
    assert!(cubic.strain < 0.5 * linear.strain && cubic.deepest < 0.8 * linear.deepest);
    assert!(cubic.mean_elongation < 0.5 * linear.mean_elongation);
    assert!(cubic.strain < stvk.strain && stvk.strain < linear.strain);
    // The GPU says the same.
    let on_gpu = fall(Backend::from(&gpu()), laws(1000.0, 1.04, 6.0, 2.0)[2].1);
    println!("cubic, GPU: {:.1} cm, {:.1} %", 100.0 * on_gpu.deepest, 100.0 * on_gpu.strain);
    assert!((on_gpu.deepest / cubic.deepest - 1.0).abs() < 0.05, "{} {}", on_gpu.deepest, cubic.deepest);
}

/// How far a hanging cloth of 20 × 20 gives way to a cube of 5 kg on its lower edge: mean and largest l/L - 1 along the pull, at rest.
fn hang(law: SpringLaw) -> (f64, f64) {
    let n = 20u32;
    let side = 0.02 * (n - 1) as f32;
    let spring = damped(law, 500.0);
    let material = Material { shear: spring, ..Material::springs(Mass::Total(1.0), spring) };
    let mesh = Mesh::grid(side, side, n, n);
    let hanging = mesh.positions.iter().map(|p| Vec3::new(p.x, -0.5 * side - p.z, 0.0)).collect();
    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(mesh, material).starting_at(hanging));
    scene.pin(cloth, Vertices::Side(Side::Far));
    let half = 0.5 * side;
    let cube = scene.add_collider(Collider::cuboid([0.0, -side - half, 0.0], [half, half - 0.006, half]).dynamic(5.0));
    scene.attach(cloth, Vertices::Side(Side::Near), cube);
    let options = Options { rayleigh: Rayleigh { mass: 2.0, stiffness: 0.0 }, ..options(false) };
    let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
    for _ in 0..400 {
        simulation.step().unwrap();
    }
    let x = simulation.positions().unwrap();
    let n = n as usize;
    let strains = (n..n * n).map(|ix| f64::from(x[ix].distance(x[ix - n])) / 0.02 - 1.0);
    let largest = strains.clone().fold(0.0, f64::max);
    (strains.sum::<f64>() / (n * (n - 1)) as f64, largest)
}

#[test]
fn v4_a_heavy_cube_hangs_from_a_cloth() {
    println!("law                mean elongation, %   largest, %");
    let found = laws(500.0, 1.1, 6.0, 2.0).map(|(name, law)| {
        let (mean, largest) = hang(law);
        println!("{name:16} {:20.1} {:12.1}", 100.0 * mean, 100.0 * largest);
        (mean, largest)
    });
    let [linear, stvk, cubic] = found;
    // Published: the same contrast as with the ball; StVK a bit more than the cubic.
    assert!(cubic.0 < 0.7 * linear.0 && cubic.1 < 0.7 * linear.1, "{found:?}");
    assert!(cubic.0 < stvk.0 && stvk.0 < linear.0, "{found:?}");
}

/// Height of a soft cube of 9³ particles over its rest height, at its worst and after a second, under a rigid cube of 5 kg.
fn press(law: SpringLaw, drop: f32) -> (f32, f32, bool) {
    let spring = damped(law, 1000.0);
    let mut scene = Scene::new();
    scene.add_collider(Collider { thickness: 0.001, friction: 0.5, ..Collider::plane([0.0, -0.001, 0.0], Vec3::Y) });
    let top =
        Collider { thickness: 0.001, friction: 0.5, ..Collider::cuboid([0.0, 0.242 + drop, 0.0], [0.09, 0.08, 0.09]) };
    scene.add_collider(top.dynamic(5.0));
    let mesh = Mesh::block(Vec3::splat(0.16), [9, 9, 9]).translated(Vec3::new(0.0, 0.08, 0.0));
    scene.add(Body::solid(mesh, Material::springs(Mass::Total(5.0 / 7.0), spring)));
    let mut simulation = Simulation::new(Backend::Cpu, &scene, options(false)).unwrap();
    let mut least = 1.0f32;
    let mut height = 1.0f32;
    for _ in 0..300 {
        simulation.step().unwrap();
        // By the rigid cube on top: particles may fold, it lies on them.
        height = (simulation.collider_poses().unwrap()[1].position.y - 0.082) / 0.16;
        least = least.min(height);
    }
    let x = simulation.positions().unwrap();
    // A cube that keeps its shape keeps its layers in order.
    let in_order =
        (0..9).all(|z| (0..9).all(|c| (1..9).all(|y| x[(z * 9 + y) * 9 + c].y > x[(z * 9 + y - 1) * 9 + c].y)));
    (least, height, in_order)
}

#[test]
fn v5_a_soft_cube_under_a_heavy_one() {
    // Published: linear and StVK collapse, the cubic does not. How the cube got there is not said. Laid down, 5 kg are 0.6 N for each of 81
    // columns of 1000 N/m springs, which no law minds; dropped from 2 m it has the energy that decides. StVK can store no more than
    // K L² / 8 in an edge, however far it is pressed.
    println!("drop, m   law                least height   after 1.5 s   layers in order");
    let found = [0.0, 2.0].map(|drop| {
        laws(1000.0, 1.1, 6.0, 10.0).map(|(name, law)| {
            let (least, height, in_order) = press(law, drop);
            println!("{drop:7.1}   {name:16} {least:14.2} {height:13.2} {in_order:>17}");
            (least, height, in_order)
        })
    });
    let [laid, [linear, stvk, cubic]] = found;
    assert!(laid.iter().all(|(least, _, in_order)| *in_order && *least > 0.9));
    assert!(cubic.2 && cubic.0 > 0.8 && cubic.1 > 0.95, "the cubic keeps its shape");
    assert!(!linear.2 && linear.1 < 0.8, "linear collapses");
    assert!(!stvk.2 && stvk.1 < linear.1, "and StVK more so");
}
