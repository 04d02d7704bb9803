//! `[air]`: wind and resistance.

use super::*;
use glam::Vec3;
use tenter::{Air, SceneFile};

#[test]
fn air_is_as_said_or_still_or_none() {
    let air = Air { wind: Vec3::X, steady: 0.5, angular_velocity: 3.0, drag: 0.9, lift: 0.2, resistance: 0.3 };
    assert_eq!(SceneFile::parse(BLOCK.text, "").unwrap().scene.air, Some(air));
    let still = format!("air = {{}}\n{}", GOOD.text);
    assert_eq!(SceneFile::parse(&still, "").unwrap().scene.air, Some(Air::default()));
    assert_eq!(SceneFile::parse(GOOD.text, "").unwrap().scene.air, None);
}

#[test]
fn air_that_makes_no_sense() {
    for (from, to, field, words) in [
        ("wind = [1, 0, 0]", "wind = 1", "air.wind", "three numbers"),
        ("steady = 0.5", "steadiness = 0.5", "air.steadiness", "steady"),
        ("drag = 0.9", "drag = \"much\"", "air.drag", "a number"),
        ("resistance = 0.3", "resistance = -0.3", "air.resistance", "not negative"),
    ] {
        BLOCK.refused(from, to, field, words);
    }
}
