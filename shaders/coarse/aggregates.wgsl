// Aggregates of the coarse level and their functions, 1 and two or three rest coordinates about the centre. `coarse_lists` begins with the index of each aggregate's first row, of the first row without an aggregate, and of their end; then
// come four words per pair of aggregates (a, b), b ≤ a: a, b, and the range of the rows of a with a neighbour in b.
// The importing kernel binds `coarse_rows` and `coarse_lists`.
#import shared/params

// Functions of an aggregate: 3 where all aggregates are flat, else 4.
override COARSE_FUNCTIONS: u32 = 3u;

// Place of a row. Same layout as `gpu::layout::CoarseRow`.
struct CoarseRow {
    // Rest coordinates about the centre of the aggregate, at most 1 in size.
    local: vec3<f32>,
    // The largest number where the row has none.
    aggregate: u32,
}

// Value of a function.
fn function_at(local: vec3<f32>, function: u32) -> f32 {
    return select(select(select(local.z, local.y, function == 2u), local.x, function == 1u), 1.0, function == 0u);
}

struct Pair {
    a: u32,
    b: u32,
    first: u32,
    end: u32,
}

fn pair_at(ix: u32) -> Pair {
    let first = params.coarse_count + 2u + 4u * ix;
    return Pair(coarse_lists[first], coarse_lists[first + 1u], coarse_lists[first + 2u], coarse_lists[first + 3u]);
}
