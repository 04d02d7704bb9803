//! Every built-in scene runs, stays finite and can be seen.

use crate::lines::line_of;
use crate::place::{Place, code, stderr, stdout};
use serde_json::Value;
use std::{fs, path::Path};
use tenter::internals::bench::reduced;

/// Frames of each scene.
const FRAMES: u32 = 20;

/// How many colours there are, and how far light and dark are apart: the middle of a picture of nothing has neither.
fn statistics(path: &Path) -> (usize, f64) {
    let image = image::open(path).unwrap().to_rgb8();
    let mut colours = std::collections::HashSet::new();
    let (mut sum, mut squares) = (0.0, 0.0);
    let count = f64::from(image.width() * image.height());
    for pixel in image.pixels() {
        colours.insert(pixel.0.map(|channel| channel / 8));
        let light = f64::from(pixel.0.iter().map(|channel| u32::from(*channel)).sum::<u32>()) / 3.0;
        sum += light / count;
        squares += light * light / count;
    }
    (colours.len(), (squares - sum * sum).sqrt())
}

/// Part of the pixels that are like this.
fn part(path: &Path, like: impl Fn(u8, u8) -> bool) -> f64 {
    let image = image::open(path).unwrap().to_rgb8();
    let is_like = |pixel: &&image::Rgb<u8>| like(*pixel.0.iter().min().unwrap(), *pixel.0.iter().max().unwrap());
    image.pixels().filter(is_like).count() as f64 / f64::from(image.width() * image.height())
}

/// Saturated ones: bodies have colours, the studio has none.
fn coloured(path: &Path) -> f64 {
    part(path, |least, most| most - least > 40)
}

/// Dark ones: nothing but beads and shadows is.
fn dark(path: &Path) -> f64 {
    part(path, |_, most| most < 110)
}

fn run(place: &Place, name: &str) {
    let text = fs::read_to_string(place.path(&format!("scenes/{name}.toml"))).unwrap();
    fs::write(place.path(&format!("{name}.toml")), reduced(&text)).unwrap();
    let checked = place.tenter(&["check", &format!("{name}.toml"), "--json"]);
    code(&checked, 0);
    let checked: Value = serde_json::from_str(&stdout(&checked)).unwrap();
    let frame_rate = (checked["frames"].as_f64().unwrap() - 1.0)
        / (checked["steps"].as_f64().unwrap() * checked["time_step"].as_f64().unwrap());
    let duration = format!("{:.4}", f64::from(FRAMES) / frame_rate.round());
    let scene = format!("{name}.toml");
    let arguments = [
        "run",
        &scene,
        "--duration",
        &duration,
        "--frames",
        "ply",
        "--output",
        name,
        "--image-size",
        "320x240",
        "--json",
    ];
    let output = place.tenter(&arguments);
    code(&output, 0);
    let summary: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert!(summary["outputs"]["frames"].as_u64().unwrap() >= u64::from(FRAMES), "{name}: {summary}");
    assert!(summary["largest_strain"].as_f64().unwrap() < 5.0, "{name}: {summary}");
    for line in fs::read_to_string(place.path(&format!("{name}/steps.jsonl"))).unwrap().lines() {
        let step: Value = serde_json::from_str(line).unwrap();
        assert!(step["total"].as_f64().is_some_and(f64::is_finite), "{name}: {line}");
    }
    let picture = place.path(&format!("{name}/last.png"));
    let (colours, spread) = statistics(&picture);
    let few = if name == "chain" { 30 } else { 60 };
    assert!(colours > few && spread > 8.0, "{name}: {colours} colours, spread {spread}");
    // Wires are drawn as beads alone, which are dark.
    let (part, least) = if name == "chain" { (dark(&picture), 1e-3) } else { (coloured(&picture), 0.01) };
    assert!(part > least, "{name}: {part}");
}

#[test]
fn every_scene_of_the_gallery_runs() {
    let place = Place::new();
    let list = place.tenter(&["scenes", "--json"]);
    code(&list, 0);
    let names: Vec<String> = stdout(&list)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["name"].as_str().unwrap().to_owned())
        .collect();
    assert!(names.len() >= 12, "{names:?}");
    let written = place.tenter(&["scenes", "--write", "scenes"]);
    code(&written, 0);
    // Nobody's changes are written over.
    code(&place.tenter(&["scenes", "--write", "scenes"]), 1);
    // Two at a time: much of a run is not done by many threads.
    let half = names.len() / 2;
    std::thread::scope(|scope| {
        for names in [&names[..half], &names[half..]] {
            scope.spawn(|| names.iter().for_each(|name| run(&place, name)));
        }
    });
}

#[test]
fn every_scene_has_a_picture_in_the_documentation() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/gallery.md")).unwrap();
    let list = Place::new().tenter(&["scenes", "--json"]);
    for line in stdout(&list).lines() {
        let scene: Value = serde_json::from_str(line).unwrap();
        let name = scene["name"].as_str().unwrap();
        let picture = format!("gallery/{name}.png");
        assert!(page.contains(&picture) && page.contains(scene["about"].as_str().unwrap()), "{name}");
        let (colours, _) = statistics(&root.join("docs").join(picture));
        assert!(colours > 30, "{name}");
    }
}

#[test]
fn a_scene_is_shown_and_a_name_that_is_none_is_refused() {
    let place = Place::new();
    let shown = place.tenter(&["scenes", "drape"]);
    code(&shown, 0);
    assert!(stdout(&shown).contains("[[collider]]"));
    for command in ["run", "check", "scenes"] {
        let wrong = place.tenter(&[command, "drap"]);
        code(&wrong, 2);
        assert!(stderr(&wrong).contains("there are: hanging, drape"), "{}", stderr(&wrong));
    }
}

#[test]
fn check_tells_sizes_memory_and_limits() {
    let place = Place::new();
    let output = place.tenter(&["check", "drape"]);
    code(&output, 0);
    let text = stdout(&output);
    for words in
        ["cloth: 4096 vertices, 7938 triangles", "memory", "positions", "nearest limit", "max_", "an iteration"]
    {
        assert!(text.contains(words), "{words}:\n{text}");
    }
    let json: Value = serde_json::from_str(&stdout(&place.tenter(&["check", "drape", "--json"]))).unwrap();
    let buffers = json["buffers"].as_array().unwrap();
    let bytes = |name: &str| buffers.iter().find(|buffer| buffer["name"] == name).unwrap()["bytes"].as_u64().unwrap();
    assert_eq!(bytes("positions"), 16 * 4096);
    assert_eq!(json["memory"].as_u64(), buffers.iter().map(|buffer| buffer["bytes"].as_u64()).sum());
    assert!(json["limits"][0]["needs"].as_u64() <= json["limits"][0]["adapter"].as_u64());
    // A small scene with a collider has no coarse level, one that asks for it has.
    let drape = (&json["preconditioner"], &json["coarse_unknowns"], &json["warm_start"]);
    assert_eq!(drape, (&"block-jacobi".into(), &0.into(), &true.into()));
    assert!(text.lines().any(|line| line.split_whitespace().eq(["preconditioner", "block-jacobi,", "warm", "start"])));
    let asked = "[solver]\npreconditioner = \"two-level\"\nwarm_start = false\n";
    fs::write(place.path("two-level.toml"), include_str!("../../scenes/drape.toml").replace("[solver]\n", asked))
        .unwrap();
    let text = stdout(&place.tenter(&["check", "two-level.toml"]));
    for words in ["two-level, 288 coarse unknowns\n", "coarse_matrix", "coarse_rows"] {
        assert!(text.contains(words), "{words}:\n{text}");
    }
    let coarse: Value = serde_json::from_str(&stdout(&place.tenter(&["check", "two-level.toml", "--json"]))).unwrap();
    assert_eq!((&coarse["preconditioner"], &coarse["warm_start"]), (&"two-level".into(), &false.into()));
    assert!(coarse["iteration_bytes"].as_u64() > json["iteration_bytes"].as_u64());
    // Nothing is written, and what is wrong is said with line and field.
    let bad = "{ \"body\": [\n{ \"mesh\": { \"kind\": \"grit\" } } ] }";
    fs::write(place.path("bad.json"), bad).unwrap();
    let wrong = place.tenter(&["check", "bad.json"]);
    code(&wrong, 2);
    let message = format!("bad.json:{}: body[0].material: is missing", line_of(bad, "{ \"mesh\""));
    assert!(stderr(&wrong).contains(&message), "{}", stderr(&wrong));
}
