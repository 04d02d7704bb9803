//! The pattern as the GPU has it: sliced ELL. A thread per row over plain CSR reads words that are far apart; here slot k of 32
//! neighbouring rows lies in 32 neighbouring words.

use super::Pattern;

/// Rows of a slice. The shaders' constant of the same name; a test compares them.
pub const SLICE_ROWS: usize = 32;

/// Where each block of a [`Pattern`] is on the GPU.
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
    /// For each slot the block in [`Pattern::incidences`], or `None`.
    pub block: Vec<Option<u32>>,
}

impl SlicedPattern {
    /// Lays a pattern out in slices.
    pub fn build(pattern: &Pattern) -> Self {
        let row_count = pattern.row_count();
        let slice_count = row_count.div_ceil(SLICE_ROWS);
        let mut slice_offsets = vec![0u32];
        let mut block = Vec::new();
        for slice in 0..slice_count {
            let rows = slice * SLICE_ROWS..row_count.min((slice + 1) * SLICE_ROWS);
            let width = rows.clone().map(|row| pattern.row(row).len()).max().unwrap_or(0);
            let first = block.len();
            block.resize(first + width * SLICE_ROWS, None);
            for row in rows {
                for (k, place) in pattern.range(row).enumerate() {
                    block[first + k * SLICE_ROWS + row % SLICE_ROWS] = Some(place as u32);
                }
            }
            slice_offsets.push(block.len() as u32);
        }
        Self { slice_offsets, block }
    }

    /// Cuts the slices into runs of at most so many slots, as few as may be; a slice by itself is never cut.
    pub fn chunks(&self, most_slots: usize) -> Vec<std::ops::Range<usize>> {
        let slice_count = self.slice_offsets.len().saturating_sub(1);
        let mut chunks = Vec::new();
        let mut first = 0;
        for slice in 0..slice_count {
            let end = self.slice_offsets[slice + 1] as usize;
            if end - self.slice_offsets[first] as usize > most_slots && slice > first {
                chunks.push(first..slice);
                first = slice;
            }
        }
        chunks.push(first..slice_count);
        chunks
    }

    /// Slots of some slices.
    pub fn slots(&self, slices: &std::ops::Range<usize>) -> std::ops::Range<usize> {
        self.slice_offsets[slices.start] as usize..self.slice_offsets[slices.end] as usize
    }

    /// Slots of the longest row.
    pub fn widest(&self) -> usize {
        self.slice_offsets.windows(2).map(|pair| (pair[1] - pair[0]) as usize / SLICE_ROWS).max().unwrap_or(0)
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
