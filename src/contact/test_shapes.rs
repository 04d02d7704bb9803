//! Forms, meshes and random points for the tests of contacts.

use super::{DPose, Form};
use crate::{Collider, Mesh, Pose, Shape};
use fastrand::Rng;
use glam::{DQuat, DVec3, Vec3};
use std::collections::HashMap;

/// Icosphere of radius 1 with 20 · 4ⁿ triangles, all vertices on the sphere.
pub fn icosphere(divisions: u32) -> Mesh {
    let golden = 0.5 * (1.0 + 5f32.sqrt());
    let mut positions = Vec::new();
    for (a, b) in [(1.0, golden), (-1.0, golden), (1.0, -golden), (-1.0, -golden)] {
        positions.extend([Vec3::new(0.0, a, b), Vec3::new(a, b, 0.0), Vec3::new(b, 0.0, a)]);
    }
    // The faces are the triples of vertices that are pairwise one edge, 2, apart.
    let mut triangles = Vec::new();
    let near = |a: usize, b: usize| positions[a].distance(positions[b]) < 2.1;
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if near(a, b) && near(b, c) && near(c, a) {
                    let outward = positions[a].dot(positions[b].cross(positions[c])) > 0.0;
                    let [b, c] = if outward { [b, c] } else { [c, b] };
                    triangles.push([a as u32, b as u32, c as u32]);
                }
            }
        }
    }
    positions.iter_mut().for_each(|p| *p = p.normalize());
    for _ in 0..divisions {
        let mut middles = HashMap::new();
        let mut finer = Vec::new();
        for &[a, b, c] in &triangles {
            let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[from, to]| {
                *middles.entry([from.min(to), from.max(to)]).or_insert_with(|| {
                    positions.push((positions[from as usize] + positions[to as usize]).normalize());
                    positions.len() as u32 - 1
                })
            });
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    Mesh::from_triangles(positions, triangles)
}

/// A non-convex L of three cubes of side 0.5 about the origin.
pub fn corner_piece() -> Mesh {
    let outline = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.5, 0.5], [0.5, 1.0], [0.0, 1.0]];
    let mut positions = Vec::new();
    for z in [-0.25, 0.25] {
        positions.extend(outline.map(|[x, y]: [f32; 2]| Vec3::new(x - 0.4, y - 0.4, z)));
    }
    let mut triangles = Vec::new();
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        triangles.extend([[a, c, b], [a + 6, b + 6, c + 6]]);
    }
    for a in 0..6 {
        let b = (a + 1) % 6;
        triangles.extend([[a, b, b + 6], [a, b + 6, a + 6]]);
    }
    Mesh::from_triangles(positions, triangles)
}

pub fn form_of(shape: Shape) -> Form {
    let collider = Collider::fixed(shape, Pose::default());
    assert_eq!(collider.check(), Ok(()));
    Form::new(&collider)
}

/// One form of each kind with exact distances, about half a metre large.
pub fn exact_forms() -> Vec<Form> {
    vec![
        Form::Plane,
        Form::Sphere { radius: 0.4 },
        Form::Box { half: DVec3::new(0.2, 0.3, 0.5) },
        Form::Capsule { radius: 0.2, half_length: 0.3 },
        Form::Cylinder { radius: 0.3, half_length: 0.2 },
    ]
}

/// The exact forms and two distance grids of meshes.
pub fn all_forms() -> Vec<Form> {
    let mut forms = exact_forms();
    let ball = Mesh { positions: icosphere(2).positions.iter().map(|p| 0.5 * *p).collect(), ..icosphere(2) };
    forms.push(form_of(Shape::Mesh { surface: ball, cells: 24 }));
    forms.push(form_of(Shape::Mesh { surface: corner_piece(), cells: 24 }));
    forms
}

/// A random point, each component from -size to size.
pub fn random_point(rng: &mut Rng, size: f64) -> DVec3 {
    DVec3::from_array([(); 3].map(|()| size * (2.0 * rng.f64() - 1.0)))
}

/// A random pose, rotated up to 2 rad about each axis.
pub fn random_pose(rng: &mut Rng, size: f64) -> DPose {
    DPose { position: random_point(rng, size), rotation: DQuat::from_scaled_axis(random_point(rng, 2.0)) }
}
