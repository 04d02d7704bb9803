//! The flat sewing pattern of a garment.

use super::sheet::Face;
use crate::{Group, Mesh};
use glam::Vec2;
use std::collections::HashMap;

/// Flat pattern in texture coordinates. A vertex on a cut appears once per piece.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    /// Positions as in the file, split where texture coordinates differ, with [`Mesh::texture`]. Its triangles are those of
    /// [`MeshFile::mesh`](super::MeshFile::mesh), in the same order.
    pub mesh: Mesh,
    /// Pairs of vertices of the pattern at the same position. Where more than two meet, the first is paired with each of the
    /// others.
    pub cuts: Vec<[u32; 2]>,
}

impl Pattern {
    /// Pattern of a mesh whose faces have texture coordinates.
    pub(super) fn new(mesh: &Mesh, faces: &[Face], texture: &[Vec2]) -> Self {
        let mut places: HashMap<(u32, [u32; 2]), u32> = HashMap::with_capacity(mesh.positions.len());
        // Vertices of the pattern of each vertex of the mesh.
        let mut pieces: Vec<Vec<u32>> = vec![Vec::new(); mesh.positions.len()];
        let mut flat = Mesh::default();
        // Vertices keep the order of the mesh, so that a pattern without cuts has the same vertices.
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

/// Texture coordinate without negative zeros.
fn place_of(texture: &[Vec2], place: u32) -> Vec2 {
    texture[place as usize] + Vec2::ZERO
}

fn bits(point: Vec2) -> [u32; 2] {
    point.to_array().map(f32::to_bits)
}
