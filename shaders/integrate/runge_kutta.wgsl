// One stage of an explicit Runge–Kutta method, one particle per thread, after the assembly of forces as residual = h f:
//   k = (v, f/m),   Σ += h b k,   next stage: y₀ + a h k,   after the last: y₀ + Σ
// In explicit Euler, Heun, RK2 and RK4 each stage depends only on the one before it. Constrained particles move at constant
// velocity.
// Reads previous, constraints, residual. Writes positions, velocities, previous (Σ), status (time).
#import shared/params
#import shared/status
#import launch
#import shared/symmetric
#import shared/constraint
#import integrate/kept
#import integrate/stage_numbers

@group(0) @binding(1) var<storage, read_write> status: Status;
@group(0) @binding(2) var<uniform> stage: RungeKuttaStage;
@group(0) @binding(3) var<storage, read_write> previous: array<Previous>;
@group(0) @binding(4) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(5) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(6) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> positions: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read> residual: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let h = params.time_step;
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let start = previous[row];
        let mass = start.velocity.w;
        let moved = h * velocities[row].xyz;
        let gained = residual[row].xyz / mass;
        var sum_moved = stage.weight * moved;
        var sum_gained = stage.weight * gained;
        if stage.first == 0u {
            sum_moved += previous[kept_at(row)].position.xyz;
            sum_gained += previous[kept_at(row)].velocity.xyz;
        }
        previous[kept_at(row)] = Previous(vec4(sum_moved, 0.0), vec4(sum_gained, 0.0));
        let last = stage.last != 0u;
        var position = start.position.xyz + select(stage.next * moved, sum_moved, last);
        var velocity = start.velocity.xyz + select(stage.next * gained, sum_gained, last);
        if constraint_ix[row] != UNCONSTRAINED {
            let constraint = constraints[constraint_ix[row]];
            let whole = constraint.target_position.xyz - start.position.xyz;
            let led = start.position.xyz + select(stage.next, 1.0, last) * whole;
            position = led + symmetric_times(constraint.free, position - led);
            velocity = whole / h + symmetric_times(constraint.free, velocity - whole / h);
        }
        positions[row] = vec4(position, 0.0);
        velocities[row] = vec4(velocity, mass);
    }
    if group.x == 0u && local_ix == 0u {
        status.scheme.stage_time = stage.next;
    }
}
