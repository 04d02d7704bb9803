//! Strips that hang and swing by their own weight, against the theory of beams: the heavy elastica, and frequencies of bending.

use glam::{DVec3, Quat, Vec3};
use tenter::{
    Backend, Bending, BendingModel, Body, Integrator, Mass, Material, Membrane, Mesh, NewtonOptions, Nonlinear,
    Options, Scene, Simulation, SolverOptions, Vertices,
};

const G: f64 = 9.81;
/// Density of the strips, kg/m².
const DENSITY: f64 = 0.2;
/// Side of the square cells, m.
const CELL: f64 = 0.01;

/// Angles of the heavy elastica below the horizontal, at equal distances along a strip of length 1, clamped at an angle: the root of
/// θ″ + Γ (1 − s) cos θ = 0 with θ(0) given and θ′(1) = 0, by Newton's method on second differences. Its energy is convex for angles from 0 to π.
fn elastica(gamma: f64, start: f64, steps: usize) -> Vec<f64> {
    let ds = 1.0 / steps as f64;
    let mut angle: Vec<f64> =
        (0..=steps).map(|ix| start + (1.5 - start) * (1.0 - (-5.0 * ix as f64 * ds).exp())).collect();
    for _ in 0..100 {
        // Thomas's algorithm for the change of each angle but the first; beyond the tip the angle is that before it.
        let (mut upper, mut change) = (vec![0.0; steps + 1], vec![0.0; steps + 1]);
        for ix in 1..=steps {
            let load = gamma * (1.0 - ix as f64 * ds) * ds * ds;
            let after = angle[if ix == steps { ix - 1 } else { ix + 1 }];
            let residual = angle[ix - 1] - 2.0 * angle[ix] + after + load * angle[ix].cos();
            let lower = if ix == steps { 2.0 } else { 1.0 };
            let diagonal = -2.0 - load * angle[ix].sin() - lower * upper[ix - 1];
            upper[ix] = 1.0 / diagonal;
            change[ix] = (-residual - lower * change[ix - 1]) / diagonal;
        }
        for ix in (1..steps).rev() {
            change[ix] -= upper[ix] * change[ix + 1];
        }
        angle.iter_mut().zip(&change).for_each(|(angle, change)| *angle += change.clamp(-0.3, 0.3));
    }
    angle
}

/// A strip of cells of 1 cm that hardly stretches, clamped by one cell before the origin, straight in the direction of an angle below the horizontal.
fn strip(cells: u32, across: u32, angle: f64, bending: Bending) -> Scene {
    let (length, width) = ((cells + 1) as f32 * CELL as f32, across as f32 * CELL as f32);
    let mesh = Mesh::grid(length, width, cells + 2, across + 1).translated(Vec3::X * (0.5 * length - CELL as f32));
    let mesh = mesh.rotated(Quat::from_rotation_z(-angle as f32));
    let material = Material {
        membrane: Some(Membrane::isotropic(1000.0, 0.0)),
        bending: Some(bending),
        ..Material::loose(Mass::Surface(DENSITY as f32))
    };
    let mut scene = Scene::new();
    let body = scene.add(Body::cloth(mesh, material));
    let columns = cells + 2;
    scene.pin(body, Vertices::list((0..columns * (across + 1)).filter(|v| v % columns < 2).collect::<Vec<_>>()));
    scene
}

/// Middle line of a strip, from the first held column to the tip.
fn middle(cells: u32, across: u32, positions: &[DVec3]) -> Vec<DVec3> {
    let columns = cells as usize + 2;
    let column = |ix: usize| (0..=across as usize).map(|row| positions[row * columns + ix]).sum::<DVec3>();
    (0..columns).map(|ix| column(ix) / f64::from(across + 1)).collect()
}

/// Part of a cell by which the clamp lies before the last held column. The hinge there stands for half a cell on either side; of the bending of a square cell two thirds are in hinges
/// across the strip, and one third in its diagonals, which do not bend in the held cell.
const CLAMP: f64 = 1.0 / 3.0;

/// Largest turn between two cells of a heavy strip at rest over the largest of the elastica within one cell, and distance of its tip from that of the elastica over the length.
fn against_elastica(model: BendingModel, gamma: f64, angle: f64, across: u32) -> (f64, f64) {
    let cells = 10;
    let length = (f64::from(cells) + CLAMP) * CELL;
    let modulus = DENSITY * G * length.powi(3) / gamma;
    let scene = strip(cells, across, angle, Bending { model, ..Bending::new(modulus as f32) });
    let options = Options { time_step: 0.02, ..Options::default() };
    let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
    for _ in 0..200 {
        simulation.step().unwrap();
    }
    let middle = middle(cells, across, &simulation.positions_f64().unwrap());
    let turn = |w: &[DVec3]| (w[1] - w[0]).angle_between(w[2] - w[1]);
    let turn = middle.windows(3).map(turn).fold(0.0, f64::max);
    let steps = 1000;
    let curve = elastica(gamma, angle, steps);
    let tip = curve.iter().map(|angle| DVec3::new(angle.cos(), -angle.sin(), 0.0)).sum::<DVec3>();
    let tip = middle[1].lerp(middle[0], CLAMP) + tip * (length / curve.len() as f64);
    let cell = (CELL / length * steps as f64).round() as usize;
    let most = curve.windows(cell + 1).map(|w| w[cell] - w[0]).fold(0.0, f64::max);
    // In the plane of the elastica: the diagonals of a strip one cell wide lead its tip sideways, by up to 0.13 of the length.
    (turn / most, (middle[middle.len() - 1] - tip).truncate().length() / length)
}

/// Strips of ten cells, clamped level and nearly upright. Γ = ρ g L³/μ, so that cells are 0.3, 0.46 and 0.67 bending lengths long.
#[test]
fn bending_by_the_angle_holds_a_heavy_strip_as_the_elastica_does() {
    for (angle, gamma) in [(0.0, 30.0), (0.0, 100.0), (0.0, 300.0), (-1.5, 100.0), (-1.5, 300.0)] {
        for across in [1, 3] {
            let (turn, tip) = against_elastica(BendingModel::Dihedral, gamma, angle, across);
            println!("Γ {gamma}, clamped at {angle}, {across} wide: turn {turn:.2}, tip {tip:.3}");
            assert!(turn < 1.5 && tip < 0.05, "Γ {gamma}, {angle}, {across} wide: {turn}, {tip}");
        }
    }
}

/// The control: the moment of linear bending is bounded, and a strip that stands upright folds flat over one cell, as loading the scene warns.
#[test]
fn linear_bending_folds_a_heavy_strip_flat() {
    let (turn, tip) = against_elastica(BendingModel::Linear, 100.0, -1.5, 3);
    println!("turn {turn:.2}, tip {tip:.3}");
    assert!(turn > 1.5 && tip > 0.1, "{turn}, {tip}");
}

/// Periods of a strip that is held along its middle, so that either half is a cantilever: first two modes, without gravity, by zero crossings of the tip.
#[test]
fn a_strip_swings_at_the_frequencies_of_a_beam() {
    let (half, across, modulus) = (20u32, 2u32, 1e-4f64);
    let length = f64::from(half) * CELL;
    let mesh = Mesh::grid(2.0 * length as f32, across as f32 * CELL as f32, 2 * half + 1, across + 1);
    for (root, name) in [(1.875104f64, "first"), (4.694091, "second")] {
        let material = Material {
            membrane: Some(Membrane::isotropic(1000.0, 0.0)),
            bending: Some(Bending { model: BendingModel::Dihedral, ..Bending::new(modulus as f32) }),
            ..Material::loose(Mass::Surface(DENSITY as f32))
        };
        // The shape of a cantilever's mode, small enough to be linear.
        let sigma = (root.cosh() + root.cos()) / (root.sinh() + root.sin());
        let shape = |x: f64| {
            let z = root * x.abs() / length;
            0.01 * CELL * (z.cosh() - z.cos() - sigma * (z.sinh() - z.sin()))
        };
        let start = mesh.positions.iter().map(|p| *p + Vec3::Y * shape(p.x.into()) as f32).collect();
        let mut scene = Scene::new();
        scene.gravity = Vec3::ZERO;
        let body = scene.add(Body::cloth(mesh.clone(), material).starting_at(start));
        let near = 0.1 * CELL as f32;
        scene.pin(body, Vertices::Box { low: Vec3::new(-near, -1.0, -1.0), high: Vec3::new(near, 1.0, 1.0) });
        let expected = root * root / (length * length) * (modulus / DENSITY).sqrt();
        let period = std::f64::consts::TAU / expected;
        let options = Options { time_step: period / 200.0, ..undamped() };
        let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
        let tip = 2 * half as usize;
        let (mut before, mut crossings) = (simulation.positions_f64().unwrap()[tip].y, Vec::new());
        while crossings.len() < 5 {
            simulation.step().unwrap();
            assert!(simulation.time() < 4.0 * period, "{name}: does not swing");
            let after = simulation.positions_f64().unwrap()[tip].y;
            if (before < 0.0) != (after < 0.0) {
                crossings.push(simulation.time() - period / 200.0 * after / (after - before));
            }
            before = after;
        }
        let found = (crossings[4] - crossings[0]) / 2.0;
        println!("{name}: {:.4} of the period", found / period);
        assert!((found / period - 1.0).abs() < 0.02, "{name}: {} of the period", found / period);
    }
}

/// Steps that keep energy, solved to the end.
fn undamped() -> Options {
    Options {
        integrator: Integrator::ImplicitMidpoint,
        nonlinear: Nonlinear::Newton(NewtonOptions { tolerance: 1e-8, max_linearisations: 10 }),
        solver: SolverOptions { tolerance: 1e-8, max_iterations: 5000, ..Default::default() },
        ..Options::default()
    }
}
