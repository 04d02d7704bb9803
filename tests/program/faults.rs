//! What stands in the way of the program: devices and pipes in place of files, other runs, full disks, closed streams, signals. It ends with an exit code and a reason,
//! and leaves whole files.
#![cfg(unix)]

use crate::place::{Place, code, stderr, stdout};
use std::{
    fs,
    os::unix::fs::FileTypeExt,
    path::Path,
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

/// A small cloth; a frame is due every two steps.
const SCENE: &str = r#"[simulation]
duration = 0.1
frame_rate = 50

[[body]]
mesh = { kind = "grid", width = 0.5, depth = 0.5, columns = 5, rows = 5 }
material = { preset = "cotton-springs" }

[[pin]]
vertices = "corners"
"#;

const RUN: [&str; 7] = ["run", "scene.toml", "--backend", "cpu", "--quiet", "--image-size", "16x16"];

fn set_up() -> Place {
    let place = Place::new();
    fs::write(place.path("scene.toml"), SCENE).unwrap();
    place
}

fn run(place: &Place, more: &[&str]) -> Output {
    place.tenter(&[&RUN, more].concat())
}

fn shell(command: &str, arguments: &[&str]) -> bool {
    Command::new(command).args(arguments).status().unwrap().success()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Waits until a file is there, while the program runs.
fn await_file(child: &mut Child, path: &Path) {
    let start = Instant::now();
    while !path.exists() {
        assert!(start.elapsed() < Duration::from_secs(120) && child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn devices_and_pipes_are_never_replaced() {
    let place = set_up();
    let pipe = place.path("pipe");
    assert!(shell("mkfifo", &[pipe.to_str().unwrap()]));
    let mut targets = vec!["pipe"];
    // Root alone may make devices; anybody may write through a link to one.
    std::os::unix::fs::symlink("/dev/null", place.path("link")).unwrap();
    targets.push("link");
    let device = place.path("device");
    if Command::new("mknod").args([device.to_str().unwrap(), "c", "1", "3"]).output().unwrap().status.success() {
        targets.push("device");
    }
    for target in targets {
        let before = fs::symlink_metadata(place.path(target)).unwrap().file_type();
        for option in ["--image", "--gif", "--checkpoint"] {
            let output = run(&place, &[option, target, "--output", "out"]);
            code(&output, 2);
            let said = stderr(&output);
            assert!(said.contains(&format!("{target}: is a ")) && said.contains("only regular files"), "{said}");
            assert_eq!(fs::symlink_metadata(place.path(target)).unwrap().file_type(), before, "{option} {target}");
        }
    }
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    assert!(names(&place.path("out")).is_empty(), "{:?}", names(&place.path("out")));
}

#[test]
fn a_pipe_is_not_waited_on() {
    let place = set_up();
    for name in ["pipe.toml", "pipe.json", "pipe"] {
        assert!(shell("mkfifo", &[place.path(name).to_str().unwrap()]));
        // Nobody writes to the pipe: reading it would not return.
        let checked = place.tenter(&["check", name]);
        code(&checked, 2);
        assert!(stderr(&checked).contains(&format!("{name}: is a pipe")), "{}", stderr(&checked));
        let resumed = run(&place, &["--checkpoint", name, "--resume"]);
        code(&resumed, 2);
        assert!(stderr(&resumed).contains(&format!("{name}: is a pipe")), "{}", stderr(&resumed));
    }
    assert!(shell("mkfifo", &[place.path("mesh.obj").to_str().unwrap()]));
    let mesh = SCENE.replace(
        "kind = \"grid\", width = 0.5, depth = 0.5, columns = 5, rows = 5",
        "kind = \"file\", file = \"mesh.obj\"",
    );
    fs::write(place.path("file.toml"), mesh).unwrap();
    let checked = place.tenter(&["check", "file.toml"]);
    code(&checked, 2);
    assert!(stderr(&checked).contains("mesh.obj: is a pipe"), "{}", stderr(&checked));
}

#[test]
fn files_of_all_frames_are_whole_or_refused_when_a_run_goes_on() {
    let place = set_up();
    let keep = ["--checkpoint", "state", "--every", "3", "--frames", "obj"];
    let run = |more: &[&str]| run(&place, &[&keep[..], more].concat());
    code(&run(&["--output", "whole", "--cache", "pc2,mdd,glb"]), 0);
    code(&run(&["--output", "parts", "--duration", "0.05"]), 0);
    for (more, remedy) in [
        (vec!["--cache", "pc2"], "--cache none"),
        (vec!["--cache", "mdd,glb"], "--cache none"),
        (vec!["--gif", "a.gif"], "no --gif"),
    ] {
        let output = run(&[&["--output", "parts", "--resume"], &more[..]].concat());
        code(&output, 2);
        assert!(
            stderr(&output).contains("would lack the 3 before") && stderr(&output).contains(remedy),
            "{}",
            stderr(&output)
        );
    }
    // Not even those that the scene asks for.
    fs::write(place.path("scene.toml"), format!("[output]\ncaches = [\"pc2\"]\n{SCENE}")).unwrap();
    code(&run(&["--output", "parts", "--resume"]), 2);
    code(&run(&["--output", "parts", "--resume", "--cache", "none"]), 0);
    assert_eq!(
        names(&place.path("parts")),
        [
            "frame_0000.obj",
            "frame_0001.obj",
            "frame_0002.obj",
            "frame_0003.obj",
            "frame_0004.obj",
            "frame_0005.obj",
            "last.png",
            "steps.jsonl"
        ]
    );
    for name in names(&place.path("parts")) {
        let read = |folder: &str| fs::read(place.path(folder).join(&name)).unwrap();
        assert!(read("whole") == read("parts"), "{name}");
    }
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let place = set_up();
    let long = [&RUN[..], &["--output", "out", "--duration", "600", "--frames", "obj"]].concat();
    let mut first = place.command(&long).stderr(Stdio::piped()).spawn().unwrap();
    await_file(&mut first, &place.path("out/frame_0001.obj"));
    for more in [vec![], vec!["--checkpoint", "state"]] {
        let start = Instant::now();
        let second = run(&place, &[&["--output", "out"], &more[..]].concat());
        code(&second, 1);
        assert!(stderr(&second).contains("error: out: another run writes to this folder"), "{}", stderr(&second));
        assert!(start.elapsed() < Duration::from_secs(60));
    }
    assert!(place.path("out/frame_0000.obj").exists() && first.try_wait().unwrap().is_none());
    // A crash frees the folder.
    first.kill().unwrap();
    first.wait().unwrap();
    code(&run(&place, &["--output", "out"]), 0);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_or_closed_stdout_is_a_failure() {
    let place = set_up();
    let all: [&[&str]; 5] = [
        &["scenes"],
        &["scenes", "drape"],
        &["check", "scene.toml"],
        &["--help"],
        &["run", "scene.toml", "--backend", "cpu", "--json", "--image-size", "16x16", "--output", "out"],
    ];
    for arguments in all {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = place.command(arguments).stdout(full).stderr(Stdio::piped()).output().unwrap();
        code(&output, 1);
        let said = stderr(&output);
        assert!(said.contains("standard output: ") && said.contains("No space left"), "{arguments:?}: {said}");

        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = place.command(arguments).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        code(&output, 141);
        assert!(!stderr(&output).contains("error"), "{arguments:?}: {}", stderr(&output));
    }
    // The files are there and whole.
    assert!(names(&place.path("out")).contains(&"last.png".to_owned()));
    assert!(names(&place.path("out")).iter().all(|name| !name.ends_with(".part")));
}

#[test]
fn checkpoints_are_looked_at_before_they_are_read_and_written() {
    let place = set_up();
    // Six gibibytes of nothing: to read them takes long.
    let huge = fs::File::create(place.path("huge")).unwrap();
    huge.set_len(6 << 30).unwrap();
    let start = Instant::now();
    let output = run(&place, &["--checkpoint", "huge", "--resume"]);
    code(&output, 2);
    assert!(stderr(&output).contains("huge: this is no checkpoint"), "{}", stderr(&output));
    assert!(start.elapsed() < Duration::from_secs(60));
    let missing = run(&place, &["--checkpoint", "missing", "--resume"]);
    code(&missing, 2);
    assert!(stderr(&missing).contains("missing: there is no such file"), "{}", stderr(&missing));
    // A path that cannot be written to is told before the first step.
    fs::create_dir(place.path("folder")).unwrap();
    fs::write(place.path("file"), "").unwrap();
    for (path, expected) in [("folder", 2), ("file/state", 1)] {
        let output = run(&place, &["--checkpoint", path, "--output", "none", "--every", "1000000"]);
        code(&output, expected);
        assert!(!place.path("none").exists(), "{path}: {:?}", names(&place.path("none")));
    }
}

#[test]
fn signals_leave_whole_files() {
    for signal in ["-HUP", "-TERM"] {
        let place = set_up();
        let long = "--output out --duration 600 --frames obj --cache pc2,mdd,glb --checkpoint state";
        let arguments: Vec<&str> = RUN.into_iter().chain(long.split_whitespace()).collect();
        let mut child = place.command(&arguments).stderr(Stdio::piped()).spawn().unwrap();
        await_file(&mut child, &place.path("out/frame_0002.obj"));
        assert!(shell("kill", &[signal, &child.id().to_string()]));
        code(&child.wait_with_output().unwrap(), 130);
        let written = names(&place.path("out"));
        assert!(written.iter().all(|name| !name.ends_with(".part")), "{signal}: {written:?}");
        assert!(written.contains(&"frames.glb".to_owned()) && place.path("state").exists());
    }
}

#[test]
fn a_second_signal_leaves_no_halves() {
    let place = set_up();
    // A frame takes long: the second signal comes before its end.
    let scene = SCENE.replace("frame_rate = 50", "frame_rate = 0.002").replace("duration = 0.1", "duration = 1000");
    fs::write(place.path("scene.toml"), scene).unwrap();
    let arguments = [&RUN[..], &["--output", "out", "--cache", "pc2,mdd,glb"]].concat();
    let mut child = place.command(&arguments).stderr(Stdio::piped()).spawn().unwrap();
    await_file(&mut child, &place.path("out/frame_0000.obj"));
    for _ in 0..2 {
        assert!(shell("kill", &["-INT", &child.id().to_string()]));
        std::thread::sleep(Duration::from_millis(300));
    }
    code(&child.wait_with_output().unwrap(), 130);
    assert_eq!(names(&place.path("out")), ["frame_0000.obj"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_limit_on_the_size_of_files_is_an_error_and_leaves_no_halves() {
    let place = set_up();
    let script = format!(
        "ulimit -f 8; exec {} {} --output out --duration 60 --cache pc2",
        env!("CARGO_BIN_EXE_tenter"),
        RUN.join(" ")
    );
    let output = Command::new("bash").args(["-c", &script]).current_dir(place.folder.path()).output().unwrap();
    code(&output, 1);
    assert!(stderr(&output).contains("File too large"), "{}", stderr(&output));
    let written = names(&place.path("out"));
    assert!(written.iter().all(|name| !name.ends_with(".part")), "{written:?}");
    assert!(stdout(&output).is_empty());
}

#[test]
fn nohup_goes_on() {
    let place = set_up();
    let mut command = Command::new("nohup");
    let mut child = command
        .arg(env!("CARGO_BIN_EXE_tenter"))
        .args(RUN)
        .args(["--output", "out", "--duration", "600", "--frames", "obj"])
        .current_dir(place.folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    await_file(&mut child, &place.path("out/frame_0001.obj"));
    assert!(shell("kill", &["-HUP", &child.id().to_string()]));
    let last = names(&place.path("out")).len();
    let start = Instant::now();
    while names(&place.path("out")).len() < last + 5 {
        assert!(start.elapsed() < Duration::from_secs(120) && child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn large_scenes_are_estimated() {
    let place = set_up();
    let check = |mesh: &str, material: &str| {
        let scene = format!("[[body]]\nmesh = {{ {mesh} }}\nmaterial = {{ preset = \"{material}\" }}\n");
        fs::write(place.path("large.toml"), scene).unwrap();
        place.tenter(&["check", "large.toml", "--json"])
    };
    let json = |output: &Output| -> serde_json::Value { serde_json::from_str(&stdout(output)).unwrap() };
    // A scene that is not large, for its true sizes, and the same estimated.
    let grid = |n: u32| format!("kind = \"grid\", width = 1, depth = 1, columns = {n}, rows = {n}");
    let (exact, large) = (check(&grid(180), "cotton-springs"), check(&grid(720), "cotton-springs"));
    code(&exact, 0);
    code(&large, 0);
    let (exact, large) = (json(&exact), json(&large));
    assert_eq!((&exact["estimated"], &large["estimated"]), (&false.into(), &true.into()));
    assert_eq!(large["particles"], 720 * 720);
    // Sixteen times the particles: sixteen times of all.
    for key in ["edges", "memory", "iteration_bytes"] {
        let ratio = large[key].as_f64().unwrap() / exact[key].as_f64().unwrap();
        assert!((ratio / 16.0 - 1.0).abs() < 0.06, "{key}: {ratio}");
    }
    assert_eq!(large["bodies"][0]["vertices"], 720 * 720);
    assert!(large["bodies"][0]["cells"].is_null());
    // A block that no software adapter takes is refused by the limit's name, or taken, at once.
    let block = check("kind = \"block\", size = [1, 1, 1], counts = [150, 150, 150]", "jelly");
    let report = json(&block);
    assert_eq!((&report["particles"], &report["estimated"]), (&3_375_000.into(), &true.into()));
    assert!((report["bodies"][0]["tetrahedra"].as_f64().unwrap() / (5.0 * 149f64.powi(3)) - 1.0).abs() < 0.15);
    let limit = &report["limits"][0];
    let fits = limit["needs"].as_u64().unwrap() <= limit["adapter"].as_u64().unwrap();
    code(&block, if fits { 0 } else { 2 });
}
