// Elastic energies of all edges along a line search, one row per thread, as partial sums. With the linearised state x_l, the quadratic model E_m of the
// energy about it, and x = x_f + α (x₁ - x_f):
//   (Σ max(E - E_m, 0) at x₁,   E - E_m at x less that at x_f,   E(x) - E(x_l),   E(x_l))
// Both ends of an edge add it, hence the factor ½.
// Reads pattern, slots, history, positions, search, status. Writes weights.
#import shared/params
#import shared/chunk
#import shared/status
#import launch
#import forces/edge
#import search/search_row

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<uniform> materials: array<EdgeMaterial, MAX_MATERIALS>;
@group(0) @binding(3) var<storage, read> pattern: array<u32>;
@group(0) @binding(4) var<storage, read> slots: array<EdgeSlot>;
@group(0) @binding(5) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> search: array<SearchRow>;
@group(0) @binding(7) var<storage, read> history: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> weights: array<vec4<f32>>;
@group(0) @binding(9) var<uniform> chunk: Chunk;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // This kernel does not write status, so that an early return here never splits a workgroup before its barriers.
    if status.search.action != ACTION_SEARCH {
        return;
    }
    let alpha = status.search.alpha;
    var sums = vec4(0.0);
    let rows = rows_of(group.x, local_ix, chunk.first_row, chunk.end_row);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let position = positions[row].xyz;
        let start = search[row].start_position.xyz;
        let end = search[row].end_position.xyz;
        let slice = row / SLICE_ROWS;
        let last = pattern[slice + 1u];
        for (var slot_ix = pattern[slice] + row % SLICE_ROWS; slot_ix < last; slot_ix += SLICE_ROWS) {
            let neighbour = pattern[params.pattern_header + slot_ix] & INDEX_MASK;
            if neighbour == row {
                continue;
            }
            let slot = slot_at(slot_ix - chunk.first_slot);
            var remembered = vec4(0.0);
            if remembers(slot) {
                remembered = history[slot_ix - chunk.first_slot];
            }
            let offset = position - positions[neighbour].xyz;
            let feasible = start - search[neighbour].start_position.xyz;
            let solved = end - search[neighbour].end_position.xyz;
            sums += edge_weights(slot, remembered, offset, feasible, feasible + alpha * (solved - feasible), solved);
        }
    }
    let total = reduce(local_ix, 0.5 * sums);
    if local_ix < PARTIALS_PER_WORKGROUP {
        weights[chunk.first_partial + group.x * PARTIALS_PER_WORKGROUP + local_ix] = total;
    }
}

fn edge_weights(slot: EdgeSlot, remembered: vec4<f32>, offset: vec3<f32>, feasible: vec3<f32>, here: vec3<f32>, solved: vec3<f32>) -> vec4<f32> {
    let edge = edge_response(slot, remembered, offset, vec3(0.0));
    let linearised = edge_start(slot, remembered, offset);
    let at_start = edge_beyond(slot, remembered, edge, linearised, feasible);
    let at_here = edge_beyond(slot, remembered, edge, linearised, here);
    let at_end = edge_beyond(slot, remembered, edge, linearised, solved);
    return vec4(max(at_end.y, 0.0), at_here.y - at_start.y, at_here.x, linearised.energy);
}

// Energy at another offset less that at the linearised one; and that difference less its quadratic model, but for rounding.
fn edge_beyond(slot: EdgeSlot, remembered: vec4<f32>, edge: EdgeResponse, linearised: EdgeStart, to: vec3<f32>) -> vec2<f32> {
    let moved = to - linearised.offset;
    let along = dot(edge.direction, moved);
    let model = 0.5 * (edge.transverse * dot(moved, moved) + edge.axial_excess * along * along) - dot(edge.force, moved);
    let work = edge_work(slot, remembered, linearised, to);
    return vec2(work.x, work.x - model) - vec2(0.0, clamp(work.x - model, -work.y, work.y));
}
