use super::*;

/// Two tetrahedra on either side of a triangle, counted from 0 or 1.
pub fn files(first: usize, markers: bool, second_order: bool) -> (String, String) {
    let points = ["0 0 0", "1 0 0", "0 1 0", "0 0 1", "0.5e0 0.5 -1"];
    let mut node = format!("# made by hand\n5 3 1 {}\n\n", usize::from(markers));
    for (ix, point) in points.iter().enumerate() {
        let marker = if markers { ["0", "3", "3", "-1", "0"][ix] } else { "" };
        node += &format!("  {}  {point}  {}.5 {marker} # a comment\n", ix + first, ix);
    }
    let mut ele = format!("2 {} 1\n", if second_order { 10 } else { 4 });
    // The second one is inverted.
    for (ix, corners) in [[0, 1, 2, 3], [0, 1, 2, 4]].iter().enumerate() {
        ele += &format!("{}", ix + first);
        corners.iter().for_each(|corner| ele += &format!(" {}", corner + first));
        if second_order {
            (0..6).for_each(|_| ele += &format!(" {first}"));
        }
        ele += " 17\n";
    }
    (node, ele + "# the end")
}

fn read((node, ele): (String, String)) -> Result<MeshFile, Error> {
    MeshFile::parse_tetgen(node.as_bytes(), ele.as_bytes(), "mesh.1.node", &MeshOptions::default())
}

#[test]
fn variants() {
    for first in [0, 1] {
        for second_order in [false, true] {
            let file = read(files(first, true, second_order)).unwrap();
            assert_sound(&file);
            let mesh = &file.mesh;
            assert_eq!((mesh.positions.len(), mesh.tetrahedra.len(), mesh.triangles.len()), (5, 2, 6));
            let volumes: f64 = mesh.tetrahedra.iter().map(|&t| volume(mesh, t)).sum();
            assert!((volumes - 2.0 / 6.0).abs() < 1e-7 && (enclosed(mesh) - volumes).abs() < 1e-7);
            assert_eq!((group(mesh, "marker 3"), group(mesh, "marker -1")), ([1, 2].as_slice(), [3].as_slice()));
            assert_eq!(mesh.groups.len(), 2);
            assert_eq!(file.notes.last().unwrap(), "turned 1 inverted tetrahedron");
            assert_eq!(file.notes.len(), if second_order { 2 } else { 1 });
        }
    }
    assert!(read(files(1, false, false)).unwrap().mesh.groups.is_empty());
}

#[test]
fn two_files() {
    let folder = tempfile::tempdir().unwrap();
    let (node, ele) = files(1, true, false);
    std::fs::write(folder.path().join("mesh.1.node"), node).unwrap();
    let path = folder.path().join("mesh.1.ele");
    assert!(matches!(MeshFile::read(&path, &MeshOptions::default()), Err(Error::Io { path: p, .. }) if p == path));
    std::fs::write(&path, ele).unwrap();
    for path in ["mesh.1.node", "mesh.1.ele"] {
        let file = MeshFile::read(folder.path().join(path), &MeshOptions::default()).unwrap();
        assert_eq!(file.mesh.tetrahedra.len(), 2);
    }
    assert!(refusal(b"", MeshFormat::TetGen).2.contains("two files"));
}

#[test]
fn errors_name_the_file() {
    // File, what is exchanged in it, what stands on the line of the error or nothing for the end of the file, field, words.
    let cases: [(&str, &str, &str, &str, &str, &str); 12] = [
        ("node", "5 3 1 1", "5 2 1 1", "5 2 1 1", "", "3 coordinates"),
        ("node", "5 3 1 1", "6 3 1 1", "", "", "too early"),
        ("node", "5 3 1 1", "99999999 3 1 1", "99999999 3 1 1", "", "more than the 16777216"),
        ("node", "5 3 1 1", "9999999 3 1 1", "9999999 3 1 1", "", "do not fit"),
        ("node", "5 3 1 1", "-5 3 1 1", "-5 3 1 1", "", "negative"),
        ("node", "5 3 1 1", "5 3 9 1", "  1  0 0 0", "vertex 1", "whole number"),
        ("node", "  3  0 1 0", "  7  0 1 0", "  7  0 1 0", "vertex 7", "number 3"),
        ("node", "0 0 1", "0 0 inf", "0 0 inf", "vertex 4", "finite"),
        ("ele", "2 4 1", "2 5 1", "2 5 1", "", "4 or 10"),
        ("ele", "2 4 1", "3 4 1", "", "", "too early"),
        ("ele", "2 1 2 3 5", "2 1 2 3 6", "2 1 2 3 6", "tetrahedron 2", "vertex 6, but there are 5"),
        ("ele", "2 1 2 3 5", "2 1 2 3", "2 1 2 3", "tetrahedron 2", "vertex 17"),
    ];
    for (file, good, bad, marker, expected_field, words) in cases {
        let (mut node, mut ele) = files(1, true, false);
        let text = if file == "node" { &mut node } else { &mut ele };
        assert!(text.contains(good));
        *text = text.replacen(good, bad, 1);
        let expected = if marker.is_empty() { text.lines().count() + 1 } else { line_of(text, marker) };
        match read((node, ele)).unwrap_err() {
            Error::File { path, line, field, message } => {
                assert_eq!(path.extension().unwrap(), file, "{bad}");
                assert!(message.contains(words) && field == expected_field, "{bad}: {field}: {message}");
                assert_eq!(line, Some(expected), "{bad}: {message}");
            }
            other => panic!("{other}"),
        }
    }
    let (node, ele) = files(0, false, false);
    let (_, field, message) = wrong(read((node.replace("0 0 1 ", "1 1 0 "), ele)));
    assert!(field == "tetrahedron 0" && message.contains("flat"), "{field}: {message}");
}
