// Ends a step, one particle per thread: copies positions to `published` at the user's index, and counts failures in `checks`.
// Reads positions, velocities, order. Writes published, checks.
#import shared/params
#import launch
#import integrate/ended

@group(0) @binding(1) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> order: array<u32>;
@group(0) @binding(4) var<storage, read_write> published: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> checks: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    var ended = vec2(0.0);
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let position = positions[row].xyz;
        published[order[row]] = vec4(position, 1.0);
        ended += ended_badly(position, velocities[row].xyz);
    }
    let total = reduce(local_ix, vec4(ended, 0.0, 0.0));
    if local_ix < PARTIALS_PER_WORKGROUP {
        checks[group.x * PARTIALS_PER_WORKGROUP + local_ix] = total;
    }
}
