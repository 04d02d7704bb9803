//! `[[tie]]`, `[[seam]]` and `[[attach]]`.

use super::*;
use tenter::{SceneFile, internals::collider_id};

/// Two sheets that are tied, sewn and attached to a ball.
const SEWN: Fixture = Fixture {
    text: r#"[[body]]
name = "front"
mesh = { kind = "grid", width = 0.2, depth = 0.2, columns = 3, rows = 3 }
material = { preset = "cotton" }

[[body]]
name = "back"
mesh = { kind = "grid", width = 0.2, depth = 0.2, columns = 3, rows = 3, position = [0, 0.1, 0] }
material = { preset = "cotton" }

[[collider]]
shape = "sphere"
centre = [0, 1, 0]
radius = 0.1

[[tie]]
first = { body = "front", vertices = [1] }
second = { body = "back", vertices = [1] }

[[seam]]
first = { body = "front", vertices = "left" }
second = { body = "back", vertices = [6, 3, 0] }
distance = 0.01
weightless = true

[[attach]]
body = "back"
vertices = [4]
collider = 0
until = 0.5
"#,
};

#[test]
fn files_tie_sew_and_attach() {
    let file = SceneFile::parse(SEWN.text, "sewn.toml").unwrap();
    let seam = &file.scene.seams[0];
    assert_eq!((&seam.first.1, &seam.second.1), (&vec![0, 3, 6], &vec![6, 3, 0]));
    assert_eq!((seam.distance, seam.weightless, seam.stiffness), (0.01, true, 5.0));
    assert_eq!(file.scene.ties.len(), 1);
    assert_eq!((file.scene.pins[0].carrier, file.scene.pins[0].until), (Some(collider_id(0)), Some(0.5)));
    for (right, wrong, marker, message) in [
        ("[6, 3, 0]", "[6, 3]", "[6, 3]", "seam[0].second.vertices: 2 vertices, but there are 3"),
        ("collider = 0", "collider = 1", "collider = 1", "attach[0].collider: must be a whole number from 0 to 0"),
        ("distance = 0.01", "distance = -1", "distance = -1", "seam[0].distance: must be positive"),
        ("first = { body = \"front\", vertices = [1] }", "", "[[tie]]", "tie[0].first: is missing"),
    ] {
        let text = SEWN.changed(right, wrong);
        let error = SceneFile::parse(&text, "sewn.toml").unwrap_err().to_string();
        let expected = format!("sewn.toml:{}: {message}", line_of(&text, marker));
        assert!(error.contains(&expected), "{error}");
    }
}
