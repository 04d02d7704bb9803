use super::*;

fn triangles() -> Vec<[Vec3; 3]> {
    cube_triangles().iter().map(|t| t.map(|vertex| cube_corners()[vertex as usize])).collect()
}

/// With a header that begins as a text would.
pub fn binary() -> Vec<u8> {
    let mut bytes = b"solid but binary".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(12u32.to_le_bytes());
    for corners in triangles() {
        bytes.extend([0; 12]);
        for p in corners {
            p.to_array().iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        bytes.extend([7, 9]);
    }
    bytes
}

/// Two solids of six triangles each.
pub fn ascii() -> String {
    let mut text = String::new();
    for (name, part) in ["lower half", "upper"].iter().zip(triangles().chunks(6)) {
        text += &format!("solid {name}\n");
        for corners in part {
            text += "  facet normal 0 0 0\n    outer loop\n";
            for p in corners {
                text += &format!("      vertex {:e} {:e} {:e}\n", p.x, p.y, p.z);
            }
            text += "    endloop\n  endfacet\n";
        }
        text += &format!("endsolid {name}\n");
    }
    text
}

#[test]
fn cubes() {
    for bytes in [binary(), ascii().into_bytes(), ascii().to_uppercase().replace('\n', "\r\n").into_bytes()] {
        let file = parse(&bytes, MeshFormat::Stl);
        assert_eq!((file.mesh.positions.len(), file.mesh.triangles.len()), (8, 12));
        assert!((enclosed(&file.mesh) - 1.0).abs() < 1e-12);
        assert_eq!(file.notes, ["welded 36 vertices into 8"]);
        let loose = MeshFile::parse(&bytes, MeshFormat::Stl, "cube.stl", &unwelded()).unwrap();
        assert_eq!((loose.mesh.positions.len(), loose.mesh.triangles.len(), loose.notes.len()), (36, 12, 0));
    }
    let mesh = parse(ascii(), MeshFormat::Stl).mesh;
    assert_eq!(mesh.groups.len(), 2);
    assert_eq!(group(&mesh, "lower half").len(), 8);
    assert!(parse(binary(), MeshFormat::Stl).mesh.groups.is_empty());
}

#[test]
fn told_apart_by_size() {
    // Bytes after the end are left out, with a note; one too few is an error.
    let longer = [binary(), b"tail".to_vec()].concat();
    let mut unnamed = longer.clone();
    unnamed[..5].copy_from_slice(b"\0\0\0\0\0");
    let file = parse(&unnamed, MeshFormat::Stl);
    assert!(file.notes[0].contains("4 bytes"), "{:?}", file.notes);
    let (_, _, message) = refusal(&unnamed[..unnamed.len() - 5], MeshFormat::Stl);
    assert!(message.contains("684 bytes, not 683"), "{message}");
    assert!(refusal(b"", MeshFormat::Stl).2.contains("neither"));
    assert!(refusal(b"solid", MeshFormat::Stl).2.contains("endsolid"));
    let mut huge = binary();
    huge[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    huge[0] = 0;
    assert!(refusal(&huge, MeshFormat::Stl).2.contains("4294967295 triangles"));
}

#[test]
fn errors() {
    // What is exchanged, how many lines further down the error is, words.
    let cases = [
        ("vertex 0e0 0e0 0e0", "vertex 0 0 nan", 0, "finite"),
        ("vertex 0e0 0e0 0e0", "vertex 0 0", 0, "finite"),
        ("vertex 0e0 0e0 0e0", "vertex 0 0 0\nvertex 0 0 0", 3, "more than three"),
        ("vertex 0e0 0e0 0e0", "", 3, "2 vertices"),
        ("outer loop", "inner loop", 0, "inner"),
    ];
    for (good, bad, below, words) in cases {
        let expected = first_line_of(&ascii(), good) + below;
        let (line, _, message) = refusal(ascii().replacen(good, bad, 1), MeshFormat::Stl);
        assert!(line == Some(expected) && message.contains(words), "{bad}: {line:?} {message}");
    }
    let mut bytes = binary();
    bytes[84 + 12..84 + 16].copy_from_slice(&f32::NAN.to_le_bytes());
    let (_, field, message) = refusal(&bytes, MeshFormat::Stl);
    assert!(field == "vertex 0" && message.contains("not finite"), "{message}");
}
