//! The program, as it is called from a shell: exit codes, files, what is printed where.

use crate::lines::line_of;
use crate::place::{Place, code, stderr, stdout};
use serde_json::Value;
use std::{collections::BTreeSet, fs, path::Path, process::Output};

/// A bead on a thread that is next to nothing, under absurd gravity: after some steps the square of a length overflows in f32.
const VIOLENT: &str = r#"[simulation]
duration = 0.2
frame_rate = 20
gravity = [0, -4e21, 0]
nonlinear = "one-linearisation"

[[body]]
mesh = { kind = "chain", from = [0, 0, 0], to = [0, -1, 0], count = 2 }
material = { mass = 1e-5, structural = { stiffness = 1e-12 } }

[[pin]]
vertices = [0]
"#;

/// A small cloth, 20 steps, frames every 5.
const CLOTH: &str = r#"[simulation]
duration = 0.2
frame_rate = 20

[[body]]
name = "small cloth"
waviness = 0.02
mesh = { kind = "grid", width = 1.0, depth = 1.0, columns = 9, rows = 8 }
material = { preset = "cotton-springs" }

[[pin]]
vertices = "corners"
"#;

impl Place {
    /// Writes a scene and runs it into the folder `output`.
    fn run(&self, scene: &str, arguments: &[&str]) -> Output {
        fs::write(self.path("scene.toml"), scene).unwrap();
        self.tenter(&[&["run", "scene.toml", "--output", "output"], arguments].concat())
    }

    fn files(&self, name: &str) -> BTreeSet<String> {
        let entries = fs::read_dir(self.path(name)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    fn steps(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.path("output/steps.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// The line of stderr that says what went wrong.
#[track_caller]
fn complaint(output: &Output) -> String {
    let text = stderr(output);
    assert!(!text.contains("panicked"), "{text}");
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(lines.len(), 1, "{text}");
    lines[0].to_owned()
}

/// The picture decodes, has the size asked for, and shows something: more than smooth background.
fn check_picture(path: &Path, width: u32, height: u32) {
    let picture = image::open(path).unwrap().to_rgb8();
    assert_eq!(picture.dimensions(), (width, height));
    let red = picture.pixels().filter(|pixel| pixel[0] > pixel[2].saturating_add(40)).count();
    let share = red as f64 / f64::from(width * height);
    assert!((0.05..0.9).contains(&share), "{share} of the picture is cloth");
}

fn check_run(place: &Place, backend: &str) -> Value {
    let output = place.run(CLOTH, &["--json", "--backend", backend, "--image-size", "160x120"]);
    code(&output, 0);
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 1, "{text}");
    let summary: Value = serde_json::from_str(&text).unwrap();

    let frames = (0..5).map(|frame| format!("frame_{frame:04}.obj"));
    let expected: BTreeSet<String> = frames.chain(["last.png".to_owned(), "steps.jsonl".to_owned()]).collect();
    assert_eq!(place.files("output"), expected);

    let steps = place.steps();
    assert_eq!(steps.len(), 20);
    for (ix, step) in steps.iter().enumerate() {
        assert_eq!(step["step"], ix + 1);
        assert!((step["time"].as_f64().unwrap() - 0.01 * (ix + 1) as f64).abs() < 1e-9);
        assert_eq!(step["outcome"], "converged");
        assert!((1..=3).contains(&step["linearisations"].as_u64().unwrap()), "{step}");
        assert!(step["iterations"].as_u64().unwrap() > 0);
        let number = |key: &str| step[key].as_f64().unwrap_or_else(|| panic!("{key} in {step}"));
        assert!(number("residual") <= 1e-2);
        assert!(number("largest_strain") > 0.0);
        let sum = number("kinetic") + number("potential") + number("elastic");
        assert!((number("total") - sum).abs() < 1e-9);
    }

    assert_eq!(summary["backend"], backend);
    assert_eq!(summary["particles"], 72);
    assert_eq!(summary["elements"]["triangles"], 112);
    assert_eq!(summary["elements"]["edges"], 8 * 8 + 9 * 7 + 2 * 8 * 7 + 7 * 8 + 9 * 6);
    assert_eq!(summary["steps"], 20);
    assert!((summary["simulated"].as_f64().unwrap() - 0.2).abs() < 1e-9);
    let iterations: u64 = steps.iter().map(|step| step["iterations"].as_u64().unwrap()).sum();
    assert!((summary["iterations_per_step"].as_f64().unwrap() - iterations as f64 / 20.0).abs() < 1e-9);
    let (wall_time, per_step) = (summary["wall_time"].as_f64().unwrap(), summary["ms_per_step"].as_f64().unwrap());
    assert!(per_step > 0.0 && per_step * 20.0 <= wall_time * 1e3 + 1e-6, "{per_step} ms, {wall_time} s");
    assert_eq!(summary["outputs"]["frames"], 5);
    assert_eq!(summary["outputs"]["folder"], "output");
    check_picture(&place.path("output/last.png"), 160, 120);
    summary
}

/// Vertices of an OBJ file.
fn vertices(path: &Path) -> Vec<[f64; 3]> {
    let text = fs::read_to_string(path).unwrap();
    let numbers = |line: &str| -> [f64; 3] {
        let numbers: Vec<f64> = line.split(' ').skip(1).map(|word| word.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    };
    text.lines().filter(|line| line.starts_with("v ")).map(numbers).collect()
}

#[test]
fn a_run_on_the_gpu_writes_everything() {
    let place = Place::new();
    let summary = check_run(&place, "gpu");
    assert!(!summary["adapter"].as_str().unwrap().is_empty());
    assert!(summary["driver"].is_string());
}

#[test]
fn a_run_on_the_cpu_writes_the_same() {
    let place = Place::new();
    let summary = check_run(&place, "cpu");
    assert!(summary["adapter"].is_null() && summary["driver"].is_null());
}

#[test]
fn frames_show_the_motion() {
    let place = Place::new();
    code(&place.run(CLOTH, &["--backend", "cpu", "--image-size", "8x8"]), 0);
    let text = fs::read_to_string(place.path("output/frame_0004.obj")).unwrap();
    assert!(text.starts_with("o small_cloth\nv "), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("f ")).count(), 112);
    assert!(
        text.lines()
            .filter(|line| line.starts_with("f "))
            .all(|line| { line.split(' ').skip(1).all(|word| (1..=72).contains(&word.parse::<u32>().unwrap())) })
    );
    let (first, last) =
        (vertices(&place.path("output/frame_0000.obj")), vertices(&place.path("output/frame_0004.obj")));
    assert_eq!(first.len(), 72);
    assert_eq!(first[0], last[0], "a pinned corner has moved");
    assert_eq!(first[0], [-0.5, 0.0, -0.5]);
    // The near side falls freely at first: g t² / 2 = 0.2 m.
    assert!(last[67][1] < first[67][1] - 0.15, "{:?} to {:?}", first[67], last[67]);
}

#[test]
fn the_summary_is_for_people() {
    let place = Place::new();
    let output = place.run(CLOTH, &["--image-size", "8x8"]);
    code(&output, 0);
    let text = stdout(&output);
    for part in ["adapter", "driver", "72", "349 edges", "112 triangles", "ms per step", "largest strain", "last.png"] {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
}

#[test]
fn a_software_adapter_is_compared_with_the_cpu_unless_somebody_chose_it() {
    let place = Place::new();
    let summary = |arguments: &[&str]| -> Value {
        let output = place.run(CLOTH, &[&["--json", "--frames", "none", "--image-size", "8x8"], arguments].concat());
        code(&output, 0);
        serde_json::from_str(&stdout(&output)).unwrap()
    };
    let plain = summary(&[]);
    let positions = fs::read(place.path("output/steps.jsonl")).unwrap();
    let adapters = place.tenter(&["adapters", "--json"]);
    let adapters: Value = serde_json::from_str(&stdout(&adapters)).unwrap();
    let used = adapters.as_array().unwrap().iter().find(|adapter| adapter["used"] == true).unwrap();
    let software = used["device_type"] == "software";
    assert_eq!(plain["cpu_speedup"].as_f64().is_some_and(|factor| factor > 0.0), software, "{plain}");

    // Nothing of it where it was asked for, or is over soon; and results are the same.
    let chosen = summary(&["--backend", "gpu"]);
    assert!(chosen["cpu_speedup"].is_null(), "{chosen}");
    assert_eq!(fs::read(place.path("output/steps.jsonl")).unwrap(), positions);
    let name = used["name"].as_str().unwrap();
    for arguments in [["--adapter", name], ["--backend", "cpu"], ["--duration", "0.1"]] {
        assert!(summary(&arguments)["cpu_speedup"].is_null(), "{arguments:?}");
    }

    let text = stdout(&place.run(CLOTH, &["--frames", "none", "--image-size", "8x8"]));
    let said = text.lines().filter(|line| line.contains("--backend cpu would be about")).count();
    // A small cloth on a software driver: far more than a tenth faster.
    assert_eq!(said, usize::from(software), "{text}");
}

#[test]
fn drivers_do_not_complain_in_front_of_users() {
    let place = Place::new();
    fs::write(place.path("scene.toml"), CLOTH).unwrap();
    for arguments in [["adapters"].as_slice(), &["check", "scene.toml"], &["run", "scene.toml", "--duration", "0.02"]] {
        let mut command = place.command(arguments);
        for name in ["NODEVICE_SELECT", "MESA_VK_DEVICE_SELECT", "DRI_PRIME", "XDG_RUNTIME_DIR"] {
            command.env_remove(name);
        }
        let output = command.output().unwrap();
        code(&output, 0);
        assert!(!stderr(&output).contains("XDG_RUNTIME_DIR"), "{}", stderr(&output));
    }
}

/// Cells of 0.25 m, falling on a thin floor 20 m below.
const PROPORTIONS: &str = r#"[simulation]
duration = 5.0
time_step = 0.01

[[body]]
name = "sheet"
mesh = { kind = "grid", width = 1.0, depth = 2.0, columns = 5, rows = 9, position = [0, 20, 1] }
material = { preset = "cotton-springs" }

[[collider]]
shape = "plane"
point = [0, 0, 0]
normal = [0, 1, 0]
thickness = 0.03
"#;

/// Cloth with cells larger than its bending length, and a solid.
const MATERIALS: &str = r#"[[body]]
name = "cloth"
mesh = { kind = "grid", width = 1.0, depth = 1.0, columns = 21, rows = 21 }
material = { preset = "cotton" }

[[body]]
name = "solid"
mesh = { kind = "block", size = [0.1, 0.1, 0.1], counts = [4, 4, 4], position = [0, 1, 0] }
material = { preset = "jelly" }
"#;

#[test]
fn check_tells_bending_lengths_and_moduli() {
    let place = Place::new();
    fs::write(place.path("scene.toml"), MATERIALS).unwrap();
    let output = place.tenter(&["check", "scene.toml"]);
    code(&output, 0);
    let text = stdout(&output);
    for words in [
        "bending length of 19.18 mm, 0.38 cells",
        "Young's modulus of 10.00 kPa under uniform strain, Poisson's ratio 0.45",
        "advice          bending of \"cloth\": cells of 50.00 mm hold",
        "take cells of 30.13 mm or less",
    ] {
        assert!(text.contains(words), "no {words:?} in:\n{text}");
    }
    assert!(stderr(&output).contains("body[0].material.bending: cells of 50.00 mm"), "{}", stderr(&output));
    let json = place.tenter(&["check", "scene.toml", "--json"]);
    let json: Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert!((json["bodies"][0]["bending"]["length"].as_f64().unwrap() - 0.01918).abs() < 1e-5);
    assert!((json["bodies"][1]["solid"]["young"].as_f64().unwrap() / 1e4 - 1.0).abs() < 1e-3);
    assert!(json["bodies"][1]["bending"].is_null() && json["bodies"][0]["solid"].is_null());
}

#[test]
fn check_tells_proportions_and_gives_advice() {
    let place = Place::new();
    let check = |scene: &str| -> (String, Value) {
        fs::write(place.path("scene.toml"), scene).unwrap();
        let text = place.tenter(&["check", "scene.toml"]);
        code(&text, 0);
        let json = place.tenter(&["check", "scene.toml", "--json"]);
        code(&json, 0);
        (stdout(&text), serde_json::from_str(&stdout(&json)).unwrap())
    };
    let close = |value: &Value, expected: f64| {
        let value = value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
        assert!((value - expected).abs() < 1e-4 * expected.abs().max(1.0), "{value}, not {expected}");
    };
    let (text, json) = check(PROPORTIONS);
    for (axis, (low, high)) in [(-0.5, 0.5), (20.0, 20.0), (0.0, 2.0)].into_iter().enumerate() {
        close(&json["bounds"]["low"][axis], low);
        close(&json["bounds"]["high"][axis], high);
        close(&json["bounds"]["size"][axis], high - low);
    }
    let body = &json["bodies"][0];
    close(&body["cells"]["mean"], 0.25);
    close(&body["cells"]["smallest"], 0.25);
    let speed = &body["speed"];
    let fallen = (2.0f64 * 9.81 * 20.0).sqrt();
    close(&speed["start"], 0.0);
    close(&speed["fall"], 20.0);
    close(&speed["fallen"], fallen);
    close(&speed["fallen_cells"], fallen * 0.01 / 0.25);
    close(&json["thicknesses"][0]["thickness"], 0.03);
    close(&json["thicknesses"][0]["cells"][0], 0.12);
    assert_eq!(json["advice"].as_array().unwrap().len(), 0, "{text}");
    for words in [
        "bounds",
        "cells of 250.00 mm on average",
        "0.03 m of collider[0], a plane, 0.12 cells of \"sheet\"",
        "a fall of 20.00 m",
    ] {
        assert!(text.contains(words), "{words}:\n{text}");
    }
    assert!(!text.contains("advice"), "{text}");

    // Thinner where edges do not count, thrown, and from higher up: each by itself makes for one sentence, which names what to do.
    let cases = [
        ("thickness = 0.03", "thickness = 0.02\nedges = false", "collider[0]"),
        ("name = \"sheet\"", "name = \"sheet\"\nvelocity = [0, 0, 30]", "steps of 8.33 ms"),
        ("position = [0, 20, 1]", "position = [0, 1000, 1]", "after a long fall"),
    ];
    for (from, to, words) in cases {
        let scene = PROPORTIONS.replace(from, to);
        assert_ne!(scene, PROPORTIONS);
        let (text, json) = check(&scene.replace("duration = 5.0", "duration = 20.0"));
        assert_eq!(text.lines().filter(|line| line.starts_with("advice")).count(), 1, "{text}");
        let advice = json["advice"].as_array().unwrap();
        assert!(advice.len() == 1 && advice[0].as_str().unwrap().contains(words), "{words}: {advice:?}");
    }
    // What is pinned does not fall far.
    let (_, json) = check(&format!("{}\n[[pin]]\nvertices = \"corners\"\n", PROPORTIONS.replace("20, 1]", "1000, 1]")));
    close(&json["bodies"][0]["speed"]["fall"], 5.0f64.sqrt());
    assert_eq!(json["advice"].as_array().unwrap().len(), 0, "{json}");
}

#[test]
fn quiet_says_nothing() {
    let place = Place::new();
    let output = place.run(CLOTH, &["--quiet", "--backend", "cpu", "--image-size", "8x8"]);
    code(&output, 0);
    assert_eq!((stdout(&output), stderr(&output)), (String::new(), String::new()));
}

#[test]
fn without_frames_there_are_none_and_the_duration_can_be_changed() {
    let place = Place::new();
    let arguments = ["--backend", "cpu", "--frames", "none", "--duration", "0.05", "--image-size", "8x8"];
    code(&place.run(CLOTH, &arguments), 0);
    assert_eq!(place.files("output"), ["last.png", "steps.jsonl"].map(str::to_owned).into());
    assert_eq!(place.steps().len(), 5);
}

#[test]
fn adaptive_steps_land_on_frames() {
    let place = Place::new();
    let scene = format!("{CLOTH}\n[adaptive]\ntolerance = 1e-4\n");
    code(&place.run(&scene, &["--backend", "cpu", "--integrator", "bdf2", "--image-size", "8x8"]), 0);
    let times: Vec<f64> = place.steps().iter().map(|step| step["time"].as_f64().unwrap()).collect();
    for frame in 1..=4 {
        let due = f64::from(frame) / 20.0;
        assert!(times.iter().any(|time| (time - due).abs() < 1e-12), "no step ends at {due}: {times:?}");
    }
    assert!(place.steps().iter().all(|step| step["error"].as_f64().is_some() && step["time_step"].as_f64().is_some()));
    assert!(place.files("output").contains("frame_0004.obj"));
}

#[test]
fn the_default_folder_is_named_after_the_scene() {
    let place = Place::new();
    fs::write(place.path("flag.toml"), CLOTH).unwrap();
    code(&place.tenter(&["run", "flag.toml", "--backend", "cpu", "--image-size", "8x8"]), 0);
    assert!(place.path("out/flag/last.png").is_file());
}

#[test]
fn an_earlier_run_is_replaced_and_other_files_stay() {
    let place = Place::new();
    fs::create_dir(place.path("output")).unwrap();
    for name in ["frame_0099.obj", "frame_0007.obj.part", "frame_extra.obj", "notes.txt"] {
        fs::write(place.path("output").join(name), "old").unwrap();
    }
    code(&place.run(CLOTH, &["--backend", "cpu", "--frames", "none", "--image-size", "8x8"]), 0);
    let expected = ["frame_extra.obj", "last.png", "notes.txt", "steps.jsonl"].map(str::to_owned);
    assert_eq!(place.files("output"), expected.into());
}

#[test]
fn bad_scenes_are_refused_before_anything_is_written() {
    let place = Place::new();
    let cases = [
        ("columns = 9", "columns = 0", "body[0].mesh.columns: "),
        ("preset = \"cotton-springs\"", "density = -1", "body[0].material.density: "),
        ("duration = 0.2", "duration = nan", "simulation.duration: "),
        ("duration = 0.2", "duraton = 0.2", "simulation.duraton: "),
        ("vertices = \"corners\"", "vertices = [72]", "pin[0].vertices: "),
        ("[[pin]]", "[[pin", ""),
    ];
    for (from, to, begin) in cases {
        let output = place.run(&CLOTH.replace(from, to), &[]);
        code(&output, 2);
        let begin = format!("error: scene.toml:{}: {begin}", line_of(CLOTH, from));
        assert!(complaint(&output).starts_with(&begin), "{}", complaint(&output));
        assert_eq!(stdout(&output), "");
        assert_eq!(place.files("."), ["scene.toml".to_owned()].into(), "{to}");
    }
}

#[test]
fn a_scene_that_is_not_there_is_bad_input() {
    let place = Place::new();
    let output = place.tenter(&["run", "no.toml"]);
    code(&output, 2);
    assert!(complaint(&output).starts_with("error: no.toml: "), "{}", complaint(&output));
    assert!(place.files(".").is_empty());
}

#[test]
fn bad_usage_is_refused_before_anything_is_written() {
    let place = Place::new();
    let cases: [&[&str]; 10] = [
        &["--time-step", "0"],
        &["--integrator", "euler"],
        &["--duration", "-1"],
        &["--duration", "nan"],
        &["--image-size", "big"],
        &["--image-size", "0x10"],
        &["--backend", "abacus"],
        &["--backend", "cpu", "--adapter", "some"],
        &["--adapter", "no adapter is called that"],
        &["--unknown"],
    ];
    for arguments in cases {
        let output = place.run(CLOTH, arguments);
        code(&output, 2);
        assert!(!complaint(&output).is_empty(), "{arguments:?}");
        assert_eq!(place.files("."), ["scene.toml".to_owned()].into(), "{arguments:?}");
    }
}

#[test]
fn an_output_that_cannot_be_written_fails() {
    let place = Place::new();
    fs::write(place.path("output"), "a file, not a folder").unwrap();
    let output = place.run(CLOTH, &["--backend", "cpu"]);
    code(&output, 1);
    assert!(complaint(&output).starts_with("error: output: "), "{}", complaint(&output));
    assert_eq!(fs::read_to_string(place.path("output")).unwrap(), "a file, not a folder");
}

#[test]
fn a_run_that_stops_being_finite_keeps_what_was_good() {
    let place = Place::new();
    let output = place.run(VIOLENT, &["--json", "--image-size", "160x120"]);
    code(&output, 1);
    assert!(complaint(&output).contains("is not finite"), "{}", complaint(&output));
    let summary: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(format!("error: {}", summary["error"].as_str().unwrap()), complaint(&output));
    let steps = place.steps().len();
    assert!((1..20).contains(&steps), "{steps} steps");
    assert!(complaint(&output).contains(&format!("step {steps} ")), "{}", complaint(&output));
    assert!(stderr(&output).contains(&format!("note: {steps} steps and ")), "{}", stderr(&output));
    assert!(place.path("output/frame_0000.obj").is_file());
    assert!(image::open(place.path("output/last.png")).is_ok());
    assert!(place.files("output").iter().all(|name| !name.ends_with(".part")), "{:?}", place.files("output"));
}

#[test]
fn adapters_are_listed() {
    let place = Place::new();
    let output = place.command(&["adapters"]).env_remove("TENTER_ADAPTER").output().unwrap();
    code(&output, 0);
    let text = stdout(&output);
    assert_eq!(text.lines().filter(|line| line.starts_with("* ")).count(), 1, "{text}");
    assert!(text.contains("TENTER_ADAPTER") && text.contains("--adapter"), "{text}");

    let output = place.command(&["adapters", "--json"]).env_remove("TENTER_ADAPTER").output().unwrap();
    code(&output, 0);
    let list: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let used: Vec<&Value> = list.as_array().unwrap().iter().filter(|adapter| adapter["used"] == true).collect();
    assert_eq!(used.len(), 1);
    assert!(text.contains(used[0]["name"].as_str().unwrap()));
    assert!(used[0]["max_buffer_binding"].as_u64().unwrap() >= 128 << 20);
}

/// No adapter at all: an interface this system cannot have.
#[cfg(target_os = "linux")]
#[test]
fn without_an_adapter_the_way_out_is_named() {
    let place = Place::new();
    fs::write(place.path("scene.toml"), CLOTH).unwrap();
    for arguments in [["run", "scene.toml"].as_slice(), &["adapters"]] {
        let output = place.command(arguments).env("WGPU_BACKEND", "dx12").output().unwrap();
        code(&output, 1);
        assert!(complaint(&output).contains("--backend cpu"), "{}", complaint(&output));
        assert_eq!(place.files("."), ["scene.toml".to_owned()].into());
    }
    let output = place
        .command(&["run", "scene.toml", "--backend", "cpu", "--image-size", "8x8"])
        .env("WGPU_BACKEND", "dx12")
        .output()
        .unwrap();
    code(&output, 0);
    // Pictures need an adapter: there is none, and the summary says so.
    assert!(stdout(&output).contains("no GPU adapter to draw on"), "{}", stdout(&output));
    assert!(place.path("out/scene/steps.jsonl").exists() && !place.path("out/scene/last.png").exists());
}

#[test]
fn help_teaches() {
    let place = Place::new();
    let output = place.tenter(&["--help"]);
    code(&output, 0);
    assert!(["tenter run drape", "tenter scenes", "tenter check"].iter().all(|words| stdout(&output).contains(words)));
    let output = place.tenter(&["run", "--help"]);
    code(&output, 0);
    assert!(stdout(&output).contains("steps.jsonl"));
    code(&place.tenter(&[]), 2);
}
