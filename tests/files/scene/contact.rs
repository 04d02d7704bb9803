//! `[contact]`.

use super::*;
use tenter::{BodyContact, ContactOf, internals::body_id};

/// Three sheets, apart from each other.
pub const LAYERS: Fixture = Fixture {
    text: r#"[contact]
thickness = 0.002
friction = 0.6
refuse_intersections = true
ignored = [["shirt", 2], [0, "shirt"], [2, 2]]

[[contact.bodies]]
body = "lining"
thickness = 0.001

[[contact.bodies]]
body = 2
friction = 0
meets = false

[[body]]
name = "shirt"
mesh = { kind = "grid", width = 0.2, depth = 0.2, columns = 3, rows = 3 }
material = { preset = "cotton" }

[[body]]
name = "lining"
mesh = { kind = "grid", width = 0.2, depth = 0.2, columns = 3, rows = 3, position = [0, 0.1, 0] }
material = { preset = "silk" }

[[body]]
mesh = { kind = "grid", width = 0.2, depth = 0.2, columns = 3, rows = 3, position = [0, 0.2, 0] }
material = { preset = "wool" }
"#,
};

#[test]
fn contact_says_everything() {
    let file = SceneFile::parse(LAYERS.text, "layers.toml").unwrap();
    let [shirt, lining, third] = [0, 1, 2].map(body_id);
    let expected = BodyContact {
        thickness: Some(0.002),
        friction: 0.6,
        bodies: vec![
            ContactOf { thickness: Some(0.001), ..ContactOf::new(lining) },
            ContactOf { friction: Some(0.0), meets: false, ..ContactOf::new(third) },
        ],
        ignored: vec![[shirt, third], [shirt, shirt], [third, third]],
        refuse_intersections: true,
    };
    assert_eq!(file.scene.contact, Some(expected));
}

#[test]
fn contact_without_numbers_has_defaults() {
    let start = LAYERS.text.find("[[body]]").unwrap();
    let bodies = &LAYERS.text[start..];
    let read = |text: &str| SceneFile::parse(text, "layers.toml").unwrap().scene.contact.clone();
    assert_eq!(read(bodies), None);
    assert_eq!(read(&format!("[contact]\n{bodies}")), Some(BodyContact::default()));
}

#[test]
fn contact_is_the_same_in_json() {
    let sheet = |name: &str, height: f32| {
        serde_json::json!({
            "name": name,
            "mesh": {
                "kind": "grid", "width": 0.2, "depth": 0.2, "columns": 3, "rows": 3, "position": [0.0, height, 0.0],
            },
            "material": { "preset": "cotton" },
        })
    };
    let text = serde_json::json!({
        "contact": {
            "thickness": 0.002, "friction": 0.6, "refuse_intersections": true,
            "ignored": [["shirt", 2], [0, "shirt"], [2, 2]],
            "bodies": [
                { "body": "lining", "thickness": 0.001 },
                { "body": 2, "friction": 0, "meets": false },
            ],
        },
        "body": [sheet("shirt", 0.0), sheet("lining", 0.1), sheet("third", 0.2)],
    });
    let toml = SceneFile::parse(LAYERS.text, "layers.toml").unwrap();
    let json = SceneFile::parse(&text.to_string(), "layers.json").unwrap();
    assert_eq!(toml.scene.contact, json.scene.contact);
}

#[test]
fn wrong_contact_is_refused() {
    LAYERS.refused("thickness = 0.002", "thickness = 0", "contact.thickness", "must be positive");
    LAYERS.refused("thickness = 0.002", "thickness = 1e-60", "contact.thickness", "must be positive");
    LAYERS.refused("friction = 0.6", "friction = -0.1", "contact.friction", "not negative");
    LAYERS.refused("friction = 0.6", "friction = nan", "contact.friction", "finite");
    LAYERS.refused("friction = 0.6", "rubbing = 0.6", "contact.rubbing", "there is no such key");
    LAYERS.refused("intersections = true", "intersections = 1", "contact.refuse_intersections", "true or false");
    LAYERS.refused("[2, 2]]", "[2]]", "contact.ignored[2]", "must be two bodies, not 1");
    LAYERS.refused("[2, 2]]", "2]", "contact.ignored[2]", "an array");
    LAYERS.refused("[2, 2]]", "[2, 3]]", "contact.ignored[2][1]", "from 0 to 2");
    LAYERS.refused("[0, \"shirt\"]", "[0, \"skirt\"]", "contact.ignored[1][1]", "no body is called \"skirt\"");
    LAYERS.refused("thickness = 0.001", "thickness = -1", "contact.bodies[0].thickness", "must be positive");
    LAYERS.refused("friction = 0\n", "friction = inf\n", "contact.bodies[1].friction", "finite");
    LAYERS.refused("meets = false", "meets = 0", "contact.bodies[1].meets", "true or false");
    LAYERS.refused("body = 2", "body = 3", "contact.bodies[1].body", "from 0 to 2");
    LAYERS.refused("body = 2", "body = 1", "contact.bodies[1].body", "body 1 is listed twice");
    LAYERS.refused_at("body = 2\n", "", "[[contact.bodies]]\nfriction", "contact.bodies[1].body", "which body?");
}

#[test]
fn intersections_at_the_start_are_refused_by_name() {
    let crossing = "position = [0, 0.1, 0], rotation = [60, 0, 0]";
    let text = LAYERS.changed("position = [0, 0.1, 0]", crossing).replace("[0, 0.1, 0]", "[0, 0.01, 0]");
    let line = line_of(&text, "refuse_intersections");
    refused(&text, line, "contact.refuse_intersections", "\"shirt\" and \"lining\" intersect, in");
    let reported = text.replace("refuse_intersections = true", "");
    let file = SceneFile::parse(&reported, "layers.toml").unwrap();
    let bodies: Vec<_> = file.scene.intersections().iter().map(|one| one.bodies.map(|body| body.index())).collect();
    assert_eq!(bodies, [[0, 1]]);
}
