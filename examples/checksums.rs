//! Checksums of the final positions of every built-in scene on a coarser mesh, to compare two versions of the solver bit by bit.
//!
//! `cargo run --release --example checksums > before.txt`, and once more after a change. `--cpu` runs the CPU backend; `TENTER_ADAPTER` chooses an adapter.
//! Checksums repeat on one machine with one driver; they differ between drivers. `--poll` calls `Simulation::poll` between steps, which must not change them.

use std::path::Path;
use tenter::{Backend, Error, Gpu, SceneFile, internals::bench::reduced};

/// Number of frames of each scene.
const FRAMES: f64 = 20.0;

fn checksum(backend: &Backend, path: &Path, poll: bool) -> Result<u32, Error> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
    let file = SceneFile::parse(&reduced(&text), path)?;
    let mut simulation = file.scene.simulation(backend.clone(), file.options.clone())?;
    if file.options.adaptive.is_some() {
        simulation.advance_to(FRAMES / file.frame_rate)?;
    } else {
        for _ in 0..(FRAMES / file.frame_rate / file.options.time_step).round() as u64 {
            simulation.step()?;
            if poll {
                simulation.poll()?;
            }
        }
    }
    let positions = simulation.positions_f64()?;
    let bytes: Vec<u8> = positions.iter().flat_map(|position| position.to_array()).flat_map(f64::to_le_bytes).collect();
    Ok(crc32fast::hash(&bytes))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let has = |flag: &str| std::env::args().any(|argument| argument == flag);
    let backend = if has("--cpu") { Backend::Cpu } else { Backend::from(&Gpu::headless()?) };
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let mut paths: Vec<_> =
        std::fs::read_dir(scenes)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        match checksum(&backend, &path, has("--poll")) {
            Ok(sum) => println!("{name:16} {sum:08x}"),
            Err(error) => println!("{name:16} {error}"),
        }
    }
    Ok(())
}
