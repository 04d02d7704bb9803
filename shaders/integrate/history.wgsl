// Last kernel of a step, one row per thread over its slots: advances the memory of edges to the end of the step. Both ends of an
// edge compute the same bits. A failed step leaves the history of the step before it.
// Reads status, pattern, slots, positions. Writes history.
#import shared/params
#import shared/chunk
#import shared/status
#import launch
#import forces/law

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<uniform> materials: array<EdgeMaterial, MAX_MATERIALS>;
@group(0) @binding(3) var<storage, read> pattern: array<u32>;
@group(0) @binding(4) var<storage, read> slots: array<EdgeSlot>;
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> history: array<vec4<f32>>;
@group(0) @binding(7) var<uniform> chunk: Chunk;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if status.failed != 0u {
        return;
    }
    let rows = rows_of(group.x, local_ix, chunk.first_row, chunk.end_row);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let position = positions[row].xyz;
        let slice = row / SLICE_ROWS;
        let end = pattern[slice + 1u];
        for (var slot_ix = pattern[slice] + row % SLICE_ROWS; slot_ix < end; slot_ix += SLICE_ROWS) {
            let neighbour = pattern[params.pattern_header + slot_ix] & INDEX_MASK;
            let slot = slot_at(slot_ix - chunk.first_slot);
            if neighbour != row && remembers(slot) {
                let length = length(position - positions[neighbour].xyz);
                history[slot_ix - chunk.first_slot] = history_after(slot, length, history[slot_ix - chunk.first_slot]);
            }
        }
    }
}
