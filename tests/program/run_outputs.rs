//! What a run leaves behind: formats, pictures, checkpoints, and whole files when it is ended early.

use crate::place::{Place, code, stderr, stdout};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// A cloth on a ball, 20 steps, 5 frames, with everything that remembers.
const SCENE: &str = r#"[simulation]
duration = 0.2
frame_rate = 20
integrator = "bdf2"

[[body]]
name = "cloth"
waviness = 0.01
mesh = { kind = "grid", width = 0.6, depth = 0.6, columns = 12, rows = 12 }

[body.material]
preset = "cotton-springs"
structural = { plasticity = { yield = 0.001, maximum = 0.3, creep = 20.0 } }

[[collider]]
shape = "sphere"
centre = [0, -0.21, 0]
radius = 0.2
"#;

fn files(place: &Place, name: &str) -> BTreeSet<String> {
    fs::read_dir(place.path(name)).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn set_up() -> Place {
    let place = Place::new();
    fs::write(place.path("scene.toml"), SCENE).unwrap();
    place
}

#[test]
fn every_format_is_written() {
    let place = set_up();
    let arguments = "run scene.toml --output out --frames obj,ply,vtu,png --cache pc2,mdd,glb --gif film.gif --image end.png \
                     --image-size 120x90 --colour strain --camera 1,0.5,1.5:0,-0.1,0 --json";
    let output = place.tenter(&arguments.split_whitespace().collect::<Vec<_>>());
    code(&output, 0);
    let mut expected: BTreeSet<String> =
        ["frames.pc2", "frames.mdd", "frames.glb", "frames.pvd", "steps.jsonl"].map(str::to_owned).into();
    for frame in 0..5 {
        expected.extend(["obj", "ply", "vtu", "png"].map(|extension| format!("frame_{frame:04}.{extension}")));
    }
    assert_eq!(files(&place, "out"), expected);
    let start = |name: &str| fs::read(place.path(name)).unwrap()[..6].to_vec();
    assert_eq!(start("out/frames.pc2"), b"POINTC");
    assert!(start("out/frames.glb").starts_with(b"glTF"));
    assert!(start("film.gif").starts_with(b"GIF89a"));
    assert!(start("end.png").starts_with(b"\x89PNG"));
    let film = gif::DecodeOptions::new().read_info(fs::File::open(place.path("film.gif")).unwrap()).unwrap();
    assert_eq!((film.width(), film.height()), (120, 90));
    let mut film = film;
    let mut frames = 0;
    while let Some(frame) = film.read_next_frame().unwrap() {
        assert_eq!(frame.delay, 5);
        frames += 1;
    }
    assert_eq!(frames, 5);
    let summary: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(summary["outputs"]["frame_files"].as_array().unwrap().len(), 4);
    assert_eq!(summary["interrupted"], false);
    // Another run leaves nothing of this one.
    code(&place.tenter(&["run", "scene.toml", "--output", "out", "--frames", "none", "--quiet"]), 0);
    assert_eq!(files(&place, "out"), ["last.png", "steps.jsonl"].map(str::to_owned).into());
}

#[test]
fn the_scene_says_what_is_written() {
    let place = set_up();
    let output = "[output]\nframes = [\"ply\"]\ncaches = [\"mdd\"]\n";
    fs::write(place.path("scene.toml"), format!("{output}{SCENE}")).unwrap();
    code(&place.tenter(&["run", "scene.toml", "--output", "out", "--quiet", "--image-size", "64x48"]), 0);
    let written = files(&place, "out");
    assert!(
        written.contains("frame_0004.ply") && written.contains("frames.mdd") && !written.contains("frame_0000.obj")
    );
}

#[test]
fn a_run_that_goes_on_writes_the_same_bits() {
    for backend in ["gpu", "cpu"] {
        let place = set_up();
        let run = |output: &str, more: &[&str]| {
            let common =
                ["run", "scene.toml", "--backend", backend, "--quiet", "--image-size", "64x48", "--output", output];
            code(&place.tenter(&[&common, more].concat()), 0);
        };
        run("whole", &["--frames", "obj,ply"]);
        let checkpoint = ["--frames", "obj,ply", "--checkpoint", "state/cloth.tenter", "--every", "7"];
        // As if it had been stopped after the first checkpoint.
        run("parts", &[&checkpoint[..], &["--duration", "0.1"]].concat());
        assert_eq!(fs::read_to_string(place.path("parts/steps.jsonl")).unwrap().lines().count(), 10);
        run("parts", &[&checkpoint[..], &["--resume"]].concat());
        assert_eq!(files(&place, "whole"), files(&place, "parts"));
        for name in files(&place, "whole") {
            let read = |folder: &str| fs::read(place.path(folder).join(&name)).unwrap();
            assert!(read("whole") == read("parts"), "{backend}: {name}");
        }
    }
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let place = set_up();
    let resume = |file: &str| place.tenter(&["run", "scene.toml", "--output", "out", "--checkpoint", file, "--resume"]);
    let missing = resume("none.tenter");
    code(&missing, 2);
    assert!(stderr(&missing).contains("none.tenter: there is no such file"), "{}", stderr(&missing));
    fs::write(place.path("wrong.tenter"), b"hello").unwrap();
    let wrong = resume("wrong.tenter");
    code(&wrong, 2);
    assert!(stderr(&wrong).contains("wrong.tenter: this is no checkpoint"), "{}", stderr(&wrong));
    code(
        &place.tenter(&[
            "run",
            "scene.toml",
            "--output",
            "out",
            "--checkpoint",
            "a.tenter",
            "--quiet",
            "--frames",
            "none",
        ]),
        0,
    );
    fs::write(place.path("scene.toml"), SCENE.replace("columns = 12", "columns = 11")).unwrap();
    let other = resume("a.tenter");
    code(&other, 2);
    assert!(stderr(&other).contains("another scene: it has 144 particles, this one 132"), "{}", stderr(&other));
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_frame_and_leaves_whole_files() {
    let place = set_up();
    let arguments = "run scene.toml --output out --duration 600 --frames obj --cache pc2 --checkpoint state.tenter --image-size 64x48";
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let mut child = place.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while !place.path("out/frame_0003.obj").exists() {
        assert!(start.elapsed() < Duration::from_secs(120) && child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    code(&output, 130);
    assert!(
        stderr(&output).contains("ended by Ctrl-C or a signal after") && stderr(&output).contains("--resume"),
        "{}",
        stderr(&output)
    );
    let written = files(&place, "out");
    assert!(written.iter().all(|name| !name.ends_with(".part")), "{written:?}");
    assert!(written.contains("last.png") && written.contains("frames.pc2"));
    let frames = written.iter().filter(|name| name.ends_with(".obj")).count();
    // The cache counts as many frames as there are.
    let cache = fs::read(place.path("out/frames.pc2")).unwrap();
    assert_eq!(u32::from_le_bytes(cache[28..32].try_into().unwrap()) as usize, frames);
    // And the state can be gone on from.
    let steps = fs::read_to_string(place.path("out/steps.jsonl")).unwrap().lines().count();
    let duration = format!("{}", 0.01 * (steps as f64 + 2.0));
    let resumed = "run scene.toml --output out --quiet --frames none --checkpoint state.tenter --resume --duration";
    code(&place.tenter(&resumed.split_whitespace().chain([duration.as_str()]).collect::<Vec<_>>()), 0);
    assert_eq!(fs::read_to_string(place.path("out/steps.jsonl")).unwrap().lines().count(), steps + 2);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_is_said() {
    let place = set_up();
    fs::write(place.path("file"), b"").unwrap();
    for arguments in [
        "run scene.toml --output file --quiet",
        "run scene.toml --output out --quiet --gif file/film.gif",
        "run scene.toml --output out --quiet --image file/end.png",
        "run scene.toml --output out --quiet --checkpoint file/state",
    ] {
        let output = place.tenter(&arguments.split_whitespace().collect::<Vec<_>>());
        code(&output, 1);
        assert!(stderr(&output).contains("error: file"), "{arguments}: {}", stderr(&output));
    }
}

#[test]
fn skins_and_files_are_written_in_place_of_what_carries_them() {
    let place = Place::new();
    fs::create_dir(place.path("meshes")).unwrap();
    // A tetrahedron, in a folder beside the scene.
    let text = "v 0 0 0\nv 0.2 0 0\nv 0 0.2 0\nv 0 0 0.2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    fs::write(place.path("meshes/tip.obj"), text).unwrap();
    let scene = r#"
        [simulation]
        duration = 0.05
        [[body]]
        mesh = { kind = "fill", file = "meshes/tip.obj", spacing = 0.05 }
        material = { volume_density = 500.0, structural = { stiffness = 50.0 } }
    "#;
    fs::create_dir(place.path("other")).unwrap();
    fs::write(place.path("tip.toml"), scene).unwrap();
    code(&place.tenter(&["run", "tip.toml", "--output", "out", "--quiet", "--image-size", "64x48"]), 0);
    let frame = fs::read_to_string(place.path("out/frame_0001.obj")).unwrap();
    assert_eq!(frame.lines().filter(|line| line.starts_with("v ")).count(), 4);
    assert_eq!(frame.lines().filter(|line| line.starts_with("vn ")).count(), 4);
    // It falls as one.
    let first = fs::read_to_string(place.path("out/frame_0000.obj")).unwrap();
    let height = |text: &str| -> f64 {
        let y = |line: &str| line.split(' ').nth(2).unwrap().parse::<f64>().unwrap();
        text.lines().filter(|line| line.starts_with("v ")).map(y).sum::<f64>() / 4.0
    };
    let (fallen, expected) = (height(&first) - height(&frame), 0.5 * 9.81 * 0.04 * (0.04 + 0.01));
    assert!((fallen - expected).abs() < 1e-4, "{fallen} {expected}");
    // From elsewhere too.
    let moved = Command::new(env!("CARGO_BIN_EXE_tenter"))
        .args(["check", "../tip.toml"])
        .current_dir(place.path("other"))
        .output()
        .unwrap();
    code(&moved, 0);
}
