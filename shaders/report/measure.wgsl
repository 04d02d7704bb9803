// Energies and strain after a step, one row per thread, as partial sums:
//   (½ m v²,  -m g·x,  ½ Σ_j E_ij,  and separately the largest |l/L - 1| of a structural edge).
// Every edge is seen from both ends, hence the half.
// Reads pattern, slots, history, positions, velocities. Writes measures.
#import shared/params
#import shared/chunk
#import launch
#import forces/law
#import report/record_layout

@group(0) @binding(1) var<uniform> materials: array<EdgeMaterial, MAX_MATERIALS>;
@group(0) @binding(2) var<storage, read> pattern: array<u32>;
@group(0) @binding(3) var<storage, read> slots: array<EdgeSlot>;
@group(0) @binding(4) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> measures: array<Measure>;
@group(0) @binding(7) var<uniform> chunk: Chunk;
@group(0) @binding(8) var<storage, read> history: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    var energy = vec4(0.0);
    var strain = 0.0;
    let rows = rows_of(group.x, local_ix, chunk.first_row, chunk.end_row);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let position = positions[row].xyz;
        let velocity = velocities[row];
        var elastic = 0.0;
        let slice = row / SLICE_ROWS;
        let end = pattern[slice + 1u];
        for (var slot_ix = pattern[slice] + row % SLICE_ROWS; slot_ix < end; slot_ix += SLICE_ROWS) {
            let neighbour = pattern[params.pattern_header + slot_ix] & INDEX_MASK;
            if neighbour != row {
                let slot = slot_at(slot_ix - chunk.first_slot);
                let length = length(position - positions[neighbour].xyz);
                var remembered = vec4(0.0);
                if remembers(slot) {
                    remembered = history[slot_ix - chunk.first_slot];
                }
                elastic += edge_energy(slot, length, remembered);
                if (slots[slot_ix - chunk.first_slot].material & STRUCTURAL_EDGE) != 0u {
                    strain = max(strain, abs(length / slot.rest_length - 1.0));
                }
            }
        }
        energy += vec4(
            0.5 * velocity.w * dot(velocity.xyz, velocity.xyz),
            -velocity.w * dot(params.gravity, position),
            0.5 * elastic,
            0.0,
        );
    }
    let total = reduce(local_ix, energy);
    let largest = reduce_max(local_ix, strain);
    if local_ix < PARTIALS_PER_WORKGROUP {
        measures[chunk.first_partial + group.x * PARTIALS_PER_WORKGROUP + local_ix] = Measure(total, vec4(largest, 0.0, 0.0, 0.0));
    }
}
