// The product w = A u lies behind the solution x in the buffer `solution`: as many vec4 again, one per row. A storage buffer of its own would
// take a binding that `solve/update` and `solve/single` do not have to spare.
#import shared/params

// Place of a row's product in `solution`.
fn product_at(row: u32) -> u32 {
    return params.particle_count + row;
}
