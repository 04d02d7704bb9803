//! `[[force]]`: forces on vertices.

use super::*;
use glam::Vec3;
use tenter::{SceneFile, Vertices};

#[test]
fn forces_act_on_vertices() {
    let file = SceneFile::parse(BLOCK.text, "").unwrap();
    let push = &file.scene.point_forces[0];
    assert_eq!((push.vertices.clone(), push.force), (Vertices::List(vec![2, 3]), Vec3::new(0.0, 0.0, 7.0)));
}

#[test]
fn forces_that_make_no_sense() {
    for (from, to, field, words) in [
        ("vertices = [2, 3]", "vertices = [2, 24]", "force[0].vertices", "vertex 24"),
        ("vertices = [2, 3]", "vertices = \"far\"", "force[0].vertices", "only a grid"),
        ("vertices = [2, 3]", "body = \"towel\"\nvertices = [2]", "force[0].body", "no body is called"),
        ("force = [0, 0, 7]", "force = [0, 0, inf]", "force[0].force[2]", "finite"),
        ("[[force]]", "[force]", "force", "an array"),
    ] {
        BLOCK.refused(from, to, field, words);
    }
    BLOCK.refused_at("force = [0, 0, 7]", "", "[[force]]", "force[0].force", "missing");
    BLOCK.refused_at(
        "force = [0, 0, 7]",
        "force = [0, 0, 7]\nfree = 1",
        "free = 1",
        "force[0].free",
        "vertices, force",
    );
}
