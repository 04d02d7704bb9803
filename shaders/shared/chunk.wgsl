// Rows of one dispatch over the matrix: all rows, unless the matrix is too large for one binding. Then chunks of whole slices
// have their own `values` and `slots`, and one dispatch each. Same layout as `gpu::layout::Chunk`.

struct Chunk {
    first_row: u32,
    end_row: u32,
    // First slot of the pattern in this chunk's buffers.
    first_slot: u32,
    // Index of this chunk's first partial sum.
    first_partial: u32,
    // First full block of this chunk. Full blocks follow the compact ones, by columns: column c of slot s is at
    //   full_base + c · full_count + s - first_full.
    first_full: u32,
    full_base: u32,
    full_count: u32,
    // Padding to a multiple of 16 bytes.
    padding: u32,
}
