// Begins a linear solve, one row per thread: from the diagonal block D to the filtered preconditioner
//   Q = P (P D P)⁺ P,   u = Q r.
// The constraint filter acts in Q alone: the constrained part of r never enters u, so that it remains as the constraint impulse. The first iteration sets
// x = p = s = 0; it does not read values of earlier solves.
// Where a solve of a safe step continues to the tolerance of the step, this kernel computes u = Q r alone, because the search has left its direction in u.
// Reads diagonal, constraint_ix, constraints, residual. Writes preconditioner, u, status.
#import shared/params
#import shared/status
#import launch
#import shared/symmetric
#import shared/constraint
#import solve/filter
#import solve/count

@group(0) @binding(1) var<storage, read_write> status: Status;
@group(0) @binding(2) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(3) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(4) var<storage, read> residual: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> diagonal: array<SymmetricBlock>;
@group(0) @binding(6) var<storage, read_write> preconditioner: array<SymmetricBlock>;
@group(0) @binding(7) var<storage, read_write> u: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let flags = in_turn(params.flags, group);
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    // The last solve of Newton's method left x = 0, which must stay: another integration then changes nothing.
    if status.cg.newton_done != 0u {
        if (flags & FLAG_SAFE) != 0u && status.search.action == ACTION_TIGHTEN {
            for (var row = rows.first; row < rows.end; row += rows.stride) {
                let q = preconditioner[row];
                u[row] = vec4(symmetric_times(q, residual[row].xyz), q.diagonal.w);
            }
        }
        return;
    }
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let d = diagonal[row];
        var q: SymmetricBlock;
        if constraint_ix[row] == UNCONSTRAINED {
            q = inverse_of(flags, d);
        } else {
            q = filtered_inverse(flags, d, constraints[constraint_ix[row]].free);
        }
        q.diagonal.w = d.diagonal.w;
        preconditioner[row] = q;
        u[row] = vec4(symmetric_times(q, residual[row].xyz), d.diagonal.w);
    }
    if group.x == 0u && local_ix == 0u {
        count_iterations();
        status.cg.gamma = 0.0;
        status.cg.alpha = 0.0;
        status.cg.resumed = 0u;
        status.cg.outcome = OUTCOME_LIMIT;
        status.cg.done = 0u;
        status.cg.coarse = COARSE_ON;
        status.cg.fresh = FRESH_SOLVE;
        status.cg.loose = select(1u, status.search.hard, status.cg.linearisation == 0u);
        status.cg.linearisation += 1u;
        status.matrix_step = status.scheme.stage_step;
    }
}
