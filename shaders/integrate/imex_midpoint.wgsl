// Ends a step of the IMEX midpoint rule (Etzmuß 3.4.1; Ascher, Ruuth, Spiteri), one particle per thread, from the forces at the
// midpoint stage, residual = ½h f:
//   x = x₀ + h v_s,   v = v₀ + h f / m
// Constrained particles keep the velocity of their constraint.
// Reads previous, constraints, residual. Writes positions, velocities; `integrate/publish` follows.
#import shared/params
#import launch
#import shared/symmetric
#import shared/constraint
#import integrate/previous

@group(0) @binding(1) var<storage, read> previous: array<Previous>;
@group(0) @binding(2) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(3) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(4) var<storage, read> residual: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> positions: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let old = previous[row];
        let stage = velocities[row];
        let mass = stage.w;
        let position = old.position.xyz + params.time_step * stage.xyz;
        var velocity = old.velocity.xyz + 2.0 / mass * residual[row].xyz;
        if constraint_ix[row] != UNCONSTRAINED {
            velocity = continued(constraints[constraint_ix[row]], velocity, stage.xyz);
        }
        velocities[row] = vec4(velocity, mass);
        positions[row] = vec4(position, 0.0);
    }
}
