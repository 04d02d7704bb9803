// Begins a linear solve, one row per thread: turns the diagonal block D into the filtered preconditioner
//   Q = P (P D P)⁺ P
// in place, and sets x = 0, u = Q r, p = s = 0. Q is the only place where the constraint filter acts: what is constrained never
// enters u, so the constrained part of r is left over as the constraint impulse.
// (P D P)⁺ P is computed as P (P D P + τ (I - P))⁻¹ P with τ = trace(D) / 3: the same thing, and always invertible.
// Reads diagonal, constraints, residual. Writes preconditioner, u, solution, direction, status.
#import shared/params
#import shared/status
#import launch
#import shared/symmetric
#import shared/constraint
#import solve/direction

@group(0) @binding(1) var<storage, read_write> status: Status;
@group(0) @binding(2) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(3) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(4) var<storage, read> residual: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> preconditioner: array<SymmetricBlock>;
@group(0) @binding(6) var<storage, read_write> u: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> solution: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> direction: array<Direction>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // Newton's last solve left x = 0, and must: integrating again then changes nothing.
    if status.cg.newton_done != 0u {
        return;
    }
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let d = preconditioner[row];
        var q: SymmetricBlock;
        if constraint_ix[row] == UNCONSTRAINED {
            q = inverse_of(d);
        } else {
            q = filtered_inverse(d, constraints[constraint_ix[row]].free);
        }
        q.diagonal.w = d.diagonal.w;
        preconditioner[row] = q;
        u[row] = vec4(symmetric_times(q, residual[row].xyz), d.diagonal.w);
        solution[row] = vec4(0.0);
        direction[row] = Direction(vec4(0.0), vec4(0.0));
    }
    if group.x == 0u && local_ix == 0u {
        status.iterations += status.cg.iteration;
        status.most_iterations = max(status.most_iterations, status.cg.iteration);
        status.cg.gamma = 0.0;
        status.cg.alpha = 0.0;
        status.cg.iteration = 0u;
        status.cg.outcome = OUTCOME_LIMIT;
        status.cg.done = 0u;
        status.cg.linearisation += 1u;
        status.matrix_step = status.scheme.stage_step;
    }
}

fn inverse_of(d: SymmetricBlock) -> SymmetricBlock {
    if (params.flags & FLAG_SCALAR_JACOBI) != 0u {
        return SymmetricBlock(vec4(1.0 / d.diagonal.xyz, 0.0), vec4(0.0));
    }
    let a = d.diagonal.xyz;
    let o = d.off_diagonal.xyz;
    // The matrix of cofactors, again diagonal and (12, 02, 01).
    let cofactor_diagonal = a.yxx * a.zzy - o * o;
    let cofactor_off = o.yxx * o.zzy - a * o;
    let determinant = a.x * cofactor_diagonal.x + o.z * cofactor_off.z + o.y * cofactor_off.y;
    return SymmetricBlock(vec4(cofactor_diagonal / determinant, 0.0), vec4(cofactor_off / determinant, 0.0));
}

fn filtered_inverse(d: SymmetricBlock, p: SymmetricBlock) -> SymmetricBlock {
    let tau = (d.diagonal.x + d.diagonal.y + d.diagonal.z) / 3.0;
    var inner = sandwich(p, d);
    inner = SymmetricBlock(
        inner.diagonal + vec4(tau * (vec3(1.0) - p.diagonal.xyz), 0.0),
        inner.off_diagonal - vec4(tau * p.off_diagonal.xyz, 0.0),
    );
    return sandwich(p, inverse_of(inner));
}

// P B P for symmetric P and B.
fn sandwich(p: SymmetricBlock, b: SymmetricBlock) -> SymmetricBlock {
    let column_x = symmetric_times(p, symmetric_times(b, symmetric_times(p, vec3(1.0, 0.0, 0.0))));
    let column_y = symmetric_times(p, symmetric_times(b, symmetric_times(p, vec3(0.0, 1.0, 0.0))));
    let column_z = symmetric_times(p, symmetric_times(b, symmetric_times(p, vec3(0.0, 0.0, 1.0))));
    return SymmetricBlock(
        vec4(column_x.x, column_y.y, column_z.z, 0.0),
        vec4(column_z.y, column_z.x, column_y.x, 0.0),
    );
}
