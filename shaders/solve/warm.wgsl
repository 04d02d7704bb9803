// Warm start of the first solve of a step, one row per thread, after u = Q r and its corrections: the partial sums of r·u, then
//   u = p = P Δv
// with the velocity change Δv of the last step, so that the first iteration begins along it: x = α Δv.
// Reads constraint_ix, constraints, previous (kept Δv), residual. Writes direction, u, partials, status.
#import shared/params
#import shared/status
#import launch
#import shared/symmetric
#import shared/constraint
#import integrate/kept
#import solve/direction
#import solve/partials

@group(0) @binding(1) var<storage, read_write> status: Status;
@group(0) @binding(2) var<storage, read> constraint_ix: array<u32>;
@group(0) @binding(3) var<storage, read> constraints: array<Constraint>;
@group(0) @binding(4) var<storage, read> previous: array<Previous>;
@group(0) @binding(5) var<storage, read> residual: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> direction: array<Direction>;
@group(0) @binding(7) var<storage, read_write> u: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> partials: Partials;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let is_over = status.failed != 0u || status.cg.newton_done != 0u;
    var sums = vec4(0.0);
    var rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    // No early return: WGSL wants every thread at the barriers of a sum, whatever a buffer says.
    rows.end = select(rows.end, 0u, is_over);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let own = u[row];
        sums.x += dot(residual[row].xyz, own.xyz);
        var change = previous[kept_at(row)].position.xyz;
        if constraint_ix[row] != UNCONSTRAINED {
            change = symmetric_times(constraints[constraint_ix[row]].free, change);
        }
        u[row] = vec4(change, own.w);
        direction[row] = Direction(vec4(change, 0.0), vec4(0.0));
    }
    let total = reduce(local_ix, sums);
    if is_over {
        return;
    }
    if local_ix < PARTIALS_PER_WORKGROUP {
        let first = params.partial_count * params.chunk_count + params.rigid_count;
        partials.sums[first + group.x * PARTIALS_PER_WORKGROUP + local_ix] = total.xy;
    }
    if group.x == 0u && local_ix == 0u {
        status.cg.fresh = FRESH_WARM;
    }
}
