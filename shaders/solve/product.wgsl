// The product w = A u follows the solution x in the buffer `solution`: as many vec4 again, one per row. `solve/update` and `solve/single` have no
// binding left for a buffer of its own.
#import shared/params

// Index of a row's product in `solution`.
fn product_at(row: u32) -> u32 {
    return params.particle_count + row;
}
