//! Error of f32 on the GPU, compared with the sensitivity of f64.
//!
//! The cloth of W1 starts with 2 cm of smooth waviness: the fall of a flat sheet is a bifurcation, in which any rounding decides
//! how it buckles. The criterion is whether the GPU stays as close to f64 as an f64 run that starts 10⁻⁷ m away.

use super::workload;
use crate::{Backend, Error, Options, Scene, Simulation, SolverOptions};
use glam::{DVec3, Vec3};
use std::f32::consts::PI;

/// Number of compared steps.
pub const STEPS: usize = 60;
/// Waviness of the start, m.
const WAVINESS: f32 = 0.02;
/// Disturbance of the f64 run, m.
const DISTURBANCE: f32 = 1e-7;

/// Differences from the f64 run after [`STEPS`] steps, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Difference of the lowest point.
    pub sag: f64,
    /// Difference of the mean position.
    pub mean: f64,
}

/// Results of the comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// Sag of the f64 run, m.
    pub sag: f64,
    /// Difference of the GPU's run.
    pub gpu: Difference,
    /// Difference of the disturbed f64 run.
    pub disturbed: Difference,
    /// Relative difference of the velocities after one step, ‖v - v₆₄‖ / ‖v₆₄‖.
    pub first_step: f64,
}

impl Accuracy {
    /// Whether the GPU's difference is at most twice that of the disturbed run, and the first step is accurate to 10⁻⁵.
    pub fn is_good(&self) -> bool {
        self.gpu.sag <= 2.0 * self.disturbed.sag
            && self.gpu.mean <= 2.0 * self.disturbed.mean
            && self.first_step <= 1e-5
    }
}

/// Runs W1 with n×n particles on a backend, in f64, and in f64 from a disturbed start.
pub fn compare(backend: &Backend, n: u32) -> Result<Accuracy, Error> {
    let scene = wavy(n, 0.0);
    let solver = SolverOptions { tolerance: 1e-5, max_iterations: 2000, ..Default::default() };
    let options = Options { solver, ..workload::hanging_cloth(n).options };
    let exact = run(&Backend::Cpu, &scene, &options, STEPS)?;
    let distance = |other: &[DVec3]| Difference {
        sag: (lowest(&exact) - lowest(other)).abs(),
        mean: mean(&exact).distance(mean(other)),
    };
    let disturbed = distance(&run(&Backend::Cpu, &wavy(n, DISTURBANCE), &options, STEPS)?);
    let gpu = distance(&run(backend, &scene, &options, STEPS)?);

    // One step from rest, solved to the precision of f32: its velocity is the result of that step alone.
    let solver = SolverOptions { tolerance: 1e-7, max_iterations: 5000, ..Default::default() };
    let options = Options { solver, ..options };
    let first = |backend: &Backend| -> Result<Vec<DVec3>, Error> {
        let mut simulation = Simulation::new(backend.clone(), &scene, options.clone())?;
        simulation.step()?;
        Ok(simulation.velocities()?.iter().map(|v| v.as_dvec3()).collect())
    };
    let (ours, theirs) = (first(backend)?, first(&Backend::Cpu)?);
    let size = theirs.iter().map(|v| v.length_squared()).sum::<f64>().sqrt();
    let difference = ours.iter().zip(&theirs).map(|(a, b)| a.distance_squared(*b)).sum::<f64>().sqrt();
    Ok(Accuracy { sag: -lowest(&exact), gpu, disturbed, first_step: difference / size })
}

fn wavy(n: u32, disturbance: f32) -> Scene {
    let mut scene = workload::hanging_cloth(n).scene;
    for body in &mut scene.bodies {
        let wave = |(ix, p): (usize, &Vec3)| {
            let height = WAVINESS * (2.0 * PI * p.x).sin() * (1.5 * PI * p.z).cos();
            // The disturbance alternates, so that it has no mean.
            *p + Vec3::Y * (height + if ix % 2 == 0 { disturbance } else { -disturbance })
        };
        body.start = Some(body.mesh.positions.iter().enumerate().map(wave).collect());
    }
    scene
}

fn run(backend: &Backend, scene: &Scene, options: &Options, steps: usize) -> Result<Vec<DVec3>, Error> {
    let mut simulation = Simulation::new(backend.clone(), scene, options.clone())?;
    for _ in 0..steps {
        simulation.step()?;
    }
    simulation.positions_f64()
}

fn lowest(positions: &[DVec3]) -> f64 {
    positions.iter().map(|p| p.y).fold(f64::INFINITY, f64::min)
}

fn mean(positions: &[DVec3]) -> DVec3 {
    positions.iter().sum::<DVec3>() / positions.len().max(1) as f64
}
