// One row of A u for the constant matrix of the IMEX schemes, whose blocks are a·I:
//   (A u)_i = m_i u_i + Σ_j a (u_i - u_j)
// Loads per neighbour: 1 index + 1 value + 4 vector = 6 words.
// The importing kernel binds `pattern`, `scalar_values` and `chunk` and provides `gathered(ix)`, u of a row with the scalar part of its diagonal block in w.
#import shared/chunk
#import shared/edge

fn scalar_row(row: u32, own: vec4<f32>) -> vec3<f32> {
    var sum = own.w * own.xyz;
    let slice = row / SLICE_ROWS;
    let first_slot = chunk.first_slot;
    let to_index = params.pattern_header + first_slot;
    let end = pattern[slice + 1u] - first_slot;
    for (var slot_ix = pattern[slice] - first_slot + row % SLICE_ROWS; slot_ix < end; slot_ix += SLICE_ROWS) {
        sum += scalar_values[slot_ix] * (own.xyz - gathered(pattern[to_index + slot_ix]).xyz);
    }
    return sum;
}
