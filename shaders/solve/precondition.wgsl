// Begins a linear solve, one row per thread: from the diagonal block D to the filtered preconditioner
//   Q = P (P D P)⁺ P,   u = Q r.
// Q is the only place where the constraint filter acts: the constrained part of r never enters u, so it is left over as the constraint
// impulse. x = p = s = 0 is left to the first iteration, which does not look at what earlier solves have left there.
// Where the solve of a safe step goes on to the step's tolerance it computes u = Q r alone, in which the search has left its direction.
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
    // Newton's last solve left x = 0, and must: integrating again then changes nothing.
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
        status.cg.fresh = FRESH_SOLVE;
        status.cg.loose = select(1u, status.search.hard, status.cg.linearisation == 0u);
        status.cg.linearisation += 1u;
        status.matrix_step = status.scheme.stage_step;
    }
}
