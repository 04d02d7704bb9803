// One row of A u from differences, without loading the diagonal block:
//   (A u)_i = m_i u_i + Σ_j (a I + b n nᵀ) (u_i - u_j) + Σ_j B_ij (u_i - u_j)
// which equals the row of A u, because internal forces do not change under translation, and rounds better.
// Loads per neighbour: 1 index + 4 value + 4 vector = 9 words for an edge; 1 + 12 + 4 = 17 for the full block of elements.
// The importing kernel binds `pattern`, `values` and `chunk` and provides `gathered(ix)`, u of a row with the scalar part of its diagonal block in w.
#import shared/chunk
#import shared/edge

// False in pipelines for scenes without elements.
override FULL_BLOCKS: bool = true;

fn full_row(row: u32, own: vec3<f32>) -> vec3<f32> {
    var sum = vec3(0.0);
    let slice = params.full_pattern + row / SLICE_ROWS;
    let first = chunk.first_full;
    let to_index = params.full_pattern + params.pattern_header + first;
    let end = pattern[slice + 1u] - first;
    for (var slot_ix = pattern[slice] - first + row % SLICE_ROWS; slot_ix < end; slot_ix += SLICE_ROWS) {
        let difference = own - gathered(pattern[to_index + slot_ix]).xyz;
        let column = chunk.full_base + slot_ix;
        sum += values[column].xyz * difference.x
            + values[column + chunk.full_count].xyz * difference.y
            + values[column + 2u * chunk.full_count].xyz * difference.z;
    }
    return sum;
}

fn matrix_row(row: u32, own: vec4<f32>) -> vec3<f32> {
    var sum = own.w * own.xyz;
    let slice = row / SLICE_ROWS;
    // These loads stand before the loop, because not every compiler moves them there.
    let first_slot = chunk.first_slot;
    let to_index = params.pattern_header + first_slot;
    let end = pattern[slice + 1u] - first_slot;
    for (var slot_ix = pattern[slice] - first_slot + row % SLICE_ROWS; slot_ix < end; slot_ix += SLICE_ROWS) {
        let index = pattern[to_index + slot_ix];
        let block = values[slot_ix];
        let difference = own.xyz - gathered(index & INDEX_MASK).xyz;
        let along = dot(block.xyz, difference);
        sum += block.w * difference + select(along, -along, (index & NEGATIVE_BLOCK) != 0u) * block.xyz;
    }
    if FULL_BLOCKS {
        sum += full_row(row, own.xyz);
    }
    return sum;
}
