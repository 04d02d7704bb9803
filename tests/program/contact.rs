//! Contact between bodies as the program tells of it: backend, records, summary, intersections at the start.

use crate::{
    lines::line_of,
    place::{Place, code, stderr, stdout},
};
use serde_json::Value;
use std::fs;

/// Two sheets, the upper one of which falls on the lower.
const SHEETS: &str = r#"[simulation]
duration = 0.2

[contact]
thickness = 0.004

[[body]]
name = "lower"
mesh = { kind = "grid", width = 0.3, depth = 0.3, columns = 7, rows = 7 }
material = { preset = "cotton" }

[[body]]
name = "upper"
mesh = { kind = "grid", width = 0.2, depth = 0.2, columns = 6, rows = 6, position = [0.01, 0.02, 0.01] }
material = { preset = "cotton" }

[[pin]]
body = "lower"
vertices = "all"
"#;

/// Output of `run` with further arguments.
fn run(place: &Place, text: &str, arguments: &[&str]) -> std::process::Output {
    fs::write(place.path("sheets.toml"), text).unwrap();
    let usual = ["run", "sheets.toml", "--frames", "none", "--json", "--output", "out", "--image-size", "64x48"];
    place.tenter(&[&usual[..], arguments].concat())
}

#[test]
fn contact_between_bodies_is_recorded_and_summed_up() {
    let place = Place::new();
    let output = run(&place, SHEETS, &["--backend", "cpu"]);
    code(&output, 0);
    let summary: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let lines = fs::read_to_string(place.path("out/steps.jsonl")).unwrap();
    let steps: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let active: Vec<u64> = steps.iter().map(|step| step["meeting"]["active"].as_u64().unwrap()).collect();
    assert!(active[0] == 0 && *active.last().unwrap() > 0, "{active:?}");
    let meeting = &summary["meeting"];
    assert_eq!(meeting["most"].as_u64(), active.iter().max().copied());
    assert_eq!(meeting["at_the_end"].as_u64(), active.last().copied());
    let mean = active.iter().sum::<u64>() as f64 / active.len() as f64;
    assert!((meeting["per_step"].as_f64().unwrap() - mean).abs() < 1e-9, "{meeting}");
    assert!(meeting["most_near"].as_u64() >= meeting["most"].as_u64(), "{meeting}");
    assert_eq!(summary["warnings"], serde_json::json!([]));

    let without = run(&place, &SHEETS.replace("[contact]\nthickness = 0.004\n", ""), &["--backend", "cpu"]);
    code(&without, 0);
    assert_eq!(serde_json::from_str::<Value>(&stdout(&without)).unwrap()["meeting"], Value::Null);
    let lines = fs::read_to_string(place.path("out/steps.jsonl")).unwrap();
    assert!(lines.lines().all(|line| line.contains("\"meeting\":null")), "{lines}");
}

#[test]
fn sums_of_contact_go_on_after_a_checkpoint() {
    let place = Place::new();
    let kept = ["--backend", "cpu", "--checkpoint", "kept.tenter", "--every", "12"];
    code(&run(&place, &SHEETS.replace("0.2\n", "0.15\n"), &kept), 0);
    let resumed = run(&place, SHEETS, &[&kept[..], &["--resume"]].concat());
    code(&resumed, 0);
    let summary: Value = serde_json::from_str(&stdout(&resumed)).unwrap();
    let lines = fs::read_to_string(place.path("out/steps.jsonl")).unwrap();
    let active = |line: &str| serde_json::from_str::<Value>(line).unwrap()["meeting"]["active"].as_u64().unwrap();
    let active: Vec<u64> = lines.lines().map(active).collect();
    assert_eq!(active.len(), 20);
    let mean = active.iter().sum::<u64>() as f64 / 20.0;
    assert!((summary["meeting"]["per_step"].as_f64().unwrap() - mean).abs() < 1e-9, "{summary}");
    // Other contact is another scene.
    let other = run(&place, &SHEETS.replace("0.004", "0.005"), &[&kept[..], &["--resume"]].concat());
    code(&other, 2);
    assert!(stderr(&other).contains("its contact between bodies differs"), "{}", stderr(&other));
}

#[test]
fn bodies_that_intersect_at_the_start_are_named() {
    let place = Place::new();
    let crossed = SHEETS.replace("[0.01, 0.02, 0.01]", "[0.01, 0, 0.01], rotation = [60, 0, 0]");
    let said = "at the start \"lower\" and \"upper\" intersect, in ";
    let output = run(&place, &crossed, &["--backend", "cpu"]);
    code(&output, 0);
    let summary: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert!(summary["warnings"][0].as_str().is_some_and(|warning| warning.starts_with(said)), "{summary}");
    assert!(stderr(&output).contains("at the start body[0] and body[1] intersect"), "{}", stderr(&output));
    let checked = place.tenter(&["check", "sheets.toml"]);
    code(&checked, 0);
    assert!(stdout(&checked).contains(said), "{}", stdout(&checked));

    let strict = crossed.replace("thickness", "refuse_intersections = true\nthickness");
    let refused = run(&place, &strict, &["--backend", "cpu"]);
    code(&refused, 2);
    let line = line_of(&strict, "refuse_intersections");
    let message = format!("sheets.toml:{line}: contact.refuse_intersections: {said}");
    assert!(stderr(&refused).contains(&message), "{}", stderr(&refused));
}
