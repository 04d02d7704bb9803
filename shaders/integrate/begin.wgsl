// Begins an implicit step, one particle per thread. Saves x₀, v₀, and sets up the stage x = x̂ + γ h v, M (v - v̂) = γ h f:
//   x̂ = x₀ + c (x₀ - x₋₁) + drift v₀,   v̂ = v₀ + c (v₀ - v₋₁) + share f₀ γh / m      c: `history` of the scheme, 0 for one-step
// methods
// `previous` holds x₋₁ and v₋₁. For the θ-scheme, `residual` holds the forces f₀ at the start.
// The predictor of the velocity is v₀, or (x₀ - x₋₁) / h₋₁ for multistep methods; its stage lies `lead` ahead of x₀.
// Constrained particles get the velocity
//   v ← P v + (I - P) (x̄ - x₀) / h
// before forces are evaluated, and an x̂ that moves with the constraint. For the free rows this equals a solve that starts with
// Δv = z in the constrained directions and residual b - A z, without the product A z. The residual starts at
//   r = -M (v - v̂)
// whose constrained part completes the constraint impulse.
// SBDF2 evaluates its forces at the predicted stage, with the second-order predictor v₀ + ω (v₀ - v₋₁), and sets positions to it.
// Reads positions, constraints. Writes positions, previous, anchor, velocities, residual, status.
#import shared/params
#import shared/status
#import launch
#import shared/symmetric
#import shared/constraint
#import integrate/kept

@group(0) @binding(1) var<storage, read_write> status: Status;
@group(0) @binding(2) var<storage, read_write> positions: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(4) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(5) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> previous: array<Previous>;
@group(0) @binding(7) var<storage, read_write> residual: array<vec4<f32>>;
// x̂ and v̂
@group(0) @binding(8) var<storage, read_write> anchor: array<Previous>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // After a failed step the saved state is the last good one and is not overwritten.
    if status.failed != 0u {
        return;
    }
    let scheme = status.scheme;
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let position = positions[row];
        let old = velocities[row];
        let mass = old.w;
        var velocity = old.xyz;
        var anchor_position = position.xyz;
        var anchor_velocity = old.xyz;
        if (params.flags & FLAG_NO_PREDICTOR) != 0u {
            velocity = vec3(0.0);
        }
        if scheme.history > 0.0 {
            let last = previous[row];
            var moved = position.xyz - last.position.xyz;
            var gained = old.xyz - last.velocity.xyz;
            if constraint_ix[row] != UNCONSTRAINED {
                let constraint = constraints[constraint_ix[row]];
                let steady = scheme.previous_step * old.xyz;
                moved = steady + remembered(constraint, moved - steady);
                gained = remembered(constraint, gained);
            }
            anchor_position += scheme.history * moved;
            anchor_velocity += scheme.history * gained;
            velocity = select(
                moved / scheme.previous_step,
                old.xyz + params.time_step / scheme.previous_step * gained,
                params.extrapolate != 0u,
            );
        }
        if params.explicit_share > 0.0 {
            anchor_position += params.drift * old.xyz;
            anchor_velocity += params.explicit_share / mass * residual[row].xyz;
        }
        if (params.flags & FLAG_WARM_START) != 0u {
            // The velocity changes as it did in the last step.
            var gained = old.xyz - previous[row].velocity.xyz;
            if constraint_ix[row] != UNCONSTRAINED {
                gained = remembered(constraints[constraint_ix[row]], gained);
            }
            previous[kept_at(row)] = Previous(vec4(old.xyz + gained - velocity, 0.0), vec4(0.0));
        }
        previous[row] = Previous(position, old);
        if constraint_ix[row] != UNCONSTRAINED {
            let constraint = constraints[constraint_ix[row]];
            let wanted = (constraint.target_position.xyz - position.xyz) / params.time_step;
            velocity = wanted + symmetric_times(constraint.free, velocity - wanted);
            let led = position.xyz + (scheme.lead - scheme.stage_step) * wanted;
            anchor_position = led + symmetric_times(constraint.free, anchor_position - led);
        }
        velocities[row] = vec4(velocity, mass);
        if params.extrapolate != 0u {
            positions[row] = vec4(anchor_position + scheme.stage_step * velocity, 0.0);
        }
        anchor[row] = Previous(vec4(anchor_position, 0.0), vec4(anchor_velocity, mass));
        residual[row] = vec4(mass * (anchor_velocity - velocity), 0.0);
    }
    if group.x == 0u && local_ix == 0u {
        status.cg = CgState();
        let hard = status.search.hard;
        status.search = SearchState();
        status.search.hard = hard;
        status.iterations = 0u;
        status.most_iterations = 0u;
        status.later_iterations = 0u;
    }
}
