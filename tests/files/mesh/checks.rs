//! What is the same for all formats.

use super::*;

fn obj(positions: &[[f64; 3]], faces: &[[u32; 3]]) -> String {
    let mut text: String = positions.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    text.extend(faces.iter().map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1)));
    text
}

fn with(text: &str, options: MeshOptions) -> MeshFile {
    let file = MeshFile::parse(text.as_bytes(), MeshFormat::Obj, "mesh.obj", &options).unwrap();
    assert_sound(&file);
    file
}

const SQUARE: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

#[test]
fn units_and_axes() {
    let text = obj(&[[0.0, 0.0, 0.0], [100.0, 0.0, 0.0], [0.0, 200.0, 300.0]], &[[0, 1, 2]]);
    let file = with(&text, MeshOptions { scale: 0.01, z_up: true, ..Default::default() });
    assert!(file.mesh.positions[2].distance(Vec3::new(0.0, 3.0, -2.0)) < 1e-6);
    // A turn, not a mirror: the normal goes along.
    let [a, b, c] = at(&file.mesh, file.mesh.triangles[0]);
    let normal = (b - a).cross(c - a).normalize();
    assert!(normal.distance(DVec3::new(0.0, 2.0, 3.0).normalize()) < 1e-6, "{normal}");
}

#[test]
fn options_that_make_no_sense() {
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        for options in [
            MeshOptions { scale: bad, ..Default::default() },
            MeshOptions { weld: Weld::Within(bad), ..Default::default() },
        ] {
            let result = MeshFile::parse(obj(&SQUARE, &[[0, 1, 2]]).as_bytes(), MeshFormat::Obj, "mesh.obj", &options);
            assert!(matches!(result, Err(Error::Usage(_))), "{result:?}");
        }
    }
}

#[test]
fn welding() {
    // Two triangles of a square that do not share vertices; the second's are 0.1 mm off, and a zero is negative.
    let near = [[-0.0, 0.0, 0.0], [1.0, 1.0, 1e-4], [0.0, 1.0, 0.0]];
    let text = obj(&[&SQUARE[..3], &near].concat(), &[[0, 1, 2], [3, 4, 5]]);
    let count = |weld: Weld| {
        let file = with(&text, MeshOptions { weld, ..Default::default() });
        (file.mesh.positions.len(), file.mesh.triangles.len(), file.notes)
    };
    assert_eq!(count(Weld::Never), (6, 2, vec![]));
    assert_eq!(count(Weld::Exact), (5, 2, vec!["welded 2 vertices into 1".to_owned()]));
    assert_eq!(count(Weld::Within(0.99e-4)).0, 5);
    assert_eq!(count(Weld::Within(1.01e-4)), (4, 2, vec!["welded 4 vertices into 2".to_owned()]));
    assert_eq!(count(Weld::Within(1e-30)).0, 5);
    // The distance is in metres, after scaling.
    let options = MeshOptions { weld: Weld::Within(1.01e-4), scale: 10.0, ..Default::default() };
    assert_eq!(with(&text, options).mesh.positions.len(), 5);
    let options = MeshOptions { weld: Weld::Within(1.01e-4), scale: 0.1, ..Default::default() };
    assert_eq!(with(&text, options).mesh.positions.len(), 4);
    // Triangles that shrink to nothing go.
    let file = with(
        &obj(&[&SQUARE[..], &[[0.0, 1e-3, 0.0]]].concat(), &[[0, 1, 2], [0, 2, 3], [0, 3, 4]]),
        MeshOptions { weld: Weld::Within(0.01), ..Default::default() },
    );
    assert_eq!(file.mesh.triangles.len(), 2);
    assert!(file.notes.contains(&"left out 1 triangle without area".to_owned()), "{:?}", file.notes);
}

#[test]
fn welding_agrees_with_trying_all_pairs() {
    let mut rng = fastrand::Rng::with_seed(4);
    for _ in 0..50 {
        let points: Vec<[f64; 3]> = (0..60).map(|_| [(); 3].map(|()| (4.0 * rng.f64() - 2.0) as f32 as f64)).collect();
        let faces: Vec<[u32; 3]> = (0..20).map(|ix| [3 * ix, 3 * ix + 1, 3 * ix + 2]).collect();
        let distance = 0.3f32;
        // The first of those that are left within the distance.
        let mut left: Vec<usize> = Vec::new();
        for ix in 0..60 {
            let near = |&other: &usize| DVec3::from(points[ix]).distance(points[other].into()) <= f64::from(distance);
            if !left.iter().any(near) {
                left.push(ix);
            }
        }
        let options = MeshOptions { weld: Weld::Within(distance), ..Default::default() };
        match MeshFile::parse(obj(&points, &faces).as_bytes(), MeshFormat::Obj, "mesh.obj", &options) {
            Ok(file) => {
                let expected: Vec<Vec3> = left.iter().map(|&ix| DVec3::from(points[ix]).as_vec3()).collect();
                assert!(file.mesh.positions.iter().all(|position| expected.contains(position)));
                let welded = file.notes.iter().any(|note| note.starts_with("welded"));
                assert_eq!(welded, left.len() < 60, "{:?}", file.notes);
                let unused = file.notes.iter().find_map(|note| {
                    note.strip_prefix("left out ")?.strip_suffix(" that nothing uses")?.split(' ').next()?.parse().ok()
                });
                assert_eq!(file.mesh.positions.len() + unused.unwrap_or(0usize), left.len());
            }
            Err(error) => assert!(error.to_string().contains("two are the most"), "{error}"),
        }
    }
}

#[test]
fn edges_of_three_triangles() {
    let fin = [[0.5, 0.5, 1.0]];
    let text = obj(&[&SQUARE[..], &fin].concat(), &[[0, 1, 2], [0, 2, 3], [0, 2, 4]]);
    let (line, field, message) = refusal(&text, MeshFormat::Obj);
    assert_eq!((line, field.as_str()), (Some(line_of(&text, "f 1 3 5")), "triangle 3"));
    assert!(message.contains("vertices 1 and 3, at [0.5, 0.5, 0]"), "{message}");
    // Two cubes that touch along an edge hang together only if they are welded.
    let cube = |offset: f64| -> Vec<[f64; 3]> {
        cube_corners().iter().map(|p| [f64::from(p.x) + offset, f64::from(p.y) + offset, p.z.into()]).collect()
    };
    let second: Vec<[u32; 3]> = cube_triangles().iter().map(|t| t.map(|vertex| vertex + 8)).collect();
    let text = obj(&[cube(0.0), cube(1.0)].concat(), &[cube_triangles(), second].concat());
    assert!(refusal(&text, MeshFormat::Obj).2.contains("do not weld"));
    assert_eq!(with(&text, unwelded()).mesh.triangles.len(), 24);
}

#[test]
fn sides() {
    // Whatever triangles of a cube are turned: afterwards it is a cube, or one inside out if most were.
    let corners: Vec<[f64; 3]> = cube_corners().iter().map(|p| p.to_array().map(f64::from)).collect();
    let mut rng = fastrand::Rng::with_seed(9);
    for _ in 0..100 {
        let mut faces = cube_triangles();
        let mut turned = 0;
        for face in &mut faces {
            if rng.bool() {
                face.swap(0, 1);
                turned += 1;
            }
        }
        let file = with(&obj(&corners, &faces), MeshOptions::default());
        let volume = enclosed(&file.mesh);
        assert!((volume.abs() - 1.0).abs() < 1e-12, "{volume}");
        if turned != 6 {
            assert_eq!(volume > 0.0, turned < 6);
        }
        let changed = file.mesh.triangles.iter().zip(&faces).filter(|(new, old)| new != old).count();
        assert_eq!(changed, turned.min(12 - turned));
        assert_eq!(file.notes.len(), usize::from(changed > 0));
    }
    // A Möbius strip has no sides to show.
    let strip: Vec<[f64; 3]> = (0..10)
        .flat_map(|ix| {
            let angle = std::f64::consts::TAU * f64::from(ix) / 10.0;
            [-0.2, 0.2].map(|across| {
                let radius = 1.0 + across * (0.5 * angle).cos();
                [radius * angle.cos(), across * (0.5 * angle).sin(), radius * angle.sin()]
            })
        })
        .collect();
    let mut faces: Vec<[u32; 3]> =
        (0..9).flat_map(|ix| [[0, 1, 2], [2, 1, 3]].map(|t| t.map(|v| v + 2 * ix))).collect();
    faces.extend([[18, 19, 1], [1, 19, 0]]);
    let file = with(&obj(&strip, &faces), MeshOptions::default());
    assert_eq!(file.mesh.triangles, faces);
    assert!(file.notes[0].contains("one side only"), "{:?}", file.notes);
}

#[test]
fn what_is_left_out() {
    let points = [&SQUARE[..], &[[2.0, 0.0, 0.0], [9.0, 9.0, 9.0]]].concat();
    let faces = [[0, 1, 2], [0, 1, 4], [1, 1, 2], [2, 0, 1], [1, 0, 2], [0, 2, 3]];
    let file = with(&obj(&points, &faces), MeshOptions::default());
    assert_eq!((file.mesh.positions.len(), file.mesh.triangles.as_slice()), (4, [[0, 1, 2], [0, 2, 3]].as_slice()));
    assert_eq!(
        file.notes,
        [
            "left out 2 triangles without area",
            "left out 2 triangles that the file has more than once",
            "left out 2 vertices that nothing uses"
        ]
    );
    // Groups follow; those without a vertex go.
    let text = obj(&SQUARE, &[]) + "v 5 5 5\ng gone\nf 1 5 5\ng kept\nf 2 3 4\n";
    let file = with(&text, MeshOptions::default());
    assert_eq!(file.mesh.groups.len(), 1);
    assert_eq!(group(&file.mesh, "kept"), [0, 1, 2]);
    assert!(refusal(obj(&points, &[[0, 1, 4]]), MeshFormat::Obj).2.contains("no triangles"));
}
