// Before the guard shortens the motion of an explicit step, one row per thread: the velocity that the method keeps changes as `collision/truncate` will change that of the
// row.
// Reads motion, masters, fractions, meeting, velocities, status. Writes previous (kept velocities).
#import shared/params
#import shared/status
#import launch
#import integrate/kept
#import collision/reached
#import collision/meeting

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> masters: array<u32>;
@group(0) @binding(3) var<storage, read> motion: array<Motion>;
@group(0) @binding(4) var<storage, read> fractions: array<u32>;
@group(0) @binding(5) var<storage, read> meeting: array<u32>;
@group(0) @binding(6) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> previous: array<Previous>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if meeting[MEETING_GUARDING] != 0u || meeting[MEETING_ROUNDS] == 0u {
        return;
    }
    let half = half_after(meeting[MEETING_ROUNDS]);
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let word = fractions[half * params.particle_count + masters[row]];
        if word < WHOLE_SHARE && was_cut(fractions[2u * params.particle_count + row], in_turn(status.step, group)) {
            previous[kept_at(row)].velocity += vec4(way_reached(row, word) / params.time_step - velocities[row].xyz, 0.0);
        }
    }
}
