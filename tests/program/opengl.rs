//! OpenGL, on which tenter falls back where there is no Vulkan, Metal or Direct3D. The tests say that they skip where there is no OpenGL driver.

use crate::place::{Place, code, stderr, stdout};
use serde_json::Value;
use std::{fs, path::Path, process::Command};

/// Settings with which Mesa has OpenGL ES of a version alone; other drivers ignore them.
const ES_3_1: [(&str, &str); 2] = [("MESA_GL_VERSION_OVERRIDE", "2.1"), ("MESA_GLES_VERSION_OVERRIDE", "3.1")];
const ES_3_0: [(&str, &str); 2] = [("MESA_GL_VERSION_OVERRIDE", "2.1"), ("MESA_GLES_VERSION_OVERRIDE", "3.0")];

const SCENE: &str = r#"[simulation]
duration = 0.01
frame_rate = 100
time_step = 0.01

[camera]
eye = [1.0, 1.2, 1.5]
target = [0.0, 0.0, 0.0]

[[body]]
name = "cloth"
waviness = 0.02
mesh = { kind = "grid", width = 1.0, depth = 1.0, columns = 24, rows = 24 }
material = { preset = "cotton" }

[[pin]]
vertices = "corners"

[[collider]]
shape = "plane"
point = [0.0, -0.6, 0.0]
normal = [0.0, 1.0, 0.0]
"#;

/// The program on OpenGL.
fn on_opengl(place: &Place, arguments: &[&str], settings: &[(&str, &str)]) -> Command {
    let mut command = place.command(arguments);
    command.env("WGPU_BACKEND", "gl").env_remove("TENTER_ADAPTER").envs(settings.iter().copied());
    command
}

/// Driver of OpenGL, or a message that there is none.
fn driver(place: &Place) -> Option<String> {
    let output = on_opengl(place, &["adapters", "--json"], &[]).output().unwrap();
    if !output.status.success() {
        println!("skipped: there is no OpenGL driver that simulates");
        return None;
    }
    let list: Value = serde_json::from_str(&stdout(&output)).unwrap();
    list[0]["driver"].as_str().map(str::to_owned)
}

/// Mean difference of two pictures, of 255.
fn difference(a: &Path, b: &Path) -> f64 {
    let [a, b] = [a, b].map(|path| image::open(path).unwrap().to_rgb8());
    assert_eq!(a.dimensions(), b.dimensions());
    let sum: f64 = a.as_raw().iter().zip(b.as_raw()).map(|(a, b)| f64::from(a.abs_diff(*b))).sum();
    sum / a.as_raw().len() as f64
}

/// Pictures on OpenGL and OpenGL ES 3.1 are those of the usual adapter.
#[test]
fn pictures_are_alike_on_opengl() {
    let place = Place::new();
    fs::write(place.path("scene.toml"), SCENE).unwrap();
    if driver(&place).is_none() {
        return;
    }
    let arguments =
        |folder: &'static str| ["run", "scene.toml", "--frames", "png", "--image-size", "160x120", "-o", folder];
    code(&place.tenter(&arguments("usual")), 0);
    for (folder, settings) in [("gl", [].as_slice()), ("es", &ES_3_1)] {
        code(&on_opengl(&place, &arguments(folder), settings).output().unwrap(), 0);
        let last = difference(&place.path(&format!("{folder}/last.png")), &place.path("usual/last.png"));
        assert!(last < 0.5, "{folder}: {last}");
        let file = |folder: &str, name: &str| place.path(&format!("{folder}/{name}"));
        assert!(difference(&file(folder, "frame_0000.png"), &file("usual", "frame_0000.png")) < 0.5);
        code(&on_opengl(&place, &["check", "scene.toml"], settings).output().unwrap(), 0);
    }
    // Control: another view.
    let other = SCENE.replace("[1.0, 1.2, 1.5]", "[-1.0, 1.2, 1.5]");
    fs::write(place.path("scene.toml"), other).unwrap();
    code(&place.tenter(&arguments("other")), 0);
    assert!(difference(&place.path("other/last.png"), &place.path("usual/last.png")) > 0.5);
}

/// OpenGL ES 3.0 has neither compute shaders nor storage buffers: every command says so, before it does anything.
#[test]
fn opengl_without_compute_shaders_is_refused_by_name() {
    let place = Place::new();
    fs::write(place.path("scene.toml"), SCENE).unwrap();
    if !driver(&place).is_some_and(|driver| driver.contains("Mesa")) {
        println!("skipped: only Mesa can be told to be older");
        return;
    }
    let run = |arguments: &[&str]| on_opengl(&place, arguments, &ES_3_0).output().unwrap();
    for arguments in [["run", "scene.toml"].as_slice(), &["check", "scene.toml"], &["adapters"]] {
        let output = run(arguments);
        code(&output, 1);
        let text = stderr(&output);
        assert!(text.contains("cannot simulate: it lacks compute shaders and storage buffers"), "{text}");
        assert!(text.contains("--backend cpu") && !text.contains("smaller mesh"), "{text}");
    }
    assert!(!place.path("out").exists());
    // On the CPU the run warns at its start, or is refused there if it was asked for pictures.
    let on_cpu = ["run", "scene.toml", "--backend", "cpu", "--frames", "none"];
    let output = run(&on_cpu);
    code(&output, 0);
    assert!(stderr(&output).contains("no picture: ") && stdout(&output).contains("picture"), "{}", stderr(&output));
    assert!(place.path("out/scene/steps.jsonl").exists() && !place.path("out/scene/last.png").exists());
    for more in [["--frames", "png"], ["--gif", "a.gif"], ["--image", "a.png"]] {
        let output = run(&[on_cpu.as_slice(), &["-o", "asked"], &more].concat());
        code(&output, 1);
        assert!(stderr(&output).contains("cannot draw pictures: it lacks compute shaders"), "{}", stderr(&output));
        assert!(!place.path("asked/steps.jsonl").exists(), "{more:?}");
    }
}
