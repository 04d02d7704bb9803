// Moves to the point that `search/decide` has chosen, one row per thread: x = x_f + α (x₁ - x_f), v = v_f + α (v₁ - v_f), and `published` at the user's index.
// `checks` counts particles that are no longer finite.
// Reads search, order, status. Writes positions, velocities, published, checks.
#import shared/params
#import shared/status
#import launch
#import shared/finite
#import search/search_row

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> search: array<SearchRow>;
@group(0) @binding(3) var<storage, read> order: array<u32>;
@group(0) @binding(4) var<storage, read_write> positions: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> published: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> checks: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // This kernel does not write status, so that an early return here never splits a workgroup before its barriers.
    if status.search.action != ACTION_LINEARISE && status.search.action != ACTION_END {
        return;
    }
    let alpha = status.search.alpha;
    var broken = 0.0;
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let at = search[row];
        var position = at.end_position.xyz;
        var velocity = at.end_velocity.xyz;
        if alpha != 1.0 {
            position = at.start_position.xyz + alpha * (position - at.start_position.xyz);
            velocity = at.start_velocity.xyz + alpha * (velocity - at.start_velocity.xyz);
        }
        positions[row] = vec4(position, 0.0);
        velocities[row] = vec4(velocity, at.end_velocity.w);
        published[order[row]] = vec4(position, 1.0);
        broken += select(1.0, 0.0, all_finite(position) && all_finite(velocity));
    }
    let total = reduce(local_ix, vec4(broken, 0.0, 0.0, 0.0));
    if local_ix < PARTIALS_PER_WORKGROUP {
        checks[group.x * PARTIALS_PER_WORKGROUP + local_ix] = total;
    }
}
