//! Meshes of tetrahedra.

use super::Mesh;
use glam::Vec3;
use std::collections::HashMap;

impl Mesh {
    /// Any tetrahedral mesh. Its surface, faces of one tetrahedron only, becomes [`Mesh::triangles`], seen from outside.
    /// Tetrahedra may have either orientation.
    pub fn from_tetrahedra(positions: Vec<Vec3>, tetrahedra: Vec<[u32; 4]>) -> Self {
        let triangles = surface(&positions, &tetrahedra);
        Mesh { positions, triangles, tetrahedra, ..Default::default() }
    }

    /// A box around the origin, `size` in metres, of `counts` *vertices* along x, y and z. Every cell is cut into five tetrahedra,
    /// in alternation, so that cuts of neighbours meet: Teschner's cubes.
    ///
    /// ```
    /// use tenter::{Mesh, glam::Vec3};
    /// let cube = Mesh::block(Vec3::ONE, [11, 11, 11]);
    /// assert_eq!((cube.positions.len(), cube.tetrahedra.len()), (1331, 5000));
    /// ```
    pub fn block(size: Vec3, counts: [u32; 3]) -> Self {
        let [nx, ny, nz] = counts;
        let at = |x: u32, y: u32, z: u32| (z * ny + y) * nx + x;
        let step = |ix: u32, count: u32| if count < 2 { 0.0 } else { ix as f32 / (count - 1) as f32 - 0.5 };
        let mut positions = Vec::new();
        let mut tetrahedra = Vec::new();
        for z in 0..nz {
            for y in 0..ny {
                for x in 0..nx {
                    positions.push(size * Vec3::new(step(x, nx), step(y, ny), step(z, nz)));
                    if x + 1 < nx && y + 1 < ny && z + 1 < nz {
                        let corners = std::array::from_fn(|bits| {
                            let bits = bits as u32;
                            at(x + (bits & 1), y + (bits >> 1 & 1), z + (bits >> 2))
                        });
                        tetrahedra.extend(cut_cell(corners, (x + y + z) % 2 == 1));
                    }
                }
            }
        }
        Self::from_tetrahedra(positions, tetrahedra)
    }
}

/// The five tetrahedra of a cell; its corners by bits, 1 along x, 2 along y, 4 along z. Odd cells are mirrored along x, which swaps the
/// orientation; the order of the corners swaps it back.
pub(super) fn cut_cell(corners: [u32; 8], odd: bool) -> [[u32; 4]; 5] {
    [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]].map(|[a, b, c, d]: [usize; 4]| {
        if odd { [a, b, d, c].map(|bits| corners[bits ^ 1]) } else { [a, b, c, d].map(|bits| corners[bits]) }
    })
}

/// Faces of one tetrahedron only, from outside; in the order in which they were met.
fn surface(positions: &[Vec3], tetrahedra: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let mut faces: HashMap<[u32; 3], usize> = HashMap::new();
    let mut met = Vec::new();
    for &[a, b, c, d] in tetrahedra {
        // Each face, and the corner it does not have.
        for (face, inside) in [([b, c, d], a), ([a, c, d], b), ([a, b, d], c), ([a, b, c], d)] {
            let mut key = face;
            key.sort_unstable();
            *faces.entry(key).or_insert(0) += 1;
            met.push((key, face, inside));
        }
    }
    let outward = |[a, b, c]: [u32; 3], inside: u32| {
        let corner = |ix: u32| positions.get(ix as usize).copied().unwrap_or(Vec3::ZERO);
        let normal = (corner(b) - corner(a)).cross(corner(c) - corner(a));
        if normal.dot(corner(inside) - corner(a)) > 0.0 { [a, c, b] } else { [a, b, c] }
    };
    met.into_iter().filter(|(key, ..)| faces[key] == 1).map(|(_, face, inside)| outward(face, inside)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_full_and_closed() {
        let size = Vec3::new(1.0, 2.0, 0.5);
        let mesh = Mesh::block(size, [4, 3, 5]);
        let at = |ix: u32| mesh.positions[ix as usize];
        let volume = |[a, b, c, d]: [u32; 4]| (at(b) - at(a)).dot((at(c) - at(a)).cross(at(d) - at(a))) / 6.0;
        let volumes: Vec<f32> = mesh.tetrahedra.iter().map(|&t| volume(t)).collect();
        assert!(volumes.iter().all(|v| *v > 0.0));
        assert!((volumes.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        // Twice the number of boundary squares, and the surface encloses the volume: divergence theorem.
        assert_eq!(mesh.triangles.len(), 4 * (3 * 2 + 2 * 4 + 3 * 4));
        let enclosed: f32 = mesh.triangles.iter().map(|&[a, b, c]| at(a).dot(at(b).cross(at(c))) / 6.0).sum();
        assert!((enclosed - 1.0).abs() < 1e-5, "{enclosed}");
    }

    #[test]
    fn nonsense_does_not_panic() {
        let mesh = Mesh::from_tetrahedra(vec![Vec3::ZERO], vec![[0, 1, 2, 99], [5, 5, 5, 5]]);
        assert_eq!(mesh.tetrahedra.len(), 2);
        assert!(Mesh::block(Vec3::ONE, [1, 0, 5]).tetrahedra.is_empty());
    }
}
