// Explicit methods with one evaluation of the forces, at the start of the step, one particle per thread; residual = h f, a = f/m:
//   symplectic Euler   v₁ = v₀ + h a,   x₁ = x₀ + h v₁
//   leap-frog          u = v₋½ + ½(h₋₁ + h) a,   x₁ = x₀ + h u;   the velocity is u itself, half a step behind
//   Verlet             x₁ of leap-frog; the velocity is (x₁ - x₋₁) / 2h as Teschner (7) prints it, a step behind
//   velocity Verlet    x₁ of leap-frog; the velocity is u + ½h a, of second order, and is corrected by the next step's force
//   Beeman             x₁ = x₀ + h v₀ + h²/6 (4a - a₋₁),   v₀ = v₋₁ + h/6 (2a + 5a₋₁ - a₋₂);   the velocity is a prediction
// The methods differ in the velocity that damping forces use. Each keeps u as a velocity; Beeman keeps v₀ + h/6 (5a - a₋₁) and,
// in place of a position, a. The first step begins with ½h a. Besides the step the kernel saves x₀, v₀, publishes positions in
// the user's order, and counts failures, as `integrate/publish` does.
// Reads residual, constraints, status. Writes positions, velocities, previous, published, checks.
#import shared/params
#import shared/status
#import launch
#import shared/symmetric
#import shared/constraint
#import integrate/ended
#import integrate/kept
#import integrate/method

@group(0) @binding(1) var<uniform> status: Status;
// Constraint index of each row, followed by the order of rows, for which no binding is left.
@group(0) @binding(2) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(3) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(4) var<storage, read> residual: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> positions: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> previous: array<Previous>;
@group(0) @binding(8) var<storage, read_write> published: array<vec4<f32>>;
@group(0) @binding(9) var<storage, read_write> checks: array<vec4<f32>>;

struct Motion {
    position: vec3<f32>,
    velocity: vec3<f32>,
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if in_turn(status.failed, group) != 0u {
        return;
    }
    let h = params.time_step;
    var ended = vec2(0.0);
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let old = Previous(positions[row], velocities[row]);
        previous[row] = old;
        let mass = old.velocity.w;
        let start = Motion(old.position.xyz, old.velocity.xyz);
        let acceleration = residual[row].xyz / (h * mass);
        var motion: Motion;
        if METHOD == METHOD_SYMPLECTIC_EULER {
            let velocity = start.velocity + h * acceleration;
            motion = Motion(start.position + h * velocity, velocity);
        } else if METHOD == METHOD_BEEMAN {
            motion = beeman(row, start, acceleration);
        } else {
            motion = leap(row, start, acceleration);
        }
        if constraint_ix[row] != UNCONSTRAINED {
            let constraint = constraints[constraint_ix[row]];
            let goal = constraint.target_position.xyz;
            let led = (goal - start.position) / h;
            motion.position = goal + symmetric_times(constraint.free, motion.position - goal);
            motion.velocity = led + symmetric_times(constraint.free, motion.velocity - led);
        }
        positions[row] = vec4(motion.position, 0.0);
        velocities[row] = vec4(motion.velocity, mass);
        published[constraint_ix[params.particle_count + row]] = vec4(motion.position, 1.0);
        ended += ended_badly(motion.position, motion.velocity);
    }
    let total = reduce(local_ix, vec4(ended, 0.0, 0.0));
    if local_ix < PARTIALS_PER_WORKGROUP {
        checks[group.x * PARTIALS_PER_WORKGROUP + local_ix] = total;
    }
}

fn leap(row: u32, start: Motion, acceleration: vec3<f32>) -> Motion {
    let h = params.time_step;
    let started = status.scheme.history > 0.0;
    let before = select(start.velocity, previous[kept_at(row)].velocity.xyz, started);
    let half = before + 0.5 * select(h, h + status.scheme.previous_step, started) * acceleration;
    previous[kept_at(row)].velocity = vec4(half, 0.0);
    var velocity = half;
    if METHOD == METHOD_VERLET {
        velocity = select(start.velocity, 0.5 * (before + half), started);
    } else if METHOD == METHOD_VELOCITY_VERLET {
        velocity = half + 0.5 * h * acceleration;
    }
    return Motion(start.position + h * half, velocity);
}

fn beeman(row: u32, start: Motion, acceleration: vec3<f32>) -> Motion {
    let h = params.time_step;
    var velocity = start.velocity;
    var last = acceleration;
    if status.scheme.history > 0.0 {
        last = previous[kept_at(row)].position.xyz;
        velocity = previous[kept_at(row)].velocity.xyz + status.scheme.previous_step / 3.0 * acceleration;
    }
    let known = velocity + h / 6.0 * (5.0 * acceleration - last);
    previous[kept_at(row)] = Previous(vec4(acceleration, 0.0), vec4(known, 0.0));
    let position = start.position + h * velocity + h * h / 6.0 * (4.0 * acceleration - last);
    return Motion(position, velocity + 0.5 * h * (3.0 * acceleration - last));
}
