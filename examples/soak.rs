//! Long runs: a million steps of a small scene and ten thousand with contact, on one backend. Memory has to stay flat and energy bounded, or the program fails.
//!
//! `make soak`, or `cargo run --release --example soak -- [--cpu] [--seconds N] [--small N] [--contact N]`: each run ends after N seconds at the latest, and says how many steps it made.

use std::time::{Duration, Instant};
use tenter::{Air, Backend, Body, Collider, Gpu, Material, Mesh, Options, Scene, Simulation, Vertices};

/// Steps between two looks at memory and energy.
const STRIDE: u64 = 500;
/// Growth of resident memory after the first tenth of a run that is still flat, bytes: allocators keep some.
const MOST_GROWTH: u64 = 8 << 20;

type Failure = Box<dyn std::error::Error>;

/// A cloth that swings in wind for ever.
fn flag() -> Scene {
    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(Mesh::grid(0.5, 0.5, 8, 8), Material::cotton()));
    scene.pin(cloth, Vertices::list([0u32, 7]));
    scene.air = Some(Air { steady: 0.3, angular_velocity: 5.0, ..Air::wind(tenter::glam::Vec3::new(2.0, 0.0, 1.0)) });
    scene
}

/// A cloth that falls onto a ball which turns under it.
fn draped() -> Scene {
    let mut scene = Scene::new();
    scene.add(Body::cloth(Mesh::grid(0.8, 0.8, 12, 12).translated(tenter::glam::Vec3::Y * 0.02), Material::cotton()));
    scene.add_collider(Collider::sphere([0.0, -0.3, 0.0], 0.3));
    scene.add_collider(Collider::plane([0.0, -0.6, 0.0], tenter::glam::Vec3::Y));
    scene.air = Some(Air { steady: 0.5, angular_velocity: 3.0, ..Air::wind(tenter::glam::Vec3::new(1.0, 0.0, 0.0)) });
    scene
}

/// Resident memory of this process, bytes; 0 where the system does not tell.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    status.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

/// Makes steps until there are enough or time is up.
fn soak(name: &str, backend: &Backend, scene: &Scene, steps: u64, limit: Duration) -> Result<(), Failure> {
    let options = Options { measure: true, ..Default::default() };
    let mut simulation = Simulation::new(backend.clone(), scene, options)?;
    let start = Instant::now();
    // Largest energy of the first tenth and of the rest, J; memory at the end of the first tenth and its peak since.
    let (mut energies, mut memory, mut settled) = ([0.0f64; 2], [0u64; 2], false);
    let (mut made, mut unconverged) = (0, 0);
    while made < steps && start.elapsed() < limit {
        for _ in 0..STRIDE.min(steps - made) {
            simulation.step()?;
            made += 1;
        }
        simulation.finish()?;
        let share = (made as f64 / steps as f64).max(start.elapsed().as_secs_f64() / limit.as_secs_f64());
        for record in simulation.take_records() {
            unconverged += u64::from(record.outcome != tenter::Outcome::Converged);
            let Some(measures) = record.measures else { continue };
            let energy = measures.kinetic + measures.elastic;
            if !energy.is_finite() {
                return Err(format!("{name}: the energy after step {} is {energy}", record.step).into());
            }
            energies[usize::from(settled)] = energies[usize::from(settled)].max(energy);
        }
        if !settled && share >= 0.1 {
            settled = true;
            memory = [resident(); 2];
        }
        memory[1] = memory[1].max(resident());
        // The next tenths may swing a little higher, but not grow.
        if energies[1] > 4.0 * energies[0] + 1e-6 {
            return Err(format!(
                "{name}: energy grew from {:.3e} to {:.3e} J in {made} steps",
                energies[0], energies[1]
            )
            .into());
        }
        if settled && memory[1] > memory[0] + MOST_GROWTH {
            return Err(format!("{name}: memory grew from {} to {} bytes in {made} steps", memory[0], memory[1]).into());
        }
    }
    let positions = simulation.positions()?;
    if !positions.iter().all(|position| position.is_finite() && position.length() < 1e3) {
        return Err(format!("{name}: particles are lost after {made} steps").into());
    }
    println!(
        "{name}: {made} of {steps} steps in {:.0} s; largest energy {:.3e} J in the first tenth, {:.3e} J after it; memory {:.1} MiB, at most {:+.2} MiB since; {unconverged} steps did not converge; {:?}",
        start.elapsed().as_secs_f64(),
        energies[0],
        energies[1],
        memory[0] as f64 / f64::from(1 << 20),
        (memory[1] - memory[0]) as f64 / f64::from(1 << 20),
        simulation.repeat_report()
    );
    Ok(())
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |name: &str, usual: u64| -> Result<u64, Failure> {
        let value = arguments.iter().position(|argument| argument == name).and_then(|ix| arguments.get(ix + 1));
        Ok(value.map(|value| value.parse()).transpose()?.unwrap_or(usual))
    };
    let backend = if arguments.iter().any(|argument| argument == "--cpu") {
        Backend::Cpu
    } else {
        Backend::from(&Gpu::headless()?)
    };
    let limit = Duration::from_secs(number("--seconds", 1800)?);
    soak("small", &backend, &flag(), number("--small", 1_000_000)?, limit)?;
    soak("contact", &backend, &draped(), number("--contact", 10_000)?, limit)
}
