// Ends contact between bodies after an explicit step, one row per thread: the new motion, and the velocities that the method keeps changed alike.
// Reads motion, order. Writes positions, velocities, previous (kept velocities), published.
#import shared/params
#import launch
#import integrate/kept
#import collision/motion

@group(0) @binding(1) var<storage, read> motion: array<Motion>;
@group(0) @binding(2) var<storage, read> order: array<u32>;
@group(0) @binding(3) var<storage, read_write> positions: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> previous: array<Previous>;
@group(0) @binding(6) var<storage, read_write> published: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let own = motion[row];
        let gained = own.velocity.xyz - (positions[row].xyz - own.start.xyz) / params.time_step;
        if all(gained == vec3(0.0)) {
            continue;
        }
        let position = own.start.xyz + own.way.xyz;
        positions[row] = vec4(position, 0.0);
        velocities[row] += vec4(gained, 0.0);
        previous[kept_at(row)].velocity += vec4(gained, 0.0);
        published[order[row]] = vec4(position, 1.0);
    }
}
