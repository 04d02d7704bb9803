//! Strips that hang and swing by their own weight, against the theory of beams: the heavy elastica, and frequencies of bending.

use glam::{DVec3, Quat, Vec3};
use tenter::{
    Backend, Bending, BendingModel, Body, Mass, Material, Membrane, Mesh, Options, Scene, Simulation, Vertices,
};

const G: f64 = 9.81;
/// Density of the strips, kg/m².
const DENSITY: f64 = 0.2;
/// Side of the square cells, m.
const CELL: f64 = 0.01;

/// Angles of the heavy elastica below the horizontal, at equal distances along a strip of length 1, clamped at its start: the root of
/// θ″ + Γ (1 − s) cos θ = 0 with θ(0) = 0 and θ′(1) = 0, by Newton's method on second differences. Its energy is convex for angles from 0 to π.
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

#[test]
fn trial() {
    for start in [0.0, -1.5] {
        for model in [BendingModel::Dihedral] {
            for (gamma, across) in [(30.0, 1), (30.0, 3), (100.0, 1), (100.0, 3), (300.0, 1), (300.0, 3), (300.0, 10)] {
                let cells = 10;
                let length = (f64::from(cells) + 0.5) * CELL;
                let modulus = DENSITY * G * length.powi(3) / gamma;
                let scene = strip(cells, across, start, Bending { model, ..Bending::new(modulus as f32) });
                let options = Options { time_step: 0.02, ..Options::default() };
                let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
                for _ in 0..200 {
                    simulation.step().unwrap();
                }
                let middle = middle(cells, across, &simulation.positions_f64().unwrap());
                let turns: Vec<f64> = middle.windows(3).map(|w| (w[1] - w[0]).angle_between(w[2] - w[1])).collect();
                let n = 1000;
                let curve = elastica(gamma, start, n);
                let tip =
                    curve.iter().map(|t| DVec3::new(t.cos(), -t.sin(), 0.0)).sum::<DVec3>() * (length / (n + 1) as f64);
                let at = |s: f64| curve[(s / 10.5 * n as f64).round() as usize];
                let per_cell: Vec<f64> = (0..10).map(|c| at(c as f64 + 1.0) - at(c as f64)).collect();
                let most = (0..=900).map(|ix| curve[ix + 100] - curve[ix]).fold(0.0, f64::max);
                println!(
                    "{start} {model:?} {gamma} {across}: turns {turns:.2?} elastica {per_cell:.2?} most {most:.2} tip off {:.3} L",
                    {
                        let clamp = 0.5 * (middle[0] + middle[1]);
                        (middle[11] - clamp).distance(tip) / length
                    }
                );
            }
        }
    }
}
