// The rows of a product, for every kind of matrix. The importing kernel binds `status`, `u`, `residual`, `solution`, `partials` and `chunk`, and
// provides `row_product(row, own)`, one row of A u, where `own` is u of the row with the scalar part of its diagonal block in w.
#import shared/params
#import shared/chunk
#import shared/status
#import launch
#import solve/partials
#import solve/product

// True for the product A d along a line search, which `search/verdict` requests.
override ALONG_SEARCH: bool = false;

fn multiply(local_ix: u32, group: vec3<u32>) {
    // The status does not change in this dispatch, so that an early return here never splits a workgroup before its barriers.
    if ALONG_SEARCH {
        if in_turn(status.search.action, group) != ACTION_SEARCH || in_turn(status.search.tried, group) != 0u {
            return;
        }
    } else if in_turn(status.cg.done, group) != 0u {
        if local_ix == 0u && group.x == 0u {
            partials.previous = status.cg;
        }
        return;
    }
    var sums = vec4(0.0);
    let rows = rows_of(group.x, local_ix, chunk.first_row, chunk.end_row);
    for (var row = rows.first; row < rows.end; row += rows.stride) {
        let own = u[row];
        let product = row_product(row, own);
        solution[product_at(row)] = vec4(product, 0.0);
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
