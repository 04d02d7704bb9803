// After the last round of the guard, one row per thread: shortens the motion of rows with a share below 1. Motion that is shortened once keeps its velocity; shortened
// again in the next step it gets that of its way.
// Reads motion, masters, order. Writes fractions, meeting, positions, velocities, published.
#import shared/params
#import launch
#import collision/reached
#import collision/meeting

@group(0) @binding(1) var<storage, read> masters: array<u32>;
@group(0) @binding(2) var<storage, read> motion: array<Motion>;
@group(0) @binding(3) var<storage, read> order: array<u32>;
@group(0) @binding(4) var<storage, read_write> fractions: array<u32>;
@group(0) @binding(5) var<storage, read_write> meeting: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> positions: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> published: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // Without a round the step has not ended.
    if atomicLoad(&meeting[MEETING_GUARDING]) != 0u || atomicLoad(&meeting[MEETING_ROUNDS]) == 0u {
        return;
    }
    // The last round has stopped nothing: it has only read.
    let half = (atomicLoad(&meeting[MEETING_ROUNDS]) + 1u) & 1u;
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let word = fractions[half * params.particle_count + masters[row]];
        let again = fractions[2u * params.particle_count + row] != 0u;
        let cut = word < WHOLE_SHARE;
        fractions[2u * params.particle_count + row] = select(0u, 1u, cut);
        if cut {
            let position = reached(row, word);
            positions[row] = vec4(position, 0.0);
            published[order[row]] = vec4(position, 1.0);
            if again {
                velocities[row] = vec4(way_reached(row, word) / params.time_step, velocities[row].w);
            }
            atomicAdd(&meeting[MEETING_TRUNCATED], 1u);
        }
    }
}
