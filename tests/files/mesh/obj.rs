use super::*;

/// In quadrangles, with comments, empty lines, normals, materials and the ends of lines of another system.
pub fn cube() -> String {
    let mut text = String::from("# a cube\r\nmtllib none.mtl\r\no cube\r\n\r\n");
    for p in cube_corners() {
        text += &format!("v {} {} {}\r\n", p.x, p.y, p.z);
    }
    text += "vn 0 0 1\r\nusemtl red\r\ns off\r\n";
    for (ix, side) in CUBE_SIDES.iter().enumerate() {
        if ix == 2 {
            text += "g sides walls # two names\r\n";
        }
        let [a, b, c, d] = side.map(|vertex| vertex + 1);
        text += &format!("f {a}//1 {b}//1 {c}//1 {d}//1\r\n");
    }
    text
}

#[test]
fn a_cube() {
    let file = parse(cube(), MeshFormat::Obj);
    let mesh = &file.mesh;
    assert_eq!(mesh.positions, cube_corners());
    assert_eq!(mesh.triangles.len(), 12);
    assert!((area(mesh) - 6.0).abs() < 1e-12 && (enclosed(mesh) - 1.0).abs() < 1e-12);
    assert_eq!(group(mesh, "cube"), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(group(mesh, "sides"), group(mesh, "walls"));
    assert_eq!(mesh.groups.len(), 3);
    assert_eq!(file.notes, ["cut 6 polygons into triangles"]);
    assert_eq!(file.pattern, None);
}

#[test]
fn numbers_backwards_colours_and_long_lines() {
    let text = "v 0 0 0 0.5 0.5 0.5\nv 1 0 0 1.0\nv 0 1 0\nf -3 -2 \\\n -1\nv 5 5 5\\\n\nf -4 -2 4 # and so on\n";
    let mesh = parse(text, MeshFormat::Obj).mesh;
    // The second face lies across an edge of the first, from the other side: it shows the same side as it.
    assert_eq!(mesh.positions[3], Vec3::splat(5.0));
    assert_eq!(mesh.triangles.len(), 2);
    assert_eq!(mesh.triangles[0], [0, 1, 2]);
    // A line that the last line of the file continues.
    assert_eq!(parse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 \\", MeshFormat::Obj).mesh.triangles.len(), 1);
    // Faces may come first.
    assert_eq!(parse("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0", MeshFormat::Obj).mesh.triangles, [[0, 1, 2]]);
}

#[test]
fn lines_are_wires() {
    let text = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 1 0\no chain\nl 1 2/1 3\nl 3 -1\nl 2 3\n";
    let file = parse(text, MeshFormat::Obj);
    assert_eq!(file.mesh.wires, [[0, 1], [1, 2], [2, 3]]);
    assert_eq!(group(&file.mesh, "chain"), [0, 1, 2, 3]);
    assert_eq!(file.notes, ["left out 1 line along edges that are there already"]);
}

fn polygon(corners: &[[f64; 3]]) -> String {
    let mut text: String = corners.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    text += "f";
    (1..=corners.len()).for_each(|ix| text += &format!(" {ix}"));
    text
}

#[test]
fn concave_polygons_do_not_fold() {
    // Areas by the shoelace formula, done by hand.
    let arrow = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 2.0, 0.0]];
    let letter = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.0], [3.0, 2.0], [3.0, 3.0], [0.0, 3.0]];
    let letter = letter.map(|[x, y]| [x, y, 0.5 * x + 0.25 * y]);
    let slope = (1f64 + 0.25 + 0.0625).sqrt();
    // A star of five tips, radii 1 and 0.3: ten triangles from its centre.
    let star: Vec<[f64; 3]> = (0..10)
        .map(|ix| {
            let (radius, angle) = ([1.0, 0.3][ix % 2], std::f64::consts::PI * ix as f64 / 5.0);
            [radius * angle.cos(), 0.0, radius * angle.sin()]
        })
        .collect();
    let star_area = 10.0 * 0.5 * 0.3 * (std::f64::consts::PI / 5.0).sin();
    for (corners, expected) in [(arrow.to_vec(), 1.0), (letter.to_vec(), 7.0 * slope), (star, star_area)] {
        for turn in 0..corners.len() {
            for reverse in [false, true] {
                let mut corners = corners.clone();
                corners.rotate_left(turn);
                if reverse {
                    corners.reverse();
                }
                let mesh = parse(polygon(&corners), MeshFormat::Obj).mesh;
                assert_eq!(mesh.triangles.len(), corners.len() - 2);
                assert!((area(&mesh) - expected).abs() < 1e-6, "{} {expected}", area(&mesh));
                let normals: Vec<DVec3> = mesh
                    .triangles
                    .iter()
                    .map(|&t| {
                        let [a, b, c] = at(&mesh, t);
                        (b - a).cross(c - a)
                    })
                    .collect();
                assert!(normals.iter().all(|normal| normal.dot(normals[0]) > 0.0));
            }
        }
    }
}

#[test]
fn round_polygons_have_any_number_of_corners() {
    let round = |count: usize, dent: usize| -> Vec<[f64; 3]> {
        let corner = |ix: usize| {
            let angle = std::f64::consts::TAU * ix as f64 / count as f64;
            let radius = if ix == dent { 0.5 } else { 1.0 };
            [radius * angle.cos(), radius * angle.sin(), 0.0]
        };
        (0..count).map(corner).collect()
    };
    assert_eq!(parse(polygon(&round(1000, usize::MAX)), MeshFormat::Obj).mesh.triangles.len(), 998);
    assert_eq!(parse(polygon(&round(128, 17)), MeshFormat::Obj).mesh.triangles.len(), 126);
    let dented = polygon(&round(1000, 17));
    let (line, _, message) = refusal(&dented, MeshFormat::Obj);
    assert!(line == Some(line_of(&dented, "f 1 2 3 ")) && message.contains("convex"), "{message}");
}

#[test]
fn patterns() {
    // Two squares side by side, sewn along x = 1: one piece in texture coordinates, then two.
    let vertices = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\n";
    let whole =
        format!("{vertices}vt 0 0\nvt 1 0\nvt 2 0\nvt 0 1\nvt 1 1\nvt 2 1\nf 1/1 2/2 5/5 4/4\nf 2/2 3/3 6/6 5/5\n");
    let file = parse(&whole, MeshFormat::Obj);
    let pattern = file.pattern.unwrap();
    assert!(pattern.cuts.is_empty());
    assert_eq!(file.mesh.texture.len(), 6);
    for (position, point) in file.mesh.positions.iter().zip(&file.mesh.texture) {
        assert_eq!(position.truncate(), *point);
    }

    // The second piece lies elsewhere; one corner keeps its number but not its value.
    let cut = format!(
        "{vertices}vt 0 0\nvt 1 0\nvt 1.5 0\nvt 0 1\nvt 1 1\nvt 2.5 1\nvt 2.5 0\nvt 1.5 1\ng left\nf 1/1 2/2 5/5 4/4\ng right\nf 2/3 3/7 6/6 5/8\n"
    );
    let file = parse(&cut, MeshFormat::Obj);
    assert!(file.mesh.texture.is_empty());
    assert_eq!(file.mesh.positions.len(), 6);
    let pattern = file.pattern.unwrap();
    assert_eq!(pattern.mesh.positions.len(), 8);
    let mut cuts: Vec<Vec3> = pattern.cuts.iter().map(|cut| pattern.mesh.positions[cut[0] as usize]).collect();
    cuts.sort_by(|a, b| a.y.total_cmp(&b.y));
    assert_eq!(cuts, [Vec3::X, Vec3::new(1.0, 1.0, 0.0)]);
    assert_eq!(group(&pattern.mesh, "left").len(), 6);
    // In the plane both are squares.
    let flat: f64 = pattern
        .mesh
        .triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|vertex| pattern.mesh.texture[vertex as usize].as_dvec2());
            0.5 * (b - a).perp_dot(c - a)
        })
        .sum();
    assert!((flat - 2.0).abs() < 1e-12);

    // Texture coordinates of the same value but different numbers are no cut; some without any are no pattern.
    let twice = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt -0 0\nvt 1 1\nf 1/1 2/2 3/3\nf 1/5 3/6 4/4\n";
    let file = parse(twice, MeshFormat::Obj);
    assert!(file.pattern.is_some_and(|pattern| pattern.cuts.is_empty()) && file.mesh.texture.len() == 4);
    let file = parse(twice.replace("1/5 3/6 4/4", "1 3 4"), MeshFormat::Obj);
    assert!(file.pattern.is_none() && file.notes[0].contains("texture"), "{:?}", file.notes);
}

#[test]
fn errors_have_lines() {
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    let cases = [
        ("f 1 2 5", "vertex 5, but there are 4"),
        ("f 1 2 0", "vertex 0"),
        ("f 1 2 -5", "vertex -5"),
        ("f 1 2 99999999999999999999", "not the number"),
        ("f 1 2 4294967296", "4294967296"),
        ("f 1 2", "three vertices"),
        ("f 1/1 2/1 3/1", "texture coordinate 1, but there are 0"),
        ("f 1/x 2/1 3/1", "not the number of a texture"),
        ("l 1", "two vertices"),
        ("l 1 9", "vertex 9"),
        ("v 1 2", "3 numbers, not 2"),
        ("v 1 2 nan", "not finite"),
        ("v 1 2 -inf", "not finite"),
        ("v 1 2 1e999", "not finite"),
        ("vt", "1 numbers, not 0"),
        ("g a b c d e f g h i", "more than 8 names"),
        ("\n\\\n\nf 1 2 x", "\"x\""),
    ];
    for (text, words) in cases {
        let wrong = format!("{square}{text}\n");
        let expected = line_of(&wrong, text.lines().last().unwrap());
        let (line, _, message) = refusal(wrong, MeshFormat::Obj);
        assert!(message.contains(words), "{text}: {message}");
        assert_eq!(line, Some(expected), "{text}: {message}");
    }
    assert!(refusal("", MeshFormat::Obj).2.contains("no vertices"));
    assert!(refusal(square, MeshFormat::Obj).2.contains("no triangles"));
    let (_, field, message) = refusal("v 0 0 0\nv 0 0 1e300\nf 1 2 2", MeshFormat::Obj);
    assert!(field == "vertex 2" && message.contains("too far"), "{field}: {message}");
}
