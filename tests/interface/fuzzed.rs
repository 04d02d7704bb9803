//! The fuzz targets of `fuzz/` with bytes of a seeded generator, without a fuzzer. `TENTER_FUZZ_SECONDS` says how long each goes on; then also `TENTER_FUZZ_SEED` where it begins.

use crate::common::gpu;
use std::time::{Duration, Instant};
use tenter::{Backend, internals::bench::reduced};

#[path = "../../fuzz/src/checkpoint.rs"]
mod checkpoint;
#[path = "../../fuzz/src/sequence.rs"]
mod sequence;
#[path = "../../fuzz/src/steps.rs"]
mod steps;

/// Time from which an execution is worth a line.
const SLOW: Duration = Duration::from_secs(10);

/// Runs a target with one generator per seed: `few` times, or as long as the environment says.
fn each(few: u64, mut target: impl FnMut(&mut fastrand::Rng)) {
    let variable = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let first = variable("TENTER_FUZZ_SEED").unwrap_or(0);
    let limit = variable("TENTER_FUZZ_SECONDS").map(Duration::from_secs);
    let start = Instant::now();
    let mut done = 0;
    while limit.map_or(done < few, |limit| start.elapsed() < limit) {
        let seed = first + done;
        let mut random = fastrand::Rng::with_seed(seed);
        let began = Instant::now();
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| target(&mut random)));
        if let Err(cause) = result {
            println!("seed {seed}");
            std::panic::resume_unwind(cause);
        }
        if began.elapsed() > SLOW {
            println!("seed {seed} took {:.0} s", began.elapsed().as_secs_f64());
        }
        done += 1;
    }
    println!("{done} executions from seed {first}");
}

fn bytes(random: &mut fastrand::Rng, most: usize) -> Vec<u8> {
    (0..random.usize(..most)).map(|_| random.u8(..)).collect()
}

#[test]
fn sequences_of_calls() {
    each(60, |random| sequence::run(&bytes(random, 120), &[Backend::Cpu]));
}

#[test]
fn sequences_of_calls_are_legal_on_both_backends_alike() {
    let backends = [Backend::Cpu, Backend::from(&gpu())];
    each(5, |random| sequence::run(&bytes(random, 60), &backends));
}

#[test]
fn checkpoints_with_a_right_checksum() {
    let mut target = checkpoint::Target::new(&Backend::Cpu);
    each(300, |random| target.run(&bytes(random, 20)));
}

#[test]
fn checkpoints_with_a_right_checksum_on_the_gpu() {
    let mut target = checkpoint::Target::new(&Backend::from(&gpu()));
    each(8, |random| target.run(&bytes(random, 12)));
}

/// Numbers that replace those of a scene.
const NUMBERS: [&str; 12] =
    ["0", "-1", "1e30", "-1e30", "1e-30", "3e38", "nan", "inf", "1e-7", "1000000", "4294967295", "0.5"];

#[test]
fn scenes_of_which_numbers_and_lines_are_changed() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    // Coarser meshes, a quarter of the particles twice over.
    let texts: Vec<String> =
        paths.iter().map(|path| reduced(&reduced(&std::fs::read_to_string(path).unwrap()))).collect();
    each(40, |random| {
        let mut lines: Vec<String> = texts[random.usize(..texts.len())].lines().map(str::to_owned).collect();
        for _ in 0..random.usize(1..4) {
            let place = random.usize(..lines.len());
            match random.u8(..8) {
                0 => _ = lines.remove(place),
                1 => lines.insert(place, lines[random.usize(..lines.len())].clone()),
                _ => {
                    let words: Vec<&str> = lines[place].split_inclusive([' ', ',', '[', ']']).collect();
                    let numbers: Vec<usize> = (0..words.len())
                        .filter(|&ix| words[ix].starts_with(|c: char| c.is_ascii_digit() || c == '-'))
                        .collect();
                    if let Some(&ix) = numbers.get(random.usize(..numbers.len().max(1))) {
                        let end =
                            words[ix].trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "-+._".contains(c));
                        let new = format!("{}{end}", NUMBERS[random.usize(..NUMBERS.len())]);
                        lines[place] =
                            words.iter().enumerate().map(|(at, word)| if at == ix { &new } else { *word }).collect();
                    }
                }
            }
        }
        steps::run(&lines.join("\n"));
    });
}
