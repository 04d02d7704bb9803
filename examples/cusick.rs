//! Cusick's drape test of the presets: mean drape coefficient of six specimens, at several resolutions.
//!
//!     cargo run --release --example cusick [-- PRESET… RINGS…]
//!
//! Presets are those with measured drape coefficients unless named; rings of vertices are 15, 20 and 30 unless given, for cells of 10, 7.5 and 5 mm.

use tenter::{
    Backend,
    internals::bench::cusick::{MEASURED, SPECIMEN, Specimen},
    presets,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut rings: Vec<u32> = arguments.iter().filter_map(|text| text.parse().ok()).collect();
    if rings.is_empty() {
        rings = vec![15, 20, 30];
    }
    let named = |name: &str| arguments.iter().any(|wanted| wanted == name);
    let any_named = presets::ALL.iter().any(|(name, ..)| named(name));
    for (name, _, make) in presets::ALL {
        let band = MEASURED.iter().find(|(known, _)| known == name).map(|(_, band)| band);
        if if any_named { !named(name) } else { band.is_none() } {
            continue;
        }
        for &rings in &rings {
            let mut draped = Vec::new();
            for specimen in Specimen::six(rings) {
                draped.push(specimen.drape(&make(), Backend::Cpu)?);
            }
            let all: Vec<f64> = draped.iter().map(|draped| 100.0 * draped.coefficient).collect();
            let strain = draped.iter().map(|draped| 100.0 * draped.strain).fold(0.0, f64::max);
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            let band = band.map_or_else(String::new, |[least, most]| {
                format!("measured {:.0}–{:.0} %", 100.0 * least, 100.0 * most)
            });
            let cell = 1e3 * SPECIMEN / rings as f32;
            println!(
                "{name:<8} cells of {cell:5.2} mm: {mean:4.1} % {band}; each {all:.1?}, stretch at most {strain:.1} %"
            );
        }
    }
    Ok(())
}
