// Begins an explicit step, one particle per thread: saves x₀, v₀, and gives constrained particles their velocity before forces
// are evaluated. Omitted where no force depends on velocity and `integrate/verlet` saves the state.
// Reads positions, constraints, status. Writes previous, velocities.
#import shared/params
#import shared/status
#import launch
#import shared/symmetric
#import shared/constraint
#import integrate/previous

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> previous: array<Previous>;
@group(0) @binding(5) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(6) var<storage, read> constraints: array<Constraint>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if status.failed != 0u {
        return;
    }
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let position = positions[row];
        let old = velocities[row];
        previous[row] = Previous(position, old);
        if constraint_ix[row] != UNCONSTRAINED {
            let constraint = constraints[constraint_ix[row]];
            let wanted = (constraint.target_position.xyz - position.xyz) / params.time_step;
            velocities[row] = vec4(wanted + symmetric_times(constraint.free, old.xyz - wanted), old.w);
        }
    }
}
