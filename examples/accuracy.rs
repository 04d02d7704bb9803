//! Compares f32 on the GPU with f64, and f64 with an f64 run that starts 10⁻⁷ m away.
//!
//! `cargo run --release --example accuracy -- 128`

use tenter::{Backend, Gpu, internals::bench::accuracy};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n = std::env::args().nth(1).map_or(Ok(128), |argument| argument.parse())?;
    let gpu = Gpu::headless()?;
    let found = accuracy::compare(&Backend::from(&gpu), n)?;
    println!(
        "W1 with {n}×{n} particles, 2 cm of waviness, tolerance 1e-5, {} steps, on {}",
        accuracy::STEPS,
        gpu.info().name
    );
    println!("sag in f64                              {:.6} m", found.sag);
    println!("GPU against f64                         sag {:.2e} m, mean {:.2e} m", found.gpu.sag, found.gpu.mean);
    println!(
        "f64 against f64 disturbed by 1e-7 m     sag {:.2e} m, mean {:.2e} m",
        found.disturbed.sag, found.disturbed.mean
    );
    println!("velocities after one step               {:.2e} relative", found.first_step);
    println!(
        "{}",
        if found.is_good() { "no further than twice the disturbance" } else { "further than twice the disturbance" }
    );
    Ok(())
}
