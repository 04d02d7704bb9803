//! Animations in GLB files.

use super::*;
use glam::Vec3;
use serde_json::Value;
use std::{fs, io};
use tenter::Error;
use tenter::io::export::{Animation, Frame, Part, PointCache, PointCacheFormat};

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
