//! A closed surface filled with tetrahedra.

use crate::contact::{SurfaceTree, check_surface};
use crate::parallel::*;
use crate::{Error, Mesh};
use glam::{DVec3, UVec3};

/// Most cells of the lattice about the surface: 128³, ten million tetrahedra.
const MAX_CELLS: f64 = 2_097_152.0;
/// Share of a cell within which a point on a side belongs to neither of the two cells.
const MARGIN: f64 = 1e-6;

impl Mesh {
    /// Tetrahedra that fill a closed triangle surface: the cells of a lattice, `spacing` metres apart, that touch its inside, each cut into
    /// five. Cells are kept whole, so that the surface lies within the tetrahedra and can be carried along by them. Features finer than
    /// the spacing are filled, too.
    ///
    /// A surface that is not closed, or has triangles clockwise from outside, is an [`Error::Scene`] that says where.
    ///
    /// ```
    /// # fn main() -> Result<(), tenter::Error> {
    /// use tenter::{Mesh, glam::Vec3};
    /// let solid = Mesh::filled(&Mesh::block(Vec3::ONE, [2, 2, 2]), 0.25)?;
    /// assert_eq!(solid.tetrahedra.len(), 4 * 4 * 4 * 5);
    ///
    /// let open = Mesh::filled(&Mesh::tube(0.1, 0.3, 12, 5), 0.05).unwrap_err();
    /// assert!(open.to_string().contains("must be closed"));
    /// # Ok(()) }
    /// ```
    pub fn filled(surface: &Mesh, spacing: f32) -> Result<Self, Error> {
        if !(spacing > 0.0 && spacing.is_finite()) {
            return Err(Error::scene("spacing", format!("must be positive and finite, not {spacing}")));
        }
        check_surface(surface).map_err(|message| Error::scene("surface", message))?;
        let lattice = Lattice::about(surface, spacing.into())?;
        let kept = lattice.touched(surface);
        Ok(lattice.tetrahedra(&kept))
    }
}

/// Cubes about a mesh.
struct Lattice {
    /// First corner, m.
    low: DVec3,
    /// Side of a cell, m.
    cell: f64,
    /// Cells along x, y and z.
    cells: UVec3,
}

impl Lattice {
    fn about(surface: &Mesh, cell: f64) -> Result<Self, Error> {
        let corners =
            || surface.triangles.iter().flatten().map(|&vertex| surface.positions[vertex as usize].as_dvec3());
        let low = corners().fold(DVec3::INFINITY, DVec3::min);
        let high = corners().fold(DVec3::NEG_INFINITY, DVec3::max);
        let counts = ((high - low) / cell - MARGIN).ceil().max(DVec3::ONE);
        if counts.element_product() > MAX_CELLS {
            let [x, y, z] = counts.to_array();
            let message = format!(
                "{cell} m would need {x:.0} × {y:.0} × {z:.0} cells, more than {MAX_CELLS}: use a larger one, in the unit of the surface"
            );
            return Err(Error::scene("spacing", message));
        }
        Ok(Self { low: 0.5 * (low + high) - 0.5 * cell * counts, cell, cells: counts.as_uvec3() })
    }

    /// Corner of a cell, by the number of the cell, x first.
    fn place(&self, number: usize) -> UVec3 {
        let (row, layer) = (self.cells.x as usize, self.cells.x as usize * self.cells.y as usize);
        UVec3::new((number % row) as u32, (number % layer / row) as u32, (number / layer) as u32)
    }

    /// Whether each cell touches the inside of the surface.
    fn touched(&self, surface: &Mesh) -> Vec<bool> {
        let tree = SurfaceTree::new(surface);
        let count = self.cells.x as usize * self.cells.y as usize * self.cells.z as usize;
        let touched = |number: usize| {
            let low = self.low + self.cell * self.place(number).as_dvec3();
            let centre = low + 0.5 * self.cell;
            let half = DVec3::splat((0.5 - MARGIN) * self.cell);
            tree.meets_box(centre, half) || tree.distance(centre, f64::INFINITY) < 0.0
        };
        (0..count).into_par_iter().map(touched).collect()
    }

    /// Tetrahedra of the cells that are kept, cut as those of a block.
    fn tetrahedra(&self, kept: &[bool]) -> Mesh {
        let (row, layer) = (self.cells.x + 1, (self.cells.x + 1) * (self.cells.y + 1));
        let mut numbers = vec![u32::MAX; (layer * (self.cells.z + 1)) as usize];
        let mut positions = Vec::new();
        let mut tetrahedra = Vec::new();
        for (number, _) in kept.iter().enumerate().filter(|(_, kept)| **kept) {
            let cell = self.place(number);
            let corners = std::array::from_fn(|bits| {
                let bits = bits as u32;
                let node = cell + UVec3::new(bits & 1, bits >> 1 & 1, bits >> 2);
                let number = &mut numbers[(node.x + row * node.y + layer * node.z) as usize];
                if *number == u32::MAX {
                    *number = positions.len() as u32;
                    positions.push((self.low + self.cell * node.as_dvec3()).as_vec3());
                }
                *number
            });
            tetrahedra.extend(super::super::solid::cut_cell(corners, cell.element_sum() % 2 == 1));
        }
        Mesh::from_tetrahedra(positions, tetrahedra)
    }
}
