// Sets start and end of a line search before its first point, one row per thread. The linear solution is x₁ = x̂ + γh v₁. The feasible start x_f is the
// linearised state with held components at their values in x₁. u = v₁ - v_f, as velocities, for the product A d.
// The first linearisation is about x₀, which the stage reaches at a share of the predicted velocity, 1 - lead / γh.
// Reads positions, velocities, solution, anchor, constraints, status. Writes search, u.
#import shared/params
#import shared/status
#import launch
#import shared/symmetric
#import shared/constraint
#import integrate/previous
#import search/search_row

@group(0) @binding(1) var<uniform> status: Status;
@group(0) @binding(2) var<storage, read> positions: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> solution: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> anchor: array<Previous>;
@group(0) @binding(6) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(7) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(8) var<storage, read_write> search: array<SearchRow>;
@group(0) @binding(9) var<storage, read_write> u: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if in_turn(status.search.action, group) != ACTION_SEARCH || in_turn(status.search.tried, group) != 0u {
        return;
    }
    let h = status.scheme.stage_step;
    let still = select(1.0, 1.0 - status.scheme.lead / h, status.cg.linearisation == 1u);
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let velocity = velocities[row];
        let end_velocity = velocity.xyz + solution[row].xyz;
        let end_position = anchor[row].position.xyz + h * end_velocity;
        var start_position = positions[row].xyz;
        var start_velocity = still * velocity.xyz;
        let ix = constraint_ix[row];
        if ix != UNCONSTRAINED {
            let moved = end_position - start_position;
            start_position += moved - symmetric_times(constraints[ix].free, moved);
            // A released contact has changed x̂; the velocity is the one that leads from there to x_f.
            start_velocity = (start_position - anchor[row].position.xyz) / h;
        }
        search[row] = SearchRow(
            vec4(start_position, 0.0), vec4(start_velocity, velocity.w), vec4(end_position, 0.0), vec4(end_velocity, velocity.w),
        );
        // The scalar part of the diagonal block stays in w.
        u[row] = vec4(end_velocity - start_velocity, u[row].w);
    }
}
