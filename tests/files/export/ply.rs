//! PLY files.

use super::*;
use tenter::io::export::{Frame, ply};

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
