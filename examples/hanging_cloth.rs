//! A cloth hangs from two corners: the library in twenty lines.
//!
//! `cargo run --release --example hanging_cloth`

use tenter::{Body, Error, Gpu, Material, Mesh, Options, Scene, Simulation, Vertices};

fn main() -> Result<(), Error> {
    let gpu = Gpu::headless()?;
    println!("on {}", gpu.info().name);

    let mut scene = Scene::new();
    let cloth = scene.add(Body::cloth(Mesh::grid(1.0, 1.0, 64, 64), Material::cotton()));
    scene.pin(cloth, Vertices::corners());

    let mut simulation = Simulation::new(&gpu, &scene, Options { measure: true, ..Default::default() })?;
    for second in 1..=3 {
        for _ in 0..100 {
            simulation.step()?;
        }
        if let Some(record) = simulation.finish()?
            && let Some(measures) = record.measures
        {
            println!(
                "after {second} s: {} iterations, kinetic energy {:.4} J, largest strain {:.1} %",
                record.iterations,
                measures.kinetic,
                100.0 * measures.largest_strain
            );
        }
    }
    let lowest = simulation.positions()?.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
    println!("it hangs {:.3} m below its corners", -lowest);
    Ok(())
}
