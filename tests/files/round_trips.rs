//! What is written is read again, to the bit.

use glam::Vec3;
use tenter::{
    Mesh,
    io::{
        MeshFile, MeshFormat, MeshOptions, Weld,
        export::{Animation, Frame, Part, obj, ply},
    },
};

/// A bent cloth and a tube, with numbers that no short text has.
fn meshes() -> Vec<Mesh> {
    let mut cloth = Mesh::irregular(1.0, 0.7, 9, 7, 3);
    cloth.positions.iter_mut().for_each(|p| *p += Vec3::new(0.1, 0.3 * (7.0 * p.x).sin(), 1.0 / 3.0));
    vec![cloth, Mesh::tube(0.1, 0.5, 12, 5).translated(Vec3::new(1e-3, 1.0, -2.0 / 7.0))]
}

fn parts(meshes: &[Mesh]) -> Vec<Part<'_>> {
    let names = ["cloth", "tube"];
    meshes
        .iter()
        .zip(names)
        .map(|(mesh, name)| Part { name, positions: &mesh.positions, triangles: &mesh.triangles, ..Default::default() })
        .collect()
}

/// All vertices and triangles, body after body.
fn joined(meshes: &[Mesh]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for mesh in meshes {
        let first = positions.len() as u32;
        positions.extend(&mesh.positions);
        triangles.extend(mesh.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + first)));
    }
    (positions, triangles)
}

fn check(bytes: &[u8], format: MeshFormat, meshes: &[Mesh]) {
    let options = MeshOptions { weld: Weld::Never, ..Default::default() };
    let read = MeshFile::parse(bytes, format, "again", &options).unwrap();
    let (positions, triangles) = joined(meshes);
    assert!(read.mesh.positions == positions, "{format:?}");
    assert!(read.mesh.triangles == triangles, "{format:?}");
}

#[test]
fn frames_are_read_again() {
    let meshes = meshes();
    let parts = parts(&meshes);
    let frame = Frame { time: 0.5, parts: &parts };
    let mut text = Vec::new();
    obj::write(&mut text, &frame).unwrap();
    check(&text, MeshFormat::Obj, &meshes);
    let options = MeshOptions::default();
    let groups = MeshFile::parse(&text, MeshFormat::Obj, "again.obj", &options).unwrap().mesh.groups;
    assert!(groups.iter().any(|group| group.name == "tube" && group.vertices.len() == 60), "{groups:?}");
    let mut bytes = Vec::new();
    ply::write(&mut bytes, &frame).unwrap();
    check(&bytes, MeshFormat::Ply, &meshes);
}

#[test]
fn the_first_frame_of_an_animation_is_read_again() {
    let meshes = meshes();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.glb");
    let mut animation = Animation::create(&path).unwrap();
    for time in [0.0, 0.1] {
        animation.push(&Frame { time, parts: &parts(&meshes) }).unwrap();
    }
    animation.finish().unwrap();
    check(&std::fs::read(path).unwrap(), MeshFormat::Gltf, &meshes);
}
