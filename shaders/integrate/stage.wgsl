// Updates velocity and stage after a solve, one particle per thread:
//   v ← v + Δv,   x = x̂ + γ h v
// and copies the new position to `published` at the user's index. `checks`: number of particles that are not finite.
// Reads solution, anchor, order. Writes velocities, positions, published, checks.
// The residual keeps its value after the solve: its constrained part is the constraint impulse.
#import shared/params
#import shared/status
#import launch
#import shared/finite
#import integrate/previous

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> solution: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> anchor: array<Previous>;
// The user's index of a row.
@group(0) @binding(4) var<storage, read> order: array<u32>;
@group(0) @binding(5) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> positions: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> published: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> checks: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    var broken = 0.0;
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let velocity = velocities[row] + vec4(solution[row].xyz, 0.0);
        let position = anchor[row].position.xyz + status.scheme.stage_step * velocity.xyz;
        velocities[row] = velocity;
        positions[row] = vec4(position, 0.0);
        published[order[row]] = vec4(position, 1.0);
        broken += select(1.0, 0.0, all_finite(position) && all_finite(velocity.xyz));
    }
    let total = reduce(local_ix, vec4(broken, 0.0, 0.0, 0.0));
    if local_ix < PARTIALS_PER_WORKGROUP {
        checks[group.x * PARTIALS_PER_WORKGROUP + local_ix] = total;
    }
}
