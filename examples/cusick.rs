//! Cusick's drape test of the presets, at several resolutions.
//!
//!     cargo run --release --example cusick [-- PRESET… RINGS…]

use tenter::{Backend, internals::bench::cusick::Specimen, presets};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (rings, names): (Vec<&String>, Vec<&String>) = arguments.iter().partition(|text| text.parse::<u32>().is_ok());
    let rings: Vec<u32> = rings.iter().filter_map(|text| text.parse().ok()).collect();
    let rings = if rings.is_empty() { vec![15, 30] } else { rings };
    for (name, _, make) in presets::ALL.iter().filter(|(name, ..)| names.iter().any(|wanted| wanted == name)) {
        for &rings in &rings {
            let begin = std::time::Instant::now();
            let mut all = Vec::new();
            for specimen in Specimen::six(rings) {
                let draped = specimen.drape(&make(), Backend::Cpu)?;
                eprintln!(
                    "{name} {rings} {specimen:?}: {:.1} % at {:.1} s, {:+.2}, stretch {:.2} %",
                    100.0 * draped.coefficient,
                    draped.time,
                    100.0 * draped.change,
                    100.0 * draped.strain
                );
                all.push(100.0 * draped.coefficient);
            }
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            println!(
                "{name:<16} {:5.2} mm {mean:5.1} % {all:.1?} {:.0} s",
                150.0 / rings as f64,
                begin.elapsed().as_secs_f64()
            );
        }
    }
    Ok(())
}
