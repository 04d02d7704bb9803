//! What `tenter run` says about the safety of its steps: repeats, warnings, and simulations that give up.

use crate::place::{Place, code, stderr, stdout};
use serde_json::Value;
use std::{fs, process::Output};

/// A cloth that wind tears away: no step is short enough.
const HURRICANE: &str = r#"[simulation]
nonlinear = "safe"
duration = 0.3
frame_rate = 20

[air]
wind = [1e10, 1e9, 0]

[[body]]
name = "sail"
mesh = { kind = "grid", width = 1.0, depth = 1.0, columns = 12, rows = 12 }
material = { preset = "cotton-springs" }

[[pin]]
vertices = "corners"
"#;

/// Stiff cloth that hits a small ball at 20 m/s. A frame is due at every step.
const IMPACT: &str = r#"[simulation]
nonlinear = "safe"
duration = 0.1
frame_rate = 100

[safe]
max_linearisations = 4

[[body]]
velocity = [0, -20, 0]
mesh = { kind = "grid", width = 0.4, depth = 0.4, columns = 13, rows = 13, position = [0.01, 0.3, 0] }
material = { preset = "denim" }

[[collider]]
shape = "sphere"
centre = [0, 0, 0]
radius = 0.03
"#;

/// A bob of 0.1 kg on a thread of 1 m: at rest it is 9.81 N per stiffness longer.
const BUNGEE: &str = r#"[simulation]
duration = 6
frame_rate = 1

[rayleigh]
mass = 1

[[body]]
mesh = { kind = "chain", from = [0, 0, 0], to = [0, -1, 0], count = 2 }
material = { mass = 0.2, structural = { stiffness = 1.4 } }

[[pin]]
vertices = [0]
"#;

fn run(place: &Place, scene: &str, arguments: &[&str]) -> Output {
    fs::write(place.path("scene.toml"), scene).unwrap();
    let common = ["run", "scene.toml", "--output", "output", "--backend", "cpu", "--image-size", "32x24"];
    place.tenter(&[&common, arguments].concat())
}

fn summary(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).unwrap()
}

fn steps(place: &Place) -> Vec<Value> {
    let text = fs::read_to_string(place.path("output/steps.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Frames in a PC2 cache: the last word of its header; and whether the file is as long as they are.
fn cached_frames(bytes: &[u8]) -> (u32, bool) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let (points, frames) = (word(16), word(28));
    (frames, bytes.len() == 32 + (12 * points * frames) as usize)
}

#[test]
fn a_hurricane_ends_with_exit_code_1_and_whole_files() {
    let place = Place::new();
    let output = run(&place, HURRICANE, &["--json", "--cache", "pc2,glb", "--frames", "obj,vtu"]);
    code(&output, 1);
    let complaints = stderr(&output);
    let records = steps(&place);
    let error = complaints.lines().find(|line| line.starts_with("error: ")).unwrap();
    // Step, cause, particle.
    assert!(error.contains(&format!("step {} is ", records.len())), "{error}");
    assert!(error.contains("not finite") || error.contains("unstable: "), "{error}");
    assert!(complaints.contains(" of \"sail\""), "{complaints}");
    assert!(complaints.contains("steps failed and were repeated"), "{complaints}");
    // What there was is whole.
    let names: Vec<String> = fs::read_dir(place.path("output"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(names.iter().all(|name| !name.ends_with(".part")), "{names:?}");
    for name in
        ["frame_0000.obj", "frame_0000.vtu", "frames.pvd", "frames.pc2", "frames.glb", "last.png", "steps.jsonl"]
    {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    let frames = names.iter().filter(|name| name.ends_with(".obj")).count() as u32;
    assert_eq!(cached_frames(&fs::read(place.path("output/frames.pc2")).unwrap()), (frames, true));
    let glb = fs::read(place.path("output/frames.glb")).unwrap();
    assert_eq!(u32::from_le_bytes(glb[8..12].try_into().unwrap()) as usize, glb.len());
    assert!(image::open(place.path("output/last.png")).is_ok());
    // The summary is there too.
    let summary = summary(&output);
    assert_eq!(summary["error"].as_str().unwrap(), error.strip_prefix("error: ").unwrap());
    assert_eq!(summary["steps"], records.len());
    assert_eq!(summary["outputs"]["frames"], frames);
    assert!(summary["failed_steps"].as_u64().unwrap() > 0);

    // Without --json the error and the note say it all.
    let output = run(&place, HURRICANE, &[]);
    code(&output, 1);
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains(&error.to_owned()), "{}", stderr(&output));
}

#[test]
fn repeated_steps_are_counted_and_frames_keep_their_times() {
    let place = Place::new();
    let output = run(&place, IMPACT, &["--json"]);
    code(&output, 0);
    let summary = summary(&output);
    let (failed, shorter) = (summary["failed_steps"].as_u64().unwrap(), summary["shorter_steps"].as_u64().unwrap());
    assert!(failed > 0 && shorter > failed, "{failed} steps failed, {shorter} shorter ones");
    assert!(summary["error"].is_null());
    // All of the time, all of the frames, and every step once, however many there were.
    assert!((summary["simulated"].as_f64().unwrap() - 0.1).abs() < 1e-9);
    assert_eq!(summary["outputs"]["frames"], 11);
    assert!(place.path("output/frame_0010.obj").exists() && !place.path("output/frame_0011.obj").exists());
    let records = steps(&place);
    assert!(records.len() > 10 && summary["steps"] == records.len());
    let mut time = 0.0;
    for (ix, record) in records.iter().enumerate() {
        assert_eq!(record["step"], ix + 1);
        time += record["time_step"].as_f64().unwrap();
        assert!((record["time"].as_f64().unwrap() - time).abs() < 1e-9, "{record}");
        assert!(record["energy_rise"].as_f64().unwrap() <= 0.01, "{record}");
    }

    let text = stdout(&run(&place, IMPACT, &[]));
    let (steps, were) = if failed == 1 { ("step", "was") } else { ("steps", "were") };
    let expected = format!("{failed} {steps} failed and {were} repeated as {shorter} shorter ones");
    assert!(text.contains(&expected), "{expected}:\n{text}");
    // One that has none does not mention it.
    let quiet = IMPACT.replace("-20, 0]", "-0.1, 0]");
    let text = stdout(&run(&place, &quiet, &[]));
    assert!(!text.contains("repeated") && !text.contains("warning"), "{text}");
}

#[test]
fn large_strain_is_warned_of() {
    let place = Place::new();
    let warnings = |scene: &str| {
        let output = run(&place, scene, &["--json", "--frames", "none"]);
        code(&output, 0);
        let summary = summary(&output);
        let warnings: Vec<String> =
            summary["warnings"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect();
        let text = stdout(&run(&place, scene, &["--frames", "none"]));
        assert_eq!(text.lines().filter(|line| line.starts_with("warning ")).count(), warnings.len(), "{text}");
        (warnings, summary["largest_strain"].as_f64().unwrap(), summary["last_strain"].as_f64().unwrap())
    };
    // 70 % at rest; twice that when the bob is caught.
    let (said, largest, last) = warnings(BUNGEE);
    assert!(largest > 1.0 && (0.6..0.8).contains(&last), "{largest}, {last}");
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains(&format!("at the end is {:.0} %", 100.0 * last)), "{said:?}");
    assert!(said[1].contains(&format!("was {:.0} %, at ", 100.0 * largest)), "{said:?}");
    let (said, largest, last) = warnings(&BUNGEE.replace("stiffness = 1.4", "stiffness = 14.0"));
    assert!(said.is_empty() && largest < 0.3 && last < 0.1, "{said:?}, {largest}, {last}");
}

#[test]
fn steps_that_do_not_converge_are_counted_by_outcome() {
    let place = Place::new();
    // Three iterations are not enough for one linearisation, which goes on all the same.
    let hanging = HURRICANE
        .replace("wind = [1e10, 1e9, 0]", "resistance = 0.1")
        .replace("nonlinear = \"safe\"\n", "")
        .replace("[air]", "nonlinear = \"one-linearisation\"\n\n[solver]\nmax_iterations = 3\n\n[air]");
    let output = run(&place, &hanging, &["--json", "--frames", "none"]);
    code(&output, 0);
    let summary = summary(&output);
    let counts = &summary["unconverged_steps"];
    let limited = counts["iteration_limit"].as_u64().unwrap();
    assert!(limited > 20, "{counts}");
    assert_eq!((&counts["active_set"], &counts["line_search"]), (&Value::from(0), &Value::from(0)));
    let warning = summary["warnings"][0].as_str().unwrap();
    let expected = format!("{limited} of 30 steps did not converge: {limited} ran out of iterations or linearisations");
    assert_eq!(warning, expected);
    // A run that goes on counts those before it.
    let keep = ["--frames", "none", "--json", "--checkpoint", "kept.tenter"];
    code(&run(&place, &hanging, &[&keep[..], &["--duration", "0.15"]].concat()), 0);
    let resumed = run(&place, &hanging, &[&keep[..], &["--resume"]].concat());
    code(&resumed, 0);
    let resumed: Value = serde_json::from_str(&stdout(&resumed)).unwrap();
    assert_eq!(&resumed["unconverged_steps"], counts);
}

#[test]
fn a_start_inside_a_collider_is_warned_of() {
    let place = Place::new();
    let inside = IMPACT.replace("-20, 0]", "0, 0]").replace("[0.01, 0.3, 0]", "[0.01, 0.01, 0]");
    let output = run(&place, &inside, &["--frames", "none"]);
    let said = stderr(&output);
    assert!(said.contains("collider[0]: 2 particles start inside, up to 1.59e-2 m"), "{said}");
    let output = run(&place, IMPACT, &["--frames", "none"]);
    assert!(!stderr(&output).contains("inside"), "{}", stderr(&output));
}
