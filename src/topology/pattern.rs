//! The sparsity pattern of edges as compressed sparse rows, which also lists the edges at each particle.

/// One end of an edge, seen from its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Incidence {
    /// Row at the other end.
    pub neighbour: u32,
    /// Index of the edge.
    pub edge: u32,
}

/// Off-diagonal blocks, row by row. Two edges between the same particles are two blocks.
///
/// Edges 0–1, 1–2 between three particles:
/// ```text
/// offsets:    0 1 3 4
/// incidences: (1, e0) | (0, e0) (2, e1) | (1, e1)
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pattern {
    /// First incidence of each row, and the end.
    pub offsets: Vec<u32>,
    /// Incidences, within a row in ascending order of the neighbour.
    pub incidences: Vec<Incidence>,
}

impl Pattern {
    /// Pattern of edges between `row_count` rows, given their ends.
    pub fn build(row_count: usize, edges: &[[u32; 2]]) -> Self {
        let mut offsets = vec![0u32; row_count + 1];
        for end in edges.iter().flatten() {
            offsets[*end as usize + 1] += 1;
        }
        for ix in 0..row_count {
            offsets[ix + 1] += offsets[ix];
        }
        let mut cursor = offsets.clone();
        let mut incidences = vec![Incidence { neighbour: 0, edge: 0 }; 2 * edges.len()];
        for (edge_ix, &[a, b]) in edges.iter().enumerate() {
            for (from, to) in [(a, b), (b, a)] {
                incidences[cursor[from as usize] as usize] = Incidence { neighbour: to, edge: edge_ix as u32 };
                cursor[from as usize] += 1;
            }
        }
        let mut pattern = Self { offsets, incidences };
        for row in 0..row_count {
            let range = pattern.range(row);
            pattern.incidences[range].sort_by_key(|incidence| (incidence.neighbour, incidence.edge));
        }
        pattern
    }

    /// Number of rows.
    pub fn row_count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Range of the blocks of a row.
    pub fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.offsets[row] as usize..self.offsets[row + 1] as usize
    }

    /// The blocks of a row.
    pub fn row(&self, row: usize) -> &[Incidence] {
        &self.incidences[self.range(row)]
    }
}
