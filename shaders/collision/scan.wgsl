// Offsets from counts, in three dispatches: sums of blocks of BLOCK counts, offsets of the blocks, offsets within the blocks. Two lists of counts share the buffers:
// pairs of each query, and pairs of each row.
#import shared/params
#import collision/surface_layout

// True for the pairs of each row.
override OF_ROWS: bool = false;

// Counts in a block.
const BLOCK: u32 = 256u;

// A list of counts.
struct Counts {
    // Index of its first count, which is also that of its first offset less the number of lists before it.
    first: u32,
    length: u32,
    // Index of its first offset.
    offset: u32,
    // Index of the sum of its first block, and number of blocks.
    block: u32,
    blocks: u32,
}

fn counts_of() -> Counts {
    let queries = surface_layout.vertex_count + surface_layout.edge_count;
    let query_blocks = (queries + BLOCK - 1u) / BLOCK;
    let row_blocks = (params.particle_count + BLOCK - 1u) / BLOCK;
    if OF_ROWS {
        return Counts(queries, params.particle_count, queries + 1u, query_blocks, row_blocks);
    }
    return Counts(0u, queries, 0u, 0u, query_blocks);
}
