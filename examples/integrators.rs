//! Integrators at equal accuracy: the longest step of each that keeps the error within a millimetre after a tenth of a second,
//! and its speed with that step. `cargo run --release --example integrators`

use std::time::Instant;
use tenter::{
    Error, Gpu, Integrator, Scene, Simulation,
    glam::Vec3,
    internals::bench::{
        integrators::{compared, cube},
        workload::hanging_cloth,
    },
};

/// Simulated time, s.
const DURATION: f64 = 0.1;
/// Accepted root mean square error over all particles, m.
const TOLERANCE: f64 = 1e-3;
/// Longest step, s; shorter ones are halves of it.
const LONGEST: f64 = 0.02;
const HALVINGS: u32 = 9;

struct Run {
    error: f64,
    seconds: f64,
    iterations: f64,
}

fn main() -> Result<(), Error> {
    let gpu = Gpu::headless()?;
    let mut cloth = hanging_cloth(64).scene;
    // Waves decide how the cloth buckles, instead of rounding.
    let wave = |p: &Vec3| *p + Vec3::Y * 0.02 * (6.0 * p.x).sin() * (5.0 * p.z).cos();
    cloth.bodies[0].start = Some(cloth.bodies[0].mesh.positions.iter().map(wave).collect());
    compare(&gpu, "hanging cloth, 64×64", &cloth)?;
    compare(&gpu, "cube of 5000 tetrahedra, W2", &cube())
}

fn compare(gpu: &Gpu, name: &str, scene: &Scene) -> Result<(), Error> {
    let reference = positions(gpu, scene, Integrator::Rk4, LONGEST / f64::from(1 << HALVINGS))?;
    println!("\n{name}: {:.1} s, error at most {:.0} mm", DURATION, 1e3 * TOLERANCE);
    println!(
        "{:<18} {:>8} {:>8} {:>12} {:>9} {:>16}",
        "", "step, ms", "steps", "iterations", "error, mm", "simulated, s/s"
    );
    for integrator in Integrator::ALL {
        let label = integrator.name();
        let mut step = LONGEST;
        let found = loop {
            match run(gpu, scene, integrator, step, &reference) {
                Ok(run) if run.error <= TOLERANCE => break Some(run),
                Ok(_) | Err(Error::Unstable { .. } | Error::NonFinite { .. }) => {}
                Err(error) => return Err(error),
            }
            step /= 2.0;
            if step < LONGEST / f64::from(1 << HALVINGS) {
                break None;
            }
        };
        match found {
            Some(run) => println!(
                "{label:<18} {:>8.3} {:>8} {:>12.1} {:>9.3} {:>16.4}",
                1e3 * step,
                (DURATION / step).round(),
                run.iterations,
                1e3 * run.error,
                DURATION / run.seconds
            ),
            None => println!("{label:<18} not reached"),
        }
    }
    Ok(())
}

fn positions(gpu: &Gpu, scene: &Scene, integrator: Integrator, step: f64) -> Result<Vec<Vec3>, Error> {
    let mut simulation = Simulation::new(gpu, scene, compared(integrator, step))?;
    take_steps(&mut simulation, integrator, step)?;
    Ok(simulation.positions()?.to_vec())
}

/// Makes many explicit steps at once, and implicit ones singly: their iteration budget follows the steps before.
fn take_steps(simulation: &mut Simulation, integrator: Integrator, step: f64) -> Result<(), Error> {
    let count = (DURATION / step).round() as u32;
    let at_once = if integrator.is_explicit() { count } else { 1 };
    for _ in 0..count / at_once {
        simulation.step_many(at_once)?;
    }
    Ok(())
}

fn run(gpu: &Gpu, scene: &Scene, integrator: Integrator, step: f64, reference: &[Vec3]) -> Result<Run, Error> {
    let mut simulation = Simulation::new(gpu, scene, compared(integrator, step))?;
    let begin = Instant::now();
    take_steps(&mut simulation, integrator, step)?;
    simulation.finish()?;
    let seconds = begin.elapsed().as_secs_f64();
    let records = simulation.take_records();
    let iterations =
        records.iter().map(|record| f64::from(record.iterations)).sum::<f64>() / records.len().max(1) as f64;
    let squares = simulation.positions()?.iter().zip(reference).map(|(a, b)| f64::from(a.distance_squared(*b)));
    let error = (squares.sum::<f64>() / reference.len() as f64).sqrt();
    Ok(Run { error, seconds, iterations })
}
