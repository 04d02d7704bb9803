// Second half of a conjugate gradient iteration, one row per thread: folds the partial sums, advances the scalars, updates
// p, s, x, r, u.
// Reads partials, preconditioner, solution (w, behind x). Writes direction, solution, residual, u, status.
#import shared/params
#import launch
#import solve/partials
#import solve/product
#import solve/conjugate_gradient
#import solve/update_row

// Functions of an aggregate; 0 without a coarse level.
override COARSE_FUNCTIONS: u32 = 0u;

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
    let first = local_ix % FOLD_STRIDE;
    var sums = vec4(0.0);
    let of_rows = params.partial_count * params.chunk_count;
    let of_bodies = of_rows + params.rigid_count;
    for (var ix = first; ix < of_rows; ix += FOLD_STRIDE) {
        sums += vec4(partials.sums[ix], 0.0, 0.0);
    }
    for (var ix = of_rows + first; ix < of_bodies; ix += FOLD_STRIDE) {
        sums += vec4(partials.sums[ix], partials.sums[ix].x, 0.0);
    }
    let of_warm = of_bodies + params.partial_count;
    let warm = partials.previous.fresh == FRESH_WARM;
    for (var ix = of_bodies + first; ix < select(of_bodies, of_warm, warm); ix += FOLD_STRIDE) {
        sums.w += partials.sums[ix].x;
    }
    if COARSE_FUNCTIONS != 0u {
        for (var ix = of_warm + first; ix < of_warm + params.coarse_count + 1u; ix += FOLD_STRIDE) {
            sums.z += partials.sums[ix].x;
        }
    }
    let total = reduce(local_ix, sums);
    let gamma = select(select(total.x, total.w, warm), total.z, COARSE_FUNCTIONS != 0u);
    let step = advance(partials.previous, Sums(gamma, total.x, total.y, COARSE_FUNCTIONS != 0u && partials.previous.coarse != COARSE_OFF));
    if local_ix == 0u && group.x == 0u {
        status.cg = step.next;
    }
    let fresh = partials.previous.fresh;
    let rows = rows_of(group.x, local_ix, 0u, params.particle_count);
    if step.next.done != 0u {
        if fresh == FRESH_SOLVE || fresh == FRESH_WARM {
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
