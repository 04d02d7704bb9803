// First half of a conjugate gradient iteration, one row per thread:
//   w = A u   and partial sums of r·u and u·w.
// Reads pattern, values, u, residual, status. Writes w, partials.
#import shared/params
#import launch
#import solve/partials
#import solve/matrix_row
#import solve/scalar_row

@group(0) @binding(1) var<storage, read> status: Status;
@group(0) @binding(2) var<storage, read> pattern: array<u32>;
@group(0) @binding(3) var<storage, read> values: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> u: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> residual: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> w: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> partials: Partials;
@group(0) @binding(8) var<uniform> chunk: Chunk;
// Of one element unless the matrix is of scalars; `values` is then.
@group(0) @binding(9) var<storage, read> scalar_values: array<f32>;

// Set for the product A d along a search, which `search/verdict` asks for.
override ALONG_SEARCH: bool = false;

fn gathered(ix: u32) -> vec4<f32> {
    return u[ix];
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_ix: u32, @builtin(workgroup_id) group: vec3<u32>) {
    // Status is read only here, so leaving here never splits a workgroup before its barriers.
    if ALONG_SEARCH {
        if status.search.action != ACTION_SEARCH || status.search.tried != 0u {
            return;
        }
    } else if status.cg.done != 0u {
        if local_ix == 0u && group.x == 0u {
            partials.previous = status.cg;
        }
        return;
    }
    var sums = vec4(0.0);
    let rows = rows_of(group.x, local_ix, chunk.first_row, chunk.end_row);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let own = u[row];
        var product: vec3<f32>;
        if SCALAR_MATRIX {
            product = scalar_row(row, own);
        } else {
            product = matrix_row(row, own);
        }
        w[row] = vec4(product, 0.0);
        sums += vec4(dot(residual[row].xyz, own.xyz), dot(product, own.xyz), 0.0, 0.0);
    }
    let total = reduce(local_ix, sums);
    if local_ix < PARTIALS_PER_WORKGROUP {
        partials.sums[chunk.first_partial + group.x * PARTIALS_PER_WORKGROUP + local_ix] = total.xy;
    }
    if local_ix == 0u && group.x == 0u {
        partials.previous = status.cg;
    }
}
