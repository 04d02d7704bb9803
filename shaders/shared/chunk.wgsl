// The rows a dispatch over the matrix works on: all of them, unless the matrix is too large for one binding. It is then cut into
// chunks of whole slices, each with `values` and `slots` of its own, and one dispatch each. Same layout as `gpu::layout::Chunk`.

struct Chunk {
    first_row: u32,
    end_row: u32,
    // Slot of the pattern that comes first in this chunk's buffers.
    first_slot: u32,
    // Where this chunk's partial sums begin.
    first_partial: u32,
    // Full blocks of this chunk stand behind its compact ones, column after column: column c of slot s at
    //   full_base + c · full_count + s - first_full.
    first_full: u32,
    full_base: u32,
    full_count: u32,
    // Keeps the size a multiple of 16.
    padding: u32,
}
