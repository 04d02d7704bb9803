// What the guard will change of the energy, before it shortens any motion, one row per thread: the kinetic and potential energy of each row that it shortens,
//   ½ m (v - v₁)·(v + v₁) - m g·(x - x₁)
// in the partial sums of the audit, and the whole motion as the start of a search, at which `search/weigh` finds the elastic energy.
// Reads motion, masters, fractions, velocities, meeting, status. Writes search, row_sums.
#import shared/params
#import shared/status
#import launch
#import search/search_row
#import collision/reached
#import collision/meeting

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(8) var<storage, read> masters: array<u32>;
@group(0) @binding(2) var<storage, read> motion: array<Motion>;
@group(0) @binding(3) var<storage, read> fractions: array<u32>;
@group(0) @binding(4) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> meeting: array<u32>;
@group(0) @binding(6) var<storage, read_write> search: array<SearchRow>;
@group(0) @binding(7) var<storage, read_write> row_sums: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // Two rounds at least: one that has stopped a pair, and one that has stopped none. No kernel writes these words in this dispatch, so that an early return never splits
    // a workgroup before its barriers.
    if meeting[MEETING_GUARDING] != 0u || meeting[MEETING_ROUNDS] < 2u {
        return;
    }
    let half = half_after(meeting[MEETING_ROUNDS]);
    var gained = 0.0;
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let word = fractions[half * params.particle_count + masters[row]];
        let before = vec4(motion[row].start.xyz + motion[row].way.xyz, 0.0);
        search[row] = SearchRow(before, vec4(0.0), before, vec4(0.0));
        if word < WHOLE_SHARE {
            let old = velocities[row];
            let moved = way_reached(row, word);
            let again = was_cut(fractions[2u * params.particle_count + row], in_turn(status.step, group));
            let fresh = select(old.xyz, moved / params.time_step, again);
            gained += old.w * (0.5 * dot(fresh - old.xyz, fresh + old.xyz) - dot(params.gravity, moved - motion[row].way.xyz));
        }
    }
    let total = reduce(local_ix, vec4(gained, 0.0, 0.0, 0.0));
    if local_ix < PARTIALS_PER_WORKGROUP {
        row_sums[group.x * PARTIALS_PER_WORKGROUP + local_ix].x += total.x;
    }
}
