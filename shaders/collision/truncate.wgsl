// After the last round of the guard, one row per thread: shortens the motion of rows with a share below 1. Motion that is shortened once keeps its velocity; shortened
// again in the next step it gets that of its way.
// Reads motion, masters, order, status. Writes fractions, meeting, positions, velocities, published.
#import shared/params
#import shared/status
#import launch
#import collision/reached
#import collision/meeting

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(9) var<storage, read> masters: array<u32>;
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
    let half = half_after(atomicLoad(&meeting[MEETING_ROUNDS]));
    let step = in_turn(status.step, group);
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let word = fractions[half * params.particle_count + masters[row]];
        let again = was_cut(fractions[2u * params.particle_count + row], step);
        let cut = word < WHOLE_SHARE;
        fractions[2u * params.particle_count + row] = cut_word(step, cut, again);
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
