//! Runs hundreds of ordinary scenes with default options and counts explosions, penetrations and errors.
//!
//! `cargo run --release --example storm -- --save storm.jsonl`

use clap::Parser;
use std::{
    fs::OpenOptions,
    io::{BufRead, BufReader, Write},
    ops::Range,
    path::{Path, PathBuf},
};
use tenter::{
    Backend, Gpu,
    internals::bench::storm::{self, Row},
};

/// Run hundreds of ordinary scenes with default options and count failures
#[derive(Parser)]
struct Arguments {
    /// Size of the draw
    #[arg(long, default_value_t = storm::COUNT)]
    draw: usize,
    /// Seed of the draw
    #[arg(long, default_value_t = storm::SEED)]
    seed: u64,
    /// Number of the first run, from 0
    #[arg(long, default_value_t = 0)]
    from: usize,
    /// Number of runs [default: to the end of the draw]
    #[arg(long)]
    count: Option<usize>,
    /// Run only this number of the draw
    #[arg(long, conflicts_with_all = ["from", "count"])]
    only: Option<usize>,
    /// Run on the GPU in f32 instead of the CPU backend
    #[arg(long)]
    gpu: bool,
    /// Skip the runs in steps of 0.5 ms that stretch is compared with
    #[arg(long)]
    no_fine: bool,
    /// Threads of the CPU backend [default: all cores]
    #[arg(long)]
    threads: Option<usize>,
    /// Append results to this file, one JSON object per line; runs in it are counted in the summary, not repeated
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

impl Arguments {
    fn range(&self) -> Range<usize> {
        let (from, count) = self.only.map_or((self.from, self.count), |only| (only, Some(1)));
        from.min(self.draw)..count.map_or(self.draw, |count| from.saturating_add(count).min(self.draw))
    }
}

/// Results of earlier runs. An incomplete line of an interrupted run is ignored.
fn read(path: &Path) -> std::io::Result<Vec<Row>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let lines = BufReader::new(std::fs::File::open(path)?).lines();
    lines.map(|line| line.map(|line| serde_json::from_str(&line).ok())).filter_map(Result::transpose).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    if let Some(threads) = arguments.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    }
    let backend = if arguments.gpu { Backend::from(&Gpu::headless()?) } else { Backend::Cpu };
    let drawn = storm::draw(arguments.draw, arguments.seed);
    let compared = if arguments.no_fine { Vec::new() } else { storm::compared(&drawn) };
    let mut rows = arguments.save.as_deref().map_or_else(|| Ok(Vec::new()), read)?;
    if let Some(row) = rows.iter().find(|row| drawn.get(row.index).is_none_or(|drawn| drawn.levels != row.levels)) {
        return Err(format!("run {} of the file is of another draw: give its --draw and --seed", row.index).into());
    }
    let mut file = match &arguments.save {
        Some(path) => Some(OpenOptions::new().append(true).create(true).open(path)?),
        None => None,
    };
    println!("{}", storm::head());
    for index in arguments.range() {
        if rows.iter().any(|row| row.index == index) {
            continue;
        }
        let row = storm::run(&backend, index, &drawn[index], compared.contains(&index));
        println!("{row}");
        if let Some(file) = &mut file {
            // One write per line, so that an interrupted run leaves complete lines.
            file.write_all((serde_json::to_string(&row)? + "\n").as_bytes())?;
        }
        rows.push(row);
    }
    println!("\n{}", storm::summary(&rows));
    Ok(())
}
