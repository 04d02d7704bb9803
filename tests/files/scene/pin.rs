//! `[[pin]]`: vertices, paths, directions that are free.

use super::*;
use glam::Vec3;
use tenter::{Free, PinKey, SceneFile};

#[test]
fn pins_have_paths_and_ends() {
    let file = SceneFile::parse(MEETING.text, "meeting.toml").unwrap();
    let pin = &file.scene.pins[0];
    assert_eq!(pin.until, Some(1.5));
    let key = |time, offset: [f32; 3]| PinKey { time, offset: offset.into() };
    assert_eq!(pin.path, [key(0.5, [0.0; 3]), key(1.0, [0.0, 0.2, 0.0]), key(2.25, [0.1, 0.2, -1.0])]);
    let plain = SceneFile::parse(GOOD.text, "good.toml").unwrap();
    assert!(plain.scene.pins.iter().all(|pin| pin.path.is_empty() && pin.until.is_none()));
}

#[test]
fn wrong_paths_are_named_key_by_key() {
    MEETING.refused("time = 2.25", "time = 0.75", "pin[0].path[2].time", "later");
    MEETING.refused("time = 2.25", "time = nan", "pin[0].path[2].time", "finite");
    MEETING.refused("{ time = 1, offset = [0, 0.2, 0] }", "{ time = 1 }", "pin[0].path[1].offset", "missing");
    MEETING.refused("offset = [0.1, 0.2, -1]", "offset = [0, 1e39, 0]", "pin[0].path[2].offset[1]", "large");
    MEETING.refused("offset = [0.1, 0.2, -1]", "speed = 3", "pin[0].path[2].speed", "no such key");
    MEETING.refused("until = 1.5", "until = -1", "pin[0].until", "not negative");
    MEETING.refused("until = 1.5", "until = \"late\"", "pin[0].until", "number");
    GOOD.refused_at("vertices = \"corners\"", "vertices = \"corners\"\npath = 3", "path = 3", "pin[0].path", "array");
}

#[test]
fn indices_out_of_range() {
    GOOD.refused_at("    3,", "    4,", "vertices = [\n", "pin[1].vertices", "vertex 4 is out of range");
    GOOD.refused("body = 1", "body = 2", "pin[1].body", "0 to 1");
    GOOD.refused("vertices = \"corners\"", "vertices = [29, 30]", "pin[0].vertices", "vertex 30");
    GOOD.refused("vertices = \"corners\"", "vertices = []", "pin[0].vertices", "no vertex");
    GOOD.refused(
        "vertices = \"corners\"",
        "vertices = { low = [9, 9, 9], high = [9, 9, 9] }",
        "pin[0].vertices",
        "no vertex",
    );
    GOOD.refused(
        "vertices = \"corners\"",
        "vertices = { low = [1, 0, 0], high = [0, 0, 0] }",
        "pin[0].vertices.high",
        "low",
    );
    GOOD.refused_at(
        "body = \"cloth\"\nvertices = \"corners\"",
        "body = 1\nvertices = \"far\"",
        "vertices = \"far\"",
        "pin[0].vertices",
        "only a grid",
    );
    GOOD.refused_at(
        "body = \"cloth\"\nvertices = \"corners\"",
        "body = 1\nvertices = [3]",
        "vertices = [\n",
        "pin[1].vertices",
        "earlier pin",
    );
}

#[test]
fn pins_slide_along_lines_and_in_planes() {
    let file = SceneFile::parse(BLOCK.text, "").unwrap();
    let free: Vec<Free> = file.scene.pins.iter().map(|pin| pin.free).collect();
    assert_eq!(free, [Free::Line(Vec3::new(1.0, 1.0, 0.0)), Free::Plane(Vec3::Y)]);
}

#[test]
fn directions_that_make_no_sense() {
    for (from, to, field, words) in [
        ("{ line = [1, 1, 0] }", "{ line = [0, 0, 0] }", "pin[0].free", "direction"),
        ("{ line = [1, 1, 0] }", "{ line = [0, 1] }", "pin[0].free.line", "three numbers"),
        ("{ line = [1, 1, 0] }", "{ line = [1, 0, 0], plane = [1, 0, 0] }", "pin[0].free.plane", "not both"),
        ("{ line = [1, 1, 0] }", "{}", "pin[0].free", "plane"),
        ("{ line = [1, 1, 0] }", "{ point = [1, 0, 0] }", "pin[0].free.point", "line, plane"),
        ("{ line = [1, 1, 0] }", "true", "pin[0].free", "a table"),
    ] {
        BLOCK.refused(from, to, field, words);
    }
}
