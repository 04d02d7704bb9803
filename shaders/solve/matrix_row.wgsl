// One row of A u from differences, without loading the diagonal block:
//   (A u)_i = m_i u_i + Σ_j (a I + b n nᵀ) (u_i - u_j)
// which is the same sum, because internal forces do not change under translation, and rounds better.
// Loads per neighbour: 1 index + 4 value + 4 vector = 9 words.
// The importing kernel binds `pattern`, `values` and `chunk` and provides `gathered(ix)`, the vector u with the mass in w.
#import shared/chunk
#import shared/edge

fn matrix_row(row: u32, own: vec4<f32>) -> vec3<f32> {
    var sum = own.w * own.xyz;
    let slice = row / SLICE_ROWS;
    // Loads out of the loop that not every compiler would move there.
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
    return sum;
}
