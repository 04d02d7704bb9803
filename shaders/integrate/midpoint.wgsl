// Ends a step of the implicit midpoint rule, one particle per thread: extrapolates from the midpoint stage to the end,
//   x = x₀ + 2 (x_s - x₀),   v = v₀ + 2 (v_s - v₀)
// Constrained particles keep the velocity of their constraint: extrapolated velocities would oscillate.
// Reads previous, constraints, order, status. Writes positions, velocities, published, checks.
#import shared/params
#import shared/status
#import launch
#import shared/finite
#import shared/symmetric
#import shared/constraint
#import integrate/previous

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> previous: array<Previous>;
@group(0) @binding(3) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(4) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(5) var<storage, read> order: array<u32>;
@group(0) @binding(6) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> positions: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> published: array<vec4<f32>>;
@group(0) @binding(9) var<storage, read_write> checks: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // A safe step that ran out of dispatches continues from its stage. Status is a uniform buffer here, so this return never
    // splits a workgroup before its barriers.
    if (in_turn(params.flags, group) & FLAG_SAFE) != 0u && (in_turn(status.failed, group) != 0u || in_turn(status.search.mode, group) != MODE_FINISHED) {
        return;
    }
    var broken = 0.0;
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let old = previous[row];
        let stage = velocities[row];
        let position = old.position.xyz + 2.0 * (positions[row].xyz - old.position.xyz);
        var velocity = old.velocity.xyz + 2.0 * (stage.xyz - old.velocity.xyz);
        if constraint_ix[row] != UNCONSTRAINED {
            velocity = continued(constraints[constraint_ix[row]], velocity, stage.xyz);
        }
        velocities[row] = vec4(velocity, stage.w);
        positions[row] = vec4(position, 0.0);
        published[order[row]] = vec4(position, 1.0);
        broken += select(1.0, 0.0, all_finite(position) && all_finite(velocity));
    }
    let total = reduce(local_ix, vec4(broken, 0.0, 0.0, 0.0));
    if local_ix < PARTIALS_PER_WORKGROUP {
        checks[group.x * PARTIALS_PER_WORKGROUP + local_ix] = total;
    }
}
