//! Volume, connectivity and element quality of generated meshes.

use crate::contact::test_shapes::{corner_piece, icosphere};
use crate::{Error, Mesh};
use glam::{DVec2, DVec3, Vec3};
use std::collections::{HashMap, HashSet};
use std::f64::consts::PI;

fn corners<const N: usize>(mesh: &Mesh, element: [u32; N]) -> [DVec3; N] {
    element.map(|vertex| mesh.positions[vertex as usize].as_dvec3())
}

fn area(mesh: &Mesh) -> f64 {
    mesh.triangles.iter().map(|&t| normal(corners(mesh, t)).length()).sum()
}

/// As long as the area, m².
fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    0.5 * (b - a).cross(c - a)
}

fn volume([a, b, c, d]: [DVec3; 4]) -> f64 {
    (b - a).dot((c - a).cross(d - a)) / 6.0
}

fn smallest_angle(corners: [DVec3; 3]) -> f64 {
    let at = |k: usize| (corners[(k + 1) % 3] - corners[k]).angle_between(corners[(k + 2) % 3] - corners[k]);
    at(0).min(at(1)).min(at(2)).to_degrees()
}

/// 1 for a regular tetrahedron, 0 for a flat one: volume over the cube of the root mean square edge.
fn quality(corners: [DVec3; 4]) -> f64 {
    let mut square = 0.0;
    for a in 0..4 {
        for b in a + 1..4 {
            square += corners[a].distance_squared(corners[b]) / 6.0;
        }
    }
    6.0 * 2f64.sqrt() * volume(corners) / square.powf(1.5)
}

/// Triangles per undirected edge.
fn edges(mesh: &Mesh) -> HashMap<[u32; 2], usize> {
    let mut edges = HashMap::new();
    for &[a, b, c] in &mesh.triangles {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            *edges.entry([from.min(to), from.max(to)]).or_insert(0) += 1;
        }
    }
    edges
}

fn euler(mesh: &Mesh) -> i64 {
    let used: HashSet<u32> = mesh.triangles.iter().flatten().copied().collect();
    used.len() as i64 - edges(mesh).len() as i64 + mesh.triangles.len() as i64
}

fn border(mesh: &Mesh) -> usize {
    edges(mesh).values().filter(|count| **count == 1).count()
}

/// Every directed edge once: triangles of one sheet that all show the same side.
fn oriented(mesh: &Mesh) -> bool {
    let mut seen = HashSet::new();
    mesh.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).all(|edge| seen.insert(edge))
}

#[test]
fn disks() {
    for rings in [1, 2, 3, 7, 20] {
        let disk = Mesh::disk(0.5, rings);
        assert_eq!(disk.positions.len() as u32, 1 + 3 * rings * (rings + 1));
        assert_eq!((euler(&disk), border(&disk) as u32, oriented(&disk)), (1, 6 * rings, true));
        // A polygon of 6·rings corners.
        let corners_of = f64::from(6 * rings);
        let polygon = 0.5 * corners_of * 0.25 * (2.0 * PI / corners_of).sin();
        assert!((area(&disk) - polygon).abs() < 1e-6, "{rings}: {} {polygon}", area(&disk));
        for &triangle in &disk.triangles {
            let corners = corners(&disk, triangle);
            assert!(normal(corners).y > 0.0 && smallest_angle(corners) > 43.0, "{rings}: {}", smallest_angle(corners));
        }
    }
    assert_eq!(Mesh::disk(1.0, 0).positions, [Vec3::ZERO]);
}

#[test]
fn tubes() {
    for (around, along) in [(3, 2), (12, 5), (13, 4)] {
        let tube = Mesh::tube(0.2, 0.7, around, along);
        assert_eq!((euler(&tube), border(&tube) as u32, oriented(&tube)), (0, 2 * around, true));
        let side = 2.0 * 0.2 * (PI / f64::from(around)).sin();
        assert!((area(&tube) - 0.7 * side * f64::from(around)).abs() < 1e-6);
        for &triangle in &tube.triangles {
            let corners = corners(&tube, triangle);
            let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
            assert!(normal(corners).dot(DVec3::new(middle.x, 0.0, middle.z)) > 0.0);
        }
        let heights: Vec<f32> = tube.positions.iter().map(|p| p.y).collect();
        assert_eq!((heights[0], heights[heights.len() - 1]), (-0.35, 0.35));
    }
    assert!(Mesh::tube(1.0, 1.0, 2, 5).triangles.is_empty());
    assert!(Mesh::tube(1.0, 1.0, 5, 1).triangles.is_empty());
    assert!(Mesh::tube(1.0, 1.0, 0, 9).positions.is_empty());
}

#[test]
fn irregular_cloth() {
    for seed in 0..20 {
        let (columns, rows) = (24, 17);
        let cloth = Mesh::irregular(1.2, 0.8, columns, rows, seed);
        assert_eq!(cloth.grid, None);
        assert_eq!(cloth.triangles.len() as u32, 2 * (columns - 1) * (rows - 1));
        assert_eq!((euler(&cloth), border(&cloth) as u32, oriented(&cloth)), (1, 2 * (columns + rows - 2), true));
        assert!((area(&cloth) - 0.96).abs() < 1e-6);
        let corners_there = [[-0.6, -0.4], [0.6, -0.4], [-0.6, 0.4], [0.6, 0.4]];
        assert!(corners_there.iter().all(|&[x, z]| cloth.positions.contains(&Vec3::new(x, 0.0, z))));
        let mut worst = 90f64;
        for &triangle in &cloth.triangles {
            let corners = corners(&cloth, triangle);
            assert!(normal(corners).y > 0.0);
            worst = worst.min(smallest_angle(corners));
        }
        assert!(worst > 15.0, "{seed}: {worst}");
        delaunay(&cloth);
        // As many vertices as a grid has, but not its neighbours.
        let mut valences = vec![0; cloth.positions.len()];
        let edges = edges(&cloth);
        edges.keys().flatten().for_each(|&vertex| valences[vertex as usize] += 1);
        let inner = |ix: u32| (1..columns - 1).contains(&(ix % columns)) && (1..rows - 1).contains(&(ix / columns));
        let mut found: HashMap<i32, usize> = HashMap::new();
        (0..columns * rows)
            .filter(|&ix| inner(ix))
            .for_each(|ix| *found.entry(valences[ix as usize]).or_default() += 1);
        assert!([4, 5, 6, 7].iter().all(|valence| found.get(valence).is_some_and(|n| *n > 3)), "{seed}: {found:?}");
    }
    assert_ne!(Mesh::irregular(1.0, 1.0, 9, 9, 1), Mesh::irregular(1.0, 1.0, 9, 9, 2));
    for (columns, rows) in [(0, 0), (1, 1), (5, 1), (1, 5), (0, 3), (2, 2)] {
        assert_eq!(Mesh::irregular(1.0, 1.0, columns, rows, 1).positions.len() as u32, columns * rows);
    }
}

/// No vertex lies within the circle about a triangle, but for rounding.
fn delaunay(mesh: &Mesh) {
    for &triangle in &mesh.triangles {
        let [a, b, c] = corners(mesh, triangle).map(|p| DVec2::new(p.x, p.z));
        let (b, c) = (b - a, c - a);
        let centre = DVec2::new(
            c.y * b.length_squared() - b.y * c.length_squared(),
            b.x * c.length_squared() - c.x * b.length_squared(),
        ) / (2.0 * b.perp_dot(c));
        let radius = centre.length();
        for point in &mesh.positions {
            let distance = DVec2::new(point.x.into(), point.z.into()).distance(a + centre);
            assert!(distance > radius * (1.0 - 1e-6), "{distance} {radius}");
        }
    }
}

#[test]
fn balls() {
    for cells in [0, 2, 3, 4, 5, 8, 13, 24] {
        let ball = Mesh::ball(0.3, cells);
        assert_eq!((euler(&ball), border(&ball), oriented(&ball)), (2, 0, true), "{cells}");
        let used: HashSet<u32> = ball.tetrahedra.iter().flatten().copied().collect();
        assert_eq!(used.len(), ball.positions.len());
        let worst = ball.tetrahedra.iter().map(|&t| quality(corners(&ball, t))).fold(1.0, f64::min);
        assert!(worst > 0.15, "{cells}: {worst}");
        for &vertex in ball.triangles.iter().flatten() {
            assert!((ball.positions[vertex as usize].length() - 0.3).abs() < 1e-6);
        }
        // Chords cut off a part that goes with the square of their length.
        let filled: f64 = ball.tetrahedra.iter().map(|&t| volume(corners(&ball, t))).sum();
        let cone = |&triangle: &[u32; 3]| {
            let [a, b, c] = corners(&ball, triangle);
            a.dot(b.cross(c)) / 6.0
        };
        let enclosed: f64 = ball.triangles.iter().map(cone).sum();
        assert!((filled - enclosed).abs() < 1e-6);
        let sphere = 4.0 / 3.0 * PI * 0.027;
        let lost = 1.0 - filled / sphere;
        assert!(lost > 0.0 && lost < 3.0 / f64::from(cells.max(2)).powi(2), "{cells}: {lost}");
    }
}

fn scaled(mesh: Mesh, size: f32) -> Mesh {
    Mesh { positions: mesh.positions.iter().map(|p| size * *p).collect(), ..mesh }
}

#[test]
fn fills() {
    for (name, surface, enclosed, spacing) in [
        ("sphere", scaled(icosphere(3), 0.5), 4.0 / 3.0 * PI * 0.125, 0.11),
        ("corner", corner_piece(), 0.375, 0.07),
        ("block", Mesh::block(Vec3::new(1.0, 0.5, 0.25), [2, 2, 2]), 0.125, 0.25),
    ] {
        let solid = Mesh::filled(&surface, spacing).unwrap();
        let each = f64::from(spacing).powi(3);
        let volumes: Vec<f64> = solid.tetrahedra.iter().map(|&t| volume(corners(&solid, t))).collect();
        assert!(volumes.iter().all(|v| *v > 0.16 * each && *v < 0.34 * each), "{name}");
        // The filled mesh has the volume and at most the cells that the surface goes through besides.
        let filled: f64 = volumes.iter().sum();
        let skin = 3f64.sqrt() * f64::from(spacing) * area(&surface) * 1.2;
        assert!(filled > 0.99 * enclosed && filled < enclosed + skin, "{name}: {filled} {enclosed} {skin}");
        // Vertices of the surface, and points between them, are in some tetrahedron.
        for &triangle in surface.triangles.iter().step_by(7) {
            let [a, b, c] = corners(&surface, triangle);
            for point in [a, 0.5 * (a + b), (a + b + c) / 3.0] {
                let inside = solid.tetrahedra.iter().any(|&t| {
                    let [p, q, r, s] = corners(&solid, t);
                    let parts = [[point, q, r, s], [p, point, r, s], [p, q, point, s], [p, q, r, point]];
                    parts.iter().all(|&part| volume(part) > -1e-5 * each)
                });
                assert!(inside, "{name}: {point}");
            }
        }
        assert_eq!(border(&solid), 0);
    }
    // Cells that only touch a flat side from without are not kept.
    let block = Mesh::filled(&Mesh::block(Vec3::new(1.0, 0.5, 0.25), [2, 2, 2]), 0.25).unwrap();
    assert_eq!(block.tetrahedra.len(), 4 * 2 * 5);
    // An L whose inner sides lie in the lattice: three quarters of the cells.
    let corner = Mesh::filled(&corner_piece(), 0.25).unwrap();
    assert_eq!(corner.tetrahedra.len(), 4 * 4 * 2 * 5 * 3 / 4);
}

#[test]
fn fills_that_are_refused() {
    let refusal = |surface: &Mesh, spacing: f32| match Mesh::filled(surface, spacing).unwrap_err() {
        Error::Scene { field, message } => (field, message),
        other => panic!("{other}"),
    };
    let sphere = icosphere(2);
    let mut open = sphere.clone();
    let lost = open.triangles.remove(17);
    let (field, message) = refusal(&open, 0.2);
    assert!(field == "surface" && message.contains("must be closed"), "{message}");
    let hole = lost.iter().map(|&vertex| sphere.positions[vertex as usize]).sum::<Vec3>() / 3.0;
    let place = format!("of 3 edges, about [{:.3}, {:.3}, {:.3}]", hole.x, hole.y, hole.z);
    assert!(message.contains("1 hole") && message.contains(&place), "{place}: {message}");
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(refusal(&sphere, bad).0, "spacing");
    }
    for small in [1e-3, 1e-20, f32::MIN_POSITIVE] {
        let (field, message) = refusal(&sphere, small);
        assert!(field == "spacing" && message.contains("more than 2097152"), "{message}");
    }
    assert_eq!(refusal(&Mesh::default(), 0.1).0, "surface");
    let mut inverted = sphere.clone();
    inverted.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    assert!(refusal(&inverted, 0.2).1.contains("inside out"));
}
