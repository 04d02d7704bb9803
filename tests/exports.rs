//! What is written for other programs, read back by other means: every number to the bit, every file whole or not there.
#![cfg(feature = "files")]

mod common;

use common::{backends, run, wavy_cloth};
use glam::{Vec2, Vec3};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::Path,
};
use tenter::{
    Area, Backend, Bending, Body, Error, Mass, Material, Membrane, Mesh, Options, Scene, Simulation, Spring, Vertices,
    Volume, Weave,
    io::export::{Animation, Frame, Part, PointCache, PointCacheFormat, obj, ply, pvd, vtu},
};

/// Numbers with all their digits, small, large and of either sign.
fn numbers<const N: usize>(count: usize, seed: u64) -> Vec<[f32; N]> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut number = || (rng.f32() - 0.5) * 10f32.powi(rng.i32(-6..6));
    (0..count).map(|_| [(); N].map(|()| number())).collect()
}

fn vectors(count: usize, seed: u64) -> Vec<Vec3> {
    numbers::<3>(count, seed).into_iter().map(Vec3::from).collect()
}

fn units(count: usize, seed: u64) -> Vec<Vec3> {
    vectors(count, seed).into_iter().map(Vec3::normalize).collect()
}

/// Owner of some parts: a sheet with everything, a chain with next to nothing, a solid, two loose points, and nothing at all.
struct Things {
    sheet: Mesh,
    chain: Mesh,
    solid: Mesh,
    normals: Vec<Vec3>,
    texture: Vec<Vec2>,
    velocities: Vec<Vec3>,
    strains: Vec<f32>,
    points: Vec<Vec3>,
}

impl Things {
    fn new(seed: u64) -> Self {
        let mut sheet = Mesh::grid(1.0, 1.0, 3, 2);
        sheet.positions = vectors(6, seed);
        let mut chain = Mesh::chain(Vec3::ZERO, Vec3::Y, 4);
        chain.positions = vectors(4, seed + 1);
        let mut solid = Mesh::block(Vec3::ONE, [2, 2, 2]);
        solid.positions = vectors(8, seed + 2);
        Self {
            sheet,
            chain,
            solid,
            normals: units(6, seed + 3),
            texture: numbers::<2>(6, seed + 4).into_iter().map(Vec2::from).collect(),
            velocities: vectors(6, seed + 5),
            strains: numbers::<1>(6, seed + 6).into_iter().flatten().collect(),
            points: vectors(2, seed + 7),
        }
    }

    fn parts(&self) -> [Part<'_>; 5] {
        [
            Part {
                name: "the sheet",
                positions: &self.sheet.positions,
                triangles: &self.sheet.triangles,
                normals: &self.normals,
                texture: &self.texture,
                velocities: &self.velocities,
                strains: &self.strains,
                ..Default::default()
            },
            Part {
                name: "chain",
                positions: &self.chain.positions,
                wires: &self.chain.wires,
                strains: &self.strains[..4],
                ..Default::default()
            },
            Part { name: "nothing", ..Default::default() },
            Part {
                name: "solid",
                positions: &self.solid.positions,
                triangles: &self.solid.triangles,
                tetrahedra: &self.solid.tetrahedra,
                ..Default::default()
            },
            Part { name: "points", positions: &self.points, ..Default::default() },
        ]
    }
}

/// Of all parts, one after the other.
fn all_positions(parts: &[Part]) -> Vec<Vec3> {
    parts.iter().flat_map(|part| part.positions).copied().collect()
}

fn bits(values: &[Vec3]) -> Vec<[u32; 3]> {
    values.iter().map(|value| value.to_array().map(f32::to_bits)).collect()
}

#[test]
fn obj_is_read_back_to_the_bit() {
    let things = Things::new(1);
    let parts = things.parts();
    let mut text = Vec::new();
    obj::write(&mut text, &Frame { time: 0.5, parts: &parts }).unwrap();
    let text = String::from_utf8(text).unwrap();
    let (mut names, mut v, mut vt, mut vn, mut faces, mut lines) = (vec![], vec![], vec![], vec![], vec![], vec![]);
    for line in text.lines() {
        let mut words = line.split(' ');
        let keyword = words.next().unwrap();
        let words: Vec<&str> = words.collect();
        let floats = || words.iter().map(|word| word.parse().unwrap()).collect::<Vec<f32>>();
        match keyword {
            "o" => names.push((words.join("?"), v.len())),
            "v" => v.push(Vec3::from_slice(&floats())),
            "vt" => vt.push(Vec2::from_slice(&floats())),
            "vn" => vn.push(Vec3::from_slice(&floats())),
            "f" => faces.push((names.len() - 1, words.iter().map(|word| word.to_string()).collect::<Vec<_>>())),
            "l" => lines.push(words.iter().map(|word| word.parse::<usize>().unwrap() - 1).collect::<Vec<_>>()),
            other => panic!("{other}"),
        }
    }
    let expected = [("the_sheet", 0), ("chain", 6), ("nothing", 10), ("solid", 10), ("points", 18)];
    assert_eq!(names, expected.map(|(name, first)| (name.to_owned(), first)));
    assert_eq!(bits(&v), bits(&all_positions(&parts)));
    assert_eq!((&vt, bits(&vn)), (&things.texture, bits(&things.normals)));
    assert_eq!(lines, [[6, 7], [7, 8], [8, 9]]);
    assert_eq!(faces.len(), things.sheet.triangles.len() + things.solid.triangles.len());
    for (ix, triangle) in things.sheet.triangles.iter().enumerate() {
        let corners = triangle.map(|vertex| format!("{0}/{0}/{0}", vertex + 1));
        assert_eq!(faces[ix], (0, corners.to_vec()));
    }
    for (ix, triangle) in things.solid.triangles.iter().enumerate() {
        let corners = triangle.map(|vertex| format!("{}", vertex + 11));
        assert_eq!(faces[things.sheet.triangles.len() + ix], (3, corners.to_vec()));
    }
}

#[test]
fn obj_names_each_list_by_its_own_numbers() {
    // The second of two parts, when each knows something else.
    let triangle = [Vec3::X, Vec3::Y, Vec3::Z];
    let plain = Part { positions: &triangle, triangles: &[[0, 1, 2]], ..Default::default() };
    let texture = [Vec2::X, Vec2::Y, Vec2::ONE];
    let parts = [plain, Part { normals: &triangle, ..plain }, Part { texture: &texture, ..plain }];
    let mut text = Vec::new();
    obj::write(&mut text, &Frame { time: 0.0, parts: &parts }).unwrap();
    let text = String::from_utf8(text).unwrap();
    let faces: Vec<&str> = text.lines().filter(|line| line.starts_with('f')).collect();
    assert_eq!(faces, ["f 1 2 3", "f 4//1 5//2 6//3", "f 7/1 8/2 9/3"]);
}

/// A cursor over little-endian words.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (word, rest) = self.0.split_first_chunk().expect("the file is too short");
        self.0 = rest;
        *word
    }

    fn float(&mut self) -> f32 {
        f32::from_le_bytes(self.bytes())
    }

    fn int(&mut self) -> i32 {
        i32::from_le_bytes(self.bytes())
    }
}

#[test]
fn ply_is_read_back_to_the_bit() {
    let things = Things::new(11);
    let parts = things.parts();
    let mut file = Vec::new();
    ply::write(&mut file, &Frame { time: 0.25, parts: &parts }).unwrap();
    let end = file.windows(11).position(|bytes| bytes == b"end_header\n").unwrap() + 11;
    let head: Vec<&str> = std::str::from_utf8(&file[..end]).unwrap().lines().collect();
    assert_eq!(head[..3], ["ply", "format binary_little_endian 1.0", "comment time 0.25"]);
    let comments: Vec<&&str> = head.iter().filter(|line| line.starts_with("comment part")).collect();
    assert_eq!(comments[0], &"comment part the_sheet 6");
    let rest: Vec<&str> = head[3..].iter().filter(|line| !line.starts_with("comment")).copied().collect();
    let float = |name: &str| format!("property float {name}");
    let names = ["x", "y", "z", "nx", "ny", "nz", "s", "t", "vx", "vy", "vz", "strain"];
    let mut expected = vec!["element vertex 20".to_owned()];
    expected.extend(names.map(float));
    let faces = things.sheet.triangles.len() + things.solid.triangles.len();
    expected.push(format!("element face {faces}"));
    expected.push("property list uchar int vertex_indices".to_owned());
    expected
        .extend(["element edge 3", "property int vertex1", "property int vertex2", "end_header"].map(str::to_owned));
    assert_eq!(rest, expected);

    let mut words = Words(&file[end..]);
    for (part_ix, part) in parts.iter().enumerate() {
        for (ix, position) in part.positions.iter().enumerate() {
            let read: Vec<u32> = names.map(|_| words.float().to_bits()).to_vec();
            let mut expected = position.to_array().to_vec();
            if part_ix == 0 {
                expected.extend(things.normals[ix].to_array());
                expected.extend(things.texture[ix].to_array());
                expected.extend(things.velocities[ix].to_array());
            } else {
                expected.extend([0.0; 8]);
            }
            expected.push(if part_ix < 2 { things.strains[ix] } else { 0.0 });
            assert_eq!(read, expected.iter().map(|value| value.to_bits()).collect::<Vec<_>>(), "{part_ix} {ix}");
        }
    }
    let triangles = things.sheet.triangles.iter().map(|triangle| triangle.map(|ix| ix as i32));
    for triangle in triangles.chain(things.solid.triangles.iter().map(|triangle| triangle.map(|ix| ix as i32 + 10))) {
        assert_eq!(words.bytes(), [3]);
        assert_eq!([words.int(), words.int(), words.int()], triangle);
    }
    assert_eq!([(); 6].map(|()| words.int()), [6, 7, 7, 8, 8, 9]);
    assert!(words.0.is_empty());
}

/// Attributes of an XML tag.
fn attributes(tag: &str) -> BTreeMap<&str, &str> {
    let mut found = BTreeMap::new();
    let mut rest = tag.trim_start_matches('<').split_once(' ').map_or("", |(_, rest)| rest);
    while let Some((name, after)) = rest.split_once("=\"") {
        let (value, after) = after.split_once('"').unwrap();
        found.insert(name.trim(), value);
        rest = after;
    }
    found
}

type Arrays = BTreeMap<(String, String), (BTreeMap<String, String>, Vec<u8>)>;

/// Arrays of a VTU file by (section, name): their attributes and bytes. Checks that they fill the appended data.
fn read_vtu(file: &[u8]) -> (Arrays, [usize; 2]) {
    let marker = b"<AppendedData encoding=\"raw\">\n_";
    let start = file.windows(marker.len()).position(|bytes| bytes == marker).unwrap() + marker.len();
    let head = std::str::from_utf8(&file[..start]).unwrap();
    let mut arrays = BTreeMap::new();
    let mut open: Vec<String> = Vec::new();
    let mut counts = [0; 2];
    let mut stretches = Vec::new();
    for tag in head.split('<').skip(1).map(|tag| tag.split('>').next().unwrap()) {
        if tag.starts_with('?') {
            continue;
        }
        let name = tag.split([' ', '/']).find(|word| !word.is_empty()).unwrap().to_owned();
        let found = attributes(tag);
        match name.as_str() {
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name)),
            "DataArray" => {
                assert!(tag.ends_with('/') && found["format"] == "appended");
                let offset: usize = found["offset"].parse().unwrap();
                let length = file[start + offset..].first_chunk().map(|bytes| u64::from_le_bytes(*bytes)).unwrap();
                stretches.push(offset..offset + 8 + length as usize);
                let bytes = file[start + offset + 8..][..length as usize].to_vec();
                let own = found.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
                arrays.insert((open.last().unwrap().clone(), found["Name"].to_owned()), (own, bytes));
            }
            _ => {
                match name.as_str() {
                    "VTKFile" => {
                        assert_eq!(found["type"], "UnstructuredGrid");
                        assert_eq!([found["byte_order"], found["header_type"]], ["LittleEndian", "UInt64"]);
                        assert_eq!(found["version"], "1.0");
                    }
                    "Piece" => counts = ["NumberOfPoints", "NumberOfCells"].map(|key| found[key].parse().unwrap()),
                    _ => {}
                }
                open.push(name);
            }
        }
    }
    assert_eq!(open, ["VTKFile", "AppendedData"]);
    let mut end = 0;
    for stretch in stretches {
        assert_eq!(stretch.start, end);
        end = stretch.end;
    }
    assert_eq!(&file[start + end..], b"\n  </AppendedData>\n</VTKFile>\n");
    (arrays, counts)
}

fn floats(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

fn longs(bytes: &[u8]) -> Vec<i64> {
    bytes.chunks_exact(8).map(|word| i64::from_le_bytes(word.try_into().unwrap())).collect()
}

#[test]
fn vtu_is_read_back_to_the_bit() {
    let things = Things::new(21);
    let parts = things.parts();
    let mut file = Vec::new();
    vtu::write(&mut file, &Frame { time: 1.0 / 3.0, parts: &parts }).unwrap();
    let (arrays, counts) = read_vtu(&file);
    let array = |section: &str, name: &str, kind: &str, components: Option<&str>| {
        let (attributes, bytes) = &arrays[&(section.to_owned(), name.to_owned())];
        assert_eq!(attributes["type"], kind, "{name}");
        assert_eq!(attributes.get("NumberOfComponents").map(String::as_str), components, "{name}");
        bytes.clone()
    };
    // Sections are where VTK looks for them, and nothing else is there.
    assert_eq!(arrays.len(), 10);
    let time = array("FieldData", "TimeValue", "Float64", None);
    assert_eq!(time, (1.0f64 / 3.0).to_le_bytes());
    let positions = bits(&all_positions(&parts));
    assert_eq!(floats(&array("Points", "Points", "Float32", Some("3"))), positions.concat());
    let with_zeros = |known: Vec<[u32; 3]>| [known.concat(), vec![0; 3 * 14]].concat();
    let velocity = array("PointData", "velocity", "Float32", Some("3"));
    assert_eq!(floats(&velocity), with_zeros(bits(&things.velocities)));
    assert_eq!(floats(&array("PointData", "normal", "Float32", Some("3"))), with_zeros(bits(&things.normals)));
    let strain = floats(&array("PointData", "strain", "Float32", Some("1")));
    let known = things.strains.iter().chain(&things.strains[..4]).map(|value| value.to_bits());
    assert_eq!(strain, known.chain([0; 10]).collect::<Vec<_>>());
    let texture = floats(&array("PointData", "texture", "Float32", Some("2")));
    let known = things.texture.iter().flat_map(|value| value.to_array().map(f32::to_bits));
    assert_eq!(texture, known.chain([0; 28]).collect::<Vec<_>>());

    let mut cells: Vec<(u8, i32, Vec<i64>)> = Vec::new();
    let mut add = |kind, part, first: i64, corners: &[u32]| {
        cells.push((kind, part, corners.iter().map(|&ix| first + i64::from(ix)).collect()));
    };
    things.sheet.triangles.iter().for_each(|corners| add(5, 0, 0, corners));
    things.chain.wires.iter().for_each(|corners| add(3, 1, 6, corners));
    // A solid by its inside alone.
    things.solid.tetrahedra.iter().for_each(|corners| add(10, 3, 10, corners));
    (0..2).for_each(|ix| add(1, 4, 18, &[ix]));
    assert_eq!(counts, [20, cells.len()]);
    assert_eq!(array("Cells", "types", "UInt8", None), cells.iter().map(|cell| cell.0).collect::<Vec<_>>());
    let part = floats(&array("CellData", "part", "Int32", None));
    assert_eq!(part, cells.iter().map(|cell| cell.1 as u32).collect::<Vec<_>>());
    let connectivity = longs(&array("Cells", "connectivity", "Int64", None));
    assert_eq!(connectivity, cells.iter().flat_map(|cell| cell.2.clone()).collect::<Vec<_>>());
    let ends = cells.iter().scan(0, |end, cell| {
        *end += cell.2.len() as i64;
        Some(*end)
    });
    assert_eq!(longs(&array("Cells", "offsets", "Int64", None)), ends.collect::<Vec<_>>());
}

#[test]
fn pvd_lists_times_and_files() {
    let mut text = Vec::new();
    let files = [(0.0, "a.vtu".to_owned()), (0.1, "b & \"c\" <d>.vtu".to_owned())];
    pvd::write(&mut text, &files).unwrap();
    let text = String::from_utf8(text).unwrap();
    let sets: Vec<_> =
        text.lines().map(str::trim).filter(|line| line.starts_with("<DataSet")).map(attributes).collect();
    let of = |ix: usize| (sets[ix]["timestep"].parse::<f64>().unwrap(), sets[ix]["file"]);
    assert_eq!((of(0), of(1)), ((0.0, "a.vtu"), (0.1, "b &amp; &quot;c&quot; &lt;d&gt;.vtu")));
    assert!(text.contains("<VTKFile type=\"Collection\"") && text.trim_end().ends_with("</VTKFile>"));
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A frame of the things, moved about.
fn pushed(seed: u64, time: f64, push: impl FnOnce(&Frame)) -> Vec<Vec3> {
    let things = Things::new(seed);
    let parts = things.parts();
    push(&Frame { time, parts: &parts });
    all_positions(&parts)
}

#[test]
fn point_caches_are_read_back_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    for format in [PointCacheFormat::Pc2, PointCacheFormat::Mdd] {
        for frames in [0, 1, 7] {
            let path = folder.path().join("cache");
            let _ = fs::remove_file(&path);
            let mut cache = PointCache::create(&path, format).unwrap();
            let time = |frame: u64| frame as f64 / 24.0;
            let expected: Vec<Vec<Vec3>> =
                (0..frames).map(|frame| pushed(30 + frame, time(frame), |frame| cache.push(frame).unwrap())).collect();
            assert!(!path.exists());
            assert_eq!(cache.frames() as u64, frames);
            cache.finish().unwrap();
            assert_eq!(names(folder.path()), ["cache"]);
            let file = fs::read(&path).unwrap();
            let points = if frames == 0 { 0 } else { 20 };
            let big = format == PointCacheFormat::Mdd;
            let word = |ix: usize| {
                let bytes: [u8; 4] = file[4 * ix..4 * ix + 4].try_into().unwrap();
                if big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
            };
            let first = if big {
                assert_eq!([word(0), word(1)], [frames as u32, points]);
                let times: Vec<u32> = (0..frames).map(|frame| (time(frame) as f32).to_bits()).collect();
                assert_eq!((0..frames as usize).map(|ix| word(2 + ix)).collect::<Vec<_>>(), times);
                2 + frames as usize
            } else {
                assert_eq!(&file[..12], b"POINTCACHE2\0");
                let head = [1, points, 0f32.to_bits(), 1f32.to_bits(), frames as u32];
                assert_eq!([3, 4, 5, 6, 7].map(word), head);
                8
            };
            let read: Vec<u32> = (first..file.len() / 4).map(word).collect();
            assert_eq!(read, bits(&expected.concat()).concat(), "{format:?}");
            assert_eq!(file.len() % 4, 0);
        }
    }
}

/// A `.glb` taken apart: its description, and its data.
struct Glb {
    json: Value,
    data: Vec<u8>,
}

impl Glb {
    fn read(file: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&file[..4], word(4), word(8)), (b"glTF".as_slice(), 2, file.len()));
        let json = word(12);
        assert_eq!((&file[16..20], json % 4), (b"JSON".as_slice(), 0));
        let description = serde_json::from_slice(&file[20..20 + json]).unwrap();
        let after = 20 + json;
        let mut data = Vec::new();
        if file.len() > after {
            assert_eq!(&file[after + 4..after + 8], b"BIN\0");
            data = file[after + 8..].to_vec();
            assert_eq!((data.len(), data.len() % 4), (word(after), 0));
        }
        Self { json: description, data }
    }

    /// Words of an accessor, and how many make an element. Checks bounds where there are some, and asks for them where they must be.
    fn accessor(&self, ix: &Value, bounded: bool) -> (Vec<u32>, usize) {
        let accessor = &self.json["accessors"][ix.as_u64().unwrap() as usize];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let components = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            other => panic!("{other}"),
        };
        let [offset, length] = ["byteOffset", "byteLength"].map(|key| view[key].as_u64().unwrap() as usize);
        assert_eq!(length, 4 * components * accessor["count"].as_u64().unwrap() as usize);
        assert_eq!(offset % 4, 0);
        let words: Vec<u32> = floats(&self.data[offset..offset + length]);
        assert_eq!(accessor.get("min").is_some(), bounded);
        if bounded {
            for component in 0..components {
                let values = words.iter().skip(component).step_by(components).map(|word| f32::from_bits(*word));
                let (low, high) = values.fold((f32::MAX, f32::MIN), |(low, high), v| (low.min(v), high.max(v)));
                let bound = |key: &str| accessor[key][component].as_f64().unwrap() as f32;
                assert_eq!([bound("min"), bound("max")], [low, high]);
            }
        }
        (words, components)
    }

    fn floats(&self, ix: &Value, bounded: bool) -> Vec<f32> {
        self.accessor(ix, bounded).0.into_iter().map(f32::from_bits).collect()
    }

    /// An attribute of a mesh with these weights of its targets.
    fn morphed(&self, mesh: usize, attribute: &str, weights: &[f32]) -> Vec<f64> {
        let primitive = &self.json["meshes"][mesh]["primitives"][0];
        let bounded = attribute == "POSITION";
        let mut sum: Vec<f64> =
            self.floats(&primitive["attributes"][attribute], bounded).into_iter().map(f64::from).collect();
        let targets = primitive["targets"].as_array().unwrap();
        assert_eq!(targets.len(), weights.len());
        for (target, &weight) in targets.iter().zip(weights) {
            let difference = self.floats(&target[attribute], bounded);
            sum.iter_mut().zip(difference).for_each(|(sum, value)| *sum += f64::from(weight) * f64::from(value));
        }
        sum
    }
}

/// Largest difference, in parts of the largest number there or in the first frame: that much is rounded off in a difference.
fn difference(found: &[f64], expected: &[Vec3], first: &[Vec3]) -> f64 {
    assert_eq!(found.len(), 3 * expected.len());
    let all = |values: &[Vec3]| values.iter().flat_map(|value| value.as_dvec3().to_array()).collect::<Vec<f64>>();
    let (expected, first) = (all(expected), all(first));
    let size = expected.iter().chain(found).chain(&first).fold(0.0f64, |size, value| size.max(value.abs()));
    found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size
}

#[test]
fn an_animation_shows_every_frame_at_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("things.glb");
    let times = [0.0, 0.1, 0.15, 0.4, 1.0];
    let all: Vec<Things> = (0..times.len() as u64).map(|frame| Things::new(50 + 10 * frame)).collect();
    let mut animation = Animation::create(&path).unwrap();
    for (things, time) in all.iter().zip(times) {
        animation.push(&Frame { time, parts: &things.parts() }).unwrap();
    }
    assert!(!path.exists());
    animation.finish().unwrap();
    assert_eq!(names(folder.path()), ["things.glb"]);
    let file = fs::read(&path).unwrap();
    // What another reader makes of it; it validates.
    let document = gltf::Gltf::from_slice(&file).unwrap();
    assert_eq!(document.meshes().count(), 4);
    assert_eq!(document.animations().next().unwrap().channels().count(), 4);
    let modes: Vec<u32> = document.meshes().map(|mesh| mesh.primitives().next().unwrap().mode().as_gl_enum()).collect();
    assert_eq!(modes, [4, 1, 4, 0]);
    assert!(document.meshes().all(|mesh| mesh.primitives().all(|p| p.morph_targets().len() == times.len() - 1)));

    let glb = Glb::read(&file);
    let animation = &glb.json["animations"][0];
    let sampler = &animation["samplers"][0];
    assert_eq!(sampler["interpolation"], "LINEAR");
    let keys = glb.floats(&sampler["input"], true);
    assert_eq!(keys, times.map(|time| time as f32));
    let weights = glb.floats(&sampler["output"], false);
    assert_eq!(weights.len(), times.len() * (times.len() - 1));
    for channel in animation["channels"].as_array().unwrap() {
        assert_eq!((&channel["sampler"], &channel["target"]["path"]), (&0.into(), &"weights".into()));
    }
    let rows: Vec<&[f32]> = weights.chunks(times.len() - 1).collect();
    // Parts without vertices are left out.
    let shown = |things: &Things| {
        things
            .parts()
            .into_iter()
            .filter(|part| !part.positions.is_empty())
            .map(|part| part.positions.to_vec())
            .collect::<Vec<_>>()
    };
    for (mesh, name) in ["the sheet", "chain", "solid", "points"].iter().enumerate() {
        assert_eq!(glb.json["meshes"][mesh]["name"], *name);
        assert_eq!(glb.json["nodes"][mesh]["mesh"], mesh);
        let first = &shown(&all[0])[mesh];
        for (frame, things) in all.iter().enumerate() {
            let found = glb.morphed(mesh, "POSITION", rows[frame]);
            let worst = difference(&found, &shown(things)[mesh], first);
            assert!(worst < 2e-7, "{name} {frame}: {worst}");
            // Another frame is another one.
            let other = &all[(frame + 1) % all.len()];
            assert!(difference(&found, &shown(other)[mesh], first) > 1e-5);
        }
        // Half way between two frames, as linear interpolation has it.
        let half: Vec<f32> = rows[2].iter().zip(rows[3]).map(|(a, b)| 0.5 * (a + b)).collect();
        let middle: Vec<Vec3> =
            shown(&all[2])[mesh].iter().zip(&shown(&all[3])[mesh]).map(|(a, b)| 0.5 * (a + b)).collect();
        assert!(difference(&glb.morphed(mesh, "POSITION", &half), &middle, first) < 2e-7);
    }
    for (frame, things) in all.iter().enumerate() {
        assert!(difference(&glb.morphed(0, "NORMAL", rows[frame]), &things.normals, &[]) < 4e-7);
    }
    let primitive = &glb.json["meshes"][0]["primitives"][0];
    let texture: Vec<f32> = all[0].texture.iter().flat_map(|value| value.to_array()).collect();
    assert_eq!(glb.floats(&primitive["attributes"]["TEXCOORD_0"], false), texture);
    assert_eq!(glb.accessor(&primitive["indices"], false).0, all[0].sheet.triangles.concat());
    let wires = &glb.json["meshes"][1]["primitives"][0]["indices"];
    assert_eq!(glb.accessor(wires, false).0, all[0].chain.wires.concat());
    assert_eq!(glb.json["meshes"][0]["extras"]["targetNames"][3], "frame 4");
    // A mesh without normals does not claim any.
    assert!(glb.json["meshes"][2]["primitives"][0]["attributes"].get("NORMAL").is_none());
}

#[test]
fn short_animations_are_whole_files_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("short.glb");
    let positions = vectors(3, 3);
    let part = Part { name: "\"quoted\\\n", positions: &positions, triangles: &[[0, 1, 2]], ..Default::default() };
    let nothing = [Part::default()];
    for (frames, parts, meshes) in
        [(0, [part].as_slice(), 0), (1, &[part], 1), (3, &nothing, 0), (3, &[], 0), (2, &[part], 1)]
    {
        let mut animation = Animation::create(&path).unwrap();
        for frame in 0..frames {
            animation.push(&Frame { time: f64::from(frame), parts }).unwrap();
        }
        assert_eq!(animation.frames(), frames as usize);
        animation.finish().unwrap();
        let file = fs::read(&path).unwrap();
        let document = gltf::Gltf::from_slice(&file).unwrap();
        let glb = Glb::read(&file);
        assert_eq!(document.meshes().count(), meshes);
        let moves = meshes > 0 && frames > 1;
        assert_eq!(document.animations().count(), usize::from(moves), "{}", glb.json);
        if meshes > 0 {
            assert_eq!(glb.json["meshes"][0]["name"], part.name);
        }
    }
}

#[test]
fn frames_that_do_not_go_together_are_refused_and_the_rest_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    let points = vectors(3, 3);
    let good = Part { name: "a", positions: &points, ..Default::default() };
    let refused = |result: Result<(), Error>| match result {
        Err(Error::Io { path: named, source }) => {
            assert_eq!((named.as_path(), source.kind()), (path.as_path(), io::ErrorKind::InvalidInput));
            source.to_string()
        }
        other => panic!("{other:?}"),
    };
    let short = Part { positions: &points[..2], ..good };
    let with_normals = Part { normals: &points, ..good };
    let mut animation = Animation::create(&path).unwrap();
    assert!(refused(animation.push(&Frame { time: -1.0, parts: &[good] })).contains("-1"));
    animation.push(&Frame { time: 0.0, parts: &[good] }).unwrap();
    for (time, parts) in [(0.0, [good]), (1e-9, [short]), (1.0, [short]), (1.0, [with_normals]), (f64::NAN, [good])] {
        refused(animation.push(&Frame { time, parts: &parts }));
    }
    refused(animation.push(&Frame { time: 1.0, parts: &[good, good] }));
    animation.push(&Frame { time: 1.0, parts: &[good] }).unwrap();
    animation.finish().unwrap();
    assert_eq!(
        Glb::read(&fs::read(&path).unwrap()).json["meshes"][0]["primitives"][0]["targets"].as_array().unwrap().len(),
        1
    );

    let mut cache = PointCache::create(&path, PointCacheFormat::Pc2).unwrap();
    cache.push(&Frame { time: 0.0, parts: &[good] }).unwrap();
    assert!(refused(cache.push(&Frame { time: 1.0, parts: &[short] })).contains("2 points"));
    cache.push(&Frame { time: 1.0, parts: &[good] }).unwrap();
    cache.finish().unwrap();
    assert_eq!(fs::metadata(&path).unwrap().len(), 32 + 2 * 36);
}

type Writer = fn(&mut dyn Write, &Frame) -> io::Result<()>;
const WRITERS: [(&str, Writer); 3] = [("obj", obj::write), ("ply", ply::write), ("vtu", vtu::write)];

#[test]
fn nonsense_is_refused() {
    let points = vectors(3, 3);
    let good = Part { name: "cloth", positions: &points, triangles: &[[0, 1, 2]], ..Default::default() };
    let broken = [Vec3::X, Vec3::Y, Vec3::new(0.0, f32::NAN, 0.0)];
    let wrong = [
        Part { triangles: &[[0, 1, 3]], ..good },
        Part { wires: &[[0, u32::MAX]], ..good },
        Part { tetrahedra: &[[0, 1, 2, 3]], ..good },
        Part { normals: &points[..2], ..good },
        Part { texture: &[Vec2::ZERO], ..good },
        Part { velocities: &[Vec3::ZERO], ..good },
        Part { strains: &[0.0; 4], ..good },
        Part { strains: &[0.0, f32::INFINITY, 0.0], ..good },
        Part { positions: &broken, ..good },
        Part { velocities: &broken, ..good },
    ];
    for (name, write) in WRITERS {
        write(&mut io::sink(), &Frame { time: 0.0, parts: &[good] }).unwrap();
        assert!(write(&mut io::sink(), &Frame { time: f64::INFINITY, parts: &[good] }).is_err());
        for part in &wrong {
            let mut file = Vec::new();
            let error = write(&mut file, &Frame { time: 0.0, parts: &[good, *part] }).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name}: {error}");
            assert!(error.to_string().contains("cloth") && file.is_empty());
        }
    }
}

/// A disk with room for so many bytes.
struct Disk(usize);

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let written = bytes.len().min(self.0);
        self.0 -= written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_noticed_wherever_it_is_full() {
    let things = Things::new(5);
    let parts = things.parts();
    let frame = Frame { time: 0.0, parts: &parts };
    for (name, write) in WRITERS {
        let mut file = Vec::new();
        write(&mut file, &frame).unwrap();
        for room in 0..file.len() {
            let error = write(&mut Disk(room), &frame).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{name} {room}");
        }
        write(&mut Disk(file.len()), &frame).unwrap();
    }
    assert!(pvd::write(&mut Disk(50), &[(0.0, String::new())]).is_err());
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_named_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cloth.x");
    let full = |ending: &str| std::os::unix::fs::symlink("/dev/full", folder.path().join(ending)).unwrap();
    let points = vectors(10_000, 1);
    let frame = Frame { time: 0.0, parts: &[Part { positions: &points, ..Default::default() }] };
    let check = |result: Result<(), Error>| {
        let Err(error @ Error::Io { .. }) = result else { panic!("{result:?}") };
        assert!(error.to_string().contains("cloth.x") && error.to_string().contains("No space left"), "{error}");
    };
    for format in [PointCacheFormat::Pc2, PointCacheFormat::Mdd] {
        full(if format == PointCacheFormat::Pc2 { "cloth.x.part" } else { "cloth.x.data.part" });
        let mut cache = PointCache::create(&path, format).unwrap();
        check(cache.push(&frame));
        assert!(cache.finish().is_err());
        assert!(names(folder.path()).is_empty(), "{:?}", names(folder.path()));
    }
    full("cloth.x.data.part");
    let mut animation = Animation::create(&path).unwrap();
    check(animation.push(&frame));
    drop(animation);
    assert!(names(folder.path()).is_empty());
    // Room for the data, but not for the whole.
    let mut animation = Animation::create(&path).unwrap();
    animation.push(&frame).unwrap();
    full("cloth.x.part");
    check(animation.finish());
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_folder_that_cannot_be_written_to_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    for inside in ["file", "missing"] {
        let path = folder.path().join(inside).join("cloth.x");
        let named = |result: Result<(), Error>| match result {
            Err(Error::Io { path: named, .. }) => assert!(named.to_string_lossy().starts_with(path.to_str().unwrap())),
            other => panic!("{other:?}"),
        };
        named(PointCache::create(&path, PointCacheFormat::Mdd).map(|_| ()));
        named(PointCache::create(&path, PointCacheFormat::Pc2).map(|_| ()));
        named(Animation::create(&path).map(|_| ()));
    }
}

#[test]
fn what_is_interrupted_has_no_name() {
    let folder = tempfile::tempdir().unwrap();
    let points = vectors(100, 1);
    let frame = Frame { time: 0.0, parts: &[Part { positions: &points, ..Default::default() }] };
    let path = folder.path().join("a");
    // What was there stays.
    fs::write(&path, "old").unwrap();
    for format in [PointCacheFormat::Pc2, PointCacheFormat::Mdd] {
        let mut cache = PointCache::create(&path, format).unwrap();
        cache.push(&frame).unwrap();
        assert!(names(folder.path()).len() > 1);
        drop(cache);
        assert_eq!(names(folder.path()), ["a"]);
    }
    let mut animation = Animation::create(&path).unwrap();
    animation.push(&frame).unwrap();
    drop(animation);
    assert_eq!(names(folder.path()), ["a"]);
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

#[test]
fn strains_are_those_of_the_edges() {
    // A chain whose links are stretched by a tenth and compressed by a fifth; a sheet that only bends has edges without a length.
    let mut scene = Scene::new();
    let material = Material { structural: Spring::new(10.0), ..Material::loose(Mass::Total(1.0)) };
    let start = [0.0, 1.1, 1.9, 2.9].map(|x| Vec3::X * x).to_vec();
    scene.add(Body::cloth(Mesh::chain(Vec3::ZERO, Vec3::X * 3.0, 4), material).starting_at(start));
    let bending = Material { bending: Some(Bending::new(0.01)), ..Material::loose(Mass::Total(1.0)) };
    let sheet = Mesh::grid(1.0, 1.0, 3, 3);
    let larger = sheet.positions.iter().map(|p| 2.0 * *p).collect();
    scene.add(Body::cloth(sheet, bending).starting_at(larger));
    for (name, backend) in backends() {
        let mut simulation = Simulation::new(backend, &scene, Options::default()).unwrap();
        assert!(simulation.topology().edges.len() > 3);
        let strains = simulation.strains().unwrap();
        for (found, expected) in strains.iter().zip([0.1, -0.2, -0.2, 0.0]) {
            assert!((found - expected).abs() < 1e-6, "{name}: {strains:?}");
        }
        assert_eq!(strains[4..], [0.0; 9], "{name}");
    }
}

#[test]
fn the_largest_strain_is_the_one_measured() {
    let options = Options { measure: true, ..Default::default() };
    for (name, backend) in backends() {
        let exact = matches!(backend, Backend::Cpu);
        for (scene, tolerance) in [(wavy_cloth(12), 1e-6), (jelly(), 1e-4)] {
            let mut simulation = Simulation::new(backend.clone(), &scene, options.clone()).unwrap();
            for _ in 0..5 {
                run(&mut simulation, 4);
                let measured = simulation.finish().unwrap().unwrap().measures.unwrap().largest_strain;
                let largest = simulation.strains().unwrap().iter().fold(0.0f32, |most, strain| most.max(strain.abs()));
                let error = (f64::from(largest) - measured).abs();
                assert!(
                    measured > 1e-3 && error < if exact { 1e-7 * measured } else { tolerance },
                    "{name}: {largest} {measured}"
                );
            }
        }
    }
}

/// A block of springs and volumes that hangs by an edge.
fn jelly() -> Scene {
    let material = Material {
        structural: Spring::new(40.0),
        volume: Some(Volume { stiffness: 0.5, damping: 0.0 }),
        ..Material::loose(Mass::Total(0.1))
    };
    let mut scene = Scene::new();
    let block = scene.add(Body::cloth(Mesh::block(Vec3::new(0.2, 0.1, 0.1), [3, 2, 2]), material));
    scene.pin(block, Vertices::list([0, 1, 2]));
    scene
}

/// What one step measures of a body that starts deformed, without gravity and with a step too short for it to move.
fn strain_of(backend: &Backend, mesh: Mesh, material: Material, map: impl Fn(Vec3) -> Vec3) -> f64 {
    let start = mesh.positions.iter().map(|place| map(*place)).collect();
    let mut scene = Scene { gravity: Vec3::ZERO, ..Scene::new() };
    scene.add(Body::cloth(mesh, material).starting_at(start));
    let options = Options { measure: true, time_step: 1e-6, ..Default::default() };
    let mut simulation = Simulation::new(backend.clone(), &scene, options).unwrap();
    simulation.step().unwrap();
    simulation.finish().unwrap().unwrap().measures.unwrap().largest_strain
}

#[test]
fn largest_strain_is_stretch_and_neither_bending_nor_shear() {
    let loose = Material::loose(Mass::Total(1.0));
    let spring = Spring::new(10.0);
    let springs = Material { structural: spring, shear: spring, crossover: spring, ..loose.clone() };
    let weave = Material {
        weave: Some(Weave { weft: spring, warp: spring, shear: 10.0, ..Default::default() }),
        ..loose.clone()
    };
    let membrane = Material { membrane: Some(Membrane::isotropic(10.0, 0.3)), ..loose.clone() };
    let area = Material { area: Some(Area { stiffness: 0.01, damping: 0.0 }), ..loose.clone() };
    let volume = Material { volume: Some(Volume { stiffness: 0.01, damping: 0.0 }), ..loose.clone() };
    let shell = Material { shell: Some(Volume { stiffness: 0.01, damping: 0.0 }), ..loose.clone() };
    let sheet = Mesh::grid(1.0, 1.0, 5, 5);
    let block = Mesh::block(Vec3::ONE, [2, 2, 2]);
    // At x = 0: lengths along the grid stay, crossovers over the fold do not.
    let folded = |p: Vec3| if p.x > 0.0 { Vec3::new(0.0, p.x, p.z) } else { p };
    // Threads keep their lengths; the diagonals change by more than a fifth.
    let sheared = |p: Vec3| Vec3::new(p.x + 0.6 * p.z, p.y, 0.8 * p.z);
    // F = [[1, 0.6], [0, 0.8]]: σ² = 1 ± 0.6.
    let shear_strain = 1.0 - 0.4f64.sqrt();
    let stretched = |p: Vec3| p * Vec3::new(1.2, 1.0, 0.9);
    for (name, backend) in backends() {
        let check = |what: &str, mesh: &Mesh, material: &Material, map: &dyn Fn(Vec3) -> Vec3, expected: f64| {
            let found = strain_of(&backend, mesh.clone(), material.clone(), map);
            assert!((found - expected).abs() < 2e-5, "{name}, {what}: {found}, not {expected}");
        };
        check("springs, folded", &sheet, &springs, &folded, 0.0);
        check("springs, sheared", &sheet, &springs, &sheared, 0.0);
        check("springs, stretched", &sheet, &springs, &stretched, 0.2);
        check("weave, folded", &sheet, &weave, &folded, 0.0);
        check("weave, sheared", &sheet, &weave, &sheared, 0.0);
        check("weave, stretched", &sheet, &weave, &stretched, 0.2);
        check("membrane, folded", &sheet, &membrane, &folded, 0.0);
        check("membrane, sheared", &sheet, &membrane, &sheared, shear_strain);
        check("membrane, stretched", &sheet, &membrane, &stretched, 0.2);
        check("area, folded", &sheet, &area, &folded, 0.0);
        check("area, sheared", &sheet, &area, &sheared, shear_strain);
        check("area, stretched", &sheet, &area, &stretched, 0.2);
        check("volume, turned", &block, &volume, &|p| Vec3::new(-p.y, p.x, p.z), 0.0);
        check("volume, stretched", &block, &volume, &stretched, 0.2);
        check("volume, inverted", &block, &volume, &|p| p * Vec3::new(1.0, 1.0, -1.0), 2.0);
        check("shell, stretched", &sheet, &shell, &stretched, 0.0);
        check("crossovers alone", &sheet, &Material { crossover: spring, ..loose.clone() }, &stretched, 0.0);
    }
}
