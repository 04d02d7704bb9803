//! The pattern in the layout of the GPU: sliced ELL. With plain CSR, threads of neighbouring rows read words that are far apart; here slot k of 32
//! neighbouring rows lies in 32 neighbouring words.

use super::Topology;
use std::ops::Range;

/// Number of rows of a slice: the shaders' constant of the same name; a test compares them.
pub const SLICE_ROWS: usize = 32;

/// Slots of the GPU for the blocks of a pattern in compressed sparse rows.
///
/// Three rows of 1, 2 and 1 blocks make one slice, two slots wide. Row r, slot k is at `32 k + r`:
/// ```text
/// slot 0:  r0k0  r1k0  r2k0  –  –  …      (32 of them)
/// slot 1:   –    r1k1   –    –  –  …
/// ```
/// Slots marked – are empty; they name their own row as neighbour.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SlicedPattern {
    /// First slot of each slice, and the end.
    pub slice_offsets: Vec<u32>,
    /// Index of each slot's block in the compressed rows; `None` for empty slots.
    pub block: Vec<Option<u32>>,
}

impl SlicedPattern {
    /// Lays compressed rows out in slices. `offsets`: the beginning of each row, and the end.
    pub fn build(offsets: &[u32]) -> Self {
        let row_count = offsets.len() - 1;
        let range = |row: usize| offsets[row]..offsets[row + 1];
        let slice_count = row_count.div_ceil(SLICE_ROWS);
        let mut slice_offsets = vec![0u32];
        let mut block = Vec::new();
        for slice in 0..slice_count {
            let rows = slice * SLICE_ROWS..row_count.min((slice + 1) * SLICE_ROWS);
            let width = rows.clone().map(|row| range(row).len()).max().unwrap_or(0);
            let first = block.len();
            block.resize(first + width * SLICE_ROWS, None);
            for row in rows {
                for (k, place) in range(row).enumerate() {
                    block[first + k * SLICE_ROWS + row % SLICE_ROWS] = Some(place);
                }
            }
            slice_offsets.push(block.len() as u32);
        }
        Self { slice_offsets, block }
    }

    /// Range of the slots of some slices.
    pub fn slots(&self, slices: &Range<usize>) -> Range<usize> {
        self.slice_offsets[slices.start] as usize..self.slice_offsets[slices.end] as usize
    }

    /// Number of slots, including empty ones.
    pub fn slot_count(&self) -> usize {
        self.block.len()
    }

    /// Row of a slot.
    pub fn row_of(&self, slot: usize) -> usize {
        let slice = self.slice_offsets.partition_point(|&offset| offset as usize <= slot) - 1;
        slice * SLICE_ROWS + slot % SLICE_ROWS
    }
}

/// The layout of the whole matrix on the GPU: compact blocks of edges, full blocks of elements, cut by rows into chunks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MatrixLayout {
    /// Slots of [`Pattern::incidences`](super::Pattern), one vec4 each.
    pub compact: SlicedPattern,
    /// Slots of [`ElementPattern::neighbours`](super::ElementPattern), three vec4 each.
    pub full: SlicedPattern,
    /// Slices of each chunk.
    pub chunks: Vec<Range<usize>>,
}

impl MatrixLayout {
    /// Number of vec4 in a full block: its columns.
    pub const FULL_COLUMNS: usize = 3;

    /// Lays the matrix out in as few chunks as possible, of at most `most` vec4 each; a slice is never cut.
    pub fn build(topology: &Topology, most: usize) -> Self {
        let compact = SlicedPattern::build(&topology.pattern.offsets);
        let full = SlicedPattern::build(&topology.element_pattern.offsets);
        let slice_count = compact.slice_offsets.len().saturating_sub(1);
        let mut layout = Self { compact, full, chunks: Vec::new() };
        let mut first = 0;
        for slice in 0..slice_count {
            if layout.values(&(first..slice + 1)) > most && slice > first {
                layout.chunks.push(first..slice);
                first = slice;
            }
        }
        layout.chunks.push(first..slice_count);
        layout
    }

    /// Size of the blocks of some slices, in vec4.
    pub fn values(&self, slices: &Range<usize>) -> usize {
        self.compact.slots(slices).len() + Self::FULL_COLUMNS * self.full.slots(slices).len()
    }

    /// Number of slots of edges and elements together.
    pub fn slot_count(&self) -> usize {
        self.compact.slot_count() + self.full.slot_count()
    }
}
