//! Strips that hang and swing by their own weight, against the theory of beams: the heavy elastica, and frequencies of bending.

use crate::common::statics::settle;
use glam::{DVec3, Vec3};
use tenter::{
    Backend, Bending, BendingModel, Body, Mass, Material, Membrane, Mesh, Options, Scene, Simulation, SolverOptions,
    Vertices,
};

const G: f64 = 9.81;
/// Density of the strips, kg/m².
const DENSITY: f64 = 0.2;
/// Side of the square cells, m.
const CELL: f64 = 0.01;

/// Angles of the heavy elastica below the horizontal, at equal distances along a strip of length 1, clamped at its start: the root of
/// θ″ + Γ (1 − s) cos θ = 0 with θ(0) = 0 and θ′(1) = 0, by Newton's method on second differences. Its energy is convex for angles from 0 to π.
fn elastica(gamma: f64, steps: usize) -> Vec<f64> {
    let ds = 1.0 / steps as f64;
    let mut angle: Vec<f64> = (0..=steps).map(|ix| 1.5 * (1.0 - (-5.0 * ix as f64 * ds).exp())).collect();
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

/// A strip along x that cannot stretch to speak of, clamped by one cell before x = 0.
fn strip(cells: u32, across: u32, bending: Bending, membrane: f32) -> Scene {
    let (length, width) = ((cells + 1) as f32 * CELL as f32, across as f32 * CELL as f32);
    let mesh = Mesh::grid(length, width, cells + 2, across + 1).translated(Vec3::X * (0.5 * length - CELL as f32));
    let material = Material {
        membrane: Some(Membrane::isotropic(membrane, 0.0)),
        bending: Some(bending),
        ..Material::loose(Mass::Surface(DENSITY as f32))
    };
    let mut scene = Scene::new();
    let body = scene.add(Body::cloth(mesh, material));
    scene.pin(body, Vertices::Box { low: Vec3::splat(-1.0), high: Vec3::new(0.1 * CELL as f32, 1.0, 1.0) });
    scene
}

#[test]
fn trial() {
    for model in [BendingModel::Linear, BendingModel::Dihedral] {
        for gamma in [10.0, 30.0, 100.0, 300.0] {
            let cells = 10;
            let length = f64::from(cells) * CELL;
            let modulus = DENSITY * G * length.powi(3) / gamma;
            let scene = strip(cells, 3, Bending { model, ..Bending::new(modulus as f32) }, 1000.0);
            let options = Options { time_step: 0.02, ..Options::default() };
            let mut simulation = Simulation::new(Backend::Cpu, &scene, options).unwrap();
            for _ in 0..200 {
                simulation.step().unwrap();
            }
            let x = simulation.positions_f64().unwrap();
            let columns = cells as usize + 2;
            let middle: Vec<DVec3> = (0..columns).map(|c| (x[columns + c] + x[2 * columns + c]) / 2.0).collect();
            let turns: Vec<f64> = middle
                .windows(3)
                .map(|w| {
                    let (a, b) = (w[1] - w[0], w[2] - w[1]);
                    a.angle_between(b)
                })
                .collect();
            let n = 1000;
            let curve = elastica(gamma, n);
            let tip =
                curve.iter().map(|t| DVec3::new(t.cos(), -t.sin(), 0.0)).sum::<DVec3>() * (length / (n + 1) as f64);
            // The half of the held cell counts as well.
            let longer = elastica(gamma * 1.05f64.powi(3), n);
            let tip2 = longer.iter().map(|t| DVec3::new(t.cos(), -t.sin(), 0.0)).sum::<DVec3>()
                * (1.05 * length / (n + 1) as f64)
                - 0.5 * CELL * DVec3::X;
            let per_cell: Vec<f64> = (0..10).map(|c| curve[(c + 1) * n / 10] - curve[c * n / 10]).collect();
            let end = DVec3::new(middle[columns - 1].x, middle[columns - 1].y, 0.0);
            println!(
                "{model:?} {gamma}: turns {turns:.2?} elastica {per_cell:.2?} tip off {:.3} L or {:.3} L",
                end.distance(tip) / length,
                end.distance(tip2) / length
            );
        }
    }
}
