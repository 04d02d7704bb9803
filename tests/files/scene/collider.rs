//! `[[collider]]`: every shape and motion.

use super::*;
use glam::{Quat, Vec3};
use tenter::{Collider, KeyFrame, Motion, Pose, SceneFile, Shape};

#[test]
fn every_shape_of_a_collider() {
    let file = SceneFile::parse(MEETING.text, "meeting.toml").unwrap();
    let [plane, sphere, rigid, moving, capsule, cylinder] = file.scene.colliders.as_slice() else {
        panic!("{:?}", file.scene.colliders)
    };
    assert_eq!(*plane, Collider::plane([0.0, -1.0, 0.0], Vec3::new(0.0, 1.0, 1.0).normalize()));
    assert!((plane.start().rotation * Vec3::Y).distance(Vec3::new(0.0, 1.0, 1.0) / 2f32.sqrt()) < 1e-6);
    let ball = Collider::sphere([0.1, 0.2, 0.3], 0.25);
    assert_eq!(*sphere, Collider { thickness: 0.002, friction: 0.6, relaxation: 0.5, ..ball });

    assert_eq!(rigid.shape, Shape::Box { half: Vec3::new(0.1, 0.2, 0.3) });
    let Motion::Dynamic(dynamic) = rigid.motion else { panic!("{rigid:?}") };
    assert_eq!((dynamic.mass, dynamic.velocity, dynamic.angular_velocity), (0.4, Vec3::Y, 3.0 * Vec3::Z));
    assert_eq!(dynamic.pose.position, Vec3::X);
    assert!((dynamic.pose.rotation * Vec3::X).distance(Vec3::Y) < 1e-6);

    assert_eq!(moving.shape, Shape::Box { half: Vec3::new(0.1, 0.2, 0.3) });
    let Motion::KeyFrames(frames) = &moving.motion else { panic!("{moving:?}") };
    let pose = |y: f32, rotation| Pose { position: y * Vec3::Y, rotation };
    assert_eq!(frames[0], KeyFrame { time: 0.0, pose: pose(1.0, Quat::IDENTITY) });
    assert_eq!(frames[1], KeyFrame { time: 1.0, pose: pose(2.0, Quat::from_rotation_x(45f32.to_radians())) });
    assert!((frames[2].pose.rotation * Vec3::Z).distance(Vec3::X) < 1e-6);

    let Shape::Capsule { radius, half_length } = capsule.shape else { panic!("{capsule:?}") };
    assert!(radius == 0.05 && (half_length - 0.3).abs() < 1e-7);
    let ends =
        [-1.0, 1.0].map(|side| capsule.start().position + capsule.start().rotation * (side * half_length * Vec3::Y));
    assert!(ends[0].distance(Vec3::Y) < 1e-6 && ends[1].distance(Vec3::new(0.6, 1.0, 0.0)) < 1e-6, "{ends:?}");
    let pose = Pose { position: 2.0 * Vec3::Z, ..Pose::default() };
    assert_eq!(*cylinder, Collider::fixed(Shape::Cylinder { radius: 0.1, half_length: 0.3 }, pose));

    // A plane moves by its pose: level unless it is turned.
    let lift = "frames = [{ time = 0, position = [0, -1, 0] }]";
    let text = MEETING.text.replace("point = [0, -1, 0]\nnormal = [0, 2, 2]", lift);
    let file = SceneFile::parse(&text, "meeting.toml").unwrap();
    assert_eq!(file.scene.colliders[0].start(), Collider::plane([0.0, -1.0, 0.0], Vec3::Y).start());
}

#[test]
fn wrong_colliders_are_named_key_by_key() {
    MEETING.refused("\"plane\"", "\"cone\"", "collider[0].shape", "\"cylinder\"");
    MEETING.refused_at(
        "shape = \"sphere\"\n",
        "",
        "[[collider]]\ncentre = [0.1, 0.2, 0.3]",
        "collider[1].shape",
        "missing",
    );
    MEETING.refused("normal = [0, 2, 2]", "normal = [0, 0, 0]", "collider[0].normal", "direction");
    MEETING.refused_at("normal = [0, 2, 2]", "", "[[collider]]\nshape = \"plane\"", "collider[0].normal", "missing");
    MEETING.refused("normal = [0, 2, 2]", "radius = 1", "collider[0].radius", "no such key");
    MEETING.refused("radius = 0.25", "radius = -0.25", "collider[1].radius", "positive");
    MEETING.refused("radius = 0.25", "radius = \"large\"", "collider[1].radius", "number");
    MEETING.refused("centre = [0.1, 0.2, 0.3]", "centre = 3", "collider[1].centre", "three numbers");
    MEETING.refused("thickness = 0.002", "thickness = -1", "collider[1].thickness", "not negative");
    MEETING.refused("friction = 0.6", "friction = -1", "collider[1].friction", "not negative");
    MEETING.refused("friction = 0.6", "velocity = [0, 1, 1]", "collider[1].velocity", "mass");
    MEETING.refused("half = [0.1, 0.2, 0.3]", "half = [0.1, 0, 0.3]", "collider[2].half[1]", "positive");
    MEETING.refused_at(
        "half = [0.1, 0.2, 0.3]",
        "",
        "[[collider]]\nshape = \"box\"\ncentre",
        "collider[2].half",
        "missing",
    );
    MEETING.refused("size = [0.2, 0.4, 0.6]", "size = [1, 1, 1]\nhalf = [1, 1, 1]", "collider[3].size", "half");
    MEETING.refused("axis = [0, 0, 5]", "axis = [0, 0, 0]", "collider[2].rotation.axis", "direction");
    MEETING.refused("{ axis = [0, 0, 5], degrees = 90 }", "90", "collider[2].rotation", "axis");
    MEETING.refused("mass = 0.4", "mass = 0", "collider[2].mass", "positive");
    MEETING.refused("time = 2,", "time = true,", "collider[3].frames[2].time", "number");
    MEETING.refused("time = 2, position = [0, 1, 0],", "time = 2,", "collider[3].frames[2].position", "missing");
    MEETING.refused("degrees = 45", "radians = 1", "collider[3].frames[1].rotation.radians", "no such key");
    MEETING.refused_at("size = [0.2, 0.4, 0.6]", "half = [1, 1, 1]\nmass = 1", "mass = 1", "collider[3].mass", "frame");
    MEETING.refused_at(
        "size = [0.2, 0.4, 0.6]",
        "half = [1, 1, 1]\ncentre = [0, 0, 0]",
        "centre = [0, 0, 0]",
        "collider[3].centre",
        "frames",
    );
    MEETING.refused("to = [0.6, 1, 0]", "to = [0, 1, 0]", "collider[4].to", "elsewhere");
    MEETING.refused_at("to = [0.6, 1, 0]", "", "[[collider]]\nshape = \"capsule\"", "collider[4].to", "missing");
    MEETING.refused_at(
        "to = [0.6, 1, 0]",
        "to = [0, 1, 1]\nhalf_length = 1",
        "half_length = 1",
        "collider[4].half_length",
        "from",
    );
    MEETING.refused("half_length = 0.3", "half_length = 0", "collider[5].half_length", "positive");
    MEETING.refused_at(
        "half_length = 0.3",
        "half_length = 1\nframes = []",
        "centre = [0, 0, 2]",
        "collider[5].centre",
        "frames",
    );
    MEETING.refused("centre = [0, 0, 2]", "frames = []", "collider[5].frames", "at least one");
}

const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// A scene with a closed mesh, with files beside it: the mesh as it is and twice as large, and point caches.
fn deforming(keys: &str) -> Result<Shape, String> {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("figure.obj", TETRAHEDRON.as_bytes());
    write("other.obj", format!("{TETRAHEDRON}v 5 5 5\nv 6 5 5\nv 5 6 5\nf 5 6 7\n").as_bytes());
    let corners = [[0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let cache = |points: usize, flat: f32| -> Vec<u8> {
        let header = [2i32, points as i32].into_iter().flat_map(i32::to_be_bytes);
        let frame = |size: f32| corners.iter().take(points).map(move |x| [size * x[0], size * x[1], size * x[2]]);
        let numbers = frame(1.0).chain(frame(flat)).flatten();
        header.chain([0.5, 1.0].into_iter().chain(numbers).flat_map(f32::to_be_bytes)).collect()
    };
    write("figure.mdd", &cache(4, 3.0));
    write("three.mdd", &cache(3, 3.0));
    write("flat.mdd", &cache(4, 0.0));
    let text = format!(
        "[[body]]\nmesh = {{ kind = \"grid\", width = 1, depth = 1, columns = 3, rows = 3 }}\nmaterial = {{ preset = \"cotton\" }}\n\n[[collider]]\nshape = \"mesh\"\ncentre = [0, 0, 0]\nfile = \"figure.obj\"\n{keys}\n"
    );
    let file = SceneFile::parse(&text, folder.path().join("scene.toml")).map_err(|error| error.to_string())?;
    tenter::Simulation::check(&file.scene, &file.options).map_err(|error| error.to_string())?;
    Ok(file.scene.colliders[0].shape.clone())
}

#[test]
fn meshes_whose_vertices_move() {
    let Shape::Deforming(mesh) = deforming("cache = \"figure.mdd\"\nscale = 0.5").unwrap() else { panic!() };
    assert_eq!(mesh.triangles.len(), 4);
    assert_eq!(mesh.frames.iter().map(|frame| frame.time).collect::<Vec<_>>(), [0.5, 1.0]);
    assert_eq!(mesh.frames[1].positions[1], Vec3::new(1.5, 0.0, 0.0));
    assert_eq!(mesh.positions(0.75)[1], Vec3::X);

    let sequence = "cache = [\"figure.obj\", \"figure.obj\"]\nrate = 10";
    let Shape::Deforming(mesh) = deforming(sequence).unwrap() else { panic!() };
    assert_eq!(mesh.frames.iter().map(|frame| frame.time).collect::<Vec<_>>(), [0.0, 0.1, 0.2]);

    let refused = |keys: &str, words: &[&str]| {
        let message = deforming(keys).unwrap_err();
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    };
    refused("cache = \"three.mdd\"", &["scene.toml:9", "collider[0].cache", "3 points", "4 vertices"]);
    refused("cache = \"flat.mdd\"", &["collider[0].cache[1].positions", "enclose a volume"]);
    refused("cache = \"figure.obj\"", &["figure.obj", "pc2 or mdd"]);
    refused("cache = \"none.mdd\"", &["scene.toml:9", "collider[0].cache", "none.mdd"]);
    refused("cache = [\"other.obj\"]", &["collider[0].cache", "7 points", "4 vertices"]);
    refused(
        "cache = [\"figure.obj\", \"other.obj\"]",
        &["other.obj", "7 vertices", "first file of the sequence has 4"],
    );
    refused("rate = 30", &["collider[0].rate", "needs a cache"]);
    refused("cache = \"figure.mdd\"\ncells = 32", &["collider[0]", "cells"]);
}

#[test]
fn edges_are_kept_away_unless_the_scene_says_otherwise() {
    let file = SceneFile::parse(MEETING.text, "meeting.toml").unwrap();
    assert!(file.scene.colliders.iter().all(|collider| collider.edges));
    let text = MEETING.text.replace("radius = 0.25", "radius = 0.25\nedges = false");
    let file = SceneFile::parse(&text, "meeting.toml").unwrap();
    assert_eq!(file.scene.colliders.iter().map(|collider| collider.edges).filter(|edges| !edges).count(), 1);
}
