//! What every mesh that was read must be.

pub mod checkpoint;
pub mod sequence;
pub mod steps;

use tenter::{
    Error, Mesh,
    io::{MeshFile, MeshFormat, MeshOptions, Weld},
};

/// Ways to read a file, told by its first byte.
pub fn options(byte: u8) -> MeshOptions {
    let weld = match byte % 3 {
        0 => Weld::Exact,
        1 => Weld::Never,
        _ => Weld::Within(0.1),
    };
    MeshOptions { weld, scale: if byte & 8 == 0 { 1.0 } else { 1e-3 }, z_up: byte & 16 != 0 }
}

/// Reads a mesh out of bytes of which the first says how.
pub fn read(data: &[u8], format: MeshFormat) {
    if let Some((&first, bytes)) = data.split_first() {
        check(MeshFile::parse(bytes, format, "fuzz", &options(first)));
    }
}

/// An error with a message, or a mesh that makes sense.
pub fn check(result: Result<MeshFile, Error>) {
    let file = match result {
        Ok(file) => file,
        Err(error) => {
            assert!(matches!(error, Error::File { .. }), "{error:?}");
            assert!(error.to_string().len() > 8);
            return;
        }
    };
    check_mesh(&file.mesh);
    assert!(!file.mesh.triangles.is_empty() || !file.mesh.wires.is_empty());
    if let Some(pattern) = &file.pattern {
        check_mesh(&pattern.mesh);
        assert_eq!(pattern.mesh.triangles.len(), file.mesh.triangles.len());
        assert_eq!(pattern.mesh.texture.len(), pattern.mesh.positions.len());
        for &[a, b] in &pattern.cuts {
            assert_ne!(a, b);
            assert_eq!(pattern.mesh.positions[a as usize], pattern.mesh.positions[b as usize]);
        }
    }
}

fn check_mesh(mesh: &Mesh) {
    let count = mesh.positions.len() as u32;
    assert!(mesh.positions.iter().all(|p| p.is_finite()));
    assert!(mesh.triangles.iter().flatten().all(|&v| v < count));
    assert!(mesh.tetrahedra.iter().flatten().all(|&v| v < count));
    assert!(mesh.wires.iter().flatten().all(|&v| v < count));
    assert!(mesh.groups.iter().flat_map(|group| &group.vertices).all(|&v| v < count));
    assert!(mesh.texture.is_empty() || mesh.texture.len() == mesh.positions.len());
    assert!(mesh.triangles.iter().all(|&[a, b, c]| a != b && b != c && c != a));
    assert!(mesh.wires.iter().all(|&[a, b]| a != b));
}
