//! `[[body]]`: how a body starts, and its name.

use super::*;
use glam::Vec3;
use tenter::SceneFile;

#[test]
fn a_gathered_start_is_narrower_but_not_strained() {
    let file = SceneFile::parse(
        &GOOD.changed("waviness = 0.01\ngather = 0.9", "gather = 0.6").replace("columns = 6", "columns = 41"),
        "",
    )
    .unwrap();
    let body = &file.scene.bodies[0];
    let start = body.start_positions();
    assert!((start[40].distance(start[0]) - 0.6).abs() < 1e-4);
    assert!((0.5 * (start[0] + start[40]) - Vec3::new(0.0, 3.0, -1.0)).length() < 1e-4, "not about the centre");
    for (from, to) in [(0, 1), (17, 18), (0, 41), (60, 101)] {
        let rest = body.mesh.positions[from].distance(body.mesh.positions[to]);
        assert!((start[from].distance(start[to]) / rest - 1.0).abs() < 1e-4, "{from} to {to}");
    }
    let highest = start.iter().map(|p| (p.y - 3.0).abs()).fold(0.0, f32::max);
    assert!(highest > 0.02, "no folds: {highest}");
}

#[test]
fn waves_are_as_high_as_asked_for_at_most() {
    let file = SceneFile::parse(&GOOD.changed("gather = 0.9", ""), "").unwrap();
    let body = &file.scene.bodies[0];
    let offsets: Vec<f32> = body.start_positions().iter().zip(&body.mesh.positions).map(|(a, b)| (*a - *b).y).collect();
    let highest = offsets.iter().fold(0.0f32, |most, offset| most.max(offset.abs()));
    assert!(highest > 0.003 && highest <= 0.01, "{highest}");
    assert!(offsets[0].abs() < 1e-6 && offsets[5].abs() < 1e-6, "corners have moved");
}

#[test]
fn names() {
    GOOD.refused("name = \"chain\"", "name = \"cloth\"", "body[1].name", "body[0] is called \"cloth\" already");
    GOOD.refused("name = \"cloth\"", "name = \"\"", "body[0].name", "word");
    GOOD.refused("name = \"cloth\"", "name = \"a\\nb\"", "body[0].name", "word");
    GOOD.refused(
        "body = \"cloth\"",
        "body = \"towel\"",
        "pin[0].body",
        "no body is called \"towel\"; there are: cloth, chain",
    );
}

#[test]
fn contradictions() {
    GOOD.refused_at("density = 0.2", "density = 0.2\nmass = 1", "mass = 1", "body[0].material.mass", "density already");
    GOOD.refused("density = 0.2", "preset = \"tweed\"", "body[0].material.preset", "\"silk\" or \"wool\"");
    GOOD.refused("density = 0.2", "volume_density = 200", "body[0].material.volume_density", "no usable mass");
    GOOD.refused("line_density = 0.1", "density = 0.1", "body[1].material.density", "no usable mass");
    GOOD.refused("name = \"chain\"", "waviness = 0.1", "body[1].waviness", "grids only");
    GOOD.refused("name = \"chain\"", "gather = 0.5", "body[1].gather", "grids only");
}
