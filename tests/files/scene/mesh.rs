//! `[body.mesh]`: blocks, sizes, meshes of files.

use super::*;
use glam::Vec3;
use std::path::Path;
use tenter::{Error, Mass, Material, Mesh, NeoHookean, SceneFile, Shape, Vertices};

#[test]
fn blocks() {
    let file = SceneFile::parse(BLOCK.text, "").unwrap();
    let body = &file.scene.bodies[0];
    assert_eq!((body.mesh.positions.len(), body.mesh.tetrahedra.len()), (24, 30));
    // From (-½, -1, -3/2): about y by 90°, then up by 5.
    let corner = body.mesh.positions[0];
    assert!(corner.distance(Vec3::new(-1.5, 4.0, 0.5)) < 1e-5, "{corner}");
    assert_eq!(body.material.mass, Mass::Volume(500.0));
    let jelly = Material::jelly().neo_hookean.unwrap();
    assert_eq!(body.material.neo_hookean, Some(NeoHookean { young: 2e4, ..jelly }));
    assert_eq!(body.material.volume, None);
}

#[test]
fn blocks_that_make_no_sense() {
    for (from, to, field, words) in [
        ("size = [1, 2, 3]", "size = [1, -2, 3]", "body[0].mesh.size[1]", "positive"),
        ("size = [1, 2, 3], ", "", "body[0].mesh.size", "missing"),
        ("counts = [2, 3, 4]", "counts = [2, 3, 1]", "body[0].mesh.counts[2]", "from 2"),
        ("counts = [2, 3, 4]", "counts = [2, 3]", "body[0].mesh.counts", "not 2"),
        ("counts = [2, 3, 4]", "counts = [2, 3, 4.5]", "body[0].mesh.counts[2]", "whole number"),
        ("counts = [2, 3, 4]", "counts = [4294967295, 4294967295, 4294967295]", "body[0].mesh.counts", "more than"),
        ("counts = [2, 3, 4]", "counts = [2, 3, 4], columns = 3", "body[0].mesh.columns", "counts"),
        ("neo_hookean = { young", "weave = { damping", "body[0].material.weave", "change its neo_hookean"),
    ] {
        BLOCK.refused(from, to, field, words);
    }
    let (size, tiny) = ("size = [1, 2, 3]", "size = [1e-15, 1e-15, 1e-15]");
    BLOCK.refused_at(size, tiny, "volume_density", "body[0].material.volume_density", "no usable mass");
}

#[test]
fn tetrahedra_without_volume_are_said_at_the_mesh() {
    let tiny = BLOCK
        .text
        .replace("size = [1, 2, 3]", "size = [1e-15, 1e-15, 1e-15]")
        .replace(
            "preset = \"jelly\", volume_density = 500, neo_hookean = {",
            "mass = 1, neo_hookean = { poisson = 0.4,",
        )
        .replace("position = [0, 5, 0], ", "");
    refused(&tiny, line_of(&tiny, "mesh = {"), "body[0].mesh", "tetrahedron 0 has no volume");
}

#[test]
fn absurd_sizes() {
    // Nothing of that size may be allocated: these return at once.
    GOOD.refused("columns = 6", "columns = 4000000000", "body[0].mesh.columns", "20000000000 vertices");
    GOOD.refused("columns = 6", "columns = 99999999999999999999", "body[0].mesh.columns", "whole number");
    GOOD.refused("columns = 6", "columns = 1", "body[0].mesh.columns", "from 2");
    GOOD.refused("rows = 5", "rows = 0", "body[0].mesh.rows", "from 2");
    GOOD.refused("count = 4", "count = 4294967295", "body[1].mesh.count", "besides 30");
    GOOD.refused("duration = 0.5", "duration = 1e30", "simulation.duration", "steps");
    GOOD.refused_at("time_step = 0.005", "time_step = 1e-30", "duration = 0.5", "simulation.duration", "steps");
}

const CHANGED_FILE: &str = "[[body]]\nmesh = { kind = \"file\", file = \"@\" }\nmaterial = { preset = \"cotton\" }\n";

/// A scene in the folder of those that come along, where there is a ring with texture coordinates and groups.
fn ring(mesh: &str, more: &str) -> Result<SceneFile, Error> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/here.toml");
    let text = format!(
        "[[body]]\nname = \"ring\"\nmesh = {{ file = \"meshes/ring.obj\", {mesh} }}\nmaterial = {{ mass = 0.1, structural = {{ stiffness = 10.0 }} }}\n{more}"
    );
    SceneFile::parse(&text, path)
}

#[test]
fn meshes_come_from_files_beside_the_scene() {
    let file =
        ring("kind = \"file\", scale = 2, position = [0, 1, 0]", "[[pin]]\nvertices = { group = \"inside\" }").unwrap();
    let mesh = &file.scene.bodies[0].mesh;
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (32 * 16, 2 * 32 * 16));
    let height = mesh.positions.iter().map(|p| p.y).fold(0.0, f32::max);
    assert!((height - 1.1).abs() < 1e-5, "{height}");
    assert_eq!(file.scene.pins[0].vertices, Vertices::Group("inside".to_owned()));
    assert!(file.notes.iter().any(|(body, note)| body == "ring" && note.contains("polygons")), "{:?}", file.notes);

    // Flat at rest, sewn where the texture is cut: once around, and once along.
    let file = ring("kind = \"file\", rest = \"texture\", texture_scale = 0.5", "").unwrap();
    let body = &file.scene.bodies[0];
    assert_eq!(body.mesh.positions.len(), 33 * 17);
    assert!(body.mesh.positions.iter().all(|p| p.y == 0.0 && p.x <= 0.5 && p.z >= -0.5));
    assert!(body.start_positions().iter().any(|p| p.y > 0.04));
    assert!(file.scene.ties.len() >= 32 + 16, "{}", file.scene.ties.len());

    let file = ring("kind = \"fill\", spacing = 0.05", "").unwrap();
    let body = &file.scene.bodies[0];
    assert!(!body.mesh.tetrahedra.is_empty());
    assert_eq!(body.skin.as_ref().map(|skin| skin.positions.len()), Some(512));

    let collider = "[[collider]]\nshape = \"mesh\"\nfile = \"meshes/ring.obj\"\ncentre = [0, -1, 0]\ncells = 24";
    let file = ring("kind = \"file\"", collider).unwrap();
    assert!(
        matches!(&file.scene.colliders[0].shape, Shape::Mesh { cells: 24, surface } if surface.positions.len() == 512)
    );

    let message = |mesh: &str, more: &str| ring(mesh, more).unwrap_err().to_string();
    assert!(message("kind = \"file\"", "[[pin]]\nvertices = { group = \"hem\" }").contains("inside, outside"));
    assert!(message("kind = \"fill\", spacing = 1e-9", "").contains("body[0].mesh"));
    assert!(message("kind = \"file\", texture_scale = 2", "").contains("needs rest"));
    let missing = SceneFile::parse(&CHANGED_FILE.replace("@", "none.obj"), "dir/scene.toml").unwrap_err().to_string();
    let line = line_of(CHANGED_FILE, "mesh = {");
    let begin = format!("dir/scene.toml:{line}: body[0].mesh.file: dir/none.obj: ");
    assert!(missing.starts_with(&begin), "{missing}");
    // What is wrong inside is said with the file's own name and line besides the scene's.
    let folder = tempfile::tempdir().unwrap();
    let bad = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n";
    std::fs::write(folder.path().join("bad.obj"), bad).unwrap();
    let wrong = SceneFile::parse(&CHANGED_FILE.replace("@", "bad.obj"), folder.path().join("scene.toml")).unwrap_err();
    let place = format!("bad.obj:{}:", line_of(bad, "f 1 2 9"));
    let scene = format!("scene.toml:{line}: body[0].mesh.file: ");
    assert!(wrong.to_string().contains(&place) && wrong.to_string().contains(&scene), "{wrong}");
}

/// A scene with a mesh file beside it.
fn beside(name: &str, mesh: &str, scene: &str) -> Result<SceneFile, Error> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), mesh).unwrap();
    std::fs::create_dir_all(folder.path().join("dir.obj")).unwrap();
    SceneFile::parse(scene, folder.path().join("scene.toml"))
}

/// A text of OBJ.
fn obj(mesh: &Mesh) -> String {
    let vertices = mesh.positions.iter().map(|p| format!("v {} {} {}\n", p.x, p.y, p.z));
    let triangles = mesh.triangles.iter().map(|t| format!("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1));
    vertices.chain(triangles).collect()
}

const CLOTH: &str = "[[body]]\nmesh = { kind = \"grid\", width = 1, depth = 1, columns = 4, rows = 4 }\nmaterial = { preset = \"cotton-springs\" }\n";

#[test]
fn errors_of_mesh_files_name_scene_field_and_cause() {
    let body = |keys: &str| {
        format!(
            "[[body]]\nmesh = {{ {keys} }}\nmaterial = {{ volume_density = 500.0, structural = {{ stiffness = 50.0 }} }}\n"
        )
    };
    let collider = |keys: &str| format!("{CLOTH}[[collider]]\nshape = \"mesh\"\ncentre = [0, 0, 0]\n{keys}\n");
    let cube = obj(&Mesh::block(Vec3::ONE, [2, 2, 2]));
    let open = obj(&Mesh::tube(0.1, 0.3, 12, 5));
    for (mesh, scene, start, words) in [
        (
            &cube,
            body("kind = \"file\", file = \"dir.obj\""),
            "scene.toml:2: body[0].mesh.file: ",
            "dir.obj: is a folder",
        ),
        (
            &cube,
            body("kind = \"fill\", file = \"a.obj\", spacing = 1e-3"),
            "scene.toml:2: body[0].mesh.spacing: ",
            "use a larger one",
        ),
        (
            &open,
            body("kind = \"fill\", file = \"a.obj\", spacing = 0.05"),
            "scene.toml:2: body[0].mesh.file: ",
            "2 holes: 0.283 m across and of 12 edges",
        ),
        (&open, collider("file = \"a.obj\""), "scene.toml:7: collider[0].file: ", "close = true"),
        (&cube, collider("file = \"a.obj\"\ncells = 3"), "scene.toml:8: collider[0].cells: ", "from 4 to 256"),
        (&cube, collider("file = \"a.obj\"\ncells = 512"), "scene.toml:8: collider[0].cells: ", "from 4 to 256"),
        (&cube, collider("file = \"a.obj\"\nrelaxation = 2"), "scene.toml:8: collider[0].relaxation: ", "up to 1"),
    ] {
        let error = beside("a.obj", mesh, &scene).unwrap_err().to_string();
        assert!(error.contains(start) && error.contains(words), "{error}");
    }
    // So far away that f32 does not tell the vertices apart.
    let far = CLOTH
        .replace("rows = 4", "rows = 4, position = [1e7, 0, 0]")
        .replace("width = 1, depth = 1", "width = 0.3, depth = 0.3");
    let error = beside("a.obj", &cube, &far).unwrap_err().to_string();
    assert!(error.contains("scene.toml:2: body[0].mesh: ") && error.contains("nearer to the origin"), "{error}");
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_scene() {
    let json = "{ \"body\": [{ \"mesh\": { \"kind\": \"disk\", \"radius\": 1, \"rings\": 4 }, \"material\": { \"preset\": \"silk\" } }] }";
    for (name, text) in [("a.json", json), ("a.toml", CLOTH)] {
        SceneFile::parse(text, name).unwrap();
        SceneFile::parse(&format!("\u{feff}{text}"), name).unwrap();
    }
}

#[test]
fn holes_are_closed_on_request() {
    // A tube and a ball with holes of several sizes, in one file.
    let mut pieces = Mesh::tube(0.1, 0.3, 12, 5);
    let block = Mesh::block(Vec3::splat(0.4), [5, 5, 5]).translated(Vec3::X);
    let first = pieces.positions.len() as u32;
    pieces.positions.extend(&block.positions);
    pieces.triangles.extend(block.triangles[3..].iter().map(|t| t.map(|ix| ix + first)));
    let file = obj(&pieces);
    let collider = |close: &str| {
        let scene =
            format!("{CLOTH}[[collider]]\nshape = \"mesh\"\ncentre = [0, 0, 0]\nfile = \"a.obj\"\nclose = {close}\n");
        beside("a.obj", &file, &scene)
    };
    let few = collider("0.25").unwrap_err().to_string();
    assert!(few.contains("2 holes: 0.283 m across"), "{few}");
    let Shape::Mesh { surface, .. } = collider("true").unwrap().scene.colliders[0].shape.clone() else { panic!() };
    assert!(surface.holes().is_empty() && surface.triangles.len() > pieces.triangles.len());
    let solid = |close: &str| {
        let body = format!(
            "[[body]]\nname = \"two\"\nmesh = {{ kind = \"fill\", file = \"a.obj\", spacing = 0.1, close = {close} }}\nmaterial = {{ volume_density = 500.0, structural = {{ stiffness = 50.0 }} }}\n"
        );
        beside("a.obj", &file, &body)
    };
    assert!(solid("false").is_err());
    let filled = solid("0.3").unwrap();
    assert!(!filled.scene.bodies[0].mesh.tetrahedra.is_empty());
    assert!(
        filled.notes.iter().any(|(_, note)| note.starts_with("closed ") && note.contains("holes")),
        "{:?}",
        filled.notes
    );
}
