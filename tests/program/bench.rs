//! `tenter bench`, as it is called from a shell. How long things take is not asserted anywhere.

use crate::place::{Place, code, stderr, stdout};
use serde_json::Value;
use std::{fs, process::Output};

/// The smallest workload, as briefly as possible.
const SHORT: [&str; 6] = ["bench", "--workload", "w1-32", "--seconds", "0.5", "--no-cpu"];

impl Place {
    fn short(&self, arguments: &[&str]) -> Output {
        self.tenter(&[&SHORT[..], arguments].concat())
    }
}

#[track_caller]
fn number(object: &Value, field: &str) -> f64 {
    let value = object[field].as_f64().unwrap_or_else(|| panic!("{field} is {}", object[field]));
    assert!(value.is_finite(), "{field}");
    value
}

#[test]
fn the_report_has_every_number() {
    let place = Place::new();
    let output = place.short(&["--json", "--save", "report.json"]);
    code(&output, 0);
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 1, "{text}");
    assert_eq!(fs::read_to_string(place.path("report.json")).unwrap(), text);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["tenter"], env!("CARGO_PKG_VERSION"));
    for field in ["adapter", "backend", "device_type"] {
        assert!(report[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {report}");
    }
    assert!(report["driver"].is_string());
    for field in ["copy_bandwidth", "copy_ns_per_element", "launch_us"] {
        assert!(number(&report, field) > 0.0, "{field}");
    }
    assert_eq!(report["failed"].as_array().map(Vec::len), Some(0));

    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    assert_eq!(row["name"], "w1-32");
    assert_eq!(row["particles"], 1024);
    assert_eq!(number(row, "iterations"), 20.0);
    assert_eq!(row["dispatches_per_iteration"], 2);
    for field in [
        "elements",
        "ms_per_step",
        "ms_per_step_pipelined",
        "ns_per_particle_iteration",
        "simulated_per_wall_second",
        "dispatches_per_step",
        "bytes_per_particle_iteration",
        "copy_bandwidth_fraction",
        "memory_bytes_per_particle",
        "set_up_seconds",
    ] {
        assert!(number(row, field) > 0.0, "{field}: {row}");
    }
    // When pipelined none is needed.
    assert!(number(row, "host_synchronisations_per_step") >= 0.0);
    assert!(number(row, "host_us_per_step") > 0.0);
    let medians: Vec<f64> = row["medians_ms"].as_array().unwrap().iter().map(|m| m.as_f64().unwrap()).collect();
    assert_eq!(medians.len(), 3);
    assert_eq!(medians.iter().copied().fold(f64::INFINITY, f64::min), number(row, "ms_per_step"));
    // Null where the adapter has no timestamps.
    if !row["gpu_ms"].is_null() {
        for stage in ["assembly", "solve", "integrate"] {
            assert!(number(&row["gpu_ms"], stage) >= 0.0, "{stage}");
        }
    }
    assert!(row["cpu"].is_null());
    assert_eq!(row["cpu_skipped"], "--no-cpu");

    // What follows from one another.
    let product = number(row, "ns_per_particle_iteration") * 1024.0 * 20.0 * 1e-6;
    assert!((product / number(row, "ms_per_step") - 1.0).abs() < 1e-9);
    let moved = number(row, "bytes_per_particle_iteration") * 1024.0 * 20.0 / (number(row, "ms_per_step") * 1e-3);
    let fraction = moved / number(&report, "copy_bandwidth");
    assert!((fraction / number(row, "copy_bandwidth_fraction") - 1.0).abs() < 1e-9);
}

#[test]
fn the_table_fits_a_terminal_and_has_the_cpu() {
    let place = Place::new();
    let output = place.tenter(&["bench", "--workload", "cloth", "beam", "--seconds", "0.3"]);
    code(&output, 0);
    let text = stdout(&output);
    for word in ["tenter", "adapter", "driver", "copy", "cloth-30", "beam-40x10x10", "CPU/GPU"] {
        assert!(text.contains(word), "{word}:\n{text}");
    }
    assert!(!text.contains("w1-"), "{text}");
    // The adapter's name is as long as it is.
    let widest = text.lines().skip(4).map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 120, "{widest} columns:\n{text}");
    assert!(stderr(&output).lines().all(|line| !line.contains('\r')), "{}", stderr(&output));
}

#[test]
fn reports_are_compared() {
    let place = Place::new();
    code(&place.short(&["--save", "new.json"]), 0);
    let mut old: Value = serde_json::from_str(&fs::read_to_string(place.path("new.json")).unwrap()).unwrap();
    // Far enough for any machine under any load.
    let row = &mut old["rows"][0];
    row["ms_per_step"] = (1000.0 * number(row, "ms_per_step")).into();
    let mut gone = row.clone();
    gone["name"] = "silk-7".into();
    old["rows"].as_array_mut().unwrap().push(gone);
    fs::write(place.path("old.json"), old.to_string()).unwrap();

    let output = place.short(&["--compare", "old.json"]);
    code(&output, 0);
    let text = stdout(&output);
    let line = text.lines().find(|line| line.starts_with("w1-32") && line.ends_with("faster"));
    assert!(line.is_some(), "{text}");
    assert!(text.contains("only in the old report: silk-7"), "{text}");

    old["rows"][0]["ms_per_step"] = 1e-9.into();
    fs::write(place.path("old.json"), old.to_string()).unwrap();
    let output = place.short(&["--compare", "old.json", "--json"]);
    code(&output, 0);
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(report["comparison"]["rows"][0]["verdict"], "slower");
    assert_eq!(report["comparison"]["only_old"][0], "silk-7");
    assert_eq!(report["comparison"]["only_new"].as_array().map(Vec::len), Some(0));
}

#[test]
fn files_that_are_no_reports_are_refused_before_anything_runs() {
    let place = Place::new();
    fs::write(place.path("garbage.json"), "these are not\nthe numbers").unwrap();
    fs::write(place.path("other.json"), r#"{"name": "something else"}"#).unwrap();
    fs::write(place.path("binary.json"), [0xff, 0xfe, 0, 1]).unwrap();
    for name in ["garbage.json", "other.json", "binary.json", "missing.json", "."] {
        let output = place.short(&["--compare", name, "--save", "saved.json"]);
        code(&output, 2);
        assert!(stderr(&output).contains(name), "{}", stderr(&output));
        assert!(stdout(&output).is_empty());
        assert!(!place.path("saved.json").exists());
    }
}

#[test]
fn both_plots_are_drawn() {
    let place = Place::new();
    code(&place.tenter(&["bench", "--workload", "w1-32", "cloth", "--seconds", "0.2", "--plot", "a/b"]), 0);
    for name in ["scaling.svg", "roofline.svg"] {
        let text = fs::read_to_string(place.path("a/b").join(name)).unwrap();
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"), "{name}");
        assert!(text.contains("w1-32") && text.contains("cloth-30"), "{name}");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{name}");
    }
}

#[test]
fn bad_arguments_are_refused() {
    let place = Place::new();
    let output = place.tenter(&["bench", "--workload", "velvet"]);
    code(&output, 2);
    for name in ["velvet", "w1-32", "w1-1024 (with --full)", "irregular-128", "beam-40x10x10", "cloth-30"] {
        assert!(stderr(&output).contains(name), "{name}: {}", stderr(&output));
    }
    for seconds in ["0", "-1", "nan", "inf", "1e300", "soon"] {
        code(&place.tenter(&["bench", &format!("--seconds={seconds}")]), 2);
    }
    code(&place.tenter(&["bench", "--adapter", "no such adapter"]), 2);
    code(&place.tenter(&["bench", "--no-cpu", "--cpu-large"]), 2);
}

#[test]
fn a_place_that_cannot_be_written_is_an_error() {
    let place = Place::new();
    let output = place.short(&["--save", "missing/report.json"]);
    code(&output, 1);
    // What was measured is not lost.
    assert!(stdout(&output).contains("w1-32"));
}

#[test]
fn the_safe_step_is_compared_with_one_linearisation() {
    let place = Place::new();
    let arguments = ["bench", "--safe", "--workload", "drape-32", "--no-cpu", "--pairs", "1"];
    let output = place.tenter(&[&arguments[..], &["--json", "--save", "safe.json"]].concat());
    code(&output, 0);
    let report: Value = serde_json::from_str(&fs::read_to_string(place.path("safe.json")).unwrap()).unwrap();
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    assert_eq!((&row["name"], &row["on"], &row["steps"]), (&"drape-32".into(), &"gpu".into(), &60.into()));
    for field in ["iterations", "iterations_one", "ms_per_step", "ms_per_step_one", "ratio", "dispatches_per_step"] {
        assert!(number(row, field) > 0.0, "{field}: {row}");
    }
    assert!(number(row, "linearisations") >= 1.0);
    // Twice as many dispatches as iterations, and some of them idle: not none, and not all.
    assert!(number(row, "dispatches_per_step") > 2.0 * number(row, "iterations"));
    assert!((0.01..0.9).contains(&number(row, "idle_dispatches")), "{row}");
    assert!(number(row, "idle_time") > 0.0);
}

#[test]
fn preconditioners_stand_beside_each_other() {
    let place = Place::new();
    let hang = ["bench", "--workload", "hang-32"];
    let output = place.tenter(&[&hang[..], &["--save", "old.json"]].concat());
    code(&output, 0);
    let text = stdout(&output);
    assert!(text.contains("hang-32") && text.contains("two-level") && text.contains("block-jacobi"), "{text}");
    let widest = text.lines().skip(4).map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 120, "{widest} columns:\n{text}");
    let report: Value = serde_json::from_str(&fs::read_to_string(place.path("old.json")).unwrap()).unwrap();
    assert_eq!(report["rows"].as_array().map(Vec::len), Some(0));
    let rows = report["solved"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["hang-32 block-jacobi from 0", "hang-32 block-jacobi from warm", "hang-32 two-level from 0"]);
    for row in rows {
        assert_eq!((&row["unconverged"], &row["cpu"]["unconverged"]), (&0.into(), &0.into()), "{row}");
        for field in
            ["iterations", "ms_per_step", "set_up_ms", "memory_bytes_per_particle", "bytes_per_particle_iteration"]
        {
            assert!(number(row, field) > 0.0, "{field}: {row}");
        }
        assert!(number(&row["cpu"], "ms_per_step") > 0.0);
        // The same motion on both backends.
        let ratio = number(row, "iterations") / number(&row["cpu"], "iterations");
        assert!((0.8..1.25).contains(&ratio), "{row}");
    }
    let (first, last) = (&rows[0], &rows[2]);
    assert_eq!((number(first, "iterations_ratio"), number(first, "ratio")), (1.0, 1.0));
    let ratio = number(last, "iterations") / number(first, "iterations");
    assert!((number(last, "iterations_ratio") - ratio).abs() < 1e-12, "{ratio} {last}");
    assert!(number(last, "iterations_ratio") < 0.8, "{last}");
    assert!(number(last, "bytes_per_particle_iteration") > number(first, "bytes_per_particle_iteration"));
    assert_eq!((&first["dispatches_per_iteration"], &last["dispatches_per_iteration"]), (&2.into(), &4.into()));

    let output = place.tenter(&[&hang[..], &["--no-cpu", "--compare", "old.json", "--json"]].concat());
    code(&output, 0);
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let compared = report["comparison"]["rows"].as_array().unwrap();
    assert_eq!((compared.len(), &compared[0]["name"]), (3, &"hang-32 block-jacobi from 0".into()));
    assert!(report["solved"][0]["cpu"].is_null());
}

#[test]
fn the_comparison_refuses_what_belongs_to_the_other_report() {
    let place = Place::new();
    for wrong in [
        &["--safe", "--plot", "out"][..],
        &["--pairs", "2"],
        &["--safe", "--pairs", "0"],
        &["--safe", "--workload", "velvet"],
    ] {
        let output = place.tenter(&[&["bench"][..], wrong].concat());
        assert_ne!(output.status.code(), Some(0), "{wrong:?}");
        assert!(!stderr(&output).is_empty(), "{wrong:?}");
    }
}
