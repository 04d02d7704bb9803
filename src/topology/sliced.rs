//! The pattern as the GPU has it: sliced ELL. A thread per row over plain CSR reads words that are far apart; here slot k of 32
//! neighbouring rows lies in 32 neighbouring words.

use super::Topology;
use std::ops::Range;

/// Rows of a slice. The shaders' constant of the same name; a test compares them.
pub const SLICE_ROWS: usize = 32;

/// Where each block of a pattern in compressed sparse rows is on the GPU.
///
/// Three rows of 1, 2 and 1 blocks make one slice, two slots wide. Row r, slot k is at `32 k + r`:
/// ```text
/// slot 0:  r0k0  r1k0  r2k0  –  –  …      (32 of them)
/// slot 1:   –    r1k1   –    –  –  …
/// ```
/// Places marked – hold no block and name the row itself as its neighbour.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SlicedPattern {
    /// First slot of each slice, and the end.
    pub slice_offsets: Vec<u32>,
    /// For each slot its place in the compressed rows, or `None`.
    pub block: Vec<Option<u32>>,
}

impl SlicedPattern {
    /// Lays compressed rows out in slices, given where each begins, and the end.
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

    /// Slots of some slices.
    pub fn slots(&self, slices: &Range<usize>) -> Range<usize> {
        self.slice_offsets[slices.start] as usize..self.slice_offsets[slices.end] as usize
    }

    /// Slots, empty ones included.
    pub fn slot_count(&self) -> usize {
        self.block.len()
    }

    /// Row of a slot.
    pub fn row_of(&self, slot: usize) -> usize {
        let slice = self.slice_offsets.partition_point(|&offset| offset as usize <= slot) - 1;
        slice * SLICE_ROWS + slot % SLICE_ROWS
    }
}

/// The whole matrix as the GPU has it: compact blocks of edges, full blocks of elements, cut by rows into chunks.
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
    /// Words of four in a full block: its columns.
    pub const FULL_COLUMNS: usize = 3;

    /// Lays the matrix out in as few chunks as may be, of at most so many vec4 each; a slice by itself is never cut.
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

    /// Blocks of some slices, in vec4.
    pub fn values(&self, slices: &Range<usize>) -> usize {
        self.compact.slots(slices).len() + Self::FULL_COLUMNS * self.full.slots(slices).len()
    }

    /// Slots of both kinds.
    pub fn slot_count(&self) -> usize {
        self.compact.slot_count() + self.full.slot_count()
    }
}
