//! Mesh files: every format in all its variants, written here by hand, and every kind of damage.

mod checks;
mod damage;
mod gltf;
mod msh;
mod obj;
mod ply;
mod stl;
mod tetgen;

use crate::common::lines::{first_line_of, line_of};
use std::collections::HashMap;
use tenter::glam::{DVec3, Vec3};
use tenter::io::{MeshFile, MeshFormat, MeshOptions, Weld};
use tenter::{Error, Mesh};

#[track_caller]
fn parse(bytes: impl AsRef<[u8]>, format: MeshFormat) -> MeshFile {
    let file = MeshFile::parse(bytes.as_ref(), format, "mesh", &MeshOptions::default()).unwrap();
    assert_sound(&file);
    file
}

/// Line, field and message.
#[track_caller]
fn refusal(bytes: impl AsRef<[u8]>, format: MeshFormat) -> (Option<usize>, String, String) {
    wrong(MeshFile::parse(bytes.as_ref(), format, "mesh", &MeshOptions::default()))
}

#[track_caller]
fn wrong(result: Result<MeshFile, Error>) -> (Option<usize>, String, String) {
    match result {
        Err(Error::File { line, field, message, .. }) => (line, field, message),
        other => panic!("{other:?}"),
    }
}

fn unwelded() -> MeshOptions {
    MeshOptions { weld: Weld::Never, ..Default::default() }
}

fn group<'a>(mesh: &'a Mesh, name: &str) -> &'a [u32] {
    let mut found = mesh.groups.iter().filter(|group| group.name == name);
    let group = found.next().unwrap_or_else(|| panic!("{name:?} is not among {:?}", mesh.groups));
    assert!(found.next().is_none());
    &group.vertices
}

fn at<const N: usize>(mesh: &Mesh, element: [u32; N]) -> [DVec3; N] {
    element.map(|vertex| mesh.positions[vertex as usize].as_dvec3())
}

fn volume(mesh: &Mesh, tetrahedron: [u32; 4]) -> f64 {
    let [a, b, c, d] = at(mesh, tetrahedron);
    (b - a).dot((c - a).cross(d - a)) / 6.0
}

fn area(mesh: &Mesh) -> f64 {
    let area = |&triangle: &[u32; 3]| {
        let [a, b, c] = at(mesh, triangle);
        0.5 * (b - a).cross(c - a).length()
    };
    mesh.triangles.iter().map(area).sum()
}

/// By the surface.
fn enclosed(mesh: &Mesh) -> f64 {
    let cone = |&triangle: &[u32; 3]| {
        let [a, b, c] = at(mesh, triangle);
        a.dot(b.cross(c)) / 6.0
    };
    mesh.triangles.iter().map(cone).sum()
}

/// What holds of every mesh that is read.
#[track_caller]
fn assert_sound(file: &MeshFile) {
    let mesh = &file.mesh;
    let count = mesh.positions.len() as u32;
    assert!(mesh.positions.iter().all(|p| p.is_finite()));
    let mut used = vec![false; mesh.positions.len()];
    let all =
        mesh.triangles.iter().flatten().chain(mesh.tetrahedra.iter().flatten()).chain(mesh.wires.iter().flatten());
    all.for_each(|&vertex| used[vertex as usize] = true);
    assert!(count > 0 && used.iter().all(|used| *used), "vertices that nothing uses");
    let mut edges: HashMap<[u32; 2], usize> = HashMap::new();
    for &[a, b, c] in &mesh.triangles {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            *edges.entry([from.min(to), from.max(to)]).or_default() += 1;
        }
    }
    if mesh.tetrahedra.is_empty() {
        assert!(edges.values().all(|triangles| *triangles <= 2));
    }
    assert!(mesh.wires.iter().all(|&[a, b]| a != b && !edges.contains_key(&[a.min(b), a.max(b)])));
    assert!(mesh.tetrahedra.iter().all(|&tetrahedron| volume(mesh, tetrahedron) > 0.0));
    for group in &mesh.groups {
        assert!(!group.vertices.is_empty() && group.vertices.is_sorted_by(|a, b| a < b));
        assert!(group.vertices.iter().all(|&vertex| vertex < count));
    }
    assert!(mesh.texture.is_empty() || mesh.texture.len() == mesh.positions.len());
    if let Some(pattern) = &file.pattern {
        let flat = &pattern.mesh;
        assert_eq!(flat.triangles.len(), mesh.triangles.len());
        assert_eq!(flat.texture.len(), flat.positions.len());
        for (one, other) in flat.triangles.iter().zip(&mesh.triangles) {
            assert_eq!(at(flat, *one), at(mesh, *other));
        }
        for &[a, b] in &pattern.cuts {
            assert_eq!(flat.positions[a as usize], flat.positions[b as usize]);
            assert_ne!(flat.texture[a as usize], flat.texture[b as usize]);
        }
    }
    assert!(file.notes.iter().all(|note| !note.is_empty() && !note.contains('\n')));
}

/// Corners of a cube of side 1, by bits: 1 along x, 2 along y, 4 along z.
fn cube_corners() -> [Vec3; 8] {
    std::array::from_fn(|bits| Vec3::new((bits & 1) as f32, (bits >> 1 & 1) as f32, (bits >> 2) as f32))
}

/// Its sides, counter-clockwise from outside.
const CUBE_SIDES: [[u32; 4]; 6] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

fn cube_triangles() -> Vec<[u32; 3]> {
    CUBE_SIDES.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect()
}

#[test]
fn extensions() {
    let cases = [
        ("a/b.obj", Some(MeshFormat::Obj)),
        ("b.PLY", Some(MeshFormat::Ply)),
        ("c.stl", Some(MeshFormat::Stl)),
        ("d.gltf", Some(MeshFormat::Gltf)),
        ("d.glb", Some(MeshFormat::Gltf)),
        ("e.msh", Some(MeshFormat::Msh)),
        ("f.node", Some(MeshFormat::TetGen)),
        ("f.1.ele", Some(MeshFormat::TetGen)),
        ("obj", None),
        ("g.fbx", None),
    ];
    for (path, expected) in cases {
        assert_eq!(MeshFormat::of(path), expected, "{path}");
    }
}

#[test]
fn reading() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cube.OBJ");
    std::fs::write(&path, obj::cube()).unwrap();
    let file = MeshFile::read(&path, &MeshOptions::default()).unwrap();
    assert_eq!(file.mesh.triangles.len(), 12);
    assert!(matches!(MeshFile::read(folder.path().join("none.obj"), &MeshOptions::default()), Err(Error::Io { .. })));
    let (_, _, message) = wrong(MeshFile::read(folder.path().join("none.txt"), &MeshOptions::default()));
    assert!(message.contains("extension"), "{message}");
    // A folder is not a file, whatever its name is.
    std::fs::create_dir(folder.path().join("folder.stl")).unwrap();
    assert!(wrong(MeshFile::read(folder.path().join("folder.stl"), &MeshOptions::default())).2.contains("is a folder"));
}
