//! The pattern of elements: rows coupled by elements, and the elements of each row.

use super::{Element, ElementMaterial};

/// An element, seen from one of its particles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ElementIncidence {
    /// Index of the element.
    pub element: u32,
    /// Number of this row among the element's particles.
    pub own: u32,
    /// Indices of the blocks with the other particles, in their order, in [`ElementPattern::neighbours`]; `None` for a particle
    /// that is the row itself, and for forces without a Jacobian.
    pub blocks: [Option<u32>; 3],
}

/// Rows coupled by elements, by 3×3 blocks, and elements of each row; both as compressed sparse rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ElementPattern {
    /// First block of each row, and the end.
    pub offsets: Vec<u32>,
    /// Column of each block, ascending within a row.
    pub neighbours: Vec<u32>,
    /// First incidence of each row, and the end.
    pub incidence_offsets: Vec<u32>,
    /// Incidences, within a row in ascending order of the element.
    pub incidences: Vec<ElementIncidence>,
}

impl ElementPattern {
    /// Pattern of `elements` between `row_count` rows.
    pub fn build(row_count: usize, elements: &[Element], materials: &[ElementMaterial]) -> Self {
        let particles = |element: &Element| {
            let model = materials[element.material as usize].model;
            (element.particles, model.particle_count(), model.has_jacobian())
        };
        let mut members: Vec<Vec<(u32, u32)>> = vec![Vec::new(); row_count];
        for (ix, element) in elements.iter().enumerate() {
            let (rows, count, _) = particles(element);
            for (own, &row) in rows[..count].iter().enumerate() {
                members[row as usize].push((ix as u32, own as u32));
            }
        }
        let mut pattern = Self { offsets: vec![0], incidence_offsets: vec![0], ..Default::default() };
        for (row, members) in members.iter().enumerate() {
            let first = pattern.neighbours.len();
            let mut neighbours: Vec<u32> = members
                .iter()
                .map(|&(element, _)| particles(&elements[element as usize]))
                .filter(|(.., has_jacobian)| *has_jacobian)
                .flat_map(|(rows, count, _)| rows.into_iter().take(count))
                .filter(|&neighbour| neighbour as usize != row)
                .collect();
            neighbours.sort_unstable();
            neighbours.dedup();
            for &(element, own) in members {
                let (rows, count, has_jacobian) = particles(&elements[element as usize]);
                let mut blocks = [None; 3];
                let others = (0..count).filter(|&other| other != own as usize);
                for (block, other) in blocks.iter_mut().zip(others) {
                    if has_jacobian {
                        *block = neighbours.binary_search(&rows[other]).ok().map(|ix| (first + ix) as u32);
                    }
                }
                pattern.incidences.push(ElementIncidence { element, own, blocks });
            }
            pattern.neighbours.extend(neighbours);
            pattern.offsets.push(pattern.neighbours.len() as u32);
            pattern.incidence_offsets.push(pattern.incidences.len() as u32);
        }
        pattern
    }

    /// Incidences of a row.
    pub fn row(&self, row: usize) -> &[ElementIncidence] {
        &self.incidences[self.incidence_offsets[row] as usize..self.incidence_offsets[row + 1] as usize]
    }

    /// Range of the blocks of a row.
    pub fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.offsets[row] as usize..self.offsets[row + 1] as usize
    }
}
