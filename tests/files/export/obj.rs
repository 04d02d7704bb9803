//! OBJ files.

use super::*;
use glam::{Vec2, Vec3};
use tenter::io::export::{Frame, Part, obj};

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
