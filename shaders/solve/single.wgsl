// Conjugate gradients in one workgroup, many iterations in a dispatch, for systems so small that launching costs more than solving.
// Rows and scalars are those of `solve/spmv` and `solve/update`; this kernel adds the loop.
// Reads pattern, values, preconditioner. Writes direction, solution (x, and w behind it), residual, status.
#import shared/params
#import launch
#import shared/reduction
#import solve/conjugate_gradient
#import solve/matrix_row
#import solve/product
#import solve/update_row

@group(0) @binding(1) var<storage, read_write> status: Status;
@group(0) @binding(2) var<storage, read> pattern: array<u32>;
@group(0) @binding(3) var<storage, read> values: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> preconditioner: array<SymmetricBlock>;
@group(0) @binding(5) var<storage, read_write> direction: array<Direction>;
@group(0) @binding(6) var<storage, read_write> solution: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> residual: array<vec4<f32>>;
@group(0) @binding(8) var<uniform> chunk: Chunk;

// Largest number of particles for this kernel; the host reads it through naga. 8 KiB of the 16 KiB that every device has.
const SINGLE_CAPACITY: u32 = 512u;

var<workgroup> u: array<vec4<f32>, SINGLE_CAPACITY>;
var<workgroup> state: CgState;

fn gathered(ix: u32) -> vec4<f32> {
    return u[min(ix, SINGLE_CAPACITY - 1u)];
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32) {
    let row_count = min(params.particle_count, SINGLE_CAPACITY);
    // u is given after contacts have engaged and in a warm start.
    let given = status.cg.fresh == FRESH_ENGAGE || status.cg.fresh == FRESH_WARM;
    var sums = vec4(0.0);
    for (var row = local_ix; row < row_count; row += WORKGROUP_SIZE) {
        let q = preconditioner[row];
        let searched = symmetric_times(q, residual[row].xyz);
        sums.x += dot(residual[row].xyz, searched);
        u[row] = vec4(select(searched, direction[row].p.xyz, given), q.diagonal.w);
    }
    // γ = rᵀQr at 0, to which the tolerance is relative.
    let at_zero = workgroup_sum(local_ix, sums).x;
    if local_ix == 0u {
        state = status.cg;
    }
    var current = workgroupUniformLoad(&state);
    // In safe steps `advance` ends a solve at its iteration limit.
    let end = select(params.max_iterations, current.iteration + params.iterations_at_once, safe() || current.iteration + params.iterations_at_once < params.max_iterations);
    for (var ix = current.iteration; ix < end; ix += 1u) {
        if current.done != 0u {
            break;
        }
        sums = vec4(0.0);
        for (var row = local_ix; row < row_count; row += WORKGROUP_SIZE) {
            let own = u[row];
            let product = matrix_row(row, own);
            solution[product_at(row)] = vec4(product, 0.0);
            sums += vec4(dot(residual[row].xyz, own.xyz), dot(product, own.xyz), 0.0, 0.0);
        }
        let total = workgroup_sum(local_ix, sums);
        let fresh = current.fresh;
        let warm = current.fresh == FRESH_WARM;
        let step = advance(current, Sums(select(total.x, at_zero, warm), total.x, total.y, false));
        // `total` is the same in all threads, and so is `step`; the load tells the compiler.
        if local_ix == 0u {
            state = step.next;
        }
        current = workgroupUniformLoad(&state);
        if current.done == 0u {
            for (var row = local_ix; row < row_count; row += WORKGROUP_SIZE) {
                u[row] = update_row(row, solution[product_at(row)].xyz, current.alpha, step.beta, fresh);
            }
        } else if fresh == FRESH_SOLVE || fresh == FRESH_WARM {
            for (var row = local_ix; row < row_count; row += WORKGROUP_SIZE) {
                clear_row(row);
            }
        }
        workgroupBarrier();
    }
    if local_ix == 0u {
        status.cg = current;
    }
}
