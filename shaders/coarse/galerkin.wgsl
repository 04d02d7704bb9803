// Assembles the coarse matrix E = ZᵀPAPZ from the blocks of edges and elements, one workgroup per pair of aggregates: `coarse/galerkin_pair`.
// Reads status, pattern, values, diagonal, constraint_ix, constraints, coarse_rows, coarse_lists. Writes coarse_matrix.
#import coarse/galerkin_pair
#import shared/edge

// False in pipelines for scenes without elements.
override FULL_BLOCKS: bool = true;

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> pattern: array<u32>;
@group(0) @binding(3) var<storage, read> values: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> diagonal: array<SymmetricBlock>;
@group(0) @binding(5) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(6) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(7) var<storage, read> coarse_rows: array<CoarseRow>;
@group(0) @binding(8) var<storage, read> coarse_lists: array<u32>;
@group(0) @binding(9) var<storage, read_write> coarse_matrix: array<f32>;
@group(0) @binding(10) var<uniform> chunk: Chunk;

fn visit(sums: ptr<function, Sums>, row: Row) {
    let slice = row.ix / SLICE_ROWS;
    let to_index = params.pattern_header + chunk.first_slot;
    let end = pattern[slice + 1u] - chunk.first_slot;
    for (var slot = pattern[slice] - chunk.first_slot + row.ix % SLICE_ROWS; slot < end; slot += SLICE_ROWS) {
        let index = pattern[to_index + slot];
        let neighbour = index & INDEX_MASK;
        // An empty slot names its own row.
        if neighbour == row.ix || !concerns(row, neighbour) {
            continue;
        }
        let block = values[slot];
        let e = block.xyz;
        let signed = select(e, -e, (index & NEGATIVE_BLOCK) != 0u);
        add(sums, row, neighbour, mat3x3(
            signed * e.x + vec3(block.w, 0.0, 0.0),
            signed * e.y + vec3(0.0, block.w, 0.0),
            signed * e.z + vec3(0.0, 0.0, block.w),
        ));
    }
    if FULL_BLOCKS {
        let full_slice = params.full_pattern + slice;
        let to_full = params.full_pattern + params.pattern_header + chunk.first_full;
        let full_end = pattern[full_slice + 1u] - chunk.first_full;
        for (var slot = pattern[full_slice] - chunk.first_full + row.ix % SLICE_ROWS; slot < full_end; slot += SLICE_ROWS) {
            let neighbour = pattern[to_full + slot];
            if neighbour == row.ix || !concerns(row, neighbour) {
                continue;
            }
            let column = chunk.full_base + slot;
            add(sums, row, neighbour, mat3x3(
                values[column].xyz,
                values[column + chunk.full_count].xyz,
                values[column + 2u * chunk.full_count].xyz,
            ));
        }
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // This kernel does not write status, so that an early return here never splits a workgroup before its barriers.
    if builds(status) {
        assemble_pair(local_ix, group.x);
    }
}
