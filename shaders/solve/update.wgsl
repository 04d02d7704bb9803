// Second half of a conjugate gradient iteration, one row per thread: folds the partial sums, advances the scalars, updates
// p, s, x, r, u.
// Reads partials, preconditioner, solution (w, behind x). Writes direction, solution, residual, u, status.
#import shared/params
#import launch
#import solve/partials
#import solve/product
#import solve/conjugate_gradient
#import solve/update_row

@group(0) @binding(1) var<storage, read_write> status: Status;
@group(0) @binding(2) var<storage, read> partials: Partials;
@group(0) @binding(3) var<storage, read> preconditioner: array<SymmetricBlock>;
@group(0) @binding(4) var<storage, read_write> direction: array<Direction>;
@group(0) @binding(5) var<storage, read_write> solution: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> residual: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> u: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    if partials.previous.done != 0u {
        return;
    }
    // Stride of the fold: all threads together fold one sum per workgroup, or each thread folds one sum per thread.
    const FOLD_STRIDE = WORKGROUP_SIZE / PARTIALS_PER_WORKGROUP;
    var sums = vec4(0.0);
    for (var ix = local_ix % FOLD_STRIDE; ix < params.partial_count * params.chunk_count + params.rigid_count; ix += FOLD_STRIDE) {
        sums += vec4(partials.sums[ix], 0.0, 0.0);
    }
    let total = reduce(local_ix, sums);
    let step = advance(partials.previous, total.x, total.y);
    if local_ix == 0u && group.x == 0u {
        status.cg = step.next;
    }
    let fresh = partials.previous.fresh;
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    if step.next.done != 0u {
        if fresh == FRESH_SOLVE {
            for (var row = rows.first; row < rows.end; row += rows.stride) {
                clear_row(row);
            }
        }
        return;
    }
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        u[row] = update_row(row, solution[product_at(row)].xyz, step.next.alpha, step.beta, fresh);
    }
}
