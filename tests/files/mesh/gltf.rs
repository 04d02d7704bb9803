use super::*;

pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for part in bytes.chunks(3) {
        let word = part.iter().chain([&0, &0]).take(3).fold(0usize, |word, &byte| word << 8 | usize::from(byte));
        for ix in 0..4 {
            let letter = char::from(LETTERS[word >> (18 - 6 * ix) & 63]);
            text.push(if ix <= part.len() { letter } else { '=' });
        }
    }
    text
}

/// Positions of a square with 4 bytes between them, texture coordinates as normalised bytes, indices as bytes: 88 bytes.
fn data() -> Vec<u8> {
    let mut bytes = Vec::new();
    for [x, y] in [[0f32, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]] {
        [x, y, 0.0, 7.0].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    }
    // From byte 64.
    for [u, v] in [[0u8, 0], [255, 0], [255, 255], [0, 51]] {
        bytes.extend([u, v, 0, 0]);
    }
    // From byte 80.
    bytes.extend([0, 1, 2, 0, 2, 3, 9, 9]);
    bytes
}

/// With what stands for the buffer, the nodes, and the mode and indices of the primitive.
fn json(buffer: &str, nodes: &str, primitive: &str) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}], "nodes": [{nodes}],
"meshes": [{{"name": "square", "primitives": [{{"attributes": {{"POSITION": 0, "TEXCOORD_0": 1, "_OWN": 1}}{primitive}}}]}}],
"accessors": [
{{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}},
{{"bufferView": 1, "componentType": 5121, "normalized": true, "count": 4, "type": "VEC2"}},
{{"bufferView": 2, "componentType": 5121, "count": 6, "type": "SCALAR"}},
{{"bufferView": 2, "componentType": 5121, "count": 4, "byteOffset": 1, "type": "SCALAR"}}],
"bufferViews": [{{"buffer": 0, "byteLength": 64, "byteStride": 16}}, {{"buffer": 0, "byteOffset": 64, "byteLength": 16, "byteStride": 4}},
{{"buffer": 0, "byteOffset": 80, "byteLength": 6}}],
"buffers": [{{{buffer}"byteLength": 88}}]}}"#
    )
}

const NODE: &str = r#"{"name": "cloth", "mesh": 0}"#;
const INDEXED: &str = r#", "indices": 2"#;

pub fn embedded() -> String {
    let uri = format!(r#""uri": "data:application/octet-stream;base64,{}", "#, base64(&data()));
    json(&uri, NODE, INDEXED)
}

pub fn binary() -> Vec<u8> {
    glb(&json("", NODE, INDEXED), Some(&data()))
}

fn glb(json: &str, blob: Option<&[u8]>) -> Vec<u8> {
    let mut text = json.as_bytes().to_vec();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut parts = Vec::new();
    parts.extend((text.len() as u32).to_le_bytes());
    parts.extend(b"JSON");
    parts.extend(&text);
    if let Some(blob) = blob {
        parts.extend((blob.len() as u32).to_le_bytes());
        parts.extend(b"BIN\0");
        parts.extend(blob);
    }
    [b"glTF".as_slice(), &2u32.to_le_bytes(), &(12 + parts.len() as u32).to_le_bytes(), &parts].concat()
}

#[track_caller]
fn in_glb(nodes: &str, primitive: &str) -> MeshFile {
    parse(glb(&json("", nodes, primitive), Some(&data())), MeshFormat::Gltf)
}

#[test]
fn a_square() {
    for bytes in [embedded().into_bytes(), binary()] {
        let file = parse(bytes, MeshFormat::Gltf);
        assert_eq!(file.mesh.positions, [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y]);
        assert_eq!(file.mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(group(&file.mesh, "cloth"), [0, 1, 2, 3]);
        assert_eq!(group(&file.mesh, "square"), [0, 1, 2, 3]);
        assert!((file.mesh.texture[3].y - 0.2).abs() < 1e-6 && file.mesh.texture[1].x == 1.0);
        assert!(file.pattern.unwrap().cuts.is_empty() && file.notes.is_empty());
    }
}

#[test]
fn modes() {
    let indices = |mode: u32, accessor: u32| format!(r#", "indices": {accessor}, "mode": {mode}"#);
    // Accessor 3 has the indices 1 2 0 2.
    assert_eq!(in_glb(NODE, r#", "mode": 5"#).mesh.triangles, [[0, 1, 2], [2, 1, 3]]);
    assert_eq!(in_glb(NODE, r#", "mode": 6"#).mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(in_glb(NODE, &indices(5, 3)).mesh.triangles, [[1, 2, 0]]);
    assert_eq!(in_glb(NODE, r#", "mode": 1"#).mesh.wires, [[0, 1], [2, 3]]);
    assert_eq!(in_glb(NODE, r#", "mode": 2"#).mesh.wires, [[0, 1], [1, 2], [2, 3], [3, 0]]);
    assert_eq!(in_glb(NODE, r#", "mode": 3"#).mesh.wires, [[0, 1], [1, 2], [2, 3]]);
    let points = glb(&json("", NODE, r#", "mode": 0"#), Some(&data()));
    assert!(refusal(&points, MeshFormat::Gltf).2.contains("no triangles"));
    let four = glb(&json("", NODE, &indices(4, 3)), Some(&data()));
    assert!(refusal(&four, MeshFormat::Gltf).2.contains("three corners each"));
}

#[test]
fn nodes_place_meshes() {
    // Turned by 90 degrees about x, twice as large, moved; then the parent's offset.
    let half = 0.5f64.sqrt();
    let child = format!(
        r#"{{"name": "child", "mesh": 0, "translation": [0, 0, 5], "rotation": [{half}, 0, 0, {half}], "scale": [2, 2, 2]}}"#
    );
    let parent = r#"{"name": "parent", "children": [1], "translation": [10, 0, 0]}"#;
    let mesh = in_glb(&format!("{parent}, {child}"), INDEXED).mesh;
    assert!(mesh.positions[3].distance(Vec3::new(10.0, 0.0, 7.0)) < 1e-5, "{}", mesh.positions[3]);
    assert_eq!(group(&mesh, "child").len(), 4);
    assert_eq!(mesh.groups.len(), 2);
    // A matrix, column by column, that mirrors: triangles show the same side as before, seen in the mirror.
    let mirror = r#"{"mesh": 0, "matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3, 4, 5, 1]}"#;
    let mesh = in_glb(mirror, INDEXED).mesh;
    assert_eq!(mesh.positions[1], Vec3::new(2.0, 4.0, 5.0));
    let [a, b, c] = at(&mesh, mesh.triangles[0]);
    assert!((b - a).cross(c - a).z > 0.0);
    // The same mesh twice.
    let twice =
        r#"{"children": [1, 2]}, {"name": "left", "mesh": 0}, {"name": "right", "mesh": 0, "translation": [5, 0, 0]}"#;
    let mesh = in_glb(twice, INDEXED).mesh;
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (8, 4));
    assert_eq!((group(&mesh, "right"), group(&mesh, "square").len()), ([4, 5, 6, 7].as_slice(), 8));
    // Without a scene meshes are where they are.
    let bare = json("", NODE, INDEXED).replace(r#""scene": 0, "scenes": [{"nodes": [0]}], "#, "");
    assert_eq!(parse(glb(&bare, Some(&data())), MeshFormat::Gltf).mesh.positions[1], Vec3::X);
}

#[test]
fn other_files() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("project");
    std::fs::create_dir_all(inside.join("my buffers")).unwrap();
    std::fs::write(inside.join("my buffers/square.bin"), data()).unwrap();
    std::fs::write(folder.path().join("square.bin"), data()).unwrap();
    let path = inside.join("square.gltf");
    let read = |uri: &str| {
        std::fs::write(&path, json(&format!(r#""uri": "{uri}", "#), NODE, INDEXED)).unwrap();
        MeshFile::read(&path, &MeshOptions::default())
    };
    assert_eq!(read("my%20buffers/square.bin").unwrap().mesh.triangles.len(), 2);
    assert_eq!(read("my buffers/square.bin").unwrap().mesh.triangles.len(), 2);
    let absolute = folder.path().join("square.bin").to_str().unwrap().to_owned();
    let outside = [
        "../square.bin",
        "%2e%2e/square.bin",
        "..%2Fsquare.bin",
        "my buffers/../../square.bin",
        "..\\\\square.bin",
        "C:square.bin",
        "file:///square.bin",
        "",
        &absolute,
    ];
    for uri in outside {
        let (_, field, message) = wrong(read(uri));
        assert!(field == "buffer 0" && message.contains("not inside the folder"), "{uri}: {message}");
    }
    assert!(wrong(read("none.bin")).2.contains("none.bin"));
    assert!(wrong(read("my buffers")).2.contains("is a folder"));
    std::fs::write(inside.join("short.bin"), &data()[..80]).unwrap();
    assert!(wrong(read("short.bin")).2.contains("88 bytes, but has 80"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path().join("square.bin"), inside.join("link.bin")).unwrap();
        std::os::unix::fs::symlink(inside.join("my buffers/square.bin"), inside.join("good.bin")).unwrap();
        assert!(wrong(read("link.bin")).2.contains("link"));
        assert_eq!(read("good.bin").unwrap().mesh.triangles.len(), 2);
    }
    // Bytes alone have no folder.
    let text = json(r#""uri": "square.bin", "#, NODE, INDEXED);
    assert!(refusal(text, MeshFormat::Gltf).2.contains("another file"));
}

#[test]
fn errors() {
    let good = json("", NODE, INDEXED);
    let cases: [(&str, &str, &str); 26] = [
        (r#""POSITION": 0"#, r#""POSITION": 9"#, "not there"),
        (r#""POSITION": 0, "#, "", ""),
        (r#""POSITION": 0"#, r#""POSITION": 1"#, ""),
        (r#""TEXCOORD_0": 1"#, r#""TEXCOORD_0": 8"#, ""),
        (r#""TEXCOORD_0": 1"#, r#""TEXCOORD_0": 3"#, "two numbers for each"),
        (r#""indices": 2"#, r#""indices": 7"#, ""),
        (r#""indices": 2"#, r#""indices": 0"#, "whole numbers"),
        (r#""mesh": 0"#, r#""mesh": 3"#, ""),
        (r#""mesh": 0"#, r#""mesh": 0, "children": [0]"#, "parents"),
        (r#""nodes": [0]"#, r#""nodes": [0, 0]"#, "parents"),
        (r#""nodes": [0]"#, r#""nodes": [5]"#, ""),
        (r#""scene": 0"#, r#""scene": 1"#, ""),
        (r#""count": 4, "type": "VEC3""#, r#""count": 5, "type": "VEC3""#, "end of its buffer view"),
        (r#""count": 4, "type": "VEC3""#, r#""count": 18446744073709551615, "type": "VEC3""#, "more than"),
        (r#""count": 4, "type": "VEC3""#, r#""count": 67108864, "type": "VEC3""#, "end of its buffer view"),
        (r#""count": 6"#, r#""count": 7"#, "end of its buffer view"),
        (r#""byteOffset": 80"#, r#""byteOffset": 84"#, "end of its buffer"),
        (r#""byteOffset": 80"#, r#""byteOffset": 18446744073709551615"#, "end of its buffer"),
        (r#""byteStride": 16"#, r#""byteStride": 8"#, "overlap"),
        (r#""byteLength": 88"#, r#""byteLength": 89"#, "89 bytes, but has 88"),
        (r#"{"buffer": 0, "byteLength": 64"#, r#"{"buffer": 1, "byteLength": 64"#, ""),
        (r#""bufferView": 0, "componentType": 5126"#, r#""bufferView": 0, "componentType": 5125"#, "three floats"),
        (r#""bufferView": 0, "componentType": 5126"#, r#""bufferView": 0, "componentType": 1"#, ""),
        (
            r#""min": [0, 0, 0]"#,
            r#""sparse": {"count": 1, "indices": {"bufferView": 2, "componentType": 5121}, "values": {"bufferView": 0}}, "min": [0, 0, 0]"#,
            "sparse",
        ),
        (r#"{"asset""#, r#"{"extensionsRequired": ["KHR_draco_mesh_compression"], "asset""#, ""),
        (r#"{"asset": "#, "{", ""),
    ];
    for (from, to, words) in cases {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good, "{from}");
        let (_, _, message) = refusal(glb(&bad, Some(&data())), MeshFormat::Gltf);
        assert!(message.contains(words), "{to}: {message}");
    }
    let mut wild = data();
    wild[81] = 4;
    let (_, field, message) = refusal(glb(&good, Some(&wild)), MeshFormat::Gltf);
    assert!(field == "mesh 0, primitive 0" && message.contains("vertex 4, but there are 4"), "{field}: {message}");
    wild = data();
    wild[..4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(refusal(glb(&good, Some(&wild)), MeshFormat::Gltf).1, "vertex 0");
    assert!(refusal(glb(&good, None), MeshFormat::Gltf).2.contains("no bytes"));
    // Broken JSON has a line, broken base64 a letter.
    assert_eq!(refusal("{\n\n,", MeshFormat::Gltf).0, Some(3));
    assert!(refusal(embedded().replacen("base64,", "base64,!", 1), MeshFormat::Gltf).2.contains("'!'"));
    // Headers of binary files.
    let glb = binary();
    for (place, bytes) in [(4, [1, 0, 0, 0]), (8, [255; 4]), (8, [0; 4]), (12, [255; 4]), (16, *b"BIN\0")] {
        let mut bad = glb.clone();
        bad[place..place + 4].copy_from_slice(&bytes);
        MeshFile::parse(&bad, MeshFormat::Gltf, "mesh.glb", &MeshOptions::default()).unwrap_err();
    }
}

#[test]
fn a_mesh_is_not_there_without_end() {
    // Ten thousand nodes with the same mesh are a lot of vertices for few bytes: up to a limit.
    let mut text = json("", NODE, INDEXED);
    let children: Vec<String> = (1..=10_000).map(|ix| ix.to_string()).collect();
    let nodes = format!(r#"{{"children": [{}]}}{}"#, children.join(","), r#",{"mesh":0}"#.repeat(10_000));
    text = text.replacen(NODE, &nodes, 1);
    let file = MeshFile::parse(&glb(&text, Some(&data())), MeshFormat::Gltf, "mesh.glb", &unwelded()).unwrap();
    assert_eq!(file.mesh.triangles.len(), 20_000);
    // A large mesh, likewise.
    let mut blob = data()[..86].to_vec();
    blob.extend([0; 120_002]);
    let large = text
        .replace(
            r#""bufferView": 2, "componentType": 5121, "count": 6"#,
            r#""bufferView": 3, "componentType": 5121, "count": 120000"#,
        )
        .replace(
            r#""byteOffset": 80, "byteLength": 6}"#,
            r#""byteOffset": 80, "byteLength": 6}, {"buffer": 0, "byteOffset": 80, "byteLength": 120000}"#,
        )
        .replace(r#""byteLength": 88"#, r#""byteLength": 120088"#);
    let (_, _, message) = refusal(glb(&large, Some(&blob)), MeshFormat::Gltf);
    assert!(message.contains("too much"), "{message}");
}
