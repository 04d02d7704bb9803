use super::*;

/// As many bytes as the type has, or a word.
#[derive(Clone, Copy, PartialEq)]
pub enum Encoding {
    Ascii,
    Little,
    Big,
}

pub const ENCODINGS: [Encoding; 3] = [Encoding::Ascii, Encoding::Little, Encoding::Big];

fn put(out: &mut Vec<u8>, kind: &str, value: f64, encoding: Encoding) {
    macro_rules! bytes {
        ($type:ty) => {
            match encoding {
                Encoding::Little => out.extend((value as $type).to_le_bytes()),
                _ => out.extend((value as $type).to_be_bytes()),
            }
        };
    }
    if encoding == Encoding::Ascii {
        return out.extend(format!("{value} ").bytes());
    }
    match kind {
        "char" | "int8" => bytes!(i8),
        "uchar" | "uint8" => bytes!(u8),
        "short" | "int16" => bytes!(i16),
        "ushort" | "uint16" => bytes!(u16),
        "int" | "int32" => bytes!(i32),
        "uint" | "uint32" => bytes!(u32),
        "float" | "float32" => bytes!(f32),
        "double" | "float64" => bytes!(f64),
        _ => panic!("{kind}"),
    }
}

fn header(encoding: Encoding) -> String {
    let name = match encoding {
        Encoding::Ascii => "ascii",
        Encoding::Little => "binary_little_endian",
        Encoding::Big => "binary_big_endian",
    };
    format!("ply\nformat {name} 1.0\ncomment by hand\nobj_info nothing\n")
}

/// Every type, odd orders, lists and elements that mean nothing, two edges.
pub fn cube(encoding: Encoding, index: &str, count: &str, coordinate: &str) -> Vec<u8> {
    let mut text = header(encoding);
    text += "element junk 2\nproperty list uchar double numbers\nproperty char letter\n";
    text +=
        &format!("element vertex 10\nproperty uchar red\nproperty {coordinate} z\nproperty list ushort short more\n");
    text += &format!("property {coordinate} x\nproperty {coordinate} y\nproperty double quality\n");
    text += &format!("element face 6\nproperty short flags\nproperty list {count} {index} vertex_indices\n");
    text += "element edge 2\nproperty int vertex1\nproperty uint vertex2\nproperty uint8 crease\nend_header\n";
    let mut bytes = text.into_bytes();
    let mut all = |values: &[(&str, f64)]| {
        values.iter().for_each(|&(kind, value)| put(&mut bytes, kind, value, encoding));
        if encoding == Encoding::Ascii {
            bytes.push(b'\n');
        }
    };
    all(&[("uchar", 2.0), ("double", 1.5), ("double", -2.5), ("char", -3.0)]);
    all(&[("uchar", 0.0), ("char", 5.0)]);
    let outside = [Vec3::splat(2.0), Vec3::splat(3.0)];
    for (ix, p) in cube_corners().iter().chain(&outside).enumerate() {
        let extra = [("short", -7.0)].repeat(ix % 3);
        let mut row = vec![("uchar", 255.0), (coordinate, p.z.into()), ("ushort", (ix % 3) as f64)];
        row.extend(extra);
        row.extend([(coordinate, p.x.into()), (coordinate, p.y.into()), ("double", 0.25)]);
        all(&row);
    }
    for side in CUBE_SIDES {
        let mut row = vec![("short", -1.0), (count, 4.0)];
        row.extend(side.iter().map(|&vertex| (index, f64::from(vertex))));
        all(&row);
    }
    all(&[("int", 7.0), ("uint", 8.0), ("uint8", 1.0)]);
    all(&[("int", 8.0), ("uint", 9.0), ("uint8", 1.0)]);
    bytes
}

/// Two triangles with texture coordinates, of vertices or of corners.
pub fn textured(encoding: Encoding, [u, v]: [&str; 2], corners: bool) -> Vec<u8> {
    let mut text = header(encoding);
    text += "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n";
    if !corners {
        text += &format!("property float {u}\nproperty float {v}\n");
    }
    text += "element face 2\nproperty list uchar int vertex_index\n";
    if corners {
        text += "property list uchar float texcoord\n";
    }
    let mut bytes = (text + "end_header\n").into_bytes();
    let places = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    for [x, y] in places {
        let row = if corners { vec![x, y, 0.0] } else { vec![x, y, 0.0, 2.0 * x, 3.0 * y] };
        row.iter().for_each(|&value| put(&mut bytes, "float", value, encoding));
    }
    for (ix, face) in [[0, 1, 2], [0, 2, 3]].iter().enumerate() {
        put(&mut bytes, "uchar", 3.0, encoding);
        face.iter().for_each(|&vertex| put(&mut bytes, "int", f64::from(vertex), encoding));
        if corners {
            put(&mut bytes, "uchar", 6.0, encoding);
            for &vertex in face {
                let [x, y] = places[vertex as usize];
                // The second triangle lies elsewhere in the pattern.
                put(&mut bytes, "float", x + 5.0 * ix as f64, encoding);
                put(&mut bytes, "float", y, encoding);
            }
        }
    }
    bytes
}

#[test]
fn every_type() {
    for encoding in ENCODINGS {
        for (index, count, coordinate) in [
            ("int", "uchar", "float"),
            ("uint", "int", "double"),
            ("uint8", "uint8", "float32"),
            ("int16", "char", "float64"),
            ("ushort", "uint", "short"),
            ("int32", "int8", "uchar"),
            ("uint32", "uint16", "char"),
            ("uint16", "int16", "uint"),
        ] {
            let file = parse(cube(encoding, index, count, coordinate), MeshFormat::Ply);
            assert_eq!(file.mesh.positions[..8], cube_corners());
            assert_eq!((file.mesh.positions.len(), file.mesh.triangles.len()), (10, 12));
            assert!((enclosed(&file.mesh) - 1.0).abs() < 1e-12);
            assert_eq!(file.mesh.wires, [[7, 8], [8, 9]]);
            assert_eq!(file.notes, ["cut 6 polygons into triangles"]);
        }
    }
}

#[test]
fn textures() {
    for encoding in ENCODINGS {
        for names in [["s", "t"], ["u", "v"], ["texture_u", "texture_v"]] {
            let file = parse(textured(encoding, names, false), MeshFormat::Ply);
            assert_eq!(file.mesh.texture[2].to_array(), [2.0, 3.0]);
            assert!(file.pattern.unwrap().cuts.is_empty());
        }
        let file = parse(textured(encoding, ["", ""], true), MeshFormat::Ply);
        assert!(file.mesh.texture.is_empty());
        let pattern = file.pattern.unwrap();
        assert_eq!((pattern.mesh.positions.len(), pattern.cuts.len()), (6, 2));
    }
    // One name of each pair is none.
    assert!(parse(textured(Encoding::Ascii, ["s", "v2"], false), MeshFormat::Ply).pattern.is_none());
}

#[test]
fn strips() {
    let text = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n\
                element tristrips 1\nproperty list int int vertex_indices\nend_header\n\
                0 0 0 1 0 0 0 1 0 1 1 0 2 2 0\n8 0 1 2 3 -1 3 4 2\n";
    let file = parse(text, MeshFormat::Ply);
    assert_eq!(file.mesh.triangles, [[0, 1, 2], [2, 1, 3], [3, 4, 2]]);
    assert!(file.notes.is_empty(), "{:?}", file.notes);
}

#[test]
fn errors() {
    let good = String::from_utf8(textured(Encoding::Ascii, ["s", "t"], false)).unwrap();
    // The first numbers after the header.
    const FIRST_ROW: &str = "0 0 0 0 0 1";
    // What is exchanged, what stands on the line of the error if it has one, words.
    let cases = [
        ("ply", "plx", "plx", "begin"),
        ("ascii", "utf8", "format utf8", "encoding"),
        ("format ascii 1.0", "format ascii 2.0", "format ascii 2.0", "header"),
        ("format ascii 1.0\n", "", FIRST_ROW, "which format"),
        ("float x", "half x", "half x", "type"),
        ("property float x", "property float", "property float\n", "type and a name"),
        ("property float z", "property float w", FIRST_ROW, "x, y and z"),
        ("element vertex 4", "property int x", "property int x", "no element"),
        ("element vertex 4", "element vertex x", "element vertex x", "\"x\""),
        ("element vertex 4", "element vertex -1", FIRST_ROW, "negative"),
        ("element vertex 4", "element vertex 16777217", FIRST_ROW, "more than the 16777216"),
        ("element face 2", "element face 9999999", FIRST_ROW, "do not fit"),
        ("end_header", "end", "end\n", "header"),
        ("3 0 2 3", "3 0 2 4", "", "vertex 4, but there are 4"),
    ];
    for (from, to, marker, words) in cases {
        assert!(good.contains(from), "{from}");
        let text = good.replacen(from, to, 1);
        let (line, _, message) = refusal(&text, MeshFormat::Ply);
        assert!(message.contains(words), "{to}: {message}");
        let expected = (!marker.is_empty()).then(|| line_of(&text, marker));
        assert_eq!(line, expected, "{to}: {message}");
    }
    for bad in ["3 0 2 -1", "3 0 2 1.5", "3 0 2 x", "2 0 2", "-3 0 2 3", "3.5 0 2 3", "3 0 2", "100 0 2 3"] {
        let (_, field, message) = refusal(good.replacen("3 0 2 3", bad, 1), MeshFormat::Ply);
        assert_eq!(field, "face 1", "{bad}: {message}");
    }
    let (_, field, message) = refusal(good.replacen("0 1 0 0 3", "0 nan 0 0 3", 1), MeshFormat::Ply);
    assert!(field == "vertex 3" && message.contains("finite"), "{field}: {message}");
    // Elements without numbers take no time, however many there are.
    let empty = good.replacen("element vertex", "element nothing 9223372036854775807\nelement vertex", 1);
    assert_eq!(parse(empty, MeshFormat::Ply).mesh.triangles.len(), 2);
    // Counts beyond what the file holds are refused before anything is made for them.
    for encoding in ENCODINGS {
        for (from, to) in [("vertex 10", "vertex 16777216"), ("face 6", "face 67108864"), ("junk 2", "junk 67108864")] {
            let bytes = cube(encoding, "int", "uint", "float");
            let place = bytes.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
            let bytes = [&bytes[..place], to.as_bytes(), &bytes[place + from.len()..]].concat();
            let (_, _, message) = refusal(&bytes, MeshFormat::Ply);
            assert!(message.contains("do not fit"), "{message}");
        }
    }
}
