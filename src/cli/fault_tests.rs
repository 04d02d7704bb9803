//! Short runs of the program with frames of all formats, caches, records and checkpoints, in which the n-th call fails that the system may refuse: files that are created, written,
//! flushed and renamed, and calls to the GPU. The error is typed and nothing panics, only whole files are left, and what was interrupted goes on to the same bytes.
//!
//! The test of every n is `make faults`; the one that always runs takes some of them.

use super::{Arguments, Command, Failure, run};
use crate::inject;
use clap::Parser;
use std::{collections::BTreeMap, fs, path::Path};

const SCENE: &str = r#"[simulation]
duration = 0.06
frame_rate = 50

[[body]]
mesh = { kind = "grid", width = 0.6, depth = 0.6, columns = 5, rows = 5 }
material = { preset = "cotton-springs" }

[[collider]]
shape = "sphere"
centre = [0, -0.205, 0]
radius = 0.2
"#;

fn tenter(folder: &Path, backend: &str, more: &[&str]) -> Result<(), Failure> {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (scene, output, state) = (path("scene.toml"), path("out"), path("state"));
    let common = ["tenter", "run", &scene, "--output", &output, "--checkpoint", &state, "--every", "2", "--quiet"];
    let usual = ["--frames", "obj,ply,vtu", "--image-size", "8x8", "--backend", backend];
    let all = common.iter().chain(&usual).chain(more);
    let Command::Run(arguments) = Arguments::try_parse_from(all).unwrap().command else { panic!("not a run") };
    run::run(&arguments)
}

type Files = BTreeMap<String, Vec<u8>>;

fn files(folder: &Path) -> Files {
    let entries = fs::read_dir(folder.join("out")).into_iter().flatten().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

/// Whether a file is whole: that of the reference, or with fewer steps or frames.
fn is_whole(name: &str, found: &[u8], reference: &[u8]) -> bool {
    let word = |at: usize| u32::from_le_bytes(found[at..at + 4].try_into().unwrap()) as usize;
    match name {
        "steps.jsonl" => reference.starts_with(found) && (found.is_empty() || found.ends_with(b"\n")),
        "frames.pc2" => found.len() == 32 + 12 * word(16) * word(28) && reference[32..].starts_with(&found[32..]),
        "frames.glb" => found.len() == word(8),
        "frames.pvd" => found.ends_with(b"</VTKFile>\n"),
        _ => found == reference,
    }
}

const CACHES: [&str; 2] = ["--cache", "pc2,glb"];

fn fail(backend: &str, choose: impl Fn(u64) -> Vec<u64>) {
    let place = || {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("scene.toml"), SCENE).unwrap();
        place
    };
    let whole = place();
    let total = inject::count(|| assert!(tenter(whole.path(), backend, &CACHES).is_ok()));
    let reference = files(whole.path());
    assert!(total > 50 && reference.len() > 12, "{total} {:?}", reference.keys());
    let (mut failed, mut resumed) = (0, 0);
    for n in choose(total) {
        let place = place();
        let result = inject::failing(n, || tenter(place.path(), backend, &CACHES));
        let what = format!("call {n} of {total} on the {backend}");
        match result {
            Ok(()) => assert!(files(place.path()) == reference, "{what} failed, and nobody noticed"),
            Err(Failure::Run(..)) => failed += 1,
            Err(_) => panic!("{what}: not the failure of a run"),
        }
        for (name, found) in files(place.path()) {
            assert!(!name.ends_with(".part"), "{what}: {name}");
            assert!(is_whole(&name, &found, &reference[&name]), "{what}: {name} of {} bytes", found.len());
        }
        assert!(!place.path().join("state.part").exists(), "{what}");
        // Records whose file could not be finished are gone; the state does not depend on them.
        let has_records = place.path().join("out/steps.jsonl").exists();
        if place.path().join("state").exists() {
            assert!(tenter(place.path(), backend, &["--resume", "--cache", "none"]).is_ok(), "{what}");
            let goes_on = |name: &str| !CACHED.contains(&name) && (has_records || name != "steps.jsonl");
            for (name, expected) in reference.iter().filter(|(name, _)| goes_on(name)) {
                assert!(files(place.path()).get(name) == Some(expected), "{what}: {name} after --resume");
            }
            resumed += 1;
        }
    }
    assert!(failed > 0 && resumed > 0, "{failed} failed, {resumed} resumed");
    println!("{backend}: {total} calls; {failed} failures, {resumed} resumed");
}

/// Files with all frames, which do not go on.
const CACHED: [&str; 2] = ["frames.pc2", "frames.glb"];

#[test]
fn some_calls_fail() {
    fail("cpu", |total| (1..=total).step_by((total / 8) as usize).collect());
}

#[test]
#[ignore = "takes minutes: make faults"]
fn every_call_fails() {
    fail("cpu", |total| (1..=total).collect());
    // Those of the library are counted by its own test: here every third.
    fail("gpu", |total| (1..=total).step_by(3).collect());
}
