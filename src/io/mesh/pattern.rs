//! The flat pattern that a garment is cut from.

use super::sheet::Face;
use crate::{Group, Mesh};
use glam::Vec2;
use std::collections::HashMap;

/// The flat pattern in texture coordinates: vertices at which it is cut are there once per piece.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    /// Positions as in the file, split where texture coordinates differ; [`Mesh::texture`] is filled. Its triangles are those of
    /// [`MeshFile::mesh`](super::MeshFile::mesh), in the same order.
    pub mesh: Mesh,
    /// Pairs of its vertices at the same place. Where more than two meet, the first is paired with each of the others.
    pub cuts: Vec<[u32; 2]>,
}

impl Pattern {
    /// Of a mesh and its faces, that have texture coordinates.
    pub(super) fn new(mesh: &Mesh, faces: &[Face], texture: &[Vec2]) -> Self {
        let mut places: HashMap<(u32, [u32; 2]), u32> = HashMap::with_capacity(mesh.positions.len());
        // Per vertex of the mesh, all of its vertices in the pattern.
        let mut pieces: Vec<Vec<u32>> = vec![Vec::new(); mesh.positions.len()];
        let mut flat = Mesh::default();
        // In the order of the mesh, so that without a cut they are the same.
        let mut corners: Vec<(u32, Vec2)> = faces
            .iter()
            .flat_map(|face| [0, 1, 2].map(|k| (face.corners[k], place_of(texture, face.texture[k]))))
            .collect();
        corners.sort_by_key(|corner| corner.0);
        for (vertex, point) in corners {
            places.entry((vertex, bits(point))).or_insert_with(|| {
                let number = flat.positions.len() as u32;
                flat.positions.push(mesh.positions[vertex as usize]);
                flat.texture.push(point);
                pieces[vertex as usize].push(number);
                number
            });
        }
        let number = |vertex: u32, place: u32| {
            places.get(&(vertex, bits(place_of(texture, place)))).copied().unwrap_or_default()
        };
        flat.triangles = faces.iter().map(|face| [0, 1, 2].map(|k| number(face.corners[k], face.texture[k]))).collect();
        let group = |group: &Group| Group {
            name: group.name.clone(),
            vertices: group.vertices.iter().flat_map(|&vertex| pieces[vertex as usize].iter().copied()).collect(),
        };
        flat.groups = mesh.groups.iter().map(group).filter(|group| !group.vertices.is_empty()).collect();
        let cuts = pieces.iter().flat_map(|pieces| pieces.iter().skip(1).map(|&other| [pieces[0], other])).collect();
        Self { mesh: flat, cuts }
    }
}

/// With one zero only.
fn place_of(texture: &[Vec2], place: u32) -> Vec2 {
    texture[place as usize] + Vec2::ZERO
}

fn bits(point: Vec2) -> [u32; 2] {
    point.to_array().map(f32::to_bits)
}
