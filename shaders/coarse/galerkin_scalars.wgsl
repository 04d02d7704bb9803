// Assembles the coarse matrix E = ZᵀPAPZ from the constant matrix of the IMEX schemes, whose blocks are a·I, one workgroup per pair of aggregates:
// `coarse/galerkin_pair`.
// Reads status, pattern, scalar_values, diagonal, constraint_ix, constraints, coarse_rows, coarse_lists. Writes coarse_matrix.
#import coarse/galerkin_pair
#import shared/edge

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> pattern: array<u32>;
@group(0) @binding(3) var<storage, read> scalar_values: array<f32>;
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
        let neighbour = pattern[to_index + slot] & INDEX_MASK;
        // An empty slot names its own row.
        if neighbour == row.ix || !concerns(row, neighbour) {
            continue;
        }
        add(sums, row, neighbour, scalar_values[slot] * identity());
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // This kernel does not write status, so that an early return here never splits a workgroup before its barriers.
    if builds(status) {
        assemble_pair(local_ix, group.x);
    }
}
